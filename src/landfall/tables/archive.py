"""Records of tables, also of those that today's rules do not allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.record import Record
from landfall.store.facts import Created, Played, Started, TakenBack
from landfall.store.rows import Entry, Head
from landfall.tables.errors import Refused
from landfall.tables.opening import followed, versions
from landfall.tables.table import OVER, Table
from landfall.tables.visibility import line_of

if TYPE_CHECKING:
    from landfall.tables.hub import Hub


async def record_of(hub: Hub, table: str, person: str | None) -> str:
    """A table's record as somebody may read it: open once the match is over."""
    try:
        live = await hub.live(table)
    except Refused as error:
        if error.code != "rules":
            raise
        head, entries = await hub.head(table), await hub.store.entries(table)
        if head.status == OVER:
            return old_record(head, entries)
        return begun_record(followed(table, entries, hub.env.rng)[0], entries, person, error)
    found, match = live.table, live.table.match
    if match is None:
        raise Refused("not_begun")
    if found.status == OVER:
        return match.record()
    return match.record(reader(found, person))


async def position_of(hub: Hub, table: str, person: str | None, seat: int | None) -> tuple[Table, str]:
    """A table, and its position in one line as that seat of somebody's may know it; without a seat, as all may."""
    live = await hub.live(table)
    found, match = live.table, live.table.match
    if match is None:
        raise Refused("not_begun")
    if seat is not None and seat >= found.terms.players:
        raise Refused("no_chair", chair=seat)
    mine = [] if person in found.banned else found.seats_of(person)
    if seat is not None and seat not in mine and found.status != OVER:
        raise Refused("not_yours")
    return found, line_of(match, seat)


def reader(table: Table, person: str | None) -> int | None:
    """Through whose eyes somebody reads a record before the end."""
    mine = table.seats_of(person)
    return mine[0] if len(mine) == 1 and person not in table.banned else None


def old_record(head: Head, entries: list[Entry]) -> str:
    """The open record of a match that is over (its head was told so by rules that knew), as it was written down."""
    first = entries[0].fact
    position = first.position if isinstance(first, Created) else None
    return written(entries, [str(name or "") for name in head.info["chairs"]], lines_of(entries), position)


def lines_of(entries: list[Entry]) -> list[str]:
    """The lines of a match as they were written down, without asking its rules."""
    lines: list[str] = []
    for entry in entries:
        match entry.fact:
            case Created(lines=list(opened)):
                lines += opened
            case Started(acts=acts) | Played(acts=acts):
                lines += acts
            case TakenBack(to=length):
                lines = lines[:length]
    return lines


def begun_record(table: Table, entries: list[Entry], person: str | None, refused: Refused) -> str:
    """Of a match that may go on elsewhere: as far as today's rules follow it, since beyond they know no secrets."""
    need, have = versions(entries)
    if table.match is None or need > have:
        raise refused
    told = reader(table, person)
    return written(entries, table.match.seats, table.match.lines(told), table.match.began(told))


def written(entries: list[Entry], seats: list[str], lines: list[str], position: str | None) -> str:
    """A record that says which rules it follows."""
    first = entries[0].fact
    assert isinstance(first, Created)  # else no rules would refuse it
    return Record(first.game, first.rules, first.players, first.options, seats, lines, position=position).text()
