"""Runs tournaments: takes players' commands, records results, begins rounds when they are due.

Any process may advance a tournament. What happens next follows from its log and the clock alone, so a killed process
loses nothing, and the number of an event decides which process was first. The tables of a round begin in the
transaction of the event that announces it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from landfall.games import game as find_game
from landfall.store.events import Created, InitialChair, InitialClock
from landfall.store.shared_log_entries import NewTable
from landfall.store.tournament_events import (
    PlannedTable,
    PlayerLeft,
    ResultRecorded,
    RoundPaired,
    TournamentEntry,
    TournamentEvent,
    TournamentHead,
    TournamentWrite,
)
from landfall.tables.bots.allowed_bots import HINT_BOT
from landfall.tables.live.hub import Hub
from landfall.tables.live.process_services import Services
from landfall.tables.live.shared_log_writer import NOBODY, SharedLogWriter
from landfall.tables.live.subscriber import User
from landfall.tables.log.clocks import LIVE_CLOCK
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.ratings.rating_model import table_size_class
from landfall.tables.tournaments import decisions
from landfall.tables.tournaments.decisions import UNKNOWN_ENTRANCE, Entrance, TournamentConfig
from landfall.tables.tournaments.round_pairing import Entrant, RoundPlan, pair_divisions
from landfall.tables.tournaments.tournament_log import RUNNING, Tournament
from landfall.tables.tournaments.tournament_notices import make_new_and_find_obsolete_notices

if TYPE_CHECKING:
    from landfall.store.store import Store

log = logging.getLogger("landfall")
FILL_BOT: Final = HINT_BOT  # the level that takes free seats
MAX_OPEN: Final = 3  # tournaments of one opener that are not over
MAX_OPEN_PER_ADDRESS: Final = 6
MAX_KEPT: Final = 200  # logs in memory; others are read again
MAX_ADVANCED_AT_ONCE: Final = 4


class TournamentLogWriter(SharedLogWriter[TournamentEvent]):
    """One tournament's log, as this process knows it."""

    def __init__(self, services: Services, store: Store, id_: str) -> None:
        super().__init__(services)
        self.store = store
        self.tournament = Tournament(id_)

    @property
    def last_known_seq(self) -> int:
        return self.tournament.seq

    async def read_entries_after(self, after: int) -> list[TournamentEntry]:
        return await self.store.tournaments.read_tournament_log(self.tournament.id, after)

    async def try_append_write(self, write: TournamentWrite) -> bool:
        write.notices, write.obsolete = make_new_and_find_obsolete_notices(self.tournament, write.events, write.at)
        return await self.store.tournaments.append_tournament_events(write, self.tournament_head_after_write(write))

    def tournament_head_after_write(self, write: TournamentWrite) -> TournamentHead:
        """The entry in lists, as it is after these events."""
        after = Tournament(self.tournament.id)
        after.__dict__.update(self.tournament.__dict__)
        after.players = {person: replace(one) for person, one in self.tournament.players.items()}
        after.rounds = list(self.tournament.rounds)
        for entry in write.to_numbered_entries():
            if not isinstance(entry.event, ResultRecorded):  # a result changes no entry, and its tables are shared
                after.apply_event(entry.seq, entry.at, entry.event)
        t = after.terms
        return TournamentHead(after.id, t.person, after.status, t.listed, t.starts, after.seq, after.to_list_entry())

    def apply_entries(self, entries: list[TournamentEntry]) -> None:
        for entry in entries:
            if entry.seq > self.tournament.seq:
                self.tournament.apply_event(entry.seq, entry.at, entry.event)

    def discard_folded_log(self) -> None:
        """Somebody was deleted: the log on disk has changed."""
        self.tournament, self.is_stale = Tournament(self.tournament.id), True

    async def on_incompatible_people(self) -> None:
        self.discard_folded_log()


