"""How good a position looks, for bots that look one choice ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

if TYPE_CHECKING:
    from landfall.games.atlantis.state import AtlantisState


def evaluate(s: AtlantisState, seat: i64) -> i64:
    """In hundredths of a point."""
    return s.worth[seat] * 100
