"""Keeps a log that all processes write: reads what others wrote, decides on the whole of it, appends.

The number of an event decides which of several processes was first. The other reads the log and decides again. A table
begins in the same transaction as the event that leads to it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Generic

from landfall.store.events import Created
from landfall.store.row_types import LogEntry
from landfall.store.shared_log_entries import Event, NewTable, NotTogether, SharedEntry, SharedWrite
from landfall.tables.live.process_services import Services
from landfall.tables.log import decisions
from landfall.tables.log.table import Table
from landfall.tables.notifications.table_notices import make_notices_for_change
from landfall.tables.protocol.errors import Refused

log = logging.getLogger("landfall")
MAX_ATTEMPTS: Final = 50  # when other processes keep writing first
NOBODY: Final = ""  # the owner of a table that such a log leads to: nobody may close it or send others away


class SharedLogWriter(Generic[Event]):
    """One log, as this process knows it. `lock` is held from a decision to its outcome."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.runtime = services.runtime
        self.is_stale = True  # the log may contain events that this process does not know
        self.doubts = 0  # notifications of events that were not known then
        self.lock = asyncio.Lock()  # one decision at a time

    @property
    def last_known_seq(self) -> int:
        """The number of the last event known here."""
        raise NotImplementedError

    async def read_entries_after(self, after: int) -> list[SharedEntry[Event]]:
        """The log on disk from a number on."""
        raise NotImplementedError

    async def try_append_write(self, write: SharedWrite[Event]) -> bool:
        """Append to the log on disk. False: the number is taken."""
        raise NotImplementedError

    def apply_entries(self, entries: list[SharedEntry[Event]]) -> None:
        """Apply events that are on disk."""
        raise NotImplementedError

    async def on_incompatible_people(self) -> None:
        """People of a decision cannot sit together: somebody was deleted, or blocked another, just now."""
        raise NotImplementedError

    async def refresh_if_stale(self) -> None:
        """Read what other processes wrote. Refused: the database is away."""
        if not self.is_stale:
            return
        try:
            self.is_stale = False
            self.apply_entries(await self.read_entries_after(self.last_known_seq))
        except Exception as error:
            self.is_stale = True
            log.warning("a shared log could not be read: %s", type(error).__name__)
            raise Refused("store") from None

    async def decide_and_append(self, decide: Callable[[], SharedWrite[Event] | None]) -> None:
        """Decide on the whole log, and append; again, if another process wrote first. Refused: it failed."""
        for _ in range(MAX_ATTEMPTS):
            await self.refresh_if_stale()
            write = decide()
            if write is None:
                return
            write.seq, write.at = self.last_known_seq + 1, self.runtime.clock.wall_time_ms()
            self.is_stale, doubts = True, self.doubts  # until the outcome is known
            try:
                done = await self.try_append_write(write)
            except NotTogether:
                await self.on_incompatible_people()
                continue
            except Exception as error:
                log.warning("a shared log could not be written: %s", type(error).__name__)
                raise Refused("store") from None
            if done:
                self.is_stale = self.doubts != doubts
                self.apply_entries(write.to_numbered_entries())
                if any(table.summary.public for table in write.tables):
                    self.services.on_public_change()
                return
        raise Refused("store")

    def make_started_table(self, created: Created) -> NewTable:
        """The first events of a table whose match begins at once."""
        table, at = Table(self.runtime.new_id(), self.runtime.rng), self.runtime.clock.wall_time_ms()
        entries = [LogEntry(table.id, 1, at, created)]
        table.apply_entry(entries[0])
        started, match = decisions.decide_start_match(table, NOBODY, self.runtime.rng)
        entries.append(LogEntry(table.id, 2, at, started))
        table.apply_entry(entries[1], match)
        notices = make_notices_for_change(Table(table.id), table, (), self.runtime.notification_grace_ms)
        return NewTable(entries, replace(table.build_summary(), notices=notices))
