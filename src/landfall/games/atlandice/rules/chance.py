"""Chance outcomes: the value of a die, the tile that is turned up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games.atlandice.rules.action_encoding import ROLLED, TILE
from landfall.games.atlandice.rules.board import SECTORS
from landfall.games.atlandice.rules.components import LETTERS, UNSEEN
from landfall.games.atlandice.rules.phases import REVEAL

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.position import AtlandicePosition


def chance_outcomes(s: AtlandicePosition) -> list[tuple[int, int]]:
    """The sectors' numbers on a die, or the unseen tiles of a stack, weighted uniformly."""
    if s.actor != CHANCE:
        return []
    if s.phase == REVEAL:
        first = int(s.reveal) * LETTERS
        return [(TILE + i, 1) for i in range(LETTERS) if s.tile_place[first + i] == UNSEEN]
    return [(ROLLED + sector, 1) for sector in range(SECTORS)]


def sample_chance(s: AtlandicePosition, rng: Rng) -> i64:
    """One of these, sampled without listing them."""
    if s.phase == REVEAL:
        return sample_unseen_tile(s, rng)
    return ROLLED + rng.randbelow(SECTORS)


def sample_unseen_tile(s: AtlandicePosition, rng: Rng) -> i64:
    """One of the unseen tiles of the stack, as an outcome."""
    first = s.reveal * LETTERS
    unseen: i64 = 0
    for i in range(LETTERS):
        if s.tile_place[first + i] == UNSEEN:
            unseen += 1
    left = rng.randbelow(unseen)
    letter: i64 = 0
    while s.tile_place[first + letter] != UNSEEN or left > 0:
        if s.tile_place[first + letter] == UNSEEN:
            left -= 1
        letter += 1
    return TILE + letter
