"""Hints that teach: why a choice is good, in a sentence or two made from what the seat sees."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from landfall.core.puzzle import Case
from landfall.core.rng import Rng
from landfall.core.state import State
from landfall.games import PACKAGES, part

if TYPE_CHECKING:
    from landfall.tables.news import Reason

MOST: Final = 2  # reasons told


def reasons(game: str, case: Case) -> list[Reason]:
    """The strongest reasons for a choice, at most MOST; none where the game declares none."""
    if find_spec(f"{PACKAGES[game]}.reasons") is None:
        return []
    found = sorted(part(game, "reasons").reasons(case), key=lambda reason: -reason.strength)
    return [{"key": f"hint.{reason.key}", "args": reason.args} for reason in found[:MOST] if reason.strength > 0]


def explained(game: str, state: State, seat: int, action: int) -> list[Reason]:
    """Reasons for a choice in the true position, from what the seat knows: all else is drawn anew before it is read."""
    return reasons(game, Case(state.resample(seat, Rng(0)), seat, action))
