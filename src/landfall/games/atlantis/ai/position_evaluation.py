"""Heuristic evaluation in thousandths of a point: tiles and cards, the gaps ahead of each figure, the figures'
progress, the bridge in hand, and the current move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.games.atlantis.rules import board, card_drawing, components, path_tiles, phases, turn
from landfall.games.atlantis.rules.position import AtlantisPosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

# Weights in thousandths of a point, tuned by self-play with one weight changed at a time.
POINT: Final = 1000
OWED: Final = 1000  # a point of price for the gaps ahead of a figure
TILE_AHEAD: Final = 240  # a tile between a figure and the mainland: figures left behind meet more expensive gaps
CARD_TO_MOVE: Final = 1200  # each of the first cards, in addition to its point
CARDS_TO_MOVE: Final = 4
KIND_HELD: Final = 800  # another kind of card to choose from
ARRIVED: Final = 3000  # a figure on the mainland, for the extra cards it draws
BRIDGE_HELD: Final = 3000
HOP: Final = 3000  # the tile that the current move will take


def expected_score_lead(s: AtlantisPosition, seat: i64) -> i64:
    """The seat's expected score minus that of the best opponent."""
    ends = has_any_seat_all_figures_ashore(s)
    best: i64 = -1000000000
    for other in range(s.players):
        if other != seat:
            theirs = expected_score(s, other, ends)
            if theirs > best:
                best = theirs
    return expected_score(s, seat, ends) - best


def fill_expected_scores(s: AtlantisPosition, out: Buf) -> None:
    ends = has_any_seat_all_figures_ashore(s)
    for seat in range(s.players):
        out[seat] = expected_score(s, seat, ends)


def win_probability_score_scale(s: AtlantisPosition) -> i64:
    """Large while the figures have far to go."""
    furthest: i64 = 0
    for seat in range(s.players):
        sum_of: i64 = 0
        for figure in range(seat * components.FIGURES, seat * components.FIGURES + components.FIGURES):
            sum_of += s.figure_at[figure] + 1
        if sum_of > furthest:
            furthest = sum_of
    return 2500 + 30 * (162 - furthest)


def has_any_seat_all_figures_ashore(s: AtlantisPosition) -> bool:
    for seat in range(s.players):
        if turn.count_figures_on_mainland(s, seat) == components.FIGURES:
            return True
    return False


def expected_score(s: AtlantisPosition, seat: i64, ends: bool) -> i64:
    """The expected score of a seat: exact assets minus debts if the game is about to end."""
    home = turn.count_figures_on_mainland(s, seat)
    cards = card_drawing.count_cards_in_hand(s, seat)
    points = s.worth[seat] * POINT
    if seat == s.seat:
        cards += count_cards_due(s, home)
        points += value_due_from_current_move(s)
    points += cards * POINT
    owed: i64 = 0
    behind: i64 = 0
    for i in range(seat * components.FIGURES, (seat + 1) * components.FIGURES):
        at = s.figure_at[i]
        owed += s.toll[board.MAINLAND + 1] - s.toll[at + 1]
        if at < board.MAINLAND:
            behind += count_top_tiles_ahead(s, at)
    if ends:
        return points - owed * POINT
    points -= owed * OWED
    points -= behind * TILE_AHEAD
    points += home * ARRIVED
    if cards > CARDS_TO_MOVE:
        cards = CARDS_TO_MOVE
    points += CARD_TO_MOVE * cards
    points += count_kinds_in_hand(s, seat) * KIND_HELD
    if s.holds_bridge[seat]:
        points += BRIDGE_HELD
    return points


def count_top_tiles_ahead(s: AtlantisPosition, at: i64) -> i64:
    """The number of top tiles ahead of a place."""
    n: i64 = 0
    for place in range(at + 1, board.POSITIONS):
        if s.top[place] >= 0:
            n += 1
    return n


def count_kinds_in_hand(s: AtlantisPosition, seat: i64) -> i64:
    n: i64 = 0
    for i in range(seat * components.NUM_KINDS, (seat + 1) * components.NUM_KINDS):
        if s.hand[i] > 0:
            n += 1
    return n


def count_cards_due(s: AtlantisPosition, home: i64) -> i64:
    """Cards that the player in turn is about to draw."""
    if s.phase in (phases.HOPPING, phases.PAYING, phases.UNCOVERING, phases.BRIDGING):
        return 1 + home
    return s.to_draw


def value_due_from_current_move(s: AtlantisPosition) -> i64:
    """The remaining cost of the current move, and the tile it will take."""
    at = s.figure_at[s.seat * components.FIGURES + s.mover] if s.mover >= 0 else 0
    if s.phase == phases.HOPPING:
        return HOP - (s.toll[at + 1] - s.toll[s.origin + 1]) * POINT
    if s.phase != phases.PAYING:
        return 0
    taken = path_tiles.find_free_tile_behind(s, at, s.origin)
    value: i64 = 0
    if taken >= 0:
        value = components.TILE_VALUE[s.top[taken]]
    return (value - (s.bill - s.paid)) * POINT
