"""What a study counts in a match: what the game's `seat_statistics.py` says, else which events each seat caused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from landfall.core.seat_statistics import Event, SeatStatistics, humanize_identifier
from landfall.games import game_module, has_game_module


@dataclass(frozen=True)
class GameStudyDefinition:
    """How to mark a game's matches, the name of a round, and values for options that cannot be listed."""

    derive_seat_statistics: Callable[[list[Event], int], list[SeatStatistics]]
    round: tuple[str, str]
    values: dict[str, dict[str, object]]


@cache
def study_definition_of_game(game: str) -> GameStudyDefinition:
    """Those of a game."""
    if not has_game_module(game, "seat_statistics"):
        return GameStudyDefinition(mark_event_kinds, ("turn", "turns"), {})
    own = game_module(game, "seat_statistics")
    return GameStudyDefinition(own.derive_seat_statistics, own.ROUND_EVENT, getattr(own, "VALUES", {}))


def mark_event_kinds(events: list[Event], players: int) -> list[SeatStatistics]:
    """For each seat, a mark for each kind of event that it caused."""
    seats = [SeatStatistics() for _ in range(players)]
    for e in events:
        if isinstance(e.get("seat"), int) and 0 <= e["seat"] < players:
            seats[e["seat"]].marks.add(f"event: {humanize_identifier(e['kind'])}")
    return seats
