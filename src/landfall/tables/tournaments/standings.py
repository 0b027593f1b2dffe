"""Points and places of a tournament, from its rounds. A pure function.

First of n players scores n, the others n - 2, n - 3 and so on to 0: 4, 2, 1, 0 at four. Equal places share their
points. A smaller table gives the same points for the same places. Whoever rests scores the average, rounded. Whoever
never made a choice scores nothing. Equal points: the greater sum of the opponents' points, then more first places,
else the place is shared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

UNIT: Final = 60  # a point: every share of up to six is whole


def points_by_place(size: int) -> list[int]:
    """Points by place at a table of so many, in sixtieths."""
    return [UNIT * (size if n == 0 else size - 1 - n) for n in range(size)]


def points_for_bye(size: int) -> int:
    """The average of a table, rounded to a whole point; a half is rounded up."""
    whole = sum(points_by_place(size)) // UNIT
    return UNIT * ((2 * whole + size) // (2 * size))


def points_by_seat(places: list[int], size: int, absent: Iterable[int] = ()) -> list[int]:
    """What each seat scores. `places` are by seat; equal places share what they take together."""
    given = points_by_place(size)
    found = []
    for seat, place in enumerate(places):
        sharing = places.count(place)
        found.append(0 if seat in absent else sum(given[place - 1 : place - 1 + sharing]) // sharing)
    return found


@dataclass(frozen=True)
class FinishedTable:
    """People by seat, None for a bot; without places nobody scores."""

    people: list[str | None]
    places: list[int]
    absent: list[int] = field(default_factory=list)


@dataclass
class Score:
    """Somebody's line in the standings."""

    person: str
    points: int = 0  # in sixtieths
    opponents: int = 0  # the sum of the points of all opponents
    firsts: int = 0
    played: int = 0
    place: int = 0
    places: list[int] = field(default_factory=list)  # in the order of the rounds; 0: no place, or rested

    @property
    def sort_key(self) -> tuple[int, int, int]:
        return -self.points, -self.opponents, -self.firsts


def compute_standings(
    people: Iterable[str], size: int, rounds: Iterable[tuple[list[FinishedTable], list[str]]]
) -> list[Score]:
    """The standings after some rounds, each with its finished tables and those who rested; the first comes first."""
    scores = {person: Score(person) for person in people}
    met: dict[str, list[str]] = {person: [] for person in scores}
    for tables, byes in rounds:
        for resting in byes:
            scores[resting].points += points_for_bye(size)
            scores[resting].places.append(0)
        for table in tables:
            add_table_result_to_scores(scores, table, size)
            seated = [person for person in table.people if person is not None]
            for person in seated:
                met[person] += [other for other in seated if other != person]
    for score in scores.values():
        score.opponents = sum(scores[other].points for other in met[score.person])
    return rank_scores(scores.values())


def add_table_result_to_scores(scores: dict[str, Score], table: FinishedTable, size: int) -> None:
    """Add to everybody's score what they got at a table: points, place, a match played and perhaps won."""
    points = points_by_seat(table.places, size, table.absent) if table.places else [0] * len(table.people)
    for seat, person in enumerate(table.people):
        if person is None:
            continue
        score, place = scores[person], table.places[seat] if table.places else 0
        score.points += points[seat]
        score.played += 1
        score.firsts += place == 1 and seat not in table.absent
        score.places.append(place)


def rank_scores(scores: Iterable[Score]) -> list[Score]:
    """In the order of the standings, with places; equal ones share a place."""
    ordered = sorted(scores, key=lambda score: score.sort_key)
    for n, score in enumerate(ordered):
        score.place = ordered[n - 1].place if n and score.sort_key == ordered[n - 1].sort_key else n + 1
    return ordered
