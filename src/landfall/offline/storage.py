"""Stores table logs on this device, in a browser's database or in memory: see Storage."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from typing import Any, Protocol

from landfall.store.event_codec import decode_event, encode_event
from landfall.store.events import Created, Started
from landfall.store.row_types import ChatLine, Holiday, LogEntry, RatingFacts, TableSummary
from landfall.tables.log.table import OVER, PLAYING
from landfall.tables.protocol.errors import Refused


class Storage(Protocol):
    """A device's storage, as JSON: rows of events, heads and chat. A call returns when the data is on disk."""

    async def append(self, rows: str, summary: str | None) -> bool | None:
        """Add rows [table, number, time, kind, data] atomically, and replace the head. False: a number is taken; None:
        the previous event is missing, because another page deleted the table.
        """

    async def entries(self, table: str, after: int) -> str:
        """The rows of a table from a number on, in order."""

    async def heads(self) -> str:
        """All heads."""

    async def say(self, line: str) -> None:
        """Add a chat line, unless its table is deleted."""

    async def chat(self, table: str) -> str:
        """The chat lines of a table, in order."""

    async def remove(self, table: str) -> None:
        """Delete a table."""

    async def replace(self, kept: int, rows: str, summary: str, chat: str) -> bool:
        """Replace a table that has so many events by rows, a head and chat lines, atomically. False: another page has
        written to it, and nothing is changed.
        """

    def announce(self, kind: str, words: str) -> None:
        """Notify the other pages of this device of a change."""


class MemoryStorage:
    """Storage that ends with the page: for tests, and for browsers without storage."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, int], list[Any]] = {}
        self.listed: dict[str, Any] = {}
        self.said: list[Any] = []
        self.announced: list[tuple[str, str]] = []

    async def append(self, rows: str, summary: str | None) -> bool | None:
        found = {(row[0], row[1]): row for row in json.loads(rows)}
        table, first = min(found)
        if first > 1 and (table, first - 1) not in self.rows:
            return None
        if found.keys() & self.rows.keys():
            return False
        self.rows |= found
        if summary is not None:
            kept = json.loads(summary)
            self.listed[kept["table"]] = kept
        return True

    async def entries(self, table: str, after: int) -> str:
        return json.dumps([row for key, row in sorted(self.rows.items()) if key[0] == table and key[1] > after])

    async def heads(self) -> str:
        return json.dumps(list(self.listed.values()))

    async def say(self, line: str) -> None:
        said = json.loads(line)
        if said["table"] in self.listed:
            self.said.append(said)

    async def chat(self, table: str) -> str:
        return json.dumps([line for line in self.said if line["table"] == table])

    async def remove(self, table: str) -> None:
        self.rows = {key: row for key, row in self.rows.items() if key[0] != table}
        self.listed.pop(table, None)
        self.said = [line for line in self.said if line["table"] != table]

    async def replace(self, kept: int, rows: str, summary: str, chat: str) -> bool:
        table = json.loads(summary)["table"]
        if kept != len(json.loads(await self.entries(table, 0))):
            return False
        await self.remove(table)
        await self.append(rows, summary)
        self.said += json.loads(chat)
        return True

    def announce(self, kind: str, words: str) -> None:
        self.announced.append((kind, words))


def entries_to_storage_rows(entries: list[LogEntry]) -> str:
    """Events as rows of a storage."""
    return json.dumps([[one.table, one.seq, one.at, one.kind, encode_event(one.event)] for one in entries])


def summary_to_storage_json(summary: TableSummary) -> str:
    """A table's head as a storage has it."""
    return json.dumps(asdict(replace(summary, notices=None)))


