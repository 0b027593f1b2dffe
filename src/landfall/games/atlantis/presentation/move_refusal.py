"""Explains why a click is no action: the rule that keeps a figure or the bridge from a place."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE
from landfall.games.atlantis.rules import board, components, gaps, movement, phases
from landfall.games.atlantis.rules.position import AtlantisPosition


def rule_forbidding_move_of_piece(s: AtlantisPosition, piece: str, place: str) -> str | None:
    """Why a figure (A, B, C) or the `bridge` cannot go to a place (a position from 1, or mainland) now."""
    at = board.parse_place(place)
    if piece == "bridge":
        return (
            gaps.rule_forbidding_laying_bridge(s, first_position_of_gap(s, at)) or None
            if 0 <= at < board.POSITIONS
            else NOT_A_CHOICE
        )
    if (
        piece not in tuple(components.FIGURE_NAMES)
        or at < board.ATLANTIS
        or (s.phase != phases.START and s.phase != phases.HOPPING)
    ):
        return NOT_A_CHOICE
    figure = components.FIGURE_NAMES.index(piece)
    here = s.figure_at[s.actor * components.FIGURES + figure]
    if here == board.MAINLAND:
        return "AT.T5"
    why: str | None = "AT.T3"  # no card in hand leads there
    for kind in range(components.NUM_KINDS):
        if (
            s.hand[s.actor * components.NUM_KINDS + kind]
            and movement.nearest_tile_of_kind_ahead(s, here, components.Kind(kind)) == at
        ):
            why = movement.rule_forbidding_card_play(s, figure, components.Kind(kind)) or None
            if why is None:
                return None
    return why


def first_position_of_gap(s: AtlantisPosition, at: i64) -> i64:
    """The first position of the gap around a position."""
    while at > 0 and s.top[at] < 0 and s.top[at - 1] < 0:
        at -= 1
    return at
