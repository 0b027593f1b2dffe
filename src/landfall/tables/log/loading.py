"""Opening a table: its whole log is folded, every line of it checked, since rules change and disks fail.

A table made under older rules opens if today's allow every line of its log, and is played by today's from then on; the
first entry of its log and its head keep the version it was made under. If today's rules do not allow a line, it is
refused by name, and its record can still be read (see `archive`). A log that follows today's rules and still cannot be
folded is damaged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from landfall.core.errors import LandfallError, RecordError
from landfall.core.record import CHANCE_MARK
from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games import game as find_game
from landfall.store.events import Created, Played, TakenBack, UnreadableEvent
from landfall.store.rows import LogEntry
from landfall.tables.log.table import PLAYING, Table
from landfall.tables.protocol.errors import Refused

MISSING_KIND: Final = "?"  # the kind of an entry that is not there


@dataclass(frozen=True)
class LogFault:
    """Why a log cannot be folded further. `reason` may name what is secret: it is for the host alone."""

    entry: int
    kind: str  # of that entry; "?" if it is not there
    reason: str
    by_rules: bool = False  # the entry can be read, but today's rules do not allow it


def load_table(table: str, entries: list[LogEntry], rng: Rng) -> Table:
    """A table from its whole log; Refused if that is of other rules, or damaged."""
    need, have = rules_versions(entries)
    first = entries[0].event
    game = first.game if isinstance(first, Created) else "?"
    if need != have and not 0 < need < have:
        raise Refused("rules", game=game, need=need, have=have)
    found, fault = fold_checked(table, entries, rng)
    if fault is None:
        return found
    if fault.by_rules and need != have:
        raise Refused("rules", game=game, need=need, have=have)
    raise Refused("damaged", entry=fault.entry, kind=fault.kind)


def rules_versions(entries: list[LogEntry]) -> tuple[int, int]:
    """Of the rules: that of a log, and that of its game today. Both 0 where the first entry does not say."""
    first = entries[0].event
    if not isinstance(first, Created):
        return 0, 0
    try:
        return first.rules, find_game(first.game).rules_version
    except LandfallError:  # a game that is not here
        return first.rules, 0


def fold_checked(table: str, entries: list[LogEntry], rng: Rng) -> tuple[Table, LogFault | None]:
    """A log folded as far as that goes, and what is wrong with the next entry, if there is one that does not fit."""
    found = Table(table, rng)
    if not entries:
        return found, LogFault(1, MISSING_KIND, "the log is empty")
    for entry in entries:
        if entry.seq != found.seq + 1:
            return found, LogFault(found.seq + 1, MISSING_KIND, f"entry {found.seq + 1} is missing")
        reason = find_entry_fault(entry)
        if reason:
            return found, LogFault(entry.seq, entry.kind, reason)
        try:
            reason = find_rule_fault(found, entry)
            if not reason:
                found.apply(entry)
                reason = find_missing_chance(found)
        except RecordError as error:
            reason = str(error.arguments["reason"])
        except Exception as error:  # whatever a damaged entry makes of the folding
            return found, LogFault(entry.seq, entry.kind, f"{type(error).__name__} {error}")
        if reason:
            return found, LogFault(entry.seq, entry.kind, reason, by_rules=True)
    return found, None


def find_entry_fault(entry: LogEntry) -> str:
    """What is wrong with an entry before it is even looked into."""
    if isinstance(entry.event, UnreadableEvent):
        return entry.event.reason
    if isinstance(entry.event, Created) != (entry.seq == 1):
        return "it comes too late" if entry.seq > 1 else "it comes before the table was made"
    return ""


def find_rule_fault(table: Table, entry: LogEntry) -> str:
    """What the match as it stands says against an entry, besides its lines."""
    if table.match is None:
        return ""
    match entry.event:
        case Played(seat=seat) if seat != table.match.actor:
            return f"seat {seat} chose, and it was not asked"
        case Played(acts=acts) if [line[:1] == CHANCE_MARK for line in acts].count(False) != 1:
            return "an entry is one choice and the chance it brings"
        case TakenBack(to=length) if not 0 <= length < len(table.match.log):
            return f"{length} of {len(table.match.log)} lines cannot be kept"
    return ""


def find_missing_chance(table: Table) -> str:
    """An entry holds a choice and all the chance it brings."""
    waits = table.status == PLAYING and table.match is not None and table.match.actor == CHANCE
    return "chance has not decided" if waits else ""
