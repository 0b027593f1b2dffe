"""Drives a table when no person does: bots, stand-ins, clocks, and the pause of an empty table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress

from landfall.store.events import Left, Paused, Resumed
from landfall.tables.bots import allowed_bots
from landfall.tables.bots.bot_pool import BotRequest, choose_fallback_action, make_bot_request
from landfall.tables.bots.fair_queue import BACKGROUND
from landfall.tables.live.live_table import LiveTable
from landfall.tables.live.process_services import RETRY_DELAY_MS, Services
from landfall.tables.live.table_writer import Operation
from landfall.tables.log import decisions
from landfall.tables.log.clocks import DAYS_CLOCK, LIVE_CLOCK
from landfall.tables.log.table import EXHIBITION, OUT_OF_TIME, PLAYING, Table
from landfall.tables.protocol.errors import Refused
from landfall.tables.ratings.rate_match import rate_match
from landfall.tables.runtime_dependencies import Runtime

log = logging.getLogger("landfall")
MAX_CLOCK_WAIT_MS = 60_000  # longest single wait for a correspondence clock, because the wall clock may be set
EXHIBITION_PACE = 2  # times slower than against people
FOLLOW_UP_PAUSE_SHARE = 0.2  # share of the pause before each further choice of a turn, and before each of a set-up
BOT, HURRY, FORCED, CLOCK, RESUME, EMPTY = "bot", "hurry", "forced", "clock", "resume", "empty"
DEPARTURE, RATING, HOLIDAYS = "departure", "rating", "holidays"
Need = tuple[str, int]  # what the table waits for, and its version


class BotAndClockDriver:
    """A table that waits for a bot, a clock or a person has exactly one waiting task; other tables have none."""

    def __init__(
        self, services: Services, live_tables: Mapping[str, LiveTable], evict: Callable[[LiveTable], None]
    ) -> None:
        self.services = services
        self.live_tables = live_tables
        self.evict = evict  # called when a table is empty and nothing is due
        self.handlers = {
            BOT: self.play_bot_choice,
            HURRY: self.play_bot_choice,
            FORCED: self.play_forced_choice,
            CLOCK: self.put_stand_in_when_clock_runs_out,
            RESUME: self.resume_paused_clock,
            EMPTY: self.pause_and_evict_empty_table,
            DEPARTURE: self.record_departures_of_deleted_users,
            RATING: self.rate_finished_match,
            HOLIDAYS: self.look_up_and_commit_holidays,
        }
        self.watchdog_fired = 0  # tables found without a waiting task: a bug in this class

    def find_current_need(self, live: LiveTable) -> Need | None:
        """What a table waits for now."""
        table = live.table
        if live.fault is None and decisions.decide_missing_departures(table):
            return DEPARTURE, table.seq
        if live.fault is None and table.awaits_rating:
            return RATING, table.seq
        if table.status == PLAYING and live.fault is None:
            by_days = table.terms.clock.mode == DAYS_CLOCK
            if by_days and not live.knows_holidays:
                return HOLIDAYS, table.seq
            goes_on = bool(live.subscribers) or continues_without_people(table)
            if goes_on and table.paused and not table.paused_by_agreement:
                return RESUME, table.seq
            if table.is_waiting_for_bot and (goes_on or by_days):
                return HURRY if live.skips_pauses else BOT, table.version
            if live.subscribers and decisions.may_play_forced_choice(
                table, live.user_ids_connected_here, self.services.runtime
            ):
                return FORCED, table.version
            deadline = live.choice_deadline()
            if deadline is not None and (
                goes_on
                or (by_days and deadline - live.next_event_timestamp_ms() < self.services.runtime.housekeeping_ms)
            ):
                return CLOCK, deadline
        return None if live.subscribers else (EMPTY, 0)

    def reschedule_table(self, live: LiveTable) -> None:
        """Called after every change: start the right waiting task and cancel any other."""
        need = None if live.closed or self.services.closing else self.find_current_need(live)
        if need is None or need[0] not in (HURRY, FORCED):
            live.skips_pauses = False  # a person must choose
        waiting = live.wait_task
        if need == live.need and (need is None or (waiting is not None and not waiting.done())):
            return
        live.need = need
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()
        live.wait_task = (
            None if need is None else self.services.spawn_background_task(self.handle_need_until_gone(live, need))
        )

    async def handle_need_until_gone(self, live: LiveTable, need: Need) -> None:
        """Work on a need until it is gone, with retries."""
        while live.need == need:
            try:
                await self.handlers[need[0]](live)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                log.warning("what a table waited for was thrown away")
            except Refused as error:
                log.warning("a table waits for its %s: %s", need[0], error.code)
            except Exception:
                log.exception("a table waits for its %s", need[0])
            if live.need == need:
                await self.services.runtime.clock.sleep_ms(RETRY_DELAY_MS)

    def reschedule_all_and_count_stuck_tables(self) -> None:
        """Reschedule all tables. Count those that should have a waiting task and have none: each is a bug."""
        for live in list(self.live_tables.values()):
            need = self.find_current_need(live)
            if need is not None and (live.need is None or live.wait_task is None or live.wait_task.done()):
                self.watchdog_fired += 1
                log.error("nobody waited for a table's %s", need[0])
            self.reschedule_table(live)  # also for correspondence clocks, whose deadline approaches

    # --- bots -------------------------------------------------------------------------------------------------

    async def play_bot_choice(self, live: LiveTable) -> None:
        """Play one choice of a bot or stand-in, after a pause that people can follow and that reveals nothing."""
        if not await self.services.store.database.try_acquire_bot_lease(live.table.id):
            return
        table, runtime = live.table, self.services.runtime
        seat, match, version = table.actor, table.match, table.version
        if seat is None or match is None or not table.is_waiting_for_bot:
            return
        timing_tells = match.state.needs_answer_delay()
        arranges = table.chairs[seat].is_played_by_person
        code = allowed_bots.HINT_BOT if arranges else table.chairs[seat].bot or allowed_bots.STAND_IN
        request = make_bot_request(match, seat, code, runtime, timing_tells)
        until = table.choice_since + (
            runtime.answer_hold_ms if timing_tells else 0 if live.skips_pauses else bot_pause_ms(table, seat, runtime)
        )
        action = await self.choose_for_bot_in_time(live, request, until if timing_tells else None)
        await runtime.clock.sleep_ms(until - live.next_event_timestamp_ms())

        async def write_bot_choice() -> None:
            now = live.table
            if now.version != version or now.actor != seat or not now.is_waiting_for_bot or now.match is None:
                return
            chosen = action
            if now.match.state.why_illegal(chosen, seat) is not None:  # a bot's mistake must not stop the match
                chosen = int(now.match.state.resample(seat, runtime.rng).random_action(runtime.rng))
            event, after = decisions.decide_play_choice(now.match, seat, chosen, runtime.rng)
            await live.writer.commit_events(event, match=after)

        await live.submit_operation_and_wait(write_bot_choice)

    async def choose_for_bot_in_time(self, live: LiveTable, request: BotRequest, until: int | None) -> int:
        """A bot's choice; a quick one if it has none by `until`, so that its thinking time stays hidden."""
        thinking = asyncio.ensure_future(self.services.bot_pool.choose_action(request, fair_queue_requester_of(live)))
        waits = {thinking}
        if until is not None:
            waits.add(asyncio.ensure_future(self.sleep_then_return_no_action(until - live.next_event_timestamp_ms())))
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if thinking in done:
                return await thinking
        except Exception:  # an exception in a bot's code costs it its choice, not the table its match
            log.warning("a bot failed")
        finally:
            for waiting in waits:
                waiting.cancel()
        return choose_fallback_action(request)

    async def play_forced_choice(self, live: LiveTable) -> None:
        """Play the only possible choice for a connected person, after a delay in which the question is visible."""
        table, runtime = live.table, self.services.runtime
        version, asked_at = table.version, table.choice_since
        await runtime.clock.sleep_ms(asked_at + runtime.forced_choice_ms - live.next_event_timestamp_ms())

        async def write_forced_choice() -> None:
            now = live.table
            if self.find_current_need(live) != (FORCED, version) or now.match is None or now.actor is None:
                return
            event, after = decisions.decide_play_choice(
                now.match, now.actor, now.match.legal_actions()[0], runtime.rng, None, asked_at
            )
            await live.writer.commit_events(event, match=after)

        await live.submit_operation_and_wait(write_forced_choice)

    async def sleep_then_return_no_action(self, ms: int) -> int:
        await self.services.runtime.clock.sleep_ms(ms)
        return -1

    # --- clocks -----------------------------------------------------------------------------------------------

    async def put_stand_in_when_clock_runs_out(self, live: LiveTable) -> None:
        """Wait until the actor's time has run out; then a stand-in takes over."""
        if not await self.services.store.database.try_acquire_bot_lease(live.table.id):
            return
        deadline = live.choice_deadline()
        while deadline is not None and live.next_event_timestamp_ms() < deadline:
            await self.services.runtime.clock.sleep_ms(
                min(MAX_CLOCK_WAIT_MS, deadline - live.next_event_timestamp_ms())
            )

        async def write_stand_in() -> None:
            table = live.table
            if self.find_current_need(live) == (CLOCK, deadline) and table.actor is not None:
                if not await self.commit_missing_holidays(live):  # it stands, though nobody has said so here yet
                    await live.writer.commit_events(Left(table.actor, OUT_OF_TIME))

        await live.submit_operation_and_wait(write_stand_in)

    async def look_up_and_commit_holidays(self, live: LiveTable) -> None:
        """A table by days begins, or was loaded: read its people's holidays, and write those that its log lacks."""

        async def write_and_remember() -> None:
            await self.commit_missing_holidays(live)
            live.knows_holidays = True

        await live.submit_operation_and_wait(write_and_remember)
        self.reschedule_table(live)

    async def commit_missing_holidays(self, live: LiveTable) -> bool:
        """Write what a table by days does not know of its people's holidays. Returns whether there was anything."""
        table = live.table
        if table.terms.clock.mode != DAYS_CLOCK:
            return False
        people = [chair.person for chair in table.chairs if chair.person is not None]
        known = await self.services.store.holidays.list_holidays_ending_after(people, table.terms.created)
        events = decisions.decide_missing_holidays(live.table, known)
        await live.writer.commit_events(*events)
        return bool(events)

    async def rate_finished_match(self, live: LiveTable) -> None:
        """A match that counts is over. Its log says whether it is rated, by this process or another."""

        async def rate_and_refresh() -> None:
            if live.table.awaits_rating:
                await rate_match(self.services.store, live.table, live.next_event_timestamp_ms())
                live.writer.is_stale = True
                if not await live.writer.apply_new_log_entries():
                    raise Refused("store")
                if live.table.uncounted:
                    await self.services.store.tables.rewrite_table_summary(live.table.build_summary())

        await live.submit_operation_and_wait(rate_and_refresh)

    # --- presence ---------------------------------------------------------------------------------------------

    async def record_departures_of_deleted_users(self, live: LiveTable) -> None:
        """A seat belongs to a deleted account, and the log does not record the departure yet."""

        async def write_departures() -> None:
            await live.writer.commit_events(*decisions.decide_missing_departures(live.table))

        await live.submit_operation_and_wait(write_departures)

    async def resume_paused_clock(self, live: LiveTable) -> None:
        """Somebody is connected again: resume the clock."""

        async def write_resumed() -> None:
            need = self.find_current_need(live)
            if need is not None and need[0] == RESUME:
                await live.writer.commit_events(Resumed())

        await live.submit_operation_and_wait(write_resumed)

    async def pause_and_evict_empty_table(self, live: LiveTable) -> None:
        """Nobody is connected: release the lease at once; after a grace period stop the clock and evict the table."""
        store = self.services.store
        await store.database.release_bot_lease(live.table.id)
        await self.services.runtime.clock.sleep_ms(self.services.runtime.empty_table_grace_ms)
        if self.has_running_live_clock(live) and await store.database.try_acquire_bot_lease(live.table.id):
            await live.submit_operation_and_wait(self.make_pause_operation(live))
        await live.writer.wait_until_queue_is_empty()
        self.evict(live)

    def has_running_live_clock(self, live: LiveTable) -> bool:
        table = live.table
        return (
            table.status == PLAYING and not table.paused and table.terms.clock.mode == LIVE_CLOCK and live.fault is None
        )

    def make_pause_operation(self, live: LiveTable, since: int | None = None) -> Operation:
        """The operation that stops a live clock, from now on or from an earlier time."""

        async def write_paused() -> None:
            if self.has_running_live_clock(live):
                await live.writer.commit_events(Paused(live.next_event_timestamp_ms() if since is None else since))

        return write_paused

    async def finish_queues_and_pause_all_clocks(self) -> None:
        """Shutdown: finish the queued operations of all tables, and pause their live clocks."""
        for live in list(self.live_tables.values()):
            if live.wait_task is not None:
                live.wait_task.cancel()
            await self.finish_queue_and_pause_clock(live)

    async def finish_queue_and_pause_clock(self, live: LiveTable) -> None:
        """Finish queued operations, and pause a live clock unless another process runs it."""
        if self.has_running_live_clock(live) and await self.services.store.database.try_acquire_bot_lease(
            live.table.id
        ):
            with suppress(Refused):
                await live.submit_operation_and_wait(self.make_pause_operation(live))
        await live.writer.wait_until_queue_is_empty()


