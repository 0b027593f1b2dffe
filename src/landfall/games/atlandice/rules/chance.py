"""Chance outcomes: the value of a die, the tile that is turned up."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games.atlandice.rules import board, codes, components, phases
from landfall.games.atlandice.rules.position import AtlandicePosition


def chance_outcomes(s: AtlandicePosition) -> list[tuple[int, int]]:
    """The sectors' numbers on a die, or the unseen tiles of a stack, weighted uniformly."""
    if s.actor != CHANCE:
        return []
    if s.phase == phases.REVEAL:
        first = int(s.reveal) * components.LETTERS
        return [(codes.TILE + i, 1) for i in range(components.LETTERS) if s.tile_place[first + i] == components.UNSEEN]
    return [(codes.ROLLED + sector, 1) for sector in range(board.SECTORS)]


def sample_chance(s: AtlandicePosition, rng: Rng) -> i64:
    """One of these, sampled without listing them."""
    if s.phase == phases.REVEAL:
        return sample_unseen_tile(s, rng)
    return codes.ROLLED + rng.randbelow(board.SECTORS)


def sample_unseen_tile(s: AtlandicePosition, rng: Rng) -> i64:
    """One of the unseen tiles of the stack, as an outcome."""
    first = s.reveal * components.LETTERS
    unseen: i64 = 0
    for i in range(components.LETTERS):
        if s.tile_place[first + i] == components.UNSEEN:
            unseen += 1
    left = rng.randbelow(unseen)
    letter: i64 = 0
    while s.tile_place[first + letter] != components.UNSEEN or left > 0:
        if s.tile_place[first + letter] == components.UNSEEN:
            left -= 1
        letter += 1
    return codes.TILE + letter
