"""Loads a table: folds its whole log and checks every line, because rules change and disks fail.

A table of older rules loads if today's rules allow every line of its log, and is played by today's from then on. The
first event of its log and its head keep the old version. Otherwise it is refused by name, and its record can still be
read (see `record_export`). An event that only a newer release understands is named: two releases run side by side
during an update. A log that follows today's rules and still cannot be folded is damaged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from landfall.core.errors import LandfallError, RecordError
from landfall.core.match_record import CHANCE_MARK
from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games import game as find_game
from landfall.store.events import Created, Played, TakenBack, UnreadableEvent
from landfall.store.row_types import LogEntry
from landfall.tables.log.table import PLAYING, Table
from landfall.tables.protocol.errors import Refused

MISSING_KIND: Final = "?"  # the kind of a missing event


@dataclass(frozen=True)
class LogFault:
    """Why a log cannot be folded further. `reason` may contain secrets: it is for the host only."""

    entry: int
    kind: str  # of that event; "?" if it is missing
    reason: str
    by_rules: bool = False  # the event is readable, but today's rules forbid it
    by_newer: bool = False  # the event is whole, but only a newer release understands it


def load_table_from_entries(table: str, entries: list[LogEntry], rng: Rng) -> Table:
    """A table from its whole log; Refused if it has other rules, or events of a newer release, or is damaged."""
    need, have = logged_and_current_rules_version(entries)
    first = entries[0].event
    game = first.game if isinstance(first, Created) else "?"
    if need != have and not 0 < need < have:
        raise Refused("rules", game=game, need=need, have=have)
    found, fault = fold_log_until_fault(table, entries, rng)
    if fault is None:
        return found
    if fault.by_rules and need != have:
        raise Refused("rules", game=game, need=need, have=have)
    raise Refused("newer" if fault.by_newer else "damaged", entry=fault.entry, kind=fault.kind)


def logged_and_current_rules_version(entries: list[LogEntry]) -> tuple[int, int]:
    """The rules version of a log, and of its game today. Both 0 if the first event does not say."""
    first = entries[0].event
    if not isinstance(first, Created):
        return 0, 0
    try:
        return first.rules, find_game(first.game).rules_version
    except LandfallError:  # a game that is not installed
        return first.rules, 0


def fold_log_until_fault(table: str, entries: list[LogEntry], rng: Rng) -> tuple[Table, LogFault | None]:
    """Fold a log as far as possible. Returns the table and the fault of the next event, if any."""
    found = Table(table, rng)
    if not entries:
        return found, LogFault(1, MISSING_KIND, "the log is empty")
    for entry in entries:
        if entry.seq != found.seq + 1:
            return found, LogFault(found.seq + 1, MISSING_KIND, f"entry {found.seq + 1} is missing")
        reason = find_entry_fault(entry)
        if reason:
            return found, LogFault(entry.seq, entry.kind, reason, by_newer=is_from_newer_release(entry))
        try:
            reason = find_match_fault(found, entry)
            if not reason:
                found.apply_entry(entry)
                reason = find_missing_chance_fault(found)
        except RecordError as error:
            reason = str(error.arguments["reason"])
        except Exception as error:  # a damaged event may raise anything
            return found, LogFault(entry.seq, entry.kind, f"{type(error).__name__} {error}")
        if reason:
            return found, LogFault(entry.seq, entry.kind, reason, by_rules=True)
    return found, None


def is_from_newer_release(entry: LogEntry) -> bool:
    """Whether only a newer release understands an event."""
    return isinstance(entry.event, UnreadableEvent) and entry.event.is_newer


def find_entry_fault(entry: LogEntry) -> str:
    """The fault of an event before it is applied."""
    if isinstance(entry.event, UnreadableEvent):
        return entry.event.reason
    if isinstance(entry.event, Created) != (entry.seq == 1):
        return "it comes too late" if entry.seq > 1 else "it comes before the table was made"
    return ""


def find_match_fault(table: Table, entry: LogEntry) -> str:
    """The fault of an event in the current match, apart from its lines."""
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


def find_missing_chance_fault(table: Table) -> str:
    """An event contains a choice and all chance outcomes that follow."""
    waits = table.status == PLAYING and table.match is not None and table.match.actor == CHANCE
    return "chance has not decided" if waits else ""
