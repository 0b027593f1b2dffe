"""Tables as earlier releases wrote them, from the museum, with the people of a world on their chairs."""

from __future__ import annotations

import sqlite3
from functools import cache
from typing import NamedTuple

from landfall.core.rng import Rng
from landfall.store.event_codec import decode_event
from landfall.store.row_types import LogEntry
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.table import PLAYING
from landfall.tables.protocol.errors import Refused
from tests.museum.database_copies import HERE
from tests.sim.log_checker import Row


class OldTable(NamedTuple):
    """A log, and who sits there: their ids and names."""

    rows: list[Row]
    people: dict[str, str]


@cache
def playable_museum_tables() -> list[OldTable]:
    """Those at which a match goes on, without a clock, that today's rules allow."""
    db = sqlite3.connect(f"file:{HERE / 'landfall.db'}?mode=ro", uri=True)
    try:
        asked = "select table_id, seq, at, kind, data from entries order by table_id, seq"
        logs: dict[str, list[Row]] = {}
        for table, seq, at, kind, data in db.execute(asked):
            logs.setdefault(table, []).append((seq, at, kind, data.encode()))
    finally:
        db.close()
    return [found for rows in logs.values() if (found := read_playable_table(rows)) is not None]


def read_playable_table(rows: list[Row]) -> OldTable | None:
    """A table, if it can be gone on with in a world."""
    try:
        table = load_table_from_entries(
            "old", [LogEntry("old", seq, at, decode_event(kind, data)) for seq, at, kind, data in rows], Rng(0)
        )
    except Refused:
        return None
    people = {
        chair.person: chair.name for chair in table.chairs if chair.person is not None and not chair.is_user_deleted
    }
    fits = table.status == PLAYING and table.terms.clock.mode == "none" and people and table.terms.owner in people
    return OldTable(rows, people) if fits and not table.terms.opened else None


def with_other_people(old: OldTable, names: dict[str, str], until: int) -> list[Row]:
    """Its log, with other people on the chairs: `names` by id; its last entry was written then."""
    later = until - old.rows[-1][1]
    found = []
    for seq, at, kind, data in old.rows:
        for person, name in names.items():
            data = data.replace(f'"{person}"'.encode(), f'"id-{name}"'.encode())
            data = data.replace(f'"name":"{old.people[person]}"'.encode(), f'"name":"{name}"'.encode())
        found.append((seq, at + later, kind, data))
    return found
