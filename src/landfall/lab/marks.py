"""What a study notes of a game's matches: as its own `study.py` says; without one, which events are whose doing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from landfall.core.noted import Event, Noted, words
from landfall.games import part


@dataclass(frozen=True)
class Notes:
    """How a game's matches are noted, what their rounds are called, and values of options that cannot be listed."""

    noted: Callable[[list[Event], int], list[Noted]]
    round: tuple[str, str]
    values: dict[str, dict[str, object]]


@cache
def notes(game: str) -> Notes:
    """Those of a game."""
    try:
        own = part(game, "study")
    except ModuleNotFoundError as error:
        if not (error.name or "").endswith(".study"):
            raise
        return Notes(plain, ("turn", "turns"), {})
    return Notes(own.noted, own.ROUND, getattr(own, "VALUES", {}))


def plain(events: list[Event], players: int) -> list[Noted]:
    """Which kinds of event are a seat's doing."""
    seats = [Noted() for _ in range(players)]
    for e in events:
        if isinstance(e.get("seat"), int) and 0 <= e["seat"] < players:
            seats[e["seat"]].marks.add(f"event: {words(e['kind'])}")
    return seats
