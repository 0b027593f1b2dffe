"""Dispatches legal actions, checks and effects to the chapters."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.atlantis.rules import card_drawing, codes, gaps, movement, path_tiles, phases, setup, turn
from landfall.games.atlantis.rules.components import Face, Kind
from landfall.games.atlantis.rules.position import AtlantisPosition


def add_legal_actions(s: AtlantisPosition, moves: ActionList) -> None:
    """Every legal action of the player in turn."""
    if s.phase == phases.START:
        turn.add_legal_turn_start_actions(s, moves)
    elif s.phase == phases.HOPPING:
        movement.add_legal_card_plays(s, moves)
    elif s.phase == phases.PAYING:
        gaps.add_legal_payments(s, moves)
    elif s.phase == phases.BRIDGING:
        gaps.add_legal_bridges(s, moves)
        moves.add(codes.NO_BRIDGE)


def rule_forbidding_action(s: AtlantisPosition, action: i64) -> str:
    """The rule that forbids the player in turn this action."""
    sort = codes.action_family(action)
    part = action - sort
    if sort == codes.PLAY:
        return movement.rule_forbidding_card_play(s, codes.figure_of_played_card(part), codes.kind_of_played_card(part))
    if sort == codes.PAY_CARD:
        return gaps.rule_forbidding_paying_card(s, Kind(part))
    if sort == codes.PAY_TILE:
        return gaps.rule_forbidding_paying_tile(s, Face(part))
    if sort == codes.BUY:
        return turn.rule_forbidding_buying(s, Face(part))
    if sort == codes.BRIDGE:
        return gaps.rule_forbidding_laying_bridge(s, part)
    return turn.rule_forbidding_showing_hand(s) if sort == codes.SHOW else gaps.rule_forbidding_keeping_bridge(s)


def apply_action(s: AtlantisPosition, action: i64) -> None:
    """Apply an action or outcome, then its automatic consequences."""
    sort = codes.action_family(action)
    part = action - sort
    if sort == codes.CARD:
        card_drawing.give_drawn_card(s, Kind(part))
        turn.continue_drawing(s)
    elif sort == codes.PLAY:
        movement.play_card(s, codes.figure_of_played_card(part), codes.kind_of_played_card(part))
        if s.phase == phases.PAYING:
            turn.take_tile_and_continue_if_paid(s)
    elif sort == codes.PAY_CARD:
        gaps.pay_card(s, Kind(part))
        turn.take_tile_and_continue_if_paid(s)
    elif sort == codes.PAY_TILE:
        gaps.pay_tile(s, Face(part))
        turn.take_tile_and_continue_if_paid(s)
    elif sort == codes.BUY:
        turn.buy_cards_with_tile(s, Face(part))
    elif sort == codes.SHOW:
        turn.show_hand_and_draw(s)
    elif sort == codes.BRIDGE:
        gaps.lay_bridge(s, part)
        turn.continue_after_bridge_decision(s)
    elif sort == codes.NO_BRIDGE:
        turn.continue_after_bridge_decision(s)
    elif s.phase == phases.LAYING:
        setup.lay_next_tile(s, Face(part))
    else:
        path_tiles.turn_up_lower_tile(s, Face(part))
        turn.offer_bridge_or_start_draw(s)
