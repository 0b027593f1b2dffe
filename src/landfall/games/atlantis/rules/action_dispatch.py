"""Dispatches legal actions, checks and effects to the chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.atlantis.rules import card_drawing, gaps, movement, path_tiles, setup, turn
from landfall.games.atlantis.rules.action_encoding import (
    BRIDGE,
    BUY,
    CARD,
    NO_BRIDGE,
    PAY_CARD,
    PAY_TILE,
    PLAY,
    SHOW,
    action_family,
    figure_of_played_card,
    kind_of_played_card,
)
from landfall.games.atlantis.rules.components import Face, Kind
from landfall.games.atlantis.rules.phases import BRIDGING, HOPPING, LAYING, PAYING, START

if TYPE_CHECKING:
    from landfall.games.atlantis.rules.position import AtlantisPosition


def add_legal_actions(s: AtlantisPosition, moves: ActionList) -> None:
    """Every legal action of the player in turn."""
    if s.phase == START:
        turn.add_legal_turn_start_actions(s, moves)
    elif s.phase == HOPPING:
        movement.add_legal_card_plays(s, moves)
    elif s.phase == PAYING:
        gaps.add_legal_payments(s, moves)
    elif s.phase == BRIDGING:
        gaps.add_legal_bridges(s, moves)
        moves.add(NO_BRIDGE)


def rule_forbidding_action(s: AtlantisPosition, action: i64) -> str:
    """The rule that forbids the player in turn this action."""
    sort = action_family(action)
    part = action - sort
    if sort == PLAY:
        return movement.rule_forbidding_card_play(s, figure_of_played_card(part), kind_of_played_card(part))
    if sort == PAY_CARD:
        return gaps.rule_forbidding_paying_card(s, Kind(part))
    if sort == PAY_TILE:
        return gaps.rule_forbidding_paying_tile(s, Face(part))
    if sort == BUY:
        return turn.rule_forbidding_buying(s, Face(part))
    if sort == BRIDGE:
        return gaps.rule_forbidding_laying_bridge(s, part)
    return turn.rule_forbidding_showing_hand(s) if sort == SHOW else gaps.rule_forbidding_keeping_bridge(s)


def apply_action(s: AtlantisPosition, action: i64) -> None:
    """Apply an action or outcome, then its automatic consequences."""
    sort = action_family(action)
    part = action - sort
    if sort == CARD:
        card_drawing.give_drawn_card(s, Kind(part))
        turn.continue_drawing(s)
    elif sort == PLAY:
        movement.play_card(s, figure_of_played_card(part), kind_of_played_card(part))
        if s.phase == PAYING:
            turn.take_tile_and_continue_if_paid(s)
    elif sort == PAY_CARD:
        gaps.pay_card(s, Kind(part))
        turn.take_tile_and_continue_if_paid(s)
    elif sort == PAY_TILE:
        gaps.pay_tile(s, Face(part))
        turn.take_tile_and_continue_if_paid(s)
    elif sort == BUY:
        turn.buy_cards_with_tile(s, Face(part))
    elif sort == SHOW:
        turn.show_hand_and_draw(s)
    elif sort == BRIDGE:
        gaps.lay_bridge(s, part)
        turn.continue_after_bridge_decision(s)
    elif sort == NO_BRIDGE:
        turn.continue_after_bridge_decision(s)
    elif s.phase == LAYING:
        setup.lay_next_tile(s, Face(part))
    else:
        path_tiles.turn_up_lower_tile(s, Face(part))
        turn.offer_bridge_or_start_draw(s)