class OfflineStore:
    """The store interface that tables need, on a Storage. It has one user; each page that shows a table is a process
    of its own, and hears what the others wrote (OfflineServer.on_notification).
    """

    is_shared = True
    missed_event_poll_interval_s: float | None = None  # pages hear each other as long as they run

    def __init__(self, storage: Storage, on_table_deleted: Callable[[str], None] = lambda table: None) -> None:
        self.storage = storage
        self.stored_reviews: dict[tuple[str, int], bytes] = {}
        self.database = self.tables = self.chat = self.reviews = self  # a device has one storage for all subjects
        self.notifications = self.holidays = self.ratings = self
        self.on_table_deleted = on_table_deleted  # called for tables that another page deleted

    def listen_for_notifications(self, on_notification: Callable[[str, str], None]) -> None:
        """The page passes on what it hears."""

    async def notify_processes(self, kind: str, words: str) -> None:
        """Notify the other pages."""
        self.storage.announce(kind, words)

    async def append_entries(self, entries: list[LogEntry], summary: TableSummary | None = None) -> bool:
        """Append consecutive events to one table's log, with the changed head, atomically."""
        done = await self.storage.append(
            entries_to_storage_rows(entries), None if summary is None else summary_to_storage_json(summary)
        )
        if done is None:
            self.on_table_deleted(entries[0].table)
            raise Refused("no_table")
        if done:
            self.storage.announce("entry", f"{entries[-1].table} {entries[-1].seq}")
        return bool(done)

    async def read_log_entries(self, table: str, after: int = 0) -> list[LogEntry]:
        """A table's log from a number on."""
        rows = json.loads(await self.storage.entries(table, after))
        return [LogEntry(table, seq, at, decode_event(kind, data)) for _, seq, at, kind, data in rows]

    async def get_table_summary(self, table: str) -> TableSummary | None:
        """One table's entry in lists."""
        return next((summary for summary in await self.list_summaries() if summary.table == table), None)

    async def list_summaries(self) -> list[TableSummary]:
        """All tables, latest first."""
        found = [TableSummary(**summary) for summary in json.loads(await self.storage.heads())]
        return sorted(found, key=lambda summary: -summary.updated)

    async def delete_table(self, table: str) -> None:
        """Delete a table."""
        await self.storage.remove(table)
        self.storage.announce("removed", table)

    async def replace_table(
        self, kept: int, entries: list[LogEntry], summary: TableSummary, chat: list[ChatLine]
    ) -> bool:
        """Replace a table that has so many events, atomically. False: another page has written to it."""
        lines = json.dumps([asdict(line) for line in chat])
        done = await self.storage.replace(
            kept, entries_to_storage_rows(entries), summary_to_storage_json(summary), lines
        )
        if done:
            self.storage.announce("removed", summary.table)
        return done

    async def append_chat_line(self, line: ChatLine) -> ChatLine:
        """Append a chat line under the next number, whatever its own."""
        before = await self.read_chat_lines(line.table)
        message = ChatLine(**{**asdict(line), "n": before[-1].n + 1 if before else 1})
        await self.storage.say(json.dumps(asdict(message)))
        return message

    async def read_chat_lines(self, table: str, after: int = 0, limit: int = 200) -> list[ChatLine]:
        """The last chat lines of a table from a number on."""
        lines = [ChatLine(**line) for line in json.loads(await self.storage.chat(table))]
        return [line for line in lines if line.n > after][-limit:]

    async def list_tables_of_user(
        self, person: str, limit: int = 50, before: int | None = None, over: bool | None = None
    ) -> list[TableSummary]:
        """The tables of this device, the latest first; all, or those that are over or not."""
        found = [summary for summary in await self.list_summaries() if before is None or summary.updated < before]
        return [summary for summary in found if over is None or (summary.status == OVER) == over][:limit]

    async def read_first_events_of_running_matches(self, game: str) -> list[list[LogEntry]]:
        """For each running table of a game: its creation and its first lines."""
        running = [one.table for one in await self.list_summaries() if one.game == game and one.status == PLAYING]
        logs = [await self.read_log_entries(table) for table in running]
        return [[entry for entry in log if isinstance(entry.event, Created | Started)] for log in logs]

    async def get_stored_review(self, table: str, version: int) -> bytes | None:
        """A table's review by the same net."""
        return self.stored_reviews.get((table, version))

    async def save_review(self, table: str, version: int, at: int, body: bytes) -> None:
        """Keep a table's review until the page is closed."""
        self.stored_reviews[table, version] = body

    async def try_acquire_bot_lease(self, table: str) -> bool:
        """Every page may play the bots: the log keeps the first choice. A page that sleeps would keep a lease."""
        return True

    async def release_bot_lease(self, table: str) -> None:
        """There are no leases."""

    async def renew_open_tables(
        self, process: str, opened: Collection[str], closed: Collection[str], until: int
    ) -> None:
        """Retention does not run here."""

    async def release_open_tables(self, process: str) -> None:
        """Retention does not run here."""

    async def mark_notices_seen(self, person: str, topic: str, now: int) -> None:
        """Nobody is notified here: the only user holds the device."""

    async def list_holidays_ending_after(self, people: Collection[str], after: int) -> list[Holiday]:
        """Nobody is on holiday from their own device."""
        return []

    async def list_table_ids_past_deadline(self, now: int) -> list[str]:
        """Tables whose correspondence clock has run out."""
        return [
            summary.table
            for summary in await self.list_summaries()
            if summary.deadline is not None and summary.deadline <= now
        ]

    async def rewrite_table_summary(self, summary: TableSummary) -> None:
        """The device's only user is not deleted."""

    async def read_last_event_and_chat_numbers(self, tables: Collection[str]) -> list[tuple[str, int, int]]:
        """Pages hear each other: none asks what it missed."""
        return []

    async def read_rating_facts(
        self, table: str, at: int, pool: tuple[str, int], people: list[str | None]
    ) -> RatingFacts:
        """No match is rated on a device."""
        return RatingFacts([None for _ in people], 0, False, {})

    async def add_player_marks(self, table: str, person: str, marks: Collection[str]) -> None:
        """No match is rated on a device."""

    async def rate_and_append(
        self, table: str, seq: int, at: int, pool: tuple[str, int], people: list[str | None], decide: object
    ) -> bool:
        """No match is rated on a device."""
        return False
