"""How good a position looks for a seat, in thousandths of a point: tiles and cards, the tile about to be taken, the
gaps still ahead of each figure, how far the figures have come, and the bridge in hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.state import OVER
from landfall.games.atlantis import ending, tiles
from landfall.games.atlantis.board import ATLANTIS, MAINLAND
from landfall.games.atlantis.components import FIGURES, TILE_VALUE
from landfall.games.atlantis.phases import BUYING, DRAWING, HOPPING, PAYING, STUCK

if TYPE_CHECKING:
    from landfall.core.vectors import Buf
    from landfall.games.atlantis.state import AtlantisState

POINT: Final[i64] = 1000
A_CARD: Final[i64] = 1250  # a point at the end, and a choice until then
A_BRIDGE: Final[i64] = 1200
A_STEP: Final[i64] = 110  # what it is worth to be one position further on
ARRIVED: Final[i64] = 1500  # a figure on the mainland brings a card each turn
A_GAP: Final[i64] = 700  # a point of the toll ahead: it may yet be bridged, or closed up


def evaluate(s: AtlantisState, seat: i64) -> i64:
    """Own prospects against the best and the mean of the others'."""
    best: i64 = -1000000000
    total: i64 = 0
    for other in range(s.players):
        if other != seat:
            theirs = expects(s, other)
            total += theirs
            if theirs > best:
                best = theirs
    return 4 * expects(s, seat) - best - total // (s.players - 1)


def spread(s: AtlantisState) -> i64:
    """Wide while the figures have far to go."""
    furthest: i64 = 0
    for seat in range(s.players):
        sum_of: i64 = 0
        for figure in range(seat * FIGURES, seat * FIGURES + FIGURES):
            sum_of += s.figure_at[figure] + 1
        if sum_of > furthest:
            furthest = sum_of
    return 2500 + 30 * (162 - furthest)


def prospects(s: AtlantisState, out: Buf) -> None:
    for seat in range(s.players):
        out[seat] = expects(s, seat)


def expects(s: AtlantisState, seat: i64) -> i64:
    """What the seat has, and what its figures will cost or bring it."""
    if s.actor == OVER:
        return ending.score(s, seat) * POINT
    total = s.worth[seat] * POINT + ending.hand_size(s, seat) * A_CARD + s.holds_bridge[seat] * A_BRIDGE
    end = s.toll[MAINLAND + 1]
    for figure in range(seat * FIGURES, seat * FIGURES + FIGURES):
        at = s.figure_at[figure]
        total += A_STEP * (at + 1) - A_GAP * (end - s.toll[at + 1])
        if at == MAINLAND:
            total += ARRIVED
    if s.seat == seat:
        total += under_way(s)
    return total


def under_way(s: AtlantisState) -> i64:
    """What the turn in progress is about to bring: cards due, the tile behind the figure, what is still to be paid."""
    phase = s.phase
    if phase in (BUYING, DRAWING, STUCK):
        return s.to_draw * A_CARD
    if phase == PAYING:
        due = s.bill - s.paid
        at = tiles.tile_behind(s, s.figure_at[s.seat * FIGURES + s.mover], s.origin)
        return (TILE_VALUE[s.top[at]] if at >= 0 else 0) * POINT - due * POINT
    if phase == HOPPING:
        at = s.figure_at[s.seat * FIGURES + s.mover]
        return (s.toll[s.origin + 1] - s.toll[at + 1]) * POINT + 2 * POINT - A_CARD if at != ATLANTIS else 0
    return 0
