"""People of a world who look for a table, and the judge of the log of their searches.

Nobody is seated twice, whoever is seated was looking for that table, nobody sits with somebody blocked, and nobody
waits for ever while there are others to play with.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from landfall.store.events import Created
from landfall.store.matchmaking_events import SearchesEnded, SearchStarted, SearchWrite, TableMatched
from landfall.store.shared_log_entries import NotTogether
from landfall.tables.live.subscriber import User
from landfall.tables.matchmaking.matchmaker import RENEWAL_MS, TICK_MS, Listener
from landfall.tables.matchmaking.search_grouping import BAND_MS, BANDS
from landfall.tables.matchmaking.search_log import ABSENCE_MS
from landfall.tables.protocol.errors import Refused

if TYPE_CHECKING:
    from tests.sim.simulated_process import Process
    from tests.sim.simulated_world import World

NAMES = ("Gerd", "Hua", "Ines", "Juri", "Kim", "Lea", "Mina")
GAMES = ("atlandice", "atlantis")
PATIENCE_S = (len(BANDS) * BAND_MS + RENEWAL_MS + 5 * TICK_MS) / 1000  # until anyone would do


@dataclass
class SearchJudge:
    """The searches on disk, kept by other rules than the server's."""

    open: dict[str, SearchStarted] = field(default_factory=dict)
    seated: dict[str, str] = field(default_factory=dict)  # the table that a search led to
    blocks: set[frozenset[str]] = field(default_factory=set)

    def find_fault(self, write: SearchWrite) -> str:
        """What is wrong with a commit; "" if nothing. It is taken in."""
        for event in write.events:
            if isinstance(event, SearchStarted):
                self.open = {id_: one for id_, one in self.open.items() if one.person != event.person}
                self.open[event.search] = event
            elif isinstance(event, SearchesEnded):
                for id_ in event.searches:
                    self.open.pop(id_, None)
            elif isinstance(event, TableMatched) and (fault := self.fault_of_table(event, write)):
                return fault
        return ""

    def fault_of_table(self, event: TableMatched, write: SearchWrite) -> str:
        twice = [id_ for id_ in event.searches if id_ in self.seated]
        if twice:
            return f"{twice[0]} is seated at {event.table} and at {self.seated[twice[0]]}"
        if missing := [id_ for id_ in event.searches if id_ not in self.open]:
            return f"{missing[0]} is seated at {event.table} and was not looking for a table"
        looked = [self.open.pop(id_) for id_ in event.searches]
        self.seated.update(dict.fromkeys(event.searches, event.table))
        first = write.tables[0].entries[0].event
        assert isinstance(first, Created)
        people = [chair.person for chair in first.chairs if chair.person is not None]
        if sorted(people) != sorted(one.person for one in looked) or len(set(people)) != len(people):
            return f"at {event.table} sit {people}, and others looked for it"
        if any(first.game not in one.games or first.players not in one.sizes for one in looked):
            return f"{event.table} is not the table that was looked for"
        if any(frozenset(pair) in self.blocks for pair in itertools.combinations(people, 2)):
            return f"at {event.table} sit two of whom one has blocked the other"
        return ""

    def find_possible_table(self) -> list[SearchStarted]:
        """Some who could have sat down together."""
        for size in (2, 3):
            for some in itertools.combinations(self.open.values(), size):
                games = set.intersection(*(set(one.games) for one in some))
                apart = any(frozenset((a.person, b.person)) in self.blocks for a, b in itertools.combinations(some, 2))
                if games and not apart and all(size in one.sizes for one in some):
                    return list(some)
        return []


