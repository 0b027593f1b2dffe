"""Ratings by openskill's Plackett-Luce model, one for each game and class of table sizes; and how they are shown."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

from landfall.store.row_types import RANGE_DEVIATIONS
from landfall.tables.protocol.server_messages import ShownRating

SIZE_CLASSES: Final = (2, 3, 5)  # the smallest number of players of each class: 2, 3-4, 5-6
PROVISIONAL_MATCHES: Final = 10  # with fewer, a rating is provisional
PROVISIONAL_UNCERTAINTY: Final = 250  # with more, too: reached after a dozen matches of two
BASE_NUMBER: Final = 1000  # shown for a mean of 0
SCALE: Final = 20  # shown per unit of the mean


class Rating(NamedTuple):
    """openskill's mean and deviation, and the number of matches they come from. The defaults are openskill's."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0
    played: int = 0


NEWCOMER: Final = Rating()


def table_size_class(players: int) -> int:
    """The class of a table size, named by its smallest number of players."""
    return max(size for size in SIZE_CLASSES if size <= max(players, SIZE_CLASSES[0]))


@cache
def load_openskill_model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()


def ratings_after_match(before: list[Rating], places: list[int]) -> list[Rating]:
    """The ratings after a match, by seat. The order of seats is part of the result's last bits."""
    model = load_openskill_model()
    teams = [[model.create_rating([one.mu, one.sigma])] for one in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [Rating(team[0].mu, team[0].sigma, one.played + 1) for team, one in zip(after, before, strict=True)]


def shown_rating_number(mu: float) -> int:
    """A mean as players see it."""
    return round(BASE_NUMBER + SCALE * mu)


def shown_rating_uncertainty(sigma: float) -> int:
    """A deviation as players see it."""
    return round(SCALE * RANGE_DEVIATIONS * sigma)


def rating_as_shown(rating: Rating) -> ShownRating:
    """A rating as players see it."""
    found: ShownRating = {
        "rating": shown_rating_number(rating.mu),
        "uncertainty": shown_rating_uncertainty(rating.sigma),
    }
    if rating.played < PROVISIONAL_MATCHES or found["uncertainty"] > PROVISIONAL_UNCERTAINTY:
        found["provisional"] = True
    return found
