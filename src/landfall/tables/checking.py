"""Looking through all logs for damage, and taking a damaged one back to where it is good: for the host."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from landfall.core.rng import Rng
from landfall.store.facts import Created, Unreadable, plain
from landfall.store.rows import Entry
from landfall.tables.opening import MISSING, Fault, followed, versions
from landfall.tables.table import folded

if TYPE_CHECKING:
    from landfall.store.store import Store


@dataclass(frozen=True)
class Checked:
    """A table, its log, and what is wrong with it."""

    table: str
    entries: list[Entry]
    fault: Fault | None = None
    damaged: bool = False  # else the fault is that today's rules are others

    @property
    def word(self) -> str:
        """What is the matter."""
        if self.damaged:
            return "damaged"
        need, have = versions(self.entries)
        first = self.entries[0].fact
        assert isinstance(first, Created)  # else its rules were not known
        return f"follows version {need} of the {first.game} rules, here is {have}"


async def checked(store: Store, table: str) -> Checked:
    """A table's whole log read and folded, and whether it is listed."""
    entries = await store.entries(table)
    _, fault = followed(table, entries, Rng(0))
    need, have = versions(entries) if entries else (0, 0)
    if need > have:
        return Checked(table, entries, Fault(1, entries[0].kind, "rules that are not here"))
    if fault is None and await store.head(table) is None:
        return Checked(table, entries, Fault(len(entries) + 1, MISSING, "the table is not listed"), damaged=True)
    return Checked(table, entries, fault, damaged=fault is not None and not (fault.by_rules and need != have))


async def mend(store: Store, one: Checked, file: Path) -> str:
    """Cut a log back to its last good entry; what is cut is on disk in `file` before. Says what was done."""
    assert one.fault is not None
    good = [entry for entry in one.entries if entry.seq < one.fault.entry]
    gone = one.entries[len(good) :]
    keep(file, gone)
    head = None
    if good and isinstance(good[0].fact, Created):
        head = dataclasses.replace(folded(one.table, good, Rng(0)).summary(), rules=good[0].fact.rules)
    await store.cut_back(one.table, len(good), head)
    kept = f"; {len(gone)} cut, kept in {file}" if gone else ""
    return f"taken back to entry {len(good)}{kept}" if good else f"nothing of it was good: the table is gone{kept}"


def keep(file: Path, entries: list[Entry]) -> None:
    """Add entries to a file, one a line, as they were in the database; nobody else may read it."""
    if not entries:
        return
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "wb") as out:
        for entry in entries:
            out.write(json.dumps(as_it_was(entry), ensure_ascii=False).encode() + b"\n")
        out.flush()
        os.fsync(out.fileno())


def as_it_was(entry: Entry) -> dict[str, Any]:
    """An entry's row; of one that cannot be read, the text that is there."""
    fact = entry.fact
    data = fact.row if isinstance(fact, Unreadable) else plain(fact)
    return {"table": entry.table, "seq": entry.seq, "at": entry.at, "kind": entry.kind, "data": data}
