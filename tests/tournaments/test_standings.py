"""Points, tie-breaks and places, against a count by fractions that knows nothing of the implementation."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from landfall.tables.tournaments.standings import (
    UNIT,
    FinishedTable,
    compute_standings,
    points_by_place,
    points_by_seat,
    points_for_bye,
)

pytestmark = pytest.mark.once
BY_PLACE = {2: [2, 0], 3: [3, 1, 0], 4: [4, 2, 1, 0], 5: [5, 3, 2, 1, 0], 6: [6, 4, 3, 2, 1, 0]}


def independent_count(
    people: list[str], size: int, rounds: list[tuple[list[FinishedTable], list[str]]]
) -> list[tuple[str, Fraction, Fraction, int]]:
    """(person, points, opponents' points, first places), unordered."""
    rest = {2: 1, 3: 1, 4: 2, 5: 2, 6: 3}[size]
    points = {one: Fraction(0) for one in people}
    for tables, byes in rounds:
        for one in byes:
            points[one] += rest
        for table in tables:
            for place in set(table.places):
                tied = [seat for seat, mine in enumerate(table.places) if mine == place]
                pot = Fraction(sum(BY_PLACE[size][place - 1 : place - 1 + len(tied)]), len(tied))
                for seat in tied:
                    person = table.people[seat]
                    if person is not None and seat not in table.absent:
                        points[person] += pot
    found = []
    for one in people:
        mine = [table for tables, _ in rounds for table in tables if one in table.people]
        others = [other for table in mine for other in table.people if other not in (one, None)]
        wins = [
            t for t in mine if t.places and t.places[t.people.index(one)] == 1 and t.people.index(one) not in t.absent
        ]
        found.append((one, points[one], sum((points[other] for other in others if other), Fraction(0)), len(wins)))
    return found


def random_places(people: int, chance: random.Random) -> list[int]:
    strength = [chance.randrange(4) for _ in range(people)]
    return [1 + sum(other > mine for other in strength) for mine in strength]


def test_points_by_place() -> None:
    for size, whole in BY_PLACE.items():
        assert points_by_place(size) == [UNIT * one for one in whole]
    assert [points_for_bye(size) // UNIT for size in (2, 3, 4, 5, 6)] == [1, 1, 2, 2, 3]
    assert points_by_seat([1, 1, 3, 4], 4) == [180, 180, 60, 0]
    assert points_by_seat([2, 2, 2, 1], 4) == [60, 60, 60, 240]
    assert points_by_seat([1, 2, 3], 4) == [240, 120, 60]
    assert points_by_seat([1, 2, 3, 3], 4, absent=[3]) == [240, 120, 30, 0]


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_standings_equal_an_independent_count(size: int) -> None:
    chance = random.Random(size)
    for _ in range(10):
        people: list[str] = [f"p{n}" for n in range(13)]
        rounds: list[tuple[list[FinishedTable], list[str]]] = []
        for _ in range(5):
            order: list[str | None] = list(chance.sample(people, len(people)))
            tables = []
            while len(order) >= 2 and chance.random() < 0.95:
                group = [order.pop() for _ in range(min(size, len(order)))]
                group += [None] * chance.choice([0, size - len(group)])
                places = random_places(len(group), chance) if chance.random() < 0.9 else []
                absent = [seat for seat in range(len(group)) if places and chance.random() < 0.05]
                tables.append(FinishedTable(group, places, absent))
            rounds.append((tables, [one for one in order if one is not None]))
        expected = {row[0]: row[1:] for row in independent_count(people, size, rounds)}
        found = compute_standings(people, size, rounds)
        assert {s.person: (Fraction(s.points, UNIT), Fraction(s.opponents, UNIT), s.firsts) for s in found} == expected
        for score in found:
            assert score.place == 1 + sum(expected[other] > expected[score.person] for other in people)
        assert [score.place for score in found] == sorted(score.place for score in found)


def test_tie_breaks_in_their_order() -> None:
    one = FinishedTable(["a", "b"], [1, 2])
    two = FinishedTable(["c", "d"], [1, 2])
    three = FinishedTable(["a", "c"], [1, 2])
    four = FinishedTable(["d", "b"], [1, 2])
    scores = compute_standings("abcd", 2, [([one, two], []), ([three, four], [])])
    assert [(s.person, s.place) for s in scores] == [("a", 1), ("c", 2), ("d", 3), ("b", 4)]
    level = compute_standings("ab", 2, [([], ["a", "b"])])
    assert [s.place for s in level] == [1, 1]
