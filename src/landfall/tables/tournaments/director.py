"""Runs tournaments: takes players' commands, records results, begins rounds when they are due.

Any process may advance a tournament. What happens next follows from its log and the clock alone, so a killed process
loses nothing, and the number of an event decides which process was first. The tables of a round begin in the
transaction of the event that announces it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from landfall.games import game as find_game
from landfall.store.events import Created, InitialChair, InitialClock
from landfall.store.shared_events import NewTable
from landfall.store.tournament_events import (
    PlannedTable,
    ResultRecorded,
    RoundPaired,
    TournamentEntry,
    TournamentEvent,
    TournamentHead,
    TournamentWrite,
)
from landfall.tables.bots.bot_levels import HINT_BOT
from landfall.tables.live.hub import Hub
from landfall.tables.live.log_keeper import NOBODY, LogKeeper
from landfall.tables.live.services import Services
from landfall.tables.live.subscriber import User
from landfall.tables.log.clocks import LIVE_CLOCK
from landfall.tables.log.loading import load_table
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.tournaments import rules
from landfall.tables.tournaments.notices import find_notices
from landfall.tables.tournaments.pairing import RoundPlan, pair_round
from landfall.tables.tournaments.rules import TournamentConfig
from landfall.tables.tournaments.tournament_log import RUNNING, Tournament

log = logging.getLogger("landfall")
FILL_BOT: Final = HINT_BOT  # the level that takes free seats
MAX_OPEN: Final = 3  # tournaments of one opener that are not over
MAX_KEPT: Final = 200  # logs in memory; others are read again


class TournamentKeeper(LogKeeper[TournamentEvent]):
    """One tournament's log, as this process knows it."""

    def __init__(self, services: Services, id_: str) -> None:
        super().__init__(services)
        self.tournament = Tournament(id_)

    @property
    def seq(self) -> int:
        return self.tournament.seq

    async def read(self, after: int) -> list[TournamentEntry]:
        return await self.services.store.read_tournament(self.tournament.id, after)

    async def append(self, write: TournamentWrite) -> bool:
        write.notices, write.obsolete = find_notices(self.tournament, write.events, write.at)
        return await self.services.store.append_tournament(write, self.head_after(write))

    def head_after(self, write: TournamentWrite) -> TournamentHead:
        """The entry in lists, as it is after these events."""
        after = Tournament(self.tournament.id)
        after.__dict__.update(self.tournament.__dict__)
        after.players = {person: replace(one) for person, one in self.tournament.players.items()}
        after.rounds = list(self.tournament.rounds)
        for entry in write.entries():
            if not isinstance(entry.event, ResultRecorded):  # a result changes no entry, and its tables are shared
                after.apply(entry.seq, entry.at, entry.event)
        t = after.terms
        return TournamentHead(after.id, t.person, after.status, t.listed, t.starts, after.seq, after.head())

    def apply(self, entries: list[TournamentEntry]) -> None:
        for entry in entries:
            if entry.seq > self.tournament.seq:
                self.tournament.apply(entry.seq, entry.at, entry.event)

    def forget(self) -> None:
        """Somebody was deleted: the log on disk has changed."""
        self.tournament, self.is_stale = Tournament(self.tournament.id), True

    async def on_apart(self) -> None:
        self.forget()


