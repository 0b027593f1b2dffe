"""G · End and score, with SV.O3, SV.E1 and SV.E2."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.message_types import Rank
from landfall.core.ranking import group_seats_by_rank
from landfall.games.survive.rules import board, components
from landfall.games.survive.rules.piece_positions import seat_of_explorer
from landfall.games.survive.rules.position import SurvivePosition


def count_saved_explorers(s: SurvivePosition, seat: i64) -> int:
    """How many of a seat's explorers are on isles."""
    count = 0
    for e in range(components.EXPLORERS):
        if s.where[e] >= board.FIRST_ISLE and seat_of_explorer(s, e) == seat:
            count += 1
    return count


def total_saved_value(s: SurvivePosition, seat: i64) -> int:
    """Their total value."""
    total = 0
    for e in range(components.EXPLORERS):
        if s.where[e] >= board.FIRST_ISLE and seat_of_explorer(s, e) == seat:
            total += int(s.value[e])
    return total


def bonus_points(s: SurvivePosition, seat: i64) -> int:
    """SV.E1, counted during play; SV.E2: a point for each isle that holds one of the seat's explorers."""
    points: i64 = s.bounties[seat]
    if s.rules.isle_hopper:
        isles: i64 = 0
        for e in range(components.EXPLORERS):
            if s.where[e] >= board.FIRST_ISLE and seat_of_explorer(s, e) == seat:
                isles |= 1 << (s.where[e] - board.FIRST_ISLE)
        for isle in range(len(board.ISLES)):
            points += (isles >> isle) & 1
    return int(points)


def compute_scores(s: SurvivePosition) -> list[int]:
    """SV.G4: values on isles, or one each with SV.O3, and the points of SV.E1 and SV.E2."""
    return [
        (count_saved_explorers(s, seat) if s.rules.all_equal else total_saved_value(s, seat)) + bonus_points(s, seat)
        for seat in range(s.players)
    ]


def tie_break_key(s: SurvivePosition, seat: i64, nth: i64) -> i64:
    """The first and second key that rank seats of equal points: higher is better."""
    if nth == 2:
        return -s.turns[seat]
    return total_saved_value(s, seat) if s.rules.all_equal else count_saved_explorers(s, seat)


def compute_ranking(s: SurvivePosition) -> list[Rank]:
    """SV.G2; SV.O3: points, then explorers saved (with `all_equal`: their values), then fewer turns."""
    points = compute_scores(s)
    keys = [[points[seat]] + [int(tie_break_key(s, seat, nth)) for nth in range(1, 3)] for seat in range(s.players)]
    return group_seats_by_rank(keys, ["points", "value" if s.rules.all_equal else "saved", "fewer_turns"])
