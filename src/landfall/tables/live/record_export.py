"""Records of tables, including those that today's rules refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.match_record import Record
from landfall.store.events import Created, Played, Started, TakenBack
from landfall.store.row_types import LogEntry, TableSummary
from landfall.tables.log.loading import fold_log_until_fault, logged_and_current_rules_version
from landfall.tables.log.table import OVER, Table
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.projections import visible_position_text

if TYPE_CHECKING:
    from landfall.tables.live.hub import Hub


async def export_record(hub: Hub, table: str, person: str | None) -> str:
    """A table's record as a user may read it: unmasked once the match is over."""
    try:
        live = await hub.get_or_load_table(table)
    except Refused as error:
        if error.code != "rules":
            raise
        summary, entries = await hub.get_table_summary(table), await hub.store.tables.read_log_entries(table)
        if summary.status == OVER:
            return export_record_under_old_rules(summary, entries)
        return export_partial_record(fold_log_until_fault(table, entries, hub.runtime.rng)[0], entries, person, error)
    found, match = live.table, live.table.match
    if match is None:
        raise Refused("not_begun")
    if found.status == OVER:
        return match.record()
    return match.record(viewpoint_for_record(found, person))


async def export_position(hub: Hub, table: str, person: str | None, seat: int | None) -> tuple[Table, str]:
    """A table, and its position string as the user's seat may know it; without a seat, the public one."""
    live = await hub.get_or_load_table(table)
    found, match = live.table, live.table.match
    if match is None:
        raise Refused("not_begun")
    if seat is not None and seat >= found.terms.players:
        raise Refused("no_chair", chair=seat)
    mine = [] if person in found.banned else found.seats_of_person(person)
    if seat is not None and seat not in mine and found.status != OVER:
        raise Refused("not_yours")
    return found, visible_position_text(match, seat)


def viewpoint_for_record(table: Table, person: str | None) -> int | None:
    """The viewpoint of a user's record before the end."""
    mine = table.seats_of_person(person)
    return mine[0] if len(mine) == 1 and person not in table.banned else None


def export_record_under_old_rules(summary: TableSummary, entries: list[LogEntry]) -> str:
    """The unmasked record of a finished match as it was logged. The head says that it is finished: its rules knew."""
    first = entries[0].event
    position = first.position if isinstance(first, Created) else None
    return format_record_text(
        entries, [str(name or "") for name in summary.info["chairs"]], logged_match_lines(entries), position
    )


async def export_finished_record_from_log(hub: Hub, summary: TableSummary) -> str:
    """The record of a match that is over, from its log; Refused if it never began, or its log cannot be read."""
    entries = await hub.store.tables.read_log_entries(summary.table)
    if not entries or not isinstance(entries[0].event, Created) or not logged_match_lines(entries):
        raise Refused("not_begun")
    return export_record_under_old_rules(summary, entries)


def logged_match_lines(entries: list[LogEntry]) -> list[str]:
    """The logged lines of a match, without checking them against the rules."""
    lines: list[str] = []
    for entry in entries:
        match entry.event:
            case Created(lines=list(opened)):
                lines += opened
            case Started(acts=acts) | Played(acts=acts):
                lines += acts
            case TakenBack(to=length):
                lines = lines[:length]
    return lines


def export_partial_record(table: Table, entries: list[LogEntry], person: str | None, refused: Refused) -> str:
    """The record of a match that may be running elsewhere, up to the last line that today's rules can mask."""
    need, have = logged_and_current_rules_version(entries)
    if table.match is None or need > have:
        raise refused
    viewpoint = viewpoint_for_record(table, person)
    return format_record_text(
        entries, table.match.seats, table.match.log_lines(viewpoint), table.match.custom_start_text(viewpoint)
    )


def format_record_text(entries: list[LogEntry], seats: list[str], lines: list[str], position: str | None) -> str:
    """A record with the version of its rules."""
    first = entries[0].event
    assert isinstance(first, Created)  # otherwise no rules would refuse it
    return Record(first.game, first.rules, first.players, first.options, seats, lines, position=position).to_text()
