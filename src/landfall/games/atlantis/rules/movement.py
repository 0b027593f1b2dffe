"""Chapter T, the move: a card takes a figure to the nearest tile of its kind; from an occupied tile it hops on.

A card is legal only if the move can then be finished and paid for (AT.T3, AT.G4). The generator looks that up in the
path's tables; the checker walks the path as a player would.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.int_vectors import to_list
from landfall.core.state import NOT_A_CHOICE, ActionList
from landfall.games.atlantis.rules import board, card_drawing, components, gaps, message_types, phases
from landfall.games.atlantis.rules.codes import encode_card_play
from landfall.games.atlantis.rules.event_recording import record_event
from landfall.games.atlantis.rules.position import AtlantisPosition

# Hands packed into one number, four bits per kind (there are 15 cards of each): the search passes them without copying.
BITS_A_KIND: Final = 4
COUNT_BITS: Final = 15

# --- what may be played -----------------------------------------------------------------------------------------


def add_legal_card_plays(s: AtlantisPosition, moves: ActionList) -> None:
    """Every card that may be played now, with every figure it may be played with."""
    left: i64 = 0
    fresh: i64 = 0  # the cards bought this turn among these
    old: i64 = 0  # how many were held before
    base = s.seat * components.NUM_KINDS
    for kind in range(components.NUM_KINDS):
        left |= s.hand[base + kind] << (BITS_A_KIND * kind)
        fresh |= s.bought[kind] << (BITS_A_KIND * kind)
        old += s.hand[base + kind] - s.bought[kind]
    if left == 0:
        return
    if s.phase == phases.HOPPING:
        at = s.figure_at[s.seat * components.FIGURES + s.mover]
        add_card_plays_of_figure(moves, s.mover, playable_kind_bits(s, at, s.toll[s.origin + 1], left, fresh, old))
        return
    from_atlantis: i64 = -1  # equal for all figures there
    for figure in range(components.FIGURES):
        at = s.figure_at[s.seat * components.FIGURES + figure]
        if at == board.MAINLAND:
            continue
        if at == board.ATLANTIS:
            if from_atlantis < 0:
                from_atlantis = playable_kind_bits(s, at, 0, left, fresh, old)
            add_card_plays_of_figure(moves, figure, from_atlantis)
        else:
            add_card_plays_of_figure(moves, figure, playable_kind_bits(s, at, s.toll[at + 1], left, fresh, old))


def add_card_plays_of_figure(moves: ActionList, figure: i64, kinds: i64) -> None:
    for kind in range(components.NUM_KINDS):
        if (kinds >> kind) & 1:
            moves.add(encode_card_play(figure, components.Kind(kind)))


def playable_kind_bits(s: AtlantisPosition, at: i64, toll_behind: i64, left: i64, fresh: i64, old: i64) -> i64:
    """The kinds, as bits, that can be played from here such that the move can be finished and paid for."""
    means = s.worth[s.seat] + old + toll_behind
    kinds: i64 = 0
    for kind in range(components.NUM_KINDS):
        shift = BITS_A_KIND * kind
        if (left >> shift) & COUNT_BITS == 0:
            continue
        target = s.ahead[kind * board.ROW + at + 1]
        own: i64 = 1 if (fresh >> shift) & COUNT_BITS == 0 else 0  # AT.G3: bought cards are played first
        if target == board.MAINLAND or s.occupant[target] < 0:
            if s.toll[target + 1] <= means - own:
                kinds |= 1 << kind
        elif can_finish_move_from_occupied(
            s, target, toll_behind, left - (1 << shift), fresh - ((1 - own) << shift), old - own
        ):
            kinds |= 1 << kind
    return kinds


def can_finish_move_from_occupied(
    s: AtlantisPosition, at: i64, toll_behind: i64, left: i64, fresh: i64, old: i64
) -> bool:
    """Whether some cards lead from this occupied tile to a free one or the mainland, and can be paid for."""
    means = s.worth[s.seat] + old + toll_behind
    if s.toll[at + 1] > means:
        return False  # continuing never gets cheaper
    occupied: i64 = 0
    for kind in range(components.NUM_KINDS):
        shift = BITS_A_KIND * kind
        if (left >> shift) & COUNT_BITS == 0:
            continue
        target = s.ahead[kind * board.ROW + at + 1]
        if target == board.MAINLAND or s.occupant[target] < 0:
            own: i64 = 1 if (fresh >> shift) & COUNT_BITS == 0 else 0
            if s.toll[target + 1] <= means - own:
                return True
        else:
            occupied |= 1 << kind
    for kind in range(components.NUM_KINDS):
        if (occupied >> kind) & 1 == 0:
            continue
        shift = BITS_A_KIND * kind
        own = 1 if (fresh >> shift) & COUNT_BITS == 0 else 0
        target = s.ahead[kind * board.ROW + at + 1]
        if can_finish_move_from_occupied(
            s, target, toll_behind, left - (1 << shift), fresh - ((1 - own) << shift), old - own
        ):
            return True
    return False


# --- checking ---------------------------------------------------------------------------------------------------

HOPELESS: Final = 0  # no cards in hand finish the move
UNAFFORDABLE: Final = 1  # some do, but the player cannot pay
POSSIBLE: Final = 2


def nearest_tile_of_kind_ahead(s: AtlantisPosition, at: i64, kind: components.Kind) -> i64:
    """The nearest top tile of a kind beyond this place, else the mainland (AT.T3, AT.T4)."""
    for place in range(at + 1, board.POSITIONS):
        if s.top[place] >= 0 and components.TILE_KIND[s.top[place]] == kind:
            return place
    return board.MAINLAND


def feasibility_of_playing_card(
    s: AtlantisPosition, origin: i64, at: i64, cards: list[int], bought: list[int], kind: components.Kind
) -> i64:
    """The outcome of continuing the move from `at` with a card of this kind: one of the three above."""
    cards = cards[:]
    bought = bought[:]
    cards[kind] -= 1
    if bought[kind] > 0:
        bought[kind] -= 1  # AT.G3
    target = nearest_tile_of_kind_ahead(s, at, kind)
    if target == board.MAINLAND or s.occupant[target] < 0:
        means = int(s.worth[s.seat]) + sum(cards) - sum(bought)
        return POSSIBLE if gaps.crossing_price(s, origin, target) <= means else UNAFFORDABLE
    return best_feasibility_of_any_card(s, origin, target, cards, bought)


def best_feasibility_of_any_card(s: AtlantisPosition, origin: i64, at: i64, cards: list[int], bought: list[int]) -> i64:
    """The best outcome over all cards in hand."""
    best: i64 = HOPELESS
    for kind in range(components.NUM_KINDS):
        if cards[kind] > 0 and best != POSSIBLE:
            best = max(best, feasibility_of_playing_card(s, origin, at, cards, bought, components.Kind(kind)))
    return best


def rule_forbidding_card_play(s: AtlantisPosition, figure: i64, kind: components.Kind) -> str:
    """Why the player in turn may not play this card with this figure."""
    if s.phase != phases.START and s.phase != phases.HOPPING:
        return NOT_A_CHOICE
    at = s.figure_at[s.seat * components.FIGURES + figure]
    if s.phase == phases.HOPPING and figure != s.mover:
        return "AT.T3"
    if at == board.MAINLAND:
        return "AT.T5"
    if s.hand[s.seat * components.NUM_KINDS + kind] == 0:
        return "AT.T3"
    origin = s.origin if s.phase == phases.HOPPING else at
    fate = feasibility_of_playing_card(
        s, origin, at, card_drawing.card_counts_in_hand(s, s.seat), to_list(s.bought), kind
    )
    if fate == POSSIBLE:
        return ""
    return "AT.G4" if fate == UNAFFORDABLE else "AT.T3"


def is_player_stuck(s: AtlantisPosition) -> bool:
    """Whether no figure of the player in turn can reach a free tile or the mainland (AT.T6); by the checker."""
    cards = card_drawing.card_counts_in_hand(s, s.seat)
    bought = to_list(s.bought)
    for figure in range(components.FIGURES):
        at = s.figure_at[s.seat * components.FIGURES + figure]
        if at != board.MAINLAND and best_feasibility_of_any_card(s, at, at, cards, bought) == POSSIBLE:
            return False
    return True


# --- the move ---------------------------------------------------------------------------------------------------


def play_card(s: AtlantisPosition, mover: i64, kind: components.Kind) -> None:
    """Play a card: from an occupied tile the move continues, else it ends and must be paid."""
    figure = s.seat * components.FIGURES + mover
    at = s.figure_at[figure]
    if s.phase == phases.START:
        s.mover = mover
        s.idle = 0
        s.origin = at
        if at != board.ATLANTIS:
            s.occupant[at] = -1
    card_drawing.remove_card_from_hand(s, kind)
    if s.bought[kind] > 0:
        s.bought[kind] -= 1  # AT.G3: among equal cards, bought ones are played first
    s.discard[kind] += 1
    s.played[kind] += 1
    target = s.ahead[kind * board.ROW + at + 1]
    s.figure_at[figure] = target
    occupied = target != board.MAINLAND and s.occupant[target] >= 0
    if s.events is not None:
        event: message_types.FigureMoved = {
            "kind": "hopped" if occupied else "moved",
            "seat": int(s.seat),
            "figure": components.FIGURE_NAMES[s.mover],
            "card": components.KINDS[kind],
            "from": board.format_place(at),
            "to": board.format_place(target),
        }
        record_event(s, event)
    if occupied:
        s.phase = phases.HOPPING
        return
    if target != board.MAINLAND:
        s.occupant[target] = figure
    s.bill = s.toll[target + 1] - s.toll[s.origin + 1]  # AT.G2
    s.phase = phases.PAYING
