"""Who knows what: all is public (AD.V9); a stack's lower tiles are drawn only when revealed, so nobody knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.rng import Rng
from landfall.core.state import State

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.position import AtlandicePosition


def resample(s: AtlandicePosition, seat: int | None, rng: Rng) -> State:
    """A copy: a position holds only what everybody sees."""
    return s.copy()


def can_read(s: AtlandicePosition, seat: int | None, secret: int) -> bool:
    """No action of this game is secret."""
    return True
