"""Logs of tables kept on this device. Where that is, a browser's database or memory, is handed in as a Shelf."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import asdict
from typing import Any, Protocol

from landfall.local.reading import read, written
from landfall.store.rows import ChatLine, Entry, Head
from landfall.tables.errors import Refused


class Shelf(Protocol):
    """What a device keeps, as JSON: rows of entries, heads and chat. On disk when an answer is there."""

    async def append(self, rows: str, head: str | None) -> bool | None:
        """Add rows [table, number, time, kind, data], all or none, and put the head; False: a number was taken; None:
        the entry before is not there, since another page deleted the table."""

    async def entries(self, table: str, after: int) -> str:
        """The rows of a table from a number on, in order."""

    async def heads(self) -> str:
        """Every head."""

    async def say(self, line: str) -> None:
        """Add a line of chat, unless its table is gone."""

    async def chat(self, table: str) -> str:
        """The lines of a table's chat, in order."""

    async def remove(self, table: str) -> None:
        """Forget a table."""


class Memory:
    """A Shelf that is gone with the page: for tests, and where a browser keeps nothing."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, int], list[Any]] = {}
        self.listed: dict[str, Any] = {}
        self.said: list[Any] = []

    async def append(self, rows: str, head: str | None) -> bool | None:
        found = {(row[0], row[1]): row for row in json.loads(rows)}
        table, first = min(found)
        if first > 1 and (table, first - 1) not in self.rows:
            return None
        if found.keys() & self.rows.keys():
            return False
        self.rows |= found
        if head is not None:
            kept = json.loads(head)
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


class LocalStore:
    """What tables ask of a store, over a Shelf. One person's, and no other process's: nobody is told of anything."""

    shared = False

    def __init__(self, shelf: Shelf, vanished: Callable[[str], None] = lambda table: None) -> None:
        self.shelf = shelf
        self.vanished = vanished  # told of tables that another page deleted

    def listen(self, heard: Callable[[str, str], None]) -> None:
        """There is nobody to be heard."""

    async def notify(self, kind: str, words: str) -> None:
        """There is nobody to be told."""

    async def append(self, entries: list[Entry], head: Head | None = None) -> bool:
        """Write entries that follow each other in one table's log, with the head they change: all of them or none."""
        rows = [[entry.table, entry.seq, entry.at, entry.kind, written(entry.fact)] for entry in entries]
        done = await self.shelf.append(json.dumps(rows), None if head is None else json.dumps(asdict(head)))
        if done is None:
            self.vanished(entries[0].table)
            raise Refused("no_table")
        return bool(done)

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """A table's log from a number on."""
        rows = json.loads(await self.shelf.entries(table, after))
        return [Entry(table, seq, at, read(kind, data)) for _, seq, at, kind, data in rows]

    async def head(self, table: str) -> Head | None:
        """One table as it is listed."""
        return next((head for head in await self.heads() if head.table == table), None)

    async def heads(self) -> list[Head]:
        """All tables, the latest first."""
        found = [Head(**head) for head in json.loads(await self.shelf.heads())]
        return sorted(found, key=lambda head: -head.updated)

    async def remove(self, table: str) -> None:
        """Forget a table."""
        await self.shelf.remove(table)

    async def say(self, line: ChatLine) -> ChatLine:
        """Write a line of chat under the next number, whatever number it came with."""
        before = await self.chat(line.table)
        told = ChatLine(**{**asdict(line), "n": before[-1].n + 1 if before else 1})
        await self.shelf.say(json.dumps(asdict(told)))
        return told

    async def chat(self, table: str, after: int = 0, limit: int = 200) -> list[ChatLine]:
        """The last lines of a table's chat from a number on."""
        lines = [ChatLine(**line) for line in json.loads(await self.shelf.chat(table))]
        return [line for line in lines if line.n > after][-limit:]

    async def history(
        self, person: str, limit: int = 50, before: int | None = None, over: bool | None = None
    ) -> list[Head]:
        """None: this is asked to find matches against other people, and there are none on a device."""
        return []

    async def take_the_wheel(self, table: str) -> bool:
        """Nobody else drives."""
        return True

    async def leave_the_wheel(self, table: str) -> None:
        """Nobody else drives."""

    async def renew_open(self, process: str, opened: Collection[str], closed: Collection[str], until: int) -> None:
        """Nobody else deletes."""

    async def end_open(self, process: str) -> None:
        """Nobody else deletes."""

    async def due(self, now: int) -> list[str]:
        """Tables whose clock by days has run out."""
        return [head.table for head in await self.heads() if head.deadline is not None and head.deadline <= now]
