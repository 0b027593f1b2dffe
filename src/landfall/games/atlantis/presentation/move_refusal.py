"""Explains why a click is no action: the rule that keeps a figure or the bridge from a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE
from landfall.games.atlantis.rules import gaps, movement
from landfall.games.atlantis.rules.board import ATLANTIS, MAINLAND, POSITIONS, parse_place
from landfall.games.atlantis.rules.components import FIGURE_NAMES, FIGURES, NUM_KINDS, Kind
from landfall.games.atlantis.rules.phases import HOPPING, START

if TYPE_CHECKING:
    from landfall.games.atlantis.rules.position import AtlantisPosition


def rule_forbidding_move_of_piece(s: AtlantisPosition, piece: str, place: str) -> str | None:
    """Why a figure (A, B, C) or the `bridge` cannot go to a place (a position from 1, or mainland) now."""
    at = parse_place(place)
    if piece == "bridge":
        return (
            gaps.rule_forbidding_laying_bridge(s, first_position_of_gap(s, at)) or None
            if 0 <= at < POSITIONS
            else NOT_A_CHOICE
        )
    if piece not in tuple(FIGURE_NAMES) or at < ATLANTIS or (s.phase != START and s.phase != HOPPING):
        return NOT_A_CHOICE
    figure = FIGURE_NAMES.index(piece)
    here = s.figure_at[s.actor * FIGURES + figure]
    if here == MAINLAND:
        return "AT.T5"
    why: str | None = "AT.T3"  # no card in hand leads there
    for kind in range(NUM_KINDS):
        if s.hand[s.actor * NUM_KINDS + kind] and movement.nearest_tile_of_kind_ahead(s, here, Kind(kind)) == at:
            why = movement.rule_forbidding_card_play(s, figure, Kind(kind)) or None
            if why is None:
                return None
    return why


def first_position_of_gap(s: AtlantisPosition, at: i64) -> i64:
    """The first position of the gap around a position."""
    while at > 0 and s.top[at] < 0 and s.top[at - 1] < 0:
        at -= 1
    return at
