"""The events that a study counts: those of the game's `study.py`, otherwise all kinds of event by seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from landfall.core.study_notes import Event, SeatNotes, humanize
from landfall.games import game_module


@dataclass(frozen=True)
class StudyEvents:
    """How to mark a game's matches, the name of a round, and values for options that cannot be listed."""

    count_events: Callable[[list[Event], int], list[SeatNotes]]
    round: tuple[str, str]
    values: dict[str, dict[str, object]]


@cache
def study_events_of(game: str) -> StudyEvents:
    """A game's StudyEvents."""
    try:
        own = game_module(game, "study_notes")
    except ModuleNotFoundError as error:
        if not (error.name or "").endswith(".study"):
            raise
        return StudyEvents(count_event_kinds, ("turn", "turns"), {})
    return StudyEvents(own.noted, own.ROUND, getattr(own, "VALUES", {}))


def count_event_kinds(events: list[Event], players: int) -> list[SeatNotes]:
    """Count the kinds of event that a seat caused."""
    seats = [SeatNotes() for _ in range(players)]
    for e in events:
        if isinstance(e.get("seat"), int) and 0 <= e["seat"] < players:
            seats[e["seat"]].marks.add(f"event: {humanize(e['kind'])}")
    return seats
