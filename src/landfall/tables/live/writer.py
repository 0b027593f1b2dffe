"""The one way from a wish to the disk: a table's wishes one after the other, each judged, committed, adopted, told.

Sockets, bots and clocks only put wishes in; nobody who waits for one can interrupt it. What the table is in memory
is always what the log says: an entry is adopted once it is on disk, and when that is not known, the log is read.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from landfall.core.errors import LandfallError
from landfall.match import Match
from landfall.store.events import Ended, LogEvent, Played
from landfall.store.rows import ChatLine, LogEntry, MissingLog
from landfall.tables.live.services import RETRY_DELAY_MS, Services
from landfall.tables.log import decisions
from landfall.tables.log.clocks import DAYS_CLOCK
from landfall.tables.log.table import OVER, PLAY_EVENTS, Table
from landfall.tables.protocol.errors import Refused

log = logging.getLogger("landfall")
Operation = Callable[[], Awaitable[None]]  # judges the table as it is then, and writes at most once
OnDone = Callable[[LandfallError | None], None]  # told when a wish was carried out, or why it was not
MAX_WRITE_ATTEMPTS = 20  # how often another process may be quicker before one gives up
MAX_QUEUED_COMMANDS = 500  # wishes that may wait at one table


class WriteConflict(Exception):
    """Another process wrote first; judge again."""


class WritableTable(Protocol):
    """What a writer needs of the table it writes for."""

    table: Table
    chat_n: int  # the last line of chat that is known here

    def now(self) -> int:
        """The table's time."""

    def on_committed(self, after: Table, entries: list[LogEntry]) -> None:
        """Entries are on disk."""

    def apply_remote(self, entries: list[LogEntry]) -> None:
        """Others wrote these."""

    def broadcast_chat(self, lines: list[ChatLine]) -> None:
        """Others said this."""

    def vanish(self) -> None:
        """The table was deleted from the store."""


