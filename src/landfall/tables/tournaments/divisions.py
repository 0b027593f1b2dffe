"""Divisions of a league: how many there are, and who plays in which. Pure functions.

A new season goes by the one before: the last two of each division and the first two of the one below change places.
Newcomers follow by rating. This order is cut into divisions of even size: if somebody does not come back, the next ones
move up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

MAX_DIVISIONS: Final = 5  # as many as have names
MOVING: Final = 2  # so many rise from a division, and so many fall
MIN_PLAYERS: Final = 8  # of a division
MIN_TABLES: Final = 2  # of a division


def min_division_size(size: int) -> int:
    """Players of a division at least, at tables of this size."""
    return max(MIN_PLAYERS, MIN_TABLES * size)


def count_divisions(people: int, least: int) -> int:
    """How many divisions so many people make; 1: there are none."""
    return max(1, min(MAX_DIVISIONS, people // least)) if least else 1


def split_into_divisions(order: Sequence[str], divisions: int) -> list[list[str]]:
    """Divisions whose sizes differ by one at most."""
    ends = [len(order) * n // divisions for n in range(divisions + 1)]
    return [list(order[start:end]) for start, end in pairwise(ends)]


def order_after_promotions(last: Sequence[Sequence[str]]) -> list[str]:
    """The order of the last season after some have risen and some have fallen.

    In a division those who fell come first, then those who stayed, then those who rose.
    """
    moves = [min(MOVING, len(upper) // 2, len(lower) // 2) for upper, lower in pairwise(last)]
    order: list[str] = []
    for n, division in enumerate(last):
        up, down = moves[n - 1] if n else 0, moves[n] if n < len(moves) else 0
        order += last[n - 1][len(last[n - 1]) - up :] if n else []
        order += division[up : len(division) - down]
        order += last[n + 1][:down] if down else []
    return order


def assign_divisions(
    entrants: Sequence[str], last: Sequence[Sequence[str]], ratings: Mapping[str, float], least: int
) -> list[list[str]]:
    """Who plays in which division. `last` are the divisions of the season before, each in the order of its standings.

    Newcomers without a rating come last, in the order in which they joined.
    """
    coming = set(entrants)
    returning = [person for person in order_after_promotions(last) if person in coming]
    coming.difference_update(returning)
    order = [*returning, *sort_by_falling_rating([person for person in entrants if person in coming], ratings)]
    return split_into_divisions(order, count_divisions(len(order), least))


def sort_by_falling_rating(people: Sequence[str], ratings: Mapping[str, float]) -> list[str]:
    return sorted(people, key=lambda person: -ratings.get(person, float("-inf")))