class Director:
    """All tournaments, as this process knows them."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.keepers: dict[str, TournamentKeeper] = {}  # the least recently used comes first

    # --- commands ---------------------------------------------------------------------------------------------

    async def open(self, user: User, config: TournamentConfig) -> str:
        """A new tournament. Returns its id."""
        now = self.hub.runtime.clock.now()
        opened = rules.decide_open(user, config, now)
        mine = [head for head in await self.hub.store.tournaments_of(user.id) if head.opener == user.id]
        if len(mine) >= MAX_OPEN:
            raise Refused("tournament_many", most=MAX_OPEN)
        keeper = TournamentKeeper(self.hub, self.hub.runtime.new_id())
        async with keeper.lock:
            await keeper.write(lambda: None if keeper.seq else TournamentWrite([opened]))
        self.keep(keeper)
        return keeper.tournament.id

    async def join(self, id_: str, user: User) -> None:
        """Play in it."""
        await self.execute(id_, lambda found: rules.decide_join(found, user, self.now))

    async def leave(self, id_: str, user: User) -> None:
        """Play in it no longer."""
        await self.execute(id_, lambda found: rules.decide_leave(found, user.id))

    async def check_in(self, id_: str, user: User) -> None:
        """Somebody is here."""
        await self.execute(id_, lambda found: rules.decide_check_in(found, user.id, self.now))

    async def begin(self, id_: str, user: User, is_organiser: bool) -> None:
        """Begin before its time."""
        await self.execute(id_, lambda found: rules.decide_begin(found, user.id, is_organiser))
        self.hub.spawn(self.try_advance(id_))

    async def cancel(self, id_: str, user: User, is_organiser: bool) -> None:
        """Call it off. Tables that are played go on."""
        await self.execute(id_, lambda found: rules.decide_cancel(found, user.id, is_organiser))

    async def execute(self, id_: str, decide: Callable[[Tournament], list[TournamentEvent]]) -> None:
        """Decide on the whole log, and append; nothing if nothing changes."""
        keeper = await self.find(id_)

        def write() -> TournamentWrite | None:
            events = decide(keeper.tournament)
            return TournamentWrite(events) if events else None

        async with keeper.lock:
            await keeper.write(write)

    # --- reading ----------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        return self.hub.runtime.clock.now()

    async def get(self, id_: str) -> Tournament:
        """A tournament as it is now."""
        return (await self.find(id_)).tournament

    async def find(self, id_: str) -> TournamentKeeper:
        """A tournament's keeper, with all that is on disk. Refused: there is none."""
        if not text_validation.TABLE_ID_PATTERN.fullmatch(id_):
            raise Refused("no_tournament")
        keeper = self.keep(self.keepers.get(id_) or TournamentKeeper(self.hub, id_))
        async with keeper.lock:
            keeper.is_stale = True  # another process may have written
            await keeper.refresh()
        if not keeper.seq:
            self.keepers.pop(id_, None)
            raise Refused("no_tournament")
        return keeper

    def keep(self, keeper: TournamentKeeper) -> TournamentKeeper:
        """Keep it in memory, and drop the least recently used."""
        self.keepers.pop(keeper.tournament.id, None)
        self.keepers[keeper.tournament.id] = keeper
        for other in list(self.keepers):
            if len(self.keepers) <= MAX_KEPT:
                break
            if not self.keepers[other].lock.locked():
                del self.keepers[other]
        return keeper

    async def forget_user(self, person: str) -> None:
        """A user was deleted from the store, with the name in the logs."""
        for keeper in list(self.keepers.values()):
            async with keeper.lock:
                found = keeper.tournament
                if found.seq and person in {found.terms.person, *found.players}:
                    keeper.forget()

    # --- what happens by itself -------------------------------------------------------------------------------

    def start(self) -> None:
        """Look after all tournaments from now on."""
        self.hub.spawn(self.run())

    async def run(self) -> None:
        while True:
            try:
                await self.tick()
            except Exception as error:  # the database is away: again at the next tick
                log.warning("tournaments could not be looked after: %s", type(error).__name__)
            await self.hub.runtime.clock.sleep(self.hub.runtime.director_ms)

    async def tick(self) -> None:
        """Advance what is due, or may be."""
        for id_ in await self.hub.store.due_tournaments(self.now):
            await self.try_advance(id_)

    async def try_advance(self, id_: str) -> None:
        try:
            if await self.hub.store.acquire_bot_lease(id_):  # else another process does it
                await self.advance(await self.find(id_))
        except Refused as error:  # again at the next tick
            log.warning("a tournament waits: %s", error.code)
        except Exception as error:  # one that cannot go on does not stop the others
            log.exception("a tournament cannot go on: %s", type(error).__name__)

    async def advance(self, keeper: TournamentKeeper) -> None:
        """Record results, and take the steps that are due."""
        async with keeper.lock:
            await keeper.refresh()
            await self.record_results(keeper)
            while await self.take_step(keeper):
                pass
        found = keeper.tournament
        if found.status != RUNNING:
            await self.hub.store.release_bot_lease(found.id)
        elif found.clock.mode == LIVE_CLOCK:
            for table in found.open_tables:
                if table.id not in self.hub.live_tables:
                    await self.hub.wake_table(table.id)

    async def record_results(self, keeper: TournamentKeeper) -> None:
        """The results of all matches that are over."""
        waiting = [table.id for table in keeper.tournament.open_tables]
        if keeper.tournament.status != RUNNING or not waiting:
            return
        results: list[TournamentEvent] = []
        for table in sorted(await self.hub.store.over_tables(waiting)):
            results.append(await self.result_of(table))
        if results:
            seq = keeper.seq
            await keeper.write(lambda: TournamentWrite(results) if keeper.seq == seq else None)

    async def result_of(self, id_: str) -> ResultRecorded:
        live = self.hub.live_tables.get(id_)
        found = rules.decide_result(live.table) if live is not None else None
        if found is None:
            entries = await self.hub.store.read_entries(id_)
            table = load_table(id_, entries, self.hub.runtime.rng) if entries else None
            found = rules.decide_result(table) if table is not None else None
        return found or ResultRecorded(id_, [])  # deleted: nobody scores

    async def take_step(self, keeper: TournamentKeeper) -> bool:
        """Take the step that is due; whether there was one. After somebody else's event it is decided anew."""
        found, seq = keeper.tournament, keeper.seq
        events, is_paired = rules.decide_step(found, self.now)
        write = TournamentWrite(events)
        if is_paired:
            write = await self.next_round(found)
        if not write.events:
            return False
        await keeper.write(lambda: write if keeper.tournament is found and keeper.seq == seq else None)
        return True

    async def next_round(self, found: Tournament) -> TournamentWrite:
        """The next round and its tables."""
        t, game = found.terms, find_game(found.terms.game)
        entrants, seed = found.entrants(), int(self.hub.runtime.rng.randbelow(1 << 30))
        plan: RoundPlan = await self.hub.bot_pool.run_task(
            pair_round, entrants, t.size, tuple(game.player_counts), t.fill, seed, who=found.id
        )
        planned, tables, keeper = [], [], self.keepers[found.id]
        for people in plan.tables:
            tables.append(self.begin_table(keeper, people))
            planned.append(PlannedTable(tables[-1].summary.table, people))
            await asyncio.sleep(0)  # a large field takes a while
        event = RoundPaired(len(found.rounds) + 1, planned, plan.byes)
        return TournamentWrite([event], sorted(one.id for one in entrants), tables)

    def begin_table(self, keeper: TournamentKeeper, people: list[str | None]) -> NewTable:
        """A table of a round, whose match begins at once. Seats are as planned, and colours with them."""
        found = keeper.tournament
        t, clock, names = found.terms, found.clock, found.players
        chairs = [
            InitialChair(bot=FILL_BOT) if person is None else InitialChair(person, names[person].name)
            for person in people
        ]
        created = Created(
            t.game, len(people), t.options, find_game(t.game).rules_version, NOBODY,
            InitialClock(clock.mode, clock.turn, clock.bank, clock.days), t.listed, "as_sat", False, chairs,
            rated=t.rated, hints=False, tournament=found.id,
        )  # fmt: skip
        return keeper.begin_table(created)
