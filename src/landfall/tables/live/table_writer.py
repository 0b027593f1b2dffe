"""The only way from a command to the disk: a table's operations run one after the other. Each decides, appends, applies
and broadcasts.

Sockets, bots and clocks only submit operations; a caller that stops waiting cannot interrupt one. The table in memory
always equals the log: an event is applied once it is on disk, and if that is uncertain, the log is read.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import Protocol

from landfall.core.errors import LandfallError
from landfall.match import Match
from landfall.store.events import Ended, LogEvent, Played
from landfall.store.row_types import ChatLine, LogEntry, MissingLog
from landfall.tables.live.process_services import RETRY_DELAY_MS, Services
from landfall.tables.log import decisions
from landfall.tables.log.clocks import DAYS_CLOCK
from landfall.tables.log.table import GATHERING, OVER, PLAY_EVENTS, Table
from landfall.tables.notifications.table_notices import make_notices_for_change
from landfall.tables.protocol.errors import Refused
from landfall.tables.request_id import request_number

log = logging.getLogger("landfall")
Operation = Callable[[], Awaitable[None]]  # checks the table as it is then, and writes at most once
OnDone = Callable[[LandfallError | None], None]  # called with None on success, else with the error
MAX_WRITE_ATTEMPTS = 20  # retries when another process keeps writing first
MAX_QUEUED_COMMANDS = 500  # per table


class WriteConflict(Exception):
    """Another process wrote first; decide again."""


class WritableTable(Protocol):
    """What a writer needs from its table."""

    table: Table
    chat_n: int  # the last known chat line

    def next_event_timestamp_ms(self) -> int:
        """The timestamp of an event written now, in epoch milliseconds; it never goes back."""

    def on_events_committed(self, after: Table, entries: list[LogEntry]) -> None:
        """Events are on disk."""

    def apply_remote_events(self, entries: list[LogEntry]) -> None:
        """Another process wrote these events."""

    def broadcast_chat(self, lines: list[ChatLine]) -> None:
        """Another process wrote these chat lines."""

    def mark_table_deleted(self) -> None:
        """The table was deleted from the store."""

    def user_ids_connected_anywhere(self) -> Collection[str]:
        """The users who are at the table."""


class TableWriter:
    """Runs a task while operations are queued, and none otherwise."""

    def __init__(self, live: WritableTable, services: Services) -> None:
        self.live = live
        self.services = services
        # with the time of its submission, and the number of the request that submitted it
        self.queue: deque[tuple[Operation, OnDone, float, int]] = deque()
        self.busy_since: float | None = None  # the submission of the operation in progress
        self.task: asyncio.Task[None] | None = None
        self.is_stale = False  # the log may contain events that this process does not know
        self.is_unreadable = False  # the last attempt to read it failed
        self.is_chat_stale = False
        self.read_count = 0  # reads of the log started
        self.last_read = 0  # the last of them that completed
        self.writing_seq = 0  # the sequence number of the last event being written

    # --- submitting -------------------------------------------------------------------------------------------

    def submit_operation_and_wait(self, operation: Operation) -> asyncio.Future[None]:
        """Submit an operation and wait for it; raises its error."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def resolve_future(error: LandfallError | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)

        self.submit_operation(operation, resolve_future)
        return future

    def submit_operation(self, operation: Operation, done: OnDone) -> None:
        """Submit an operation without waiting."""
        if len(self.queue) >= MAX_QUEUED_COMMANDS:
            done(Refused("busy"))
            return
        self.queue.append((operation, done, time.perf_counter(), request_number.get()))
        if self.task is None:
            self.ensure_task_runs()

    def request_log_refresh(self, chat: bool = False) -> None:
        """Another process has written, or may have: read the log."""
        if chat:
            self.is_chat_stale = True
        else:
            self.is_stale = True
        self.ensure_task_runs()

    async def refresh_from_log(self) -> None:
        """The same, and wait for it; Refused if the log cannot be read now."""

        async def do_nothing() -> None: ...

        self.request_log_refresh()
        after = self.read_count  # a read that started before may be too old for this caller
        while self.last_read <= after:
            await self.submit_operation_and_wait(do_nothing)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being written and nothing is queued."""
        return self.task is None

    def count_pending_operations(self) -> int:
        """Operations in progress or queued."""
        return len(self.queue) + (self.busy_since is not None)

    def oldest_operation_age_s(self, now: float) -> float:
        """Seconds since the submission of the oldest of them; `now` is of time.perf_counter."""
        if self.busy_since is not None:
            return now - self.busy_since
        return now - self.queue[0][2] if self.queue else 0.0

    def ensure_task_runs(self) -> None:
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(self.run_queued_operations())

    async def wait_until_queue_is_empty(self) -> None:
        """Wait until the queue is empty."""
        while self.task is not None:
            await asyncio.shield(self.task)

    # --- the task ---------------------------------------------------------------------------------------------

    async def run_queued_operations(self) -> None:
        """Run operations until the queue is empty."""
        try:
            while self.queue or self.is_stale or self.is_chat_stale:
                if self.is_stale and not await self.apply_new_log_entries():
                    self.refuse_queued_operations()
                    if self.services.closing:
                        return
                    await self.services.runtime.clock.sleep_ms(RETRY_DELAY_MS)
                elif self.queue:
                    operation, done, self.busy_since, request = self.queue.popleft()
                    request_number.set(request)  # the task outlives it
                    await self.run_operation_with_retries(operation, done)
                    self.busy_since = None
                    if self.is_unreadable:  # callers that came meanwhile would wait as long again
                        self.refuse_queued_operations()
                elif self.is_chat_stale:
                    await self.broadcast_new_chat_lines()
        finally:
            self.task = self.busy_since = None
            if not self.services.closing and (self.queue or self.is_stale):  # an unexpected error stopped it
                self.ensure_task_runs()

    async def run_operation_with_retries(self, operation: Operation, done: OnDone) -> None:
        """One operation, repeated whenever another process wrote first."""
        error: LandfallError | None = None
        try:
            for _ in range(MAX_WRITE_ATTEMPTS):
                try:
                    await operation()
                except WriteConflict:
                    self.services.log_conflicts += 1
                    self.is_stale = True
                    if not await self.apply_new_log_entries():
                        raise Refused("store") from None
                except Refused:
                    if not await self.has_newer_log_while_gathering():
                        raise
                else:
                    break
            else:
                error = Refused("busy")
        except LandfallError as refused:
            error = refused
        except Exception as failed:
            log.warning("a table could not be written: %s", type(failed).__name__)
            error = Refused("store")
            error.__cause__ = failed
        done(error)

    async def has_newer_log_while_gathering(self) -> bool:
        """Before the match: whether others sat down through another process, of which this one had not heard."""
        before = self.live.table
        if before.status != GATHERING or not self.services.store.database.is_shared:
            return False
        known = before.seq
        return await self.apply_new_log_entries() and self.live.table.seq > known

    def refuse_queued_operations(self) -> None:
        """The log cannot be read: let nobody wait for a database that may stay away."""
        while self.queue:
            done = self.queue.popleft()[1]
            done(Refused("store"))

    # --- writing ----------------------------------------------------------------------------------------------

    async def commit_events(self, *events: LogEvent, match: Match | None = None) -> None:
        """Commit events together, with their consequences; then apply and broadcast them. Only within an operation.

        `match` is the match after the last event. WriteConflict: another process wrote first.
        """
        if not events:
            return
        live, table = self.live, self.live.table
        after, at = (
            table.copy_for_events(all(isinstance(event, PLAY_EVENTS) for event in events)),
            live.next_event_timestamp_ms(),
        )
        entries: list[LogEntry] = []

        def append_entry(event: LogEvent, match: Match | None) -> None:
            entry = LogEntry(table.id, after.seq + 1, at, event)
            after.apply_entry(entry, match)
            entries.append(entry)

        for event in events:
            append_entry(event, match if event is events[-1] else None)
        if after.proposal is not None:
            follows = decisions.decide_proposal_effects(after, at)
            if follows is not None:
                append_entry(*follows)
        if after.status == OVER and table.status != OVER and not isinstance(entries[-1].event, Ended):
            append_entry(Ended(str(after.ended)), None)
        # A choice does not change a table's entry in the lobby, unless it ends the match.
        keeps = len(entries) == 1 and isinstance(entries[0].event, Played) and after.terms.clock.mode != DAYS_CLOCK
        self.writing_seq = after.seq
        try:
            summary = None if keeps else after.build_summary()
            if summary is not None:
                grace_ms = self.services.runtime.notification_grace_ms
                summary = replace(
                    summary, notices=make_notices_for_change(table, after, live.user_ids_connected_anywhere(), grace_ms)
                )
            first = await self.services.append_events(entries, summary)
        except MissingLog:
            live.mark_table_deleted()
            raise Refused("no_table") from None
        except Exception:  # it may be on disk all the same: the log decides
            self.writing_seq = 0  # a notification of that number may be another process's
            self.is_stale = True
            if not await self.apply_new_log_entries(entries):
                raise
            return
        finally:
            self.writing_seq = 0
        if not first:
            raise WriteConflict
        live.on_events_committed(after, entries)

    async def apply_new_log_entries(self, written: list[LogEntry] | None = None) -> bool:
        """Apply and broadcast what the log contains beyond the known events. Returns whether it could be read.

        With `written`: whether those events are in it.
        """
        live = self.live
        self.is_stale = False
        self.read_count += 1
        number = self.read_count
        try:
            found = await self.services.store.tables.read_log_entries(live.table.id, live.table.seq)
        except Exception as error:  # databases fail in many ways
            log.warning("a table could not be read: %s", type(error).__name__)
            self.is_stale = self.is_unreadable = True
            return False
        self.is_unreadable = False
        if found:
            live.apply_remote_events(found)
        self.last_read = number
        return written is None or found[: len(written)] == written

    async def broadcast_new_chat_lines(self) -> None:
        """Chat from other processes."""
        self.is_chat_stale = False
        live = self.live
        try:
            lines = await self.services.store.chat.read_chat_lines(live.table.id, live.chat_n)
        except Exception as error:
            log.warning("a chat could not be read: %s", type(error).__name__)
            if not self.services.closing:
                self.services.spawn_background_task(self.retry_chat_refresh_later())
            return
        live.broadcast_chat(lines)

    async def retry_chat_refresh_later(self) -> None:
        await self.services.runtime.clock.sleep_ms(RETRY_DELAY_MS)
        self.request_log_refresh(chat=True)
