"""The opening book: where an explorer is worth most at set-up, from full games. Search does not look that far."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector
from landfall.games.survive.rules import board, codes, components, phases
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.setup import may_place_explorer

# By slot, for half of the island: the share of its value that an explorer placed there saves, in thousandths, and the
# bonus on a mountain, the malus on a beach. The island is symmetric under half a turn. Source: games of four and six
# greedy bots, some with random placements: `python -m bench.opening_table`.
HOME: Final = to_vector(
    [523, 395, 395, 548, 565, 412, 279, 399, 535, 588, 524, 389, 255, 246, 403, 507, 520, 404, 377, 272]
)
HIGHER: Final = to_vector([59, 30, 15, 9, 8, 30, -7, -43, 28, 22, -10, -16, 3, -8, 22, 15, 50, -4, -28, 7])
FEWEST: Final[i64] = 3  # players; with two, the evaluation places as well


def opening_action(s: SurvivePosition) -> i64:
    """Place the most valuable explorer left on the best tile; -1 if the book has no entry."""
    if s.phase != phases.PLACING or s.players < FEWEST:
        return -1
    best: i64 = -1
    most: i64 = 0
    for slot in range(board.SLOTS):
        if may_place_explorer(s, s.actor, slot):
            half = slot if slot < board.SLOTS // 2 else board.SLOTS - 1 - slot
            worth = HOME[half] + HIGHER[half] * (s.tile[board.SLOT_SPACE[slot]] - components.FOREST)
            if best < 0 or worth > most:
                best = slot
                most = worth
    v = components.VALUES - 1
    while s.values_left[s.actor * components.VALUES + v] == 0:
        v -= 1
    return codes.PLACE + best * components.VALUES + v
