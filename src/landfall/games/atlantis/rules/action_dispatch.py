"""Dispatches legal actions, checks and effects to the chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.atlantis.rules import card_drawing, gaps, movement, path_tiles, setup, turn
from landfall.games.atlantis.rules.actions import (
    BRIDGE,
    BUY,
    CARD,
    NO_BRIDGE,
    PAY_CARD,
    PAY_TILE,
    PLAY,
    SHOW,
    figure_played,
    kind_played,
    sort_of,
)
from landfall.games.atlantis.rules.components import Face, Kind
from landfall.games.atlantis.rules.phases import BRIDGING, HOPPING, LAYING, PAYING, START

if TYPE_CHECKING:
    from landfall.games.atlantis.rules.position import AtlantisPosition


def fill_legal(s: AtlantisPosition, moves: ActionList) -> None:
    """Every legal action of the player in turn."""
    if s.phase == START:
        turn.add_legal_start(s, moves)
    elif s.phase == HOPPING:
        movement.add_legal_cards(s, moves)
    elif s.phase == PAYING:
        gaps.add_legal_payment(s, moves)
    elif s.phase == BRIDGING:
        gaps.add_legal_bridges(s, moves)
        moves.add(NO_BRIDGE)


def forbidden_by(s: AtlantisPosition, action: i64) -> str:
    """The rule that forbids the player in turn this action."""
    sort = sort_of(action)
    part = action - sort
    if sort == PLAY:
        return movement.card_forbidden_by(s, figure_played(part), kind_played(part))
    if sort == PAY_CARD:
        return gaps.paying_card_forbidden_by(s, Kind(part))
    if sort == PAY_TILE:
        return gaps.paying_tile_forbidden_by(s, Face(part))
    if sort == BUY:
        return turn.buying_forbidden_by(s, Face(part))
    if sort == BRIDGE:
        return gaps.bridge_forbidden_by(s, part)
    return turn.showing_forbidden_by(s) if sort == SHOW else gaps.no_bridge_forbidden_by(s)


def apply_action(s: AtlantisPosition, action: i64) -> None:
    """Apply an action or outcome, then its automatic consequences."""
    sort = sort_of(action)
    part = action - sort
    if sort == CARD:
        card_drawing.apply_drawn(s, Kind(part))
        turn.go_on_drawing(s)
    elif sort == PLAY:
        movement.play_card(s, figure_played(part), kind_played(part))
        if s.phase == PAYING:
            turn.after_piece(s)
    elif sort == PAY_CARD:
        gaps.pay_card(s, Kind(part))
        turn.after_piece(s)
    elif sort == PAY_TILE:
        gaps.pay_tile(s, Face(part))
        turn.after_piece(s)
    elif sort == BUY:
        turn.buy_cards(s, Face(part))
    elif sort == SHOW:
        turn.show_hand(s)
    elif sort == BRIDGE:
        gaps.lay_bridge(s, part)
        turn.after_bridge(s)
    elif sort == NO_BRIDGE:
        turn.after_bridge(s)
    elif s.phase == LAYING:
        setup.apply_laid(s, Face(part))
    else:
        path_tiles.apply_uncovered(s, Face(part))
        turn.after_take(s)
