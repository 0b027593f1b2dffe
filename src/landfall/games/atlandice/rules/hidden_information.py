"""Hidden information: none (AD.V9). The lower tiles of a stack are sampled when revealed, so nobody knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.rng import Rng
from landfall.core.state import State

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.position import AtlandicePosition


def resample_hidden_information(s: AtlandicePosition, seat: int | None, rng: Rng) -> State:
    """A plain copy: a position holds public information only."""
    return s.copy()


def can_read_secret(s: AtlandicePosition, seat: int | None, secret: int) -> bool:
    """No action of this game is secret."""
    return True