def continues_without_people(table: Table) -> bool:
    """Whether a match with a live clock goes on although nobody is connected: others of its tournament wait for it."""
    return table.terms.tournament is not None and table.terms.clock.mode == LIVE_CLOCK


def fair_queue_requester_of(live: LiveTable) -> str:
    """The requester of a table's bots, as a path for the fair queue: the origin of its owner, else of a connected
    player, else of a spectator. Empty correspondence tables share one origin. An exhibition waits for all others.
    """
    owner, people = live.table.terms.owner, live.table.people
    if owner == EXHIBITION:
        return f"{BACKGROUND} {owner} {live.table.id}"
    here = min(live.subscribers, key=lambda w: (w.user_id != owner, w.user_id not in people), default=None)
    return f"{here.origin if here is not None else ''} {owner} {live.table.id}"


def bot_pause_ms(table: Table, seat: int, runtime: Runtime) -> int:
    """The pause before a bot's choice in milliseconds: full before a turn, shorter within it, none without people."""
    if table.is_setting_up and not any(table.awaits_choice_of_person(other) for other in range(len(table.chairs))):
        return 0
    pause = runtime.bot_pace_ms * (EXHIBITION_PACE if table.terms.owner == EXHIBITION else 1)
    log = table.match.log if table.match is not None else []
    last = next((line.actor for line in reversed(log) if line.actor >= 0), None)
    return int(pause * FOLLOW_UP_PAUSE_SHARE if last == seat or table.is_setting_up else pause)
