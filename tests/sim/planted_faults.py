"""Faults planted on purpose, to see that the worlds see: `python -m tests.sim.planted_faults [NAME ...] [--most N]`.

Each is a small wrong change of the real code. It is found by a world that is broken with it and sound without.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from landfall.core.json_patch import make_patch
from landfall.core.state import State
from landfall.match import Match
from landfall.store import postgres_connections as connections
from landfall.store.matchmaking_events import SearchEntry, TableMatched
from landfall.store.postgres import PostgresDatabase
from landfall.store.postgres_connections import ConnectionTimeouts
from landfall.store.row_types import LogEntry, Notice, TableSummary
from landfall.tables.bots.allowed_bots import STAND_IN
from landfall.tables.bots.bot_pool import BotRequest, ProcessBotPool, choose_bot_action_within_budget, make_bot_request
from landfall.tables.live import live_table as live_module
from landfall.tables.live import table_writer as writer_module
from landfall.tables.live.bot_and_clock_driver import BotAndClockDriver, Need
from landfall.tables.live.command_handler import CommandHandler
from landfall.tables.live.hub import Hub
from landfall.tables.live.live_table import LiveTable
from landfall.tables.live.subscriber import Subscriber, User
from landfall.tables.live.table_writer import TableWriter
from landfall.tables.log import decisions
from landfall.tables.log.table import Table
from landfall.tables.matchmaking.matchmaker import Matchmaker
from landfall.tables.matchmaking.search_log import SearchLog
from landfall.tables.notifications import sender as sender_module
from landfall.tables.notifications.table_notices import TURN, find_correspondence_turn, make_notices_for_change
from landfall.tables.protocol.projections import PublicView
from landfall.tables.runtime_dependencies import Runtime
from landfall.tables.tournaments import divisions
from landfall.tables.tournaments.director import Director, TournamentLogWriter
from landfall.tables.tournaments.standings import Score, compute_standings
from landfall.tables.tournaments.tournament_log import Tournament
from tests.sim.simulated_store import Shared
from tests.sim.simulated_world import Verdict, live_through_world, seeds_with_garbage_collection

# --- tournaments ----------------------------------------------------------------------------------------------


async def record_nothing(self: Director, keeper: TournamentLogWriter) -> None:
    """No table is ever done."""


def everybody_who_joined(self: Tournament) -> list[str]:
    return list(self.players)


def everybody_together(self: Tournament, rounds: int | None = None) -> list[list[Score]]:
    """Divisions are forgotten when a round is paired."""
    counted = self.rounds if rounds is None else self.rounds[:rounds]
    return [compute_standings(self.players, self.terms.size, [(one.finished_tables(), one.byes) for one in counted])]


def nobody_moves(last: Sequence[Sequence[str]]) -> list[str]:
    return [person for division in last for person in division]


def at_once(self: Tournament) -> int | None:
    return None if self.status != "running" or len(self.rounds) >= self.terms.rounds else self.last_at


@dataclass(frozen=True)
class Plant:
    """A fault: what is put in the place of what, and in which worlds it is looked for."""

    what: str
    where: type | Any
    name: str
    instead: Any
    processes: int = 1
    calm: bool = False
    more: tuple[tuple[type | Any, str, Any], ...] = ()

    @contextmanager
    def planted(self) -> Iterator[None]:
        with ExitStack() as stack:
            for where, name, instead in ((self.where, self.name, self.instead), *self.more):
                stack.enter_context(patch.object(where, name, instead))
            yield

    def found_by(self, seed: int) -> Verdict | None:
        """What a world says with this fault in it, if it says nothing without."""
        with self.planted():
            verdict = live_through_world(seed, self.processes, self.calm)
        if verdict.broken and not live_through_world(seed, self.processes, self.calm).broken:
            return verdict
        return None

    def found(self, most: int) -> tuple[int, Verdict] | None:
        """How many seeds it took, and what the last of them said."""
        for seed in seeds_with_garbage_collection(range(most)):
            verdict = self.found_by(seed)
            if verdict is not None:
                return seed + 1, verdict
        return None


# --- on the way to the disk -----------------------------------------------------------------------------------

right_append = Hub.append_events


def apply_to_copy(table: Table, entries: list[LogEntry]) -> Table:
    after = table.copy_for_events()
    if after.match is not None:
        after.match = after.match.fork()
    for entry in entries:
        after.apply_entry(entry)
    return after


async def adopt_first(self: Hub, entries: list[LogEntry], head: TableSummary | None) -> bool:
    live = self.live_tables.get(entries[0].table)
    if live is not None:
        live.on_events_committed(apply_to_copy(live.table, entries), entries)
    return await right_append(self, entries, head)


async def adopt_silently_first(self: Hub, entries: list[LogEntry], head: TableSummary | None) -> bool:
    live = self.live_tables.get(entries[0].table)
    if live is not None:
        live.table = apply_to_copy(live.table, entries)
    return await right_append(self, entries, head)


async def answer_first(self: Hub, entries: list[LogEntry], head: TableSummary | None) -> bool:
    async def write() -> None:
        await right_append(self, entries, head)

    self.spawn_background_task(write())
    return True


async def believe_a_failed_write(self: Hub, entries: list[LogEntry], head: TableSummary | None) -> bool:
    try:
        return await right_append(self, entries, head)
    except Exception:
        return True


async def believe_a_taken_number(self: Hub, entries: list[LogEntry], head: TableSummary | None) -> bool:
    return await right_append(self, entries, head) or True


right_catch_up = TableWriter.apply_new_log_entries


async def forget_that_it_is_behind(self: TableWriter, written: list[LogEntry] | None = None) -> bool:
    fine = await right_catch_up(self, written)
    self.is_stale = False
    return fine or written is None


# --- telling --------------------------------------------------------------------------------------------------


def take_in_silently(self: LiveTable, entries: list[LogEntry]) -> None:
    self.table = apply_to_copy(self.table, entries)
    self.reschedule(self)


def tell_nothing_anew(match: Match, before: int, seat: int | None, codes: AbstractSet[int]) -> list[Any]:
    return []


def look_as_the_first_seat(state: State, before: PublicView | None) -> PublicView:
    view = state.view(0)
    return PublicView(state, view, make_patch(before.view, view) if before is not None else {})


right_heard = Hub.on_process_notification


def hear_nothing_of_what_was_missed(self: Hub, kind: str, words: str) -> None:
    if kind != "missed":
        right_heard(self, kind, words)


async def never_unwatch(self: Hub, subscriber: Subscriber) -> None:
    self.broadcast_presence(subscriber.live)


def forget_ids(self: CommandHandler, live: LiveTable, who: User, id_: str, subscriber: Subscriber | None) -> bool:
    return False


# --- who waits ------------------------------------------------------------------------------------------------


async def swallow_a_cancellation(self: BotAndClockDriver, live: LiveTable, need: Need) -> None:
    while live.need == need:
        with suppress(asyncio.CancelledError, Exception):
            await self.handlers[need[0]](live)
        if live.need == need:
            await self.services.runtime.clock.sleep_ms(1000)


async def try_once(self: BotAndClockDriver, live: LiveTable, need: Need) -> None:
    try:
        await self.handlers[need[0]](live)
    except Exception:
        return


async def think_of_what_was(self: BotAndClockDriver, live: LiveTable) -> None:
    """A bot plays on the match it was asked about, whatever has happened since."""
    if not await self.services.store.database.try_acquire_bot_lease(live.table.id):
        return
    table, env = live.table, self.services.runtime
    seat, match = table.actor, table.match
    if seat is None or match is None or not table.is_waiting_for_bot:
        return
    action = await self.services.bot_pool.choose_action(
        make_bot_request(match, seat, table.chairs[seat].bot or STAND_IN, env)
    )
    await env.clock.sleep_ms(table.choice_since + env.bot_pace_ms - live.next_event_timestamp_ms())

    async def play() -> None:
        if match.state.why_illegal(action, seat) is None:
            draft, after = decisions.decide_play_choice(match, seat, action, env.rng)
            await live.writer.commit_events(draft, match=after)

    await live.submit_operation_and_wait(play)


async def give_up_with_the_workers(self: ProcessBotPool, request: BotRequest, who: str = "") -> int:
    """A worker that hangs is waited for, and one that dies takes the choice with it."""
    return await self.bot_workers.run_job(who, 1e6, choose_bot_action_within_budget, request)


def by_the_wall(self: LiveTable) -> int:
    return max(self.services.runtime.clock.wall_time_ms(), self.table.last_at)


async def keep_the_lease(self: Shared, table: str) -> None:
    await asyncio.sleep(0)


async def take_the_lease_and_go(self: Shared, table: str) -> bool:
    """As it once was: whoever is cancelled while asking keeps the lock and does not know it."""
    if table in self.leased_tables and self.lease_connection is not None and not self.lease_connection.is_closed():
        return True
    return await self.acquire_table_lock(table)


right_see_to = BotAndClockDriver.reschedule_table


def interrupt_the_write(self: BotAndClockDriver, live: LiveTable) -> None:
    """As it once was: who comes or goes stops whoever is writing, in whose stead another begins."""
    before = live.need
    right_see_to(self, live)
    writer = live.writer
    if live.need != before and writer.task is not None and writer.task is not asyncio.current_task():
        writer.task.cancel()


right_watch = Hub.subscribe_to_table


async def know_less(self: TableWriter) -> None:
    return


async def welcome_too_early(
    self: Hub, table: str, user: User | None, send: Callable[[str], None], since: int | None = None
) -> Subscriber:
    """Whoever could not be welcomed in the end counts as there all the same."""
    live = await self.get_or_load_table(table)
    early = Subscriber(live, user, lambda text: None)
    live.subscribers[early] = None
    subscriber = await right_watch(self, table, user, send, since)
    del live.subscribers[early]
    return subscriber


# --- what is deleted, what is given up, what must not be seen -------------------------------------------------


async def note_nothing(self: Hub) -> None:
    """Nobody learns which tables are open."""


async def forget_once(self: Hub, person: str, tables: list[str]) -> set[str]:
    """As it once was: what cannot be written now never is."""
    mine = {t for t, live in self.live_tables.items() if person in live.table.people | {live.table.terms.owner}}
    for table in sorted({*mine, *tables}):
        with suppress(Exception):
            await self.command_handler.remove_deleted_user(await self.get_or_load_table(table), person)
    return set()


def nobody_departs(table: Table) -> list[Any]:
    return []


async def end_nothing(self: PostgresDatabase) -> None:
    """What was sent on a connection that was given up may be written later."""


def answers_itself_unseen_here(table: Table, who_watches: Callable[[], set[str | None]], env: Runtime) -> bool:
    """As it once was: whoever looks on through another process is not counted."""
    actor, match = table.actor, table.match
    if (
        actor is None
        or match is None
        or table.paused
        or table.terms.hot_seat
        or not table.awaits_choice_of_person(actor)
    ):
        return False
    person, watching = table.chairs[actor].person, who_watches()
    if person is None or len(match.legal_actions()) != 1 or person not in watching:
        return False
    if match.state.is_single_choice_secret() and (watching != {person} or table.required_voters() != {person}):
        return False
    tells = match.state.needs_answer_delay()
    deadline = table.clocks.actor_deadline()
    return deadline is None or deadline > table.choice_since + (
        max(env.answer_hold_ms, env.forced_choice_ms) if tells else env.forced_choice_ms
    )


def never_rated_enough(self: Table) -> bool:
    return self.status == "over" and not self.unrated_reason


def first_come_first(self: Table) -> list[int]:
    return list(range(1, len(self.chairs) + 1))


# --- searches -------------------------------------------------------------------------------------------------

right_apply = SearchLog.apply_entry


def keep_looking_once_seated(self: SearchLog, entry: SearchEntry, monotonic: int, age: int = 0) -> None:
    looked = dict(self.searches)
    right_apply(self, entry, monotonic, age)
    if isinstance(entry.event, TableMatched):
        for id_ in entry.event.searches:
            if id_ in looked:
                self.searches[id_] = self.by_person[looked[id_].person_id] = looked[id_]


async def try_nobody(self: Matchmaker) -> None:
    self.untried.clear()


# --- notifications --------------------------------------------------------------------------------------------

right_notices = make_notices_for_change


def call_who_has_moved(before: Table, after: Table, connected: AbstractSet[str], grace_ms: int) -> list[Notice] | None:
    found, earlier = right_notices(before, after, set(), grace_ms), find_correspondence_turn(before)
    return found and [replace(one, person=earlier[0]) if one.kind == TURN and earlier else one for one in found]


NO_TIMEOUTS = ConnectionTimeouts(1e6, 1e6)
DEPARTS = decisions, "decide_missing_departures", nobody_departs
EARLY = Hub, "append_events", adopt_silently_first
PLANTS = {
    plant.what: plant
    for plant in (
        Plant("adopted and told before the commit", Hub, "append_events", adopt_first, calm=True),
        Plant("adopted before the commit", Hub, "append_events", adopt_silently_first),
        Plant("acknowledged before the commit", Hub, "append_events", answer_first, calm=True),
        Plant("a failed write is believed", Hub, "append_events", believe_a_failed_write),
        Plant("a taken number is believed", Hub, "append_events", believe_a_taken_number, 2, True),
        Plant(
            "a log that could not be read counts as read",
            TableWriter,
            "apply_new_log_entries",
            forget_that_it_is_behind,
            2,
        ),
        Plant("what others wrote is not told", LiveTable, "apply_remote_events", take_in_silently, 2, True),
        Plant("missed news is not looked up", Hub, "on_process_notification", hear_nothing_of_what_was_missed, 2),
        Plant(
            "onlookers see the first seat's hand", live_module, "project_public_view", look_as_the_first_seat, 1, True
        ),
        Plant(
            "what one may know no more is not told anew",
            live_module,
            "project_earlier_events_with_codes",
            tell_nothing_anew,
            1,
            True,
        ),
        Plant("who goes stays a watcher", Hub, "unsubscribe_from_table", never_unwatch, 1, True),
        Plant("a choice sent again is not known", CommandHandler, "acknowledge_if_applied", forget_ids, 1, True),
        Plant("a cancellation is swallowed", BotAndClockDriver, "handle_need_until_gone", swallow_a_cancellation),
        Plant("what failed is not tried again", BotAndClockDriver, "handle_need_until_gone", try_once),
        Plant("a bot plays on a stale match", BotAndClockDriver, "play_bot_choice", think_of_what_was, 1, True),
        Plant("who waits dies with a worker", ProcessBotPool, "choose_action", give_up_with_the_workers),
        Plant("waits go by the wall clock", LiveTable, "next_event_timestamp_ms", by_the_wall),
        Plant("the lease is never given back", Shared, "release_bot_lease", keep_the_lease, 2, True),
        Plant("a cancelled question keeps the lease", Shared, "try_acquire_bot_lease", take_the_lease_and_go, 2),
        Plant(
            "who goes interrupts a write that was adopted",
            BotAndClockDriver,
            "reschedule_table",
            interrupt_the_write,
            1,
            True,
            (EARLY,),
        ),
        Plant("who could not be welcomed stays", Hub, "subscribe_to_table", welcome_too_early),
        Plant("who comes back is told what is older", TableWriter, "refresh_from_log", know_less, 3, True),
        Plant("retention deletes tables that are open", Hub, "renew_open_table_leases", note_nothing, 2),
        Plant(
            "a departure that was not written is forgotten",
            Hub,
            "erase_user_from_tables",
            forget_once,
            1,
            False,
            (DEPARTS,),
        ),
        Plant("a half-open link is waited for without end", connections, "SERVING", NO_TIMEOUTS, 2),
        Plant(
            "what was given up lands after it was read as absent",
            PostgresDatabase,
            "end_abandoned_connections",
            end_nothing,
            2,
        ),
        Plant("a match is rated again and again", Table, "awaits_rating", property(never_rated_enough), 1, True),
        Plant("who left is not last", Table, "final_places_by_seat", first_come_first, 1, True),
        Plant("who is seated still looks for a table", SearchLog, "apply_entry", keep_looking_once_seated, 1, True),
        Plant("nobody is tried who looks for a table", Matchmaker, "try_to_seat_changed_searches", try_nobody, 1, True),
        Plant("results of a tournament are not recorded", Director, "record_finished_matches", record_nothing, 1, True),
        Plant(
            "who left a tournament is seated", Tournament, "ready_player_ids", property(everybody_who_joined), 1, True
        ),
        Plant("divisions meet", Tournament, "compute_standings_by_division", everybody_together, 1, True),
        Plant("nobody rises or falls", divisions, "order_after_promotions", nobody_moves, 1, True),
        Plant("a round is paired before its tables are over", Tournament, "next_round_at", at_once, 1, True),
        Plant("who has moved is called", writer_module, "make_notices_for_change", call_who_has_moved, 1, True),
        Plant("two processes take one notice", sender_module, "LEASE_MS", 0, 3, True),
        Plant(
            "forced answers whose moment tells",
            decisions,
            "may_play_forced_choice",
            answers_itself_unseen_here,
            2,
            True,
        ),
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--most", type=int, default=500, help="seeds to try")
    args = parser.parse_args()
    for plant in [plant for plant in PLANTS.values() if not args.names or plant.what in args.names]:
        found = plant.found(args.most)
        where = f"{plant.processes} process{'es' if plant.processes > 1 else ''}{', calm' if plant.calm else ''}"
        if found is None:
            print(f"{plant.what} ({where}): NOT FOUND in {args.most} seeds", flush=True)
        else:
            seeds, verdict = found
            print(f"{plant.what} ({where}): found within {seeds}: {verdict.kind}: {verdict.what[:110]}", flush=True)


if __name__ == "__main__":
    main()
