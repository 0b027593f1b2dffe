"""Chance outcomes: the card that is drawn, the tile that is turned up."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games.atlantis.rules import card_drawing, codes, components, path_tiles, phases
from landfall.games.atlantis.rules.position import AtlantisPosition


def chance_outcomes(s: AtlantisPosition) -> list[tuple[int, int]]:
    """The cards of the deck, or the unseen tiles of a back, weighted uniformly."""
    if s.actor != CHANCE:
        return []
    if s.phase != phases.LAYING and s.phase != phases.UNCOVERING:
        return [(int(codes.CARD + kind), int(s.deck[kind])) for kind in range(components.NUM_KINDS) if s.deck[kind] > 0]
    start = path_tiles.tile_back_at(s.spot) * components.TILES_A_BACK
    unseen = [t for t in range(start, start + components.TILES_A_BACK) if s.tile_at[t] == components.UNSEEN]
    return [(int(codes.TILE + components.TILE_FACE[t]), 1) for t in unseen]


def sample_chance(s: AtlantisPosition, rng: Rng) -> i64:
    """One of these, sampled without listing them."""
    if s.phase != phases.LAYING and s.phase != phases.UNCOVERING:
        left = rng.randbelow(card_drawing.sum_card_counts(s.deck))
        kind: i64 = 0
        while left >= s.deck[kind]:
            left -= s.deck[kind]
            kind += 1
        return codes.CARD + kind
    start = path_tiles.tile_back_at(s.spot) * components.TILES_A_BACK
    unseen: i64 = 0
    for tile in range(start, start + components.TILES_A_BACK):
        if s.tile_at[tile] == components.UNSEEN:
            unseen += 1
    nth = rng.randbelow(unseen)
    at = start
    while s.tile_at[at] != components.UNSEEN or nth > 0:
        if s.tile_at[at] == components.UNSEEN:
            nth -= 1
        at += 1
    return codes.TILE + components.TILE_FACE[at]
