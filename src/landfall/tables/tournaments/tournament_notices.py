"""What a tournament's events are worth telling those who are in it. The start of a round's tables tells of itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from landfall.store.row_types import Notice
from landfall.store.tournament_events import (
    PlayerCheckedIn,
    PlayerJoined,
    PlayerLeft,
    PlayerRemoved,
    TournamentBegun,
    TournamentCancelled,
    TournamentEvent,
    TournamentFinished,
    TournamentOpened,
)
from landfall.tables.notifications.table_notices import TOURNAMENT
from landfall.tables.tournaments.tournament_log import CHECK_IN_MS, GONE, Tournament

SOON, OVER, CANCELLED = "soon", "over", "cancelled"
BEGINS = "begins"  # what is said of a start for which nobody checks in
MINUTE_MS = 60_000


def tournament_notice_key(tournament: Tournament, what: str, person: str) -> str:
    """One notice of each kind for each player."""
    return f"{TOURNAMENT} {tournament.id} {what} {person}"


def make_tournament_notice(
    tournament: Tournament, what: str, person: str, at: int, says: str = "", **data: Any
) -> Notice:
    """A notice that leads to the tournament's page."""
    whole = {"what": says or what, "name": tournament.terms.title, "path": f"/tournament/{tournament.id}", **data}
    return Notice(tournament_notice_key(tournament, what, person), person, TOURNAMENT, tournament.id, at, at, whole)


def make_new_and_find_obsolete_notices(
    tournament: Tournament, events: Sequence[TournamentEvent], now: int
) -> tuple[list[Notice], list[str]]:
    """New notices, and the keys of those that are of no use any more, after these events of a tournament.

    Whoever joins is asked to check in when that is possible: the notice waits in the outbox until then.
    """
    notices: list[Notice] = []
    obsolete: list[str] = []
    inside = [player.person for player in tournament.players.values() if player.state != GONE]
    for event in events:
        match event:
            case TournamentOpened():
                pass
            case PlayerJoined(person):
                at = tournament.terms.starts - CHECK_IN_MS
                if now < at:
                    minutes, starts = CHECK_IN_MS // MINUTE_MS, tournament.terms.starts
                    says = SOON if tournament.needs_check_in else BEGINS
                    details: dict[str, Any] = {"round": 1, "minutes": minutes, "deadline": starts}
                    notices.append(make_tournament_notice(tournament, SOON, person, at, says, **details))
            case PlayerCheckedIn(person) | PlayerLeft(person) | PlayerRemoved(person):
                obsolete.append(tournament_notice_key(tournament, SOON, person))
            case TournamentBegun():
                obsolete += [tournament_notice_key(tournament, SOON, person) for person in inside]
            case TournamentCancelled():
                obsolete += [tournament_notice_key(tournament, SOON, person) for person in inside]
                notices += [make_tournament_notice(tournament, CANCELLED, person, now) for person in inside]
            case TournamentFinished():
                notices += [make_tournament_notice(tournament, OVER, person, now) for person in inside]
            case _:
                pass
    return notices, obsolete
