"""Services that all tables of one process share: the store, the bot pool, the runtime, and background tasks."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from landfall.store.events import Created, SatDown
from landfall.store.row_types import LogEntry, TableSummary
from landfall.tables.bots.bot_pool import BotPool
from landfall.tables.log.clocks import DAYS_CLOCK
from landfall.tables.log.table import OVER
from landfall.tables.runtime_dependencies import Runtime

if TYPE_CHECKING:
    from landfall.tables.table_store import TableStore

log = logging.getLogger("landfall")
RETRY_DELAY_MS: Final = 1000  # delay before a retry


class Services:
    """It holds no tables; methods receive one where needed."""

    def __init__(self, store: TableStore, bot_pool: BotPool | None = None, runtime: Runtime | None = None) -> None:
        self.store = store
        self.bot_pool = bot_pool or BotPool()
        self.runtime = runtime or Runtime()
        self.name = self.runtime.new_id()[:12]  # this process's name among several
        self.tasks: set[asyncio.Task[None]] = set()
        self.closing = False
        self.log_conflicts = 0  # appends that another process forestalled
        self.on_public_change: Callable[[], None] = lambda: None  # a public table's entry in lists changed here
        self.on_seated: Callable[[str], None] = lambda person: None  # somebody sat down at a table that is played live
        self.on_newer_log: Callable[[str], None] = lambda table: None  # a newer release went on with a table

    def spawn_background_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a background task; its errors are logged."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.log_failed_task)
        return task

    def log_failed_task(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a table's task failed", exc_info=error)

    async def append_events(self, entries: list[LogEntry], summary: TableSummary | None) -> bool:
        """Append events to disk, and report the duration."""
        started = time.perf_counter()
        try:
            done = await self.store.tables.append_entries(entries, summary)
        finally:
            self.runtime.on_append(time.perf_counter() - started)
            if summary is not None and summary.public:
                self.on_public_change()
        if done and summary is not None and summary.status != OVER and summary.info.get("clock") != DAYS_CLOCK:
            for person in people_sitting_down(entries):
                self.on_seated(person)
        return done

    async def notify_processes_until_sent(self, kind: str, words: str) -> None:
        """Notify other processes, with retries until it succeeds."""
        while True:
            try:
                await self.store.database.notify_processes(kind, words)
            except Exception as error:
                log.warning("other processes could not be notified of a %s: %s", kind, type(error).__name__)
                await self.runtime.clock.sleep_ms(RETRY_DELAY_MS)
            else:
                return


def people_sitting_down(entries: list[LogEntry]) -> set[str]:
    """Who sits down by these events."""
    found: set[str] = set()
    for entry in entries:
        match entry.event:
            case SatDown(person=person):
                found.add(person)
            case Created(chairs=chairs):
                found.update(chair.person for chair in chairs if chair.person is not None)
    return found
