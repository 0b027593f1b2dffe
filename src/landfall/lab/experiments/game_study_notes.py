"""What a study counts in a match: what the game's `study_notes.py` says, else which events each seat caused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from landfall.core.study_notes import Event, SeatNotes, humanize_identifier
from landfall.games import game_module, has_game_module


@dataclass(frozen=True)
class GameStudyNotes:
    """How to mark a game's matches, the name of a round, and values for options that cannot be listed."""

    derive_seat_notes: Callable[[list[Event], int], list[SeatNotes]]
    round: tuple[str, str]
    values: dict[str, dict[str, object]]


@cache
def study_notes_of_game(game: str) -> GameStudyNotes:
    """Those of a game."""
    if not has_game_module(game, "study_notes"):
        return GameStudyNotes(mark_event_kinds, ("turn", "turns"), {})
    own = game_module(game, "study_notes")
    return GameStudyNotes(own.derive_seat_notes, own.ROUND_EVENT, getattr(own, "VALUES", {}))


def mark_event_kinds(events: list[Event], players: int) -> list[SeatNotes]:
    """For each seat, a mark for each kind of event that it caused."""
    seats = [SeatNotes() for _ in range(players)]
    for e in events:
        if isinstance(e.get("seat"), int) and 0 <= e["seat"] < players:
            seats[e["seat"]].marks.add(f"event: {humanize_identifier(e['kind'])}")
    return seats