class Writer:
    """A task while there is something to do, none otherwise."""

    def __init__(self, live: WritableTable, services: Services) -> None:
        self.live = live
        self.services = services
        self.queue: deque[tuple[Operation, OnDone]] = deque()
        self.task: asyncio.Task[None] | None = None
        self.is_stale = False  # the log may hold what this process does not know
        self.is_unreadable = False  # the last try to read it failed
        self.is_chat_stale = False
        self.read_count = 0  # times the log was begun to be read
        self.last_read = 0  # the last of them that came to its end
        self.writing_seq = 0  # the number of the last entry on its way to the disk

    # --- asking -----------------------------------------------------------------------------------------------

    def execute(self, operation: Operation) -> asyncio.Future[None]:
        """Put a wish in; done when it was carried out, or says why it was not."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(error: LandfallError | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)

        self.submit(operation, done)
        return future

    def submit(self, operation: Operation, done: OnDone) -> None:
        """Put a wish in, for one who does not wait."""
        if len(self.queue) >= MAX_QUEUED_COMMANDS:
            done(Refused("busy"))
            return
        self.queue.append((operation, done))
        if self.task is None:
            self.wake()

    def request_refresh(self, chat: bool = False) -> None:
        """Others have written, or may have: read it."""
        if chat:
            self.is_chat_stale = True
        else:
            self.is_stale = True
        self.wake()

    async def refresh(self) -> None:
        """The same, and wait for it; Refused, if it cannot be read now."""

        async def nothing() -> None: ...

        self.request_refresh()
        after = self.read_count  # one that began before may know less than whoever waits
        while self.last_read <= after:
            await self.execute(nothing)

    @property
    def is_idle(self) -> bool:
        """Nothing is being written, and nothing waits."""
        return self.task is None

    def wake(self) -> None:
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(self.run())

    async def drain(self) -> None:
        """Until nothing waits any more."""
        while self.task is not None:
            await asyncio.shield(self.task)

    # --- the task ---------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Wish after wish, until there is none."""
        try:
            while self.queue or self.is_stale or self.is_chat_stale:
                if self.is_stale and not await self.catch_up():
                    self.reject_all()
                    if self.services.closing:
                        return
                    await self.services.runtime.clock.sleep(RETRY_DELAY_MS)
                elif self.queue:
                    await self.run_operation(*self.queue.popleft())
                    if self.is_unreadable:  # those who came meanwhile would wait as long again
                        self.reject_all()
                elif self.is_chat_stale:
                    await self.refresh_chat()
        finally:
            self.task = None
            if not self.services.closing and (self.queue or self.is_stale):  # it was stopped by what should never be
                self.wake()

    async def run_operation(self, operation: Operation, done: OnDone) -> None:
        """One wish, judged again whenever another process was first."""
        error: LandfallError | None = None
        try:
            for _ in range(MAX_WRITE_ATTEMPTS):
                try:
                    await operation()
                except WriteConflict:
                    self.is_stale = True
                    if not await self.catch_up():
                        raise Refused("store") from None
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

    def reject_all(self) -> None:
        """The log cannot be read: nobody waits for what may be long in coming."""
        while self.queue:
            _, done = self.queue.popleft()
            done(Refused("store"))

    # --- writing ----------------------------------------------------------------------------------------------

    async def write(self, *events: LogEvent, match: Match | None = None) -> None:
        """Commit entries together, with what follows from them; then adopt them and tell. Only within a wish.

        `match` is the match as the last fact leaves it. Conflict: another process was first.
        """
        if not events:
            return
        live, table = self.live, self.live.table
        after, at = table.fork(all(isinstance(event, PLAY_EVENTS) for event in events)), live.now()
        entries: list[LogEntry] = []

        def append(event: LogEvent, match: Match | None) -> None:
            entry = LogEntry(table.id, after.seq + 1, at, event)
            after.apply(entry, match)
            entries.append(entry)

        for event in events:
            append(event, match if event is events[-1] else None)
        if after.proposal is not None:
            follows = decisions.decide_agreed(after, at)
            if follows is not None:
                append(*follows)
        if after.status == OVER and table.status != OVER and not isinstance(entries[-1].event, Ended):
            append(Ended(str(after.ended)), None)
        # A choice leaves what a lobby lists as it was, unless it ends the match.
        keeps = len(entries) == 1 and isinstance(entries[0].event, Played) and after.terms.clock.mode != DAYS_CLOCK
        self.writing_seq = after.seq
        try:
            first = await self.services.append(entries, None if keeps else after.summary())
        except MissingLog:
            live.vanish()
            raise Refused("no_table") from None
        except Exception:  # perhaps it is on disk all the same: the log knows
            self.writing_seq = 0  # news of that number may be another process's
            self.is_stale = True
            if not await self.catch_up(entries):
                raise
            return
        finally:
            self.writing_seq = 0
        if not first:
            raise WriteConflict
        live.on_committed(after, entries)

    async def catch_up(self, written: list[LogEntry] | None = None) -> bool:
        """Adopt and tell what the log holds beyond what is known here; whether it could be read.

        With `written`: whether those entries are there.
        """
        live = self.live
        self.is_stale = False
        self.read_count += 1
        number = self.read_count
        try:
            found = await self.services.store.read_entries(live.table.id, live.table.seq)
        except Exception as error:  # a database says in many ways that it is away
            log.warning("a table could not be read: %s", type(error).__name__)
            self.is_stale = self.is_unreadable = True
            return False
        self.is_unreadable = False
        if found:
            live.apply_remote(found)
        self.last_read = number
        return written is None or found[: len(written)] == written

    async def refresh_chat(self) -> None:
        """What was said in other processes."""
        self.is_chat_stale = False
        live = self.live
        try:
            lines = await self.services.store.read_chat(live.table.id, live.chat_n)
        except Exception as error:
            log.warning("a chat could not be read: %s", type(error).__name__)
            if not self.services.closing:
                self.services.spawn(self.retry_chat())
            return
        live.broadcast_chat(lines)

    async def retry_chat(self) -> None:
        await self.services.runtime.clock.sleep(RETRY_DELAY_MS)
        self.request_refresh(chat=True)
