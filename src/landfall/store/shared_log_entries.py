"""Events of logs that all processes write, and what is written with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from landfall.store.row_types import LogEntry, Notice, TableSummary

Event = TypeVar("Event")


class NotTogether(Exception):
    """Somebody was deleted, or has blocked another: nothing was written."""


@dataclass(slots=True)
class SharedEntry(Generic[Event]):
    """One event of such a log, numbered from 1. None: only a newer release knows it."""

    seq: int
    at: int  # milliseconds since 1970
    event: Event | None


@dataclass
class NewTable:
    """The first events of a table."""

    entries: list[LogEntry]
    summary: TableSummary


@dataclass
class SharedWrite(Generic[Event]):
    """Consecutive events, and the tables they lead to; `people` sit there. A `SharedLogWriter` sets number and time."""

    events: list[Event]
    people: list[str] = field(default_factory=list)
    tables: list[NewTable] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)  # about these events
    obsolete: list[str] = field(default_factory=list)  # keys of earlier notices that are deleted
    seq: int = 0
    at: int = 0

    def to_numbered_entries(self) -> list[SharedEntry[Event]]:
        return [SharedEntry(self.seq + n, self.at, event) for n, event in enumerate(self.events)]
