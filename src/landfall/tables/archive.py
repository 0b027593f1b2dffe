"""Records of tables, also of those whose rules have changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.record import Record
from landfall.store.rows import Entry
from landfall.tables.errors import Refused
from landfall.tables.table import OVER

if TYPE_CHECKING:
    from landfall.tables.house import House


async def record_of(house: House, table: str, person: str | None) -> str:
    """A table's record as somebody may read it: open once the match is over."""
    try:
        room = await house.room(table)
    except Refused as error:
        if error.code != "rules":
            raise
        return old_record(await house.store.entries(table))
    found, match = room.table, room.table.match
    if match is None:
        raise Refused("not_begun")
    if found.status == OVER:
        return match.record()
    mine = found.seats_of(person)
    seat = mine[0] if len(mine) == 1 and person not in found.banned else None
    return match.record(seat)


def old_record(entries: list[Entry]) -> str:
    """An open record from a log that this release cannot replay; only if that match was over."""
    first = entries[0].data
    if not any(entry.kind == "end" for entry in entries) and not finished(entries):
        raise Refused("rules", game=first["game"], need=first["rules"], have=0)
    lines: list[str] = list(first.get("lines") or [])
    for entry in entries[1:]:
        if entry.kind in ("start", "play"):
            lines += entry.data["acts"]
        elif entry.kind == "undo":
            lines = lines[: entry.data["to"]]
    return Record(first["game"], first["rules"], first["players"], first["options"], [], lines).text()


def finished(entries: list[Entry]) -> bool:
    """A rematch is asked for only when a match is over."""
    return any(entry.kind == "rematch" for entry in entries)
