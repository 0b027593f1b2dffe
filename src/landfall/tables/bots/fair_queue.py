"""A fair queue for a few workers: addresses share them equally, then the users of an address, then their tables."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from typing import Final

MAX_REMEMBERED_GROUPS: Final = 30_000  # addresses, users and tables whose last turn is stored
EVERYBODY: Final = "\n"  # the group of all
BACKGROUND: Final = "\t"  # an address that is served when nobody else waits
Place = asyncio.Future[None]


class FairQueue:
    """A number of slots, of which one address gets at most `each` at a time.

    A requester is a path of words such as "address person table". At every level the group with the fewest slots is
    next; ties go to the one served longest ago. The address `BACKGROUND` comes after all others. So requests of one
    group wait for each other. They delay others' only by the requests already running.
    """

    def __init__(self, places: int, each: int) -> None:
        self.places = places
        self.free = places  # below 0 while more are taken than there are
        self.each = each
        self.busy: Counter[str] = Counter()  # slots held, by group: "address", "address person", ...
        self.groups: dict[str, dict[str, None]] = {}  # the waiting groups within each group
        self.waiting: dict[str, deque[Place]] = {}  # by requester
        self.served: OrderedDict[str, int] = OrderedDict()
        self.count = 0

    async def take_slot(self, who: str) -> None:
        """Wait for a slot; the caller must give it back."""
        place: Place = asyncio.get_running_loop().create_future()
        chain = groups_of_requester(who)
        self.waiting.setdefault(chain[-1], deque()).append(place)
        for outer, group in zip([EVERYBODY, *chain], chain, strict=False):
            self.groups.setdefault(outer, {})[group] = None
        self.assign_free_slots()
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self.remove_waiting_requester(who, place)
            else:  # it was assigned at the same moment
                self.release_slot(who)
            raise

    def release_slot(self, who: str) -> None:
        """Release a slot to the next requester."""
        self.free += 1
        for group in groups_of_requester(who):
            self.busy[group] -= 1
            if not self.busy[group]:
                del self.busy[group]
        self.assign_free_slots()

    def set_slot_count(self, places: int, each: int) -> None:
        """There are more slots, or fewer; those taken are given back as ever."""
        self.free += places - self.places
        self.places, self.each = places, each
        self.assign_free_slots()

    def assign_free_slots(self) -> None:
        """Assign the free slots."""
        while self.free > 0 and (requester := self.next_requester_in_turn()) is not None:
            place = self.waiting[requester][0]
            who = requester[:-1]
            self.remove_waiting_requester(who, place)
            if place.done():
                continue
            place.set_result(None)
            self.free -= 1
            for group in groups_of_requester(who):
                self.busy[group] += 1
                self.record_slot_given(group)

    def next_requester_in_turn(self) -> str | None:
        """The requester to be served next; None if there is none."""
        addresses = [group for group in self.groups.get(EVERYBODY, ()) if self.busy[group] < self.each]
        if not addresses:
            return None
        found = min([group for group in addresses if group != BACKGROUND] or addresses, key=self.group_sort_key)
        while found in self.groups:
            found = min(self.groups[found], key=self.group_sort_key)
        return found

    def group_sort_key(self, group: str) -> tuple[int, int]:
        """The sort key of a group: who is served sooner."""
        return self.busy[group], self.served.get(group, 0)

    def remove_waiting_requester(self, who: str, place: Place) -> None:
        """Remove a requester from the queue."""
        chain = [EVERYBODY, *groups_of_requester(who)]
        places = self.waiting.get(chain[-1], deque())
        if place not in places:
            return
        places.remove(place)
        if places:
            return
        del self.waiting[chain[-1]]
        for outer, group in zip(chain[-2::-1], chain[:0:-1], strict=True):
            del self.groups[outer][group]
            if self.groups[outer]:
                return
            del self.groups[outer]

    def record_slot_given(self, group: str) -> None:
        self.count += 1
        self.served[group] = self.count
        self.served.move_to_end(group)
        if len(self.served) > MAX_REMEMBERED_GROUPS:
            self.served.popitem(last=False)


def groups_of_requester(who: str) -> list[str]:
    """The groups of a requester, largest first: "a p t" is in "a", "a p" and "a p t"; last, with a space, itself.

    So "a" may wait beside "a p t".
    """
    words = who.split(" ")
    return [*(" ".join(words[: n + 1]) for n in range(len(words))), f"{who} "]
