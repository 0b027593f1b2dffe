"""Whose question is next: people take turns, and so do the tables of one person."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from typing import Final

REMEMBERED: Final = 10_000  # people and tables of whom it is known when they were served last


class Turns:
    """So many places, of which one person gets at most `each` at a time. `who` is "person table".

    Whoever was served longest ago is next: so many questions of one wait for each other, and keep nobody else waiting
    for more than those that are being answered.
    """

    def __init__(self, places: int, each: int) -> None:
        self.free = places
        self.each = each
        self.busy: Counter[str] = Counter()
        self.waiting: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}
        self.served: OrderedDict[str, int] = OrderedDict()
        self.count = 0

    async def take(self, who: str) -> None:
        """Wait for a place; it must be given back."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(person_of(who), {}).setdefault(who, deque()).append(place)
        self.go_on()
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self.leave(who, place)
            else:  # it came in the same moment
                self.give_back(who)
            raise

    def give_back(self, who: str) -> None:
        """Let the next one have it."""
        person = person_of(who)
        self.free += 1
        self.busy[person] -= 1
        if not self.busy[person]:
            del self.busy[person]
        self.go_on()

    def go_on(self) -> None:
        """Give out what is free."""
        while self.free:
            person = min((p for p in self.waiting if self.busy[p] < self.each), key=self.last, default=None)
            if person is None:
                return
            who = min(self.waiting[person], key=self.last)
            place = self.waiting[person][who][0]
            self.leave(who, place)
            if place.done():
                continue
            place.set_result(None)
            self.free -= 1
            self.busy[person] += 1
            self.note(person)
            self.note(who)

    def leave(self, who: str, place: asyncio.Future[None]) -> None:
        """Take somebody out of the queue."""
        tables = self.waiting.get(person_of(who), {})
        if place in tables.get(who, ()):
            tables[who].remove(place)
            if not tables[who]:
                del tables[who]
            if not tables:
                del self.waiting[person_of(who)]

    def last(self, who: str) -> int:
        """When a person or a table was served last."""
        return self.served.get(who, 0)

    def note(self, who: str) -> None:
        self.count += 1
        self.served[who] = self.count
        self.served.move_to_end(who)
        if len(self.served) > REMEMBERED:
            self.served.popitem(last=False)


def person_of(who: str) -> str:
    """The person of "person table"."""
    return who.partition(" ")[0]
