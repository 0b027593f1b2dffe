"""What may be chosen and what happens: each action handed to the chapter that knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import Moves
from landfall.games.atlantis import drawing, gaps, movement, setup, tiles, turn
from landfall.games.atlantis.actions import (
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
from landfall.games.atlantis.components import Face, Kind
from landfall.games.atlantis.phases import BRIDGING, HOPPING, LAYING, PAYING, START

if TYPE_CHECKING:
    from landfall.games.atlantis.position import AtlantisPosition


def generate(s: AtlantisPosition, moves: Moves) -> None:
    """Every choice of the player in turn."""
    if s.phase == START:
        turn.generate_start(s, moves)
    elif s.phase == HOPPING:
        movement.generate_cards(s, moves)
    elif s.phase == PAYING:
        gaps.generate_payment(s, moves)
    elif s.phase == BRIDGING:
        gaps.generate_bridges(s, moves)
        moves.add(NO_BRIDGE)


def forbids(s: AtlantisPosition, action: i64) -> str:
    """The rule that forbids the player in turn this choice."""
    sort = sort_of(action)
    part = action - sort
    if sort == PLAY:
        return movement.forbids_card(s, figure_played(part), kind_played(part))
    if sort == PAY_CARD:
        return gaps.forbids_paying_card(s, Kind(part))
    if sort == PAY_TILE:
        return gaps.forbids_paying_tile(s, Face(part))
    if sort == BUY:
        return turn.forbids_buying(s, Face(part))
    if sort == BRIDGE:
        return gaps.forbids_bridge(s, part)
    return turn.forbids_showing(s) if sort == SHOW else gaps.forbids_no_bridge(s)


def apply(s: AtlantisPosition, action: i64) -> None:
    """Carry out a choice or an outcome, then all that follows by itself."""
    sort = sort_of(action)
    part = action - sort
    if sort == CARD:
        drawing.apply_drawn(s, Kind(part))
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
        turn.buy(s, Face(part))
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
        tiles.apply_uncovered(s, Face(part))
        turn.after_take(s)