class Director:
    """All tournaments, as this process knows them."""

    def __init__(self, hub: Hub, store: Store) -> None:
        self.hub = hub
        self.store = store
        self.keepers: dict[str, TournamentLogWriter] = {}  # the least recently used comes first
        self.advancing: dict[str, asyncio.Task[None]] = {}
        self.gate = asyncio.Semaphore(MAX_ADVANCED_AT_ONCE)  # taken after a log's lock; open while a round is paired
        self.failing: dict[str, str] = {}  # why a tournament could not be advanced the last time
        self.opening = asyncio.Lock()  # two opened at once are counted, too

    # --- commands ---------------------------------------------------------------------------------------------

    async def open_tournament(
        self, user: User, config: TournamentConfig, is_organiser: bool = False, neighbours: Collection[str] = ()
    ) -> str:
        """A new tournament, or a league's next season. Returns its id."""
        opened = decisions.decide_open_tournament(user, config, self.wall_time_ms)
        if opened.after:
            decisions.require_valid_next_season(await self.get_tournament(opened.after), opened, is_organiser)
        keeper = TournamentLogWriter(self.hub, self.store, self.hub.runtime.new_id())
        async with self.opening, keeper.lock:
            for people, most in ({user.id}, MAX_OPEN), ({user.id, *neighbours}, MAX_OPEN_PER_ADDRESS):
                if await self.store.tournaments.count_unfinished_tournaments_opened_by(people) >= most:
                    raise Refused("tournament_many", most=most)
            await keeper.decide_and_append(lambda: None if keeper.last_known_seq else TournamentWrite([opened]))
        self.cache_log_writer(keeper)
        return keeper.tournament.id

    async def join_tournament(self, id_: str, user: User, entrance: Entrance = UNKNOWN_ENTRANCE) -> None:
        """Play in it."""
        await self.execute_decision(
            id_, lambda found: decisions.decide_join_tournament(found, user, self.wall_time_ms, entrance)
        )

    async def remove_player(
        self, id_: str, user: User, is_organiser: bool, player: int, name: str, barred: bool
    ) -> None:
        """The organiser removes somebody, by number and name."""
        await self.execute_decision(
            id_, lambda found: decisions.decide_remove_player(found, user.id, is_organiser, player, name, barred)
        )

    async def leave_tournament(self, id_: str, user: User) -> None:
        """Play in it no longer."""
        await self.execute_decision(id_, lambda found: decisions.decide_leave_tournament(found, user.id))

    async def check_in_player(self, id_: str, user: User) -> None:
        """Somebody is here."""
        await self.execute_decision(
            id_, lambda found: decisions.decide_check_in_player(found, user.id, self.wall_time_ms)
        )

    async def begin_tournament_early(self, id_: str, user: User, is_organiser: bool) -> None:
        """Begin before its time."""
        await self.execute_decision(
            id_, lambda found: decisions.decide_begin_early(found, user.id, is_organiser, self.wall_time_ms)
        )
        self.start_advancing(id_)

    async def cancel_tournament(self, id_: str, user: User, is_organiser: bool) -> None:
        """Call it off. Tables that are played go on."""
        await self.execute_decision(id_, lambda found: decisions.decide_cancel_tournament(found, user.id, is_organiser))

    async def execute_decision(self, id_: str, decide: Callable[[Tournament], list[TournamentEvent]]) -> None:
        """Decide on the whole log, and append; nothing if nothing changes."""
        keeper = await self.get_refreshed_log_writer(id_)

        def decide_write() -> TournamentWrite | None:
            events = decide(keeper.tournament)
            return TournamentWrite(events) if events else None

        async with keeper.lock:
            await keeper.decide_and_append(decide_write)

    # --- reading ----------------------------------------------------------------------------------------------

    @property
    def wall_time_ms(self) -> int:
        return self.hub.runtime.clock.wall_time_ms()

    async def get_tournament(self, id_: str) -> Tournament:
        """A tournament as it is now; while it is being advanced, as this process knows it: a page waits for nothing."""
        keeper = self.keepers.get(id_)
        if keeper is not None and keeper.last_known_seq and keeper.lock.locked():
            return keeper.tournament
        return (await self.get_refreshed_log_writer(id_)).tournament

    async def get_refreshed_log_writer(self, id_: str) -> TournamentLogWriter:
        """The cached writer of a tournament's log, which has read all that is on disk. Refused: there is none."""
        if not text_validation.TABLE_ID_PATTERN.fullmatch(id_):
            raise Refused("no_tournament")
        keeper = self.cache_log_writer(self.keepers.get(id_) or TournamentLogWriter(self.hub, self.store, id_))
        async with keeper.lock:
            keeper.is_stale = True  # another process may have written
            await keeper.refresh_if_stale()
        if not keeper.last_known_seq:
            self.keepers.pop(id_, None)
            raise Refused("no_tournament")
        return keeper

    def cache_log_writer(self, keeper: TournamentLogWriter) -> TournamentLogWriter:
        """Keep it in memory, and drop the least recently used."""
        self.keepers.pop(keeper.tournament.id, None)
        self.keepers[keeper.tournament.id] = keeper
        for other in list(self.keepers):
            if len(self.keepers) <= MAX_KEPT:
                break
            if not self.keepers[other].lock.locked():
                del self.keepers[other]
        return keeper

    async def reread_logs_of_deleted_user(self, person: str) -> None:
        """A user was deleted from the store, with the name in the logs."""
        for keeper in list(self.keepers.values()):
            async with keeper.lock:
                found = keeper.tournament
                if found.seq and person in {found.terms.person, *found.players}:
                    keeper.discard_folded_log()

    # --- what happens by itself -------------------------------------------------------------------------------

    def start_tick_loop(self) -> None:
        """Look after all tournaments from now on."""
        self.hub.spawn_background_task(self.run_tick_loop())

    async def run_tick_loop(self) -> None:
        while True:
            try:
                await self.start_advancing_due_tournaments()
            except Exception as error:  # the database is away: again at the next tick
                log.warning("tournaments could not be looked after: %s", type(error).__name__)
            await self.hub.runtime.clock.sleep_ms(self.hub.runtime.director_ms)

    async def start_advancing_due_tournaments(self) -> list[asyncio.Task[None]]:
        """Begin to advance what is due, or may be. None waits for another: a large field takes a while to pair."""
        due = await self.store.tournaments.list_tournament_ids_to_advance(self.wall_time_ms)
        self.failing = {id_: why for id_, why in self.failing.items() if id_ in due}
        return [self.start_advancing(id_) for id_ in due]

    def start_advancing(self, id_: str) -> asyncio.Task[None]:
        """Advance a tournament, unless that is under way."""
        task = self.advancing.get(id_)
        if task is None:
            task = self.advancing[id_] = self.hub.spawn_background_task(self.try_advance_tournament(id_))
            task.add_done_callback(lambda _: self.advancing.pop(id_, None))
        return task

    async def try_advance_tournament(self, id_: str) -> None:
        """Advance a tournament; what fails is tried again at the next tick, and logged once."""
        try:
            await self.advance_while_leased(id_)
        except Refused as error:
            self.log_waiting_reason(id_, error.code)
        except self.store.database.errors as error:
            self.log_waiting_reason(id_, type(error).__name__)
        except Exception as error:  # one that cannot go on does not stop the others
            if self.record_failure(id_, type(error).__name__):
                log.exception("a tournament cannot go on: %s", type(error).__name__)
        else:
            self.failing.pop(id_, None)

    def log_waiting_reason(self, id_: str, why: str) -> None:
        if self.record_failure(id_, why):
            log.warning("a tournament waits: %s", why)

    def record_failure(self, id_: str, why: str) -> bool:
        before, self.failing[id_] = self.failing.get(id_), why
        return before != why

    async def advance_while_leased(self, id_: str) -> None:
        """Advance a tournament while this process has its lease."""
        async with self.gate:
            if not await self.store.database.try_acquire_bot_lease(id_):  # another process does it
                return
        is_running = False
        try:
            is_running = await self.advance_tournament(await self.get_refreshed_log_writer(id_))
        finally:  # refused, failed or cancelled: another process may do it
            if not is_running:
                await self.store.database.release_bot_lease(id_)

    async def advance_tournament(self, keeper: TournamentLogWriter) -> bool:
        """Record results, and take the steps that are due. Returns whether the tournament runs."""
        async with keeper.lock, self.gate:
            await keeper.refresh_if_stale()
            await self.record_finished_matches(keeper)
        goes_on, alone = True, False
        while goes_on:
            goes_on, alone = await self.take_due_step(keeper, alone)
        found = keeper.tournament
        if found.status == RUNNING and found.clock_rule.mode == LIVE_CLOCK:
            for table in found.unfinished_tables:
                if table.id not in self.hub.live_tables:
                    async with self.gate:
                        await self.hub.load_and_reschedule_table(table.id)
        return found.status == RUNNING

    async def record_finished_matches(self, keeper: TournamentLogWriter) -> None:
        """The results of all matches that are over."""
        waiting = [table.id for table in keeper.tournament.unfinished_tables]
        if keeper.tournament.status != RUNNING or not waiting:
            return
        results: list[TournamentEvent] = []
        for table in sorted(await self.store.tables.filter_finished_or_deleted_tables(waiting)):
            results.append(await self.result_of_table(table))
        if results:
            seq = keeper.last_known_seq
            await keeper.decide_and_append(lambda: TournamentWrite(results) if keeper.last_known_seq == seq else None)

    async def result_of_table(self, id_: str) -> ResultRecorded:
        live = self.hub.live_tables.get(id_)
        found = decisions.decide_table_result(live.table) if live is not None else None
        if found is None:
            entries = await self.store.tables.read_log_entries(id_)
            table = load_table_from_entries(id_, entries, self.hub.runtime.rng) if entries else None
            found = decisions.decide_table_result(table) if table is not None else None
        return found or ResultRecorded(id_, [])  # deleted: nobody scores

    async def take_due_step(self, keeper: TournamentLogWriter, alone: bool) -> tuple[bool, bool]:
        """Take the step that is due. Returns whether there was one, and how to take the next.

        While a round is paired others read, join and leave. If who plays has changed then, it is paired again `alone`:
        they wait. After somebody else's event the step is decided again.
        """
        async with keeper.lock:
            await keeper.refresh_if_stale()
            found = keeper.tournament
            if decisions.must_set_divisions(found):
                await self.write_divisions(keeper)
                return keeper.tournament is found or await self.remove_deleted_players(keeper, found), False
            entrants = found.entrants_by_division()
            is_paired = decisions.decide_next_step(found, self.wall_time_ms)[1]
        plan = await self.pair_next_round(found, entrants) if is_paired and not alone else None
        async with keeper.lock:
            await keeper.refresh_if_stale()
            found, seq = keeper.tournament, keeper.last_known_seq
            events, is_paired = decisions.decide_next_step(found, self.wall_time_ms)
            write = TournamentWrite(events)
            if is_paired:
                if found.entrants_by_division() != entrants and not alone:
                    return True, True
                entrants = found.entrants_by_division()
                write = await self.make_round_write(
                    keeper, plan or await self.pair_next_round(found, entrants), entrants
                )
            if not write.events:
                return False, False
            async with self.gate:
                await keeper.decide_and_append(
                    lambda: write if keeper.tournament is found and keeper.last_known_seq == seq else None
                )
            return keeper.tournament is found or await self.remove_deleted_players(keeper, found), False

    async def remove_deleted_players(self, keeper: TournamentLogWriter, before: Tournament) -> bool:
        """Somebody who was to play does not exist any more; `keeper` is locked. Returns whether others play now.

        Whoever was deleted has another id in the log that was read again. Whoever is still named there has left.
        """
        await keeper.refresh_if_stale()
        found, seq = keeper.tournament, keeper.last_known_seq
        there = await self.store.users.get_names_by_user(found.ready_player_ids)
        gone: list[TournamentEvent] = [PlayerLeft(person) for person in found.ready_player_ids if person not in there]
        if gone:
            async with self.gate:
                await keeper.decide_and_append(lambda: TournamentWrite(gone) if keeper.last_known_seq == seq else None)
        return keeper.tournament.ready_player_ids != before.ready_player_ids  # else it is tried again at the next tick

    async def write_divisions(self, keeper: TournamentLogWriter) -> None:
        """The divisions of a league, before its first round; `keeper` is locked."""
        found, seq = keeper.tournament, keeper.last_known_seq
        pool = found.terms.game, table_size_class(found.terms.size)
        async with self.gate:
            before = await self.read_tournament_or_none(found.terms.after)
            event = decisions.decide_divisions(
                found,
                before,
                await self.store.ratings.get_rating_lower_bounds_by_user(pool, found.ready_player_ids),
            )
            write = TournamentWrite([event], sorted(found.ready_player_ids))
            await keeper.decide_and_append(
                lambda: write if keeper.tournament is found and keeper.last_known_seq == seq else None
            )

    async def read_tournament_or_none(self, id_: str) -> Tournament | None:
        """The season before, as it is on disk; None: this is the first one."""
        if not id_:
            return None
        before = TournamentLogWriter(self.hub, self.store, id_)
        await before.refresh_if_stale()
        return before.tournament if before.last_known_seq else None

    async def pair_next_round(self, found: Tournament, entrants: list[list[Entrant]]) -> RoundPlan:
        """Who meets whom in the next round, worked out in another process."""
        t, seed = found.terms, int(self.hub.runtime.rng.randbelow(1 << 30))
        sizes = tuple(find_game(t.game).player_counts)
        return await self.hub.bot_pool.run_task(pair_divisions, entrants, t.size, sizes, t.fill, seed, who=found.id)

    async def make_round_write(
        self, keeper: TournamentLogWriter, plan: RoundPlan, entrants: list[list[Entrant]]
    ) -> TournamentWrite:
        """The next round and its tables."""
        found = keeper.tournament
        planned, tables = [], []
        for people in plan.tables:
            tables.append(self.make_round_table(keeper, people))
            planned.append(PlannedTable(tables[-1].summary.table, people))
            await asyncio.sleep(0)  # a large field takes a while
        event = RoundPaired(len(found.rounds) + 1, planned, plan.byes)
        return TournamentWrite([event], sorted(one.id for division in entrants for one in division), tables)

    def make_round_table(self, keeper: TournamentLogWriter, people: list[str | None]) -> NewTable:
        """A table of a round, whose match begins at once. Seats are as planned, and colours with them."""
        found = keeper.tournament
        t, clock, names = found.terms, found.clock_rule, found.players
        chairs = [
            InitialChair(bot=FILL_BOT) if person is None else InitialChair(person, names[person].name)
            for person in people
        ]
        created = Created(
            t.game, len(people), t.options, find_game(t.game).rules_version, NOBODY,
            InitialClock(clock.mode, clock.turn, clock.bank, clock.days), t.listed, "as_sat", False, chairs,
            rated=t.rated, hints=False, tournament=found.id,
        )  # fmt: skip
        return keeper.make_started_table(created)
