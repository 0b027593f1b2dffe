"""Checks all logs for damage, and truncates a damaged one to its last good event: for the host."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from landfall.core.rng import Rng
from landfall.store.events import Created, UnreadableEvent, to_stored_fields
from landfall.store.row_types import LogEntry
from landfall.tables.log.loading import MISSING_KIND, LogFault, fold_log_until_fault, logged_and_current_rules_version
from landfall.tables.log.table import fold_table_from_log

if TYPE_CHECKING:
    from landfall.store.store import Store


@dataclass(frozen=True)
class LogCheck:
    """A table, its log, and the fault."""

    table: str
    entries: list[LogEntry]
    fault: LogFault | None = None
    damaged: bool = False  # otherwise the fault is a change of rules, or a newer release's event

    @property
    def fault_description(self) -> str:
        """The fault as text."""
        if self.damaged:
            return "damaged"
        if self.fault is not None and self.fault.by_newer:
            return "written by a newer release"
        need, have = logged_and_current_rules_version(self.entries)
        first = self.entries[0].event
        assert isinstance(first, Created)  # otherwise its rules were not known
        return f"follows version {need} of the {first.game} rules, here is {have}"


async def check_table_log(store: Store, table: str) -> LogCheck:
    """Read and fold a table's whole log, and check its list entry."""
    entries = await store.tables.read_log_entries(table)
    _, fault = fold_log_until_fault(table, entries, Rng(0))
    need, have = logged_and_current_rules_version(entries) if entries else (0, 0)
    if need > have:
        return LogCheck(table, entries, LogFault(1, entries[0].kind, "rules that are not here"))
    if fault is None and await store.tables.get_table_summary(table) is None:
        return LogCheck(
            table, entries, LogFault(len(entries) + 1, MISSING_KIND, "the table is not listed"), damaged=True
        )
    damaged = fault is not None and not fault.by_newer and not (fault.by_rules and need != have)
    return LogCheck(table, entries, fault, damaged)


async def truncate_damaged_log(store: Store, check: LogCheck, file: Path) -> str:
    """Truncate a log to its last good event; the rest is first saved in `file`. Returns what was done."""
    assert check.fault is not None
    good = [entry for entry in check.entries if entry.seq < check.fault.entry]
    removed = check.entries[len(good) :]
    append_entries_to_file(file, removed)
    summary = None
    if good and isinstance(good[0].event, Created):
        summary = dataclasses.replace(
            fold_table_from_log(check.table, good, Rng(0)).build_summary(), rules=good[0].event.rules
        )
    await store.tables.truncate_table_log(check.table, len(good), summary)
    kept = f"; {len(removed)} cut, kept in {file}" if removed else ""
    return f"taken back to entry {len(good)}{kept}" if good else f"nothing of it was good: the table is gone{kept}"


def append_entries_to_file(file: Path, entries: list[LogEntry]) -> None:
    """Append events to a file, one per line, as they were in the database; readable by its owner only."""
    if not entries:
        return
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "wb") as out:
        for entry in entries:
            out.write(json.dumps(entry_to_row(entry), ensure_ascii=False).encode() + b"\n")
        out.flush()
        os.fsync(out.fileno())


def entry_to_row(entry: LogEntry) -> dict[str, Any]:
    """An event's row; for an unreadable one, its text."""
    event = entry.event
    data = event.row if isinstance(event, UnreadableEvent) else to_stored_fields(event)
    return {"table": entry.table, "seq": entry.seq, "at": entry.at, "kind": entry.kind, "data": data}
