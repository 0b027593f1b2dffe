"""How good a position looks: points, majorities and how near they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.games.atlandice.scoring import total

if TYPE_CHECKING:
    from landfall.games.atlandice.state import AtlandiceState


def evaluate(s: AtlandiceState, seat: i64) -> i64:
    return total(s, seat)
