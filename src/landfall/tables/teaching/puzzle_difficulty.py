"""Rates how hard a puzzle is for people, with openskill: each first try is a match between the puzzle and a newcomer.

Users are not tracked, so everybody counts as the same player; a puzzle starts at its rating by bots. Without openskill
(the extra `lab`) tries are only counted.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from landfall.bots.levels import PUZZLE_RATINGS

NEWCOMER_RATING: Final = (25.0, 25.0 / 3)  # openskill's initial rating
MIN_RATED_TRIES: Final = 30  # first tries, before the rating is shown


def initial_puzzle_rating(fish: str) -> tuple[float, float]:
    """A puzzle's rating before the first try."""
    return PUZZLE_RATINGS[fish], NEWCOMER_RATING[1]


def puzzle_rating_after_try(mu: float, sigma: float, found: bool) -> tuple[float, float]:
    """A puzzle's rating after one more first try: a success lowers it."""
    if find_spec("openskill") is None:
        return mu, sigma
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    teams = [[model.create_rating([mu, sigma])], [model.create_rating(list(NEWCOMER_RATING))]]
    puzzle = model.rate(teams, ranks=[1.0, 0.0] if found else [0.0, 1.0])[0][0]
    return puzzle.mu, puzzle.sigma
