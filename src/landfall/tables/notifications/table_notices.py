"""What a change of a table is worth telling: notices for those who are not there. Only what everybody may know."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from landfall.store.row_types import Notice
from landfall.tables.log.clocks import DAYS_CLOCK
from landfall.tables.log.table import OVER, PLAYING, Table

TURN: Final = "turn"
INVITATION: Final = "invitation"
START: Final = "start"
MATCH_OVER: Final = "over"
TOURNAMENT: Final = "tournament"
KINDS: Final = (TURN, INVITATION, START, MATCH_OVER, TOURNAMENT)
REPORT: Final = "report"  # somebody reported somebody: for hosts, who cannot do without it
TRIAL: Final = "trial"  # asked for on the page of settings, to see that it arrives
Turn = tuple[str, int | None]  # who must choose, and by when


def find_correspondence_turn(table: Table) -> Turn | None:
    """The person for whom a table by days waits, and the deadline; None if it waits for nobody."""
    if table.status != PLAYING or table.terms.clock.mode != DAYS_CLOCK or table.paused or table.actor is None:
        return None
    chair = table.chairs[table.actor]
    if not table.awaits_choice_of_person(table.actor) or chair.person is None or chair.is_user_deleted or chair.author:
        return None
    return chair.person, table.clocks.actor_deadline()


def people_sitting_at_table(table: Table) -> list[str]:
    """The people who sit at a table: no online bots, nobody who was deleted."""
    seated = [c.person for c in table.chairs if c.person is not None and c.author is None and not c.is_user_deleted]
    return list(dict.fromkeys(seated))


def make_notices_for_change(
    before: Table, after: Table, connected: Collection[str], grace_ms: int
) -> list[Notice] | None:
    """What a change of a table tells those who are not there; None: nothing about whose turn it is has changed.

    They are due after a grace: who comes to the table meanwhile sees it there.
    """
    found = make_notices_due_at_once(before, after, connected)
    return found and [replace(notice, due=notice.at + grace_ms) for notice in found]


def make_notices_due_at_once(before: Table, after: Table, connected: Collection[str]) -> list[Notice] | None:
    turn, earlier = find_correspondence_turn(after), find_correspondence_turn(before)
    is_new = turn != earlier or (turn is not None and after.version != before.version)
    found: list[Notice] = []
    if turn is not None and is_new:
        found.append(make_turn_notice(after, turn, earlier, connected))
    people = people_sitting_at_table(after)
    if after.status == PLAYING != before.status and len(people) > 1:
        recipients = [person for person in people if turn is None or person != turn[0]]
        found += [make_table_notice(START, after, person) for person in recipients if person not in connected]
    if after.status == OVER and before.status == PLAYING:
        places = after.final_places_by_seat() if after.ended == "finished" else []
        for person in people:
            if person not in connected:
                mine = [places[seat] for seat in after.seats_of_person(person) if places]
                data = {"place": min(mine)} if mine else {"ended": after.ended}
                found.append(make_table_notice(MATCH_OVER, after, person, data))
    return found if found or is_new else None


def make_table_notice(
    kind: str, table: Table, person: str, data: dict[str, Any] | None = None, seen: int | None = None
) -> Notice:
    """A notice about the last event of a table."""
    key = f"{kind} {table.id} {table.seq} {person}"
    return Notice(key, person, kind, table.id, table.last_at, table.last_at, data or {}, seen=seen)


def make_turn_notice(table: Table, turn: Turn, earlier: Turn | None, connected: Collection[str]) -> Notice:
    """It is somebody's turn; `again`: it was already, and goes on with a new deadline."""
    person, deadline = turn
    data: dict[str, Any] = {}
    if deadline is not None:
        data["deadline"] = deadline
    if earlier is not None and earlier[0] == person:
        data["again"] = True
    last = next((line.actor for line in reversed(table.match.log) if line.actor >= 0), None) if table.match else None
    if last is not None and table.chairs[last].person not in (None, person):
        data["by"] = last
    return make_table_notice(TURN, table, person, data, table.last_at if person in connected else None)