class Seeker:
    """Somebody who looks for a table, with a page at some process."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.chance = world.stream(f"seeker {name}")
        self.user = User(f"id-{name}", name, has_account=True, shown=self.chance.random() < 0.5)
        self.process: Process | None = None
        self.listener: Listener | None = None
        self.connecting = False
        self.known: dict[str, Any] = {}

    @property
    def is_connected(self) -> bool:
        return self.listener is not None and self.process is not None and self.process.alive

    async def live(self) -> None:
        """Look, go, come back, look for something else, stop."""
        while self.world.active:
            await self.world.later(self.chance.expovariate(1 / 1.5))
            if not self.world.active:
                return
            await self.act(self.chance.choice(["connect", "look", "look", "look", "look", "stop", "bots", "go"]))

    async def act(self, what: str) -> None:
        if not self.is_connected:
            await self.connect()
        process, listener = self.process, self.listener
        if process is None or listener is None or not process.alive:
            return
        maker = process.server.matchmaker
        self.world.note(self.user.name, f"{what} at {process.name}")
        if what == "go":
            process.spawn(self.leave(process, listener))
            self.listener = None
        elif what == "look":
            games = self.chance.choice([list(GAMES), [GAMES[0]], [GAMES[1]]])
            sizes = self.chance.choice([[2], [2, 3], [3]])
            bots = self.chance.choice(["", "", "sprat"])
            process.spawn(self.ask(process, maker.start_search(self.user, games, sizes, "quarter", False, bots)))
        elif what in ("stop", "bots"):
            asked = maker.stop_search(self.user) if what == "stop" else maker.seat_with_bots_now(self.user)
            process.spawn(self.ask(process, asked))

    def look_for_anyone(self) -> None:
        """Look for a table of two people, without bots."""
        if self.is_connected and self.process is not None and self.user.id not in self.world.disk.forgotten:
            asked = self.process.server.matchmaker.start_search(self.user, list(GAMES), [2], "quarter", False, "")
            self.process.spawn(self.ask(self.process, asked))

    async def ask(self, process: Process, asked: Any) -> None:
        try:
            await asked
        except (Refused, OSError):  # also that the disk is away
            pass
        except Exception as error:
            if process.alive:
                self.world.broken("an error", f"{self.user.name}: {type(error).__name__}: {error}", error)

    async def connect(self) -> None:
        """Open a page at some process."""
        living = [one for one in self.world.processes if one.alive and not one.closing]
        if not living or self.connecting or self.user.id in self.world.disk.forgotten:
            return
        self.process, self.listener, self.known = self.chance.choice(living), None, {}
        self.connecting = True
        task = self.process.spawn(self.open_page(self.process))
        for _ in range(200):  # a process that is killed never answers
            if task.done() or not self.process.alive:
                break
            await self.world.later(0.05)
        self.connecting = False

    async def open_page(self, process: Process) -> None:
        try:
            listener = await process.server.matchmaker.connect_listener(self.user, self.receive)
        except Refused:
            return
        if self.process is process and self.connecting:
            self.listener = listener
        else:
            process.server.matchmaker.disconnect_listener(listener)

    async def leave(self, process: Process, listener: Listener) -> None:
        process.server.matchmaker.disconnect_listener(listener)

    def receive(self, text: str) -> None:
        self.known.update(msgspec.json.decode(text))


class SearchParty:
    """All of a world who look for a table; in most worlds nobody."""

    def __init__(self, world: World) -> None:
        self.world = world
        chance = world.stream("searches")
        some = NAMES[: chance.randint(2, len(NAMES))] if chance.random() < 0.25 else ()
        self.seekers = [Seeker(world, name) for name in some]
        self.deletes = bool(some) and chance.random() < 0.3
        world.disk.people.update({seeker.user.id: seeker.user.name for seeker in self.seekers})
        pairs = itertools.combinations([seeker.user.id for seeker in self.seekers], 2)
        world.disk.judge.blocks = {frozenset(pair) for pair in pairs if chance.random() < 0.1}

    def lives(self) -> list[Any]:
        return [seeker.live() for seeker in self.seekers] + ([self.delete_one()] if self.deletes else [])

    async def delete_one(self) -> None:
        """One of them deletes the account."""
        chance = self.world.stream("deleted seeker")
        await self.world.later(chance.uniform(0.5, 6))
        process = chance.choice(self.world.processes)
        if process.alive and not process.closing and self.world.active:
            person = self.seekers[0].user.id
            process.spawn(self.seekers[0].ask(process, process.server.delete_user(person)))

    async def comes_to_rest(self) -> None:
        """Everybody who looks for a table waits for it, in front of a page; then nobody is left who could have one."""
        if not self.seekers:
            return
        disk = self.world.disk
        for seeker in self.seekers[:2]:
            if not seeker.is_connected:
                await seeker.connect()
            seeker.look_for_anyone()
        until = self.world.loop.time() + PATIENCE_S + ABSENCE_MS / 1000
        while self.world.loop.time() < until:
            for seeker in self.seekers:
                if not seeker.is_connected:
                    await seeker.connect()
            await self.world.later(1)
        if possible := disk.judge.find_possible_table():
            self.world.broken("waits for ever", f"{[one.person for one in possible]} could sit down together")
        for seeker in self.seekers:
            if seeker.user.id in disk.forgotten:
                continue
            is_open = any(one.person == seeker.user.id for one in disk.judge.open.values())
            if is_open != (seeker.known.get("search") is not None):
                self.world.broken("not told", f"{seeker.user.name} is told of the search {seeker.known.get('search')}")
        gone = [one.person for one in disk.judge.open.values() if one.person in disk.forgotten]
        if gone:
            self.world.broken("waits for nobody", f"{gone[0]} was deleted, and looks for a table")
        for seeker in self.seekers:
            if seeker.is_connected and seeker.process is not None and seeker.listener is not None:
                seeker.process.spawn(seeker.leave(seeker.process, seeker.listener))
        await self.world.later(2)


def require_may_sit_together(people: list[str], known: dict[str, str], judge: SearchJudge) -> None:
    """As the real store refuses a table."""
    if any(person not in known for person in people):
        raise NotTogether
    if any(frozenset(pair) in judge.blocks for pair in itertools.combinations(people, 2)):
        raise NotTogether
