"""Chapter T, the turn around the move: buying cards, being stuck, the draw, and the next turn."""

from __future__ import annotations

from typing import Final, Literal

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, OVER, ActionList
from landfall.games.atlantis.rules import (
    board,
    card_drawing,
    codes,
    components,
    gaps,
    message_types,
    movement,
    path_tiles,
    phases,
    scoring,
    setup,
)
from landfall.games.atlantis.rules.event_recording import record_event
from landfall.games.atlantis.rules.position import AtlantisPosition

CARDS_WHEN_STUCK: Final = 2  # AT.T6
MIN_TO_BUY: Final = 2  # AT.T2: a tile of value 1 buys nothing


def add_legal_turn_start_actions(s: AtlantisPosition, moves: ActionList) -> None:
    """At the start of the turn: play a card, or show the hand if none is playable; buy with tiles; bridge a gap."""
    before = moves.count
    movement.add_legal_card_plays(s, moves)
    if moves.count == before:
        moves.add(codes.SHOW)  # AT.T6
    if s.bought_count == 0 and s.laid == 0 and not card_drawing.are_deck_and_discard_empty(s):
        gaps.add_action_per_held_tile_face(s, moves, codes.BUY, MIN_TO_BUY)
    gaps.add_legal_bridges(s, moves)


# --- buying (AT.T2) ---------------------------------------------------------------------------------------------


def rule_forbidding_buying(s: AtlantisPosition, face: components.Face) -> str:
    if s.phase != phases.START:
        return NOT_A_CHOICE
    if s.laid:
        return "AT.T1"  # buying comes before the bridge
    if s.bought_count > 0 or gaps.find_held_tile(s, s.seat, face) < 0:
        return "AT.T2"
    if components.count_cards_bought_with_face(face) == 0 or card_drawing.are_deck_and_discard_empty(s):
        return "AT.T2"
    return ""


def buy_cards_with_tile(s: AtlantisPosition, face: components.Face) -> None:
    """A tile leaves the game for half its value in cards, rounded down."""
    gaps.remove_spent_tile(s, face)
    s.to_draw = components.count_cards_bought_with_face(face)
    if s.events is not None:
        record_event(
            s, {"kind": "bought", "seat": int(s.seat), **components.face_to_event_fields(face), "cards": int(s.to_draw)}
        )
    s.phase = phases.BUYING
    continue_drawing(s)


# --- being stuck (AT.T6) ----------------------------------------------------------------------------------------


def rule_forbidding_showing_hand(s: AtlantisPosition) -> str:
    if s.phase != phases.START:
        return NOT_A_CHOICE
    return "" if movement.is_player_stuck(s) else "AT.T6"


def show_hand_and_draw(s: AtlantisPosition) -> None:
    """The hand becomes public and two cards are drawn; they are the whole draw."""
    for i in range(s.seat * components.NUM_KINDS, (s.seat + 1) * components.NUM_KINDS):
        s.known[i] = s.hand[i]
    if s.events is not None:
        cards = card_drawing.card_counts_in_hand(s, s.seat)
        shown: list[message_types.Kind | Literal["none"]] = [
            components.KINDS[kind] for kind in range(components.NUM_KINDS) for _ in range(cards[kind])
        ]
        record_event(s, {"kind": "shown", "seat": int(s.seat), "cards": shown or ["none"]})
    card_drawing.reset_bought_card_counts(s)
    s.idle = s.idle + 1 if card_drawing.are_deck_and_discard_empty(s) else 0  # AT.E4 considers this draw only
    s.to_draw = CARDS_WHEN_STUCK
    s.phase = phases.STUCK
    continue_drawing(s)


# --- the end of the turn ----------------------------------------------------------------------------------------


def take_tile_and_continue_if_paid(s: AtlantisPosition) -> None:
    """The move is paid piece by piece; when its price is reached, the tile is taken (AT.G3, AT.R1)."""
    if s.paid >= s.bill:
        path_tiles.take_tile_behind_figure(s)
        if s.actor == s.seat:  # else chance turns up the tile below first
            offer_bridge_or_start_draw(s)


def count_spendable_points(s: AtlantisPosition) -> i64:
    """The tiles and cards that the player in turn can pay with: no cards bought this turn (AT.G3)."""
    return s.worth[s.seat] + card_drawing.count_cards_in_hand(s, s.seat) - card_drawing.sum_card_counts(s.bought)


def continue_after_bridge_decision(s: AtlantisPosition) -> None:
    """Continue after laying or keeping the bridge: before the first card, or before the draw."""
    if s.phase == phases.START:
        s.laid = 1
    else:
        start_turn_draw(s)


def offer_bridge_or_start_draw(s: AtlantisPosition) -> None:
    """The second opportunity for the bridge, if it is held and there is a gap; then the draw."""
    if gaps.can_lay_bridge(s):
        s.phase = phases.BRIDGING
        s.actor = s.seat
    else:
        start_turn_draw(s)


def start_turn_draw(s: AtlantisPosition) -> None:
    """One card, and one for each own figure on the mainland (AT.D1): four when the third arrives (AT.E1)."""
    s.to_draw = 1 + count_figures_on_mainland(s, s.seat)
    s.phase = phases.DRAWING
    continue_drawing(s)


def count_figures_on_mainland(s: AtlantisPosition, seat: i64) -> i64:
    """How many figures of a seat have arrived."""
    n: i64 = 0
    for figure in range(components.FIGURES):
        if s.figure_at[seat * components.FIGURES + figure] == board.MAINLAND:
            n += 1
    return n


def continue_drawing(s: AtlantisPosition) -> None:
    """The next card due, or what follows the last."""
    if not card_drawing.request_next_card(s):
        continue_after_draw(s)


def continue_after_draw(s: AtlantisPosition) -> None:
    """All due cards are drawn, as far as available."""
    if s.phase == phases.BUYING:
        s.phase = phases.START
        s.actor = s.seat
    elif s.phase == phases.DEALING and s.seat + 1 < s.players:
        setup.start_drawing_first_hand(s, s.seat + 1)
    elif s.phase == phases.DEALING:
        begin_turn(s, 0)
    elif s.idle == s.players or count_figures_on_mainland(s, s.seat) == components.FIGURES:
        s.phase = phases.DONE  # AT.E1, AT.E4
        s.actor = OVER
        if s.events is not None:
            scoring.record_final_scoring(s)
    else:
        begin_turn(s, (s.seat + 1) % s.players)


def begin_turn(s: AtlantisPosition, seat: i64) -> None:
    """A seat's turn begins."""
    s.seat = seat
    s.actor = seat
    s.phase = phases.START
    s.mover = -1
    s.origin = board.ATLANTIS
    s.bill = 0
    s.paid = 0
    s.laid = 0
    for kind in range(components.NUM_KINDS):
        s.played[kind] = 0
    if s.events is not None:
        record_event(s, {"kind": "turn", "seat": int(seat)})
