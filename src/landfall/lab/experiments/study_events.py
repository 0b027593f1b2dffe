"""What a study notes of a game's matches: as its `study_notes.py` says; without one, which events are whose doing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from landfall.core.study_notes import Event, SeatNotes, humanize
from landfall.games import game_module, has_game_module


@dataclass(frozen=True)
class StudyEvents:
    """How a game's matches are noted, what their rounds are called, and values of options that cannot be listed."""

    count_events: Callable[[list[Event], int], list[SeatNotes]]
    round: tuple[str, str]
    values: dict[str, dict[str, object]]


@cache
def study_events_of(game: str) -> StudyEvents:
    """Those of a game."""
    if not has_game_module(game, "study_notes"):
        return StudyEvents(count_event_kinds, ("turn", "turns"), {})
    own = game_module(game, "study_notes")
    return StudyEvents(own.noted, own.ROUND, getattr(own, "VALUES", {}))


def count_event_kinds(events: list[Event], players: int) -> list[SeatNotes]:
    """Which kinds of event are a seat's doing."""
    seats = [SeatNotes() for _ in range(players)]
    for e in events:
        if isinstance(e.get("seat"), int) and 0 <= e["seat"] < players:
            seats[e["seat"]].marks.add(f"event: {humanize(e['kind'])}")
    return seats
