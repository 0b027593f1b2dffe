"""Chance outcomes: the card that is drawn, the tile that is turned up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games.atlantis.rules import card_drawing, path_tiles
from landfall.games.atlantis.rules.action_encoding import CARD, TILE
from landfall.games.atlantis.rules.components import NUM_KINDS, TILE_FACE, TILES_A_BACK, UNSEEN
from landfall.games.atlantis.rules.phases import LAYING, UNCOVERING

if TYPE_CHECKING:
    from landfall.games.atlantis.rules.position import AtlantisPosition


def chance_outcomes(s: AtlantisPosition) -> list[tuple[int, int]]:
    """The cards of the deck, or the unseen tiles of a back, weighted uniformly."""
    if s.actor != CHANCE:
        return []
    if s.phase != LAYING and s.phase != UNCOVERING:
        return [(int(CARD + kind), int(s.deck[kind])) for kind in range(NUM_KINDS) if s.deck[kind] > 0]
    start = path_tiles.tile_back_at(s.spot) * TILES_A_BACK
    unseen = [t for t in range(start, start + TILES_A_BACK) if s.tile_at[t] == UNSEEN]
    return [(int(TILE + TILE_FACE[t]), 1) for t in unseen]


def sample_chance(s: AtlantisPosition, rng: Rng) -> i64:
    """One of these, sampled without listing them."""
    if s.phase != LAYING and s.phase != UNCOVERING:
        left = rng.randbelow(card_drawing.sum_card_counts(s.deck))
        kind: i64 = 0
        while left >= s.deck[kind]:
            left -= s.deck[kind]
            kind += 1
        return CARD + kind
    start = path_tiles.tile_back_at(s.spot) * TILES_A_BACK
    unseen: i64 = 0
    for tile in range(start, start + TILES_A_BACK):
        if s.tile_at[tile] == UNSEEN:
            unseen += 1
    nth = rng.randbelow(unseen)
    at = start
    while s.tile_at[at] != UNSEEN or nth > 0:
        if s.tile_at[at] == UNSEEN:
            nth -= 1
        at += 1
    return TILE + TILE_FACE[at]
