"""Rounds of a tournament: nobody meets again who need not, seats are even, nobody is lost. Small fields are compared
with every possibility, counted by a second method."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from landfall.tables.tournaments import round_pairing
from landfall.tables.tournaments.round_pairing import (
    BOTS,
    BYES,
    FILLS,
    REPEAT_COST,
    SMALLER,
    Entrant,
    RoundPlan,
    pair_round,
    plan_table_sizes,
)

pytestmark = pytest.mark.once


class Field:
    """A tournament as the tests count it: who met whom, who sat where, who rested."""

    def __init__(self, people: int, size: int) -> None:
        self.size = size
        self.people = [f"p{n}" for n in range(people)]
        self.met: Counter[frozenset[str]] = Counter()
        self.sat: Counter[tuple[str, int]] = Counter()
        self.rested: Counter[str] = Counter()
        self.points: Counter[str] = Counter()

    def entrants(self, people: list[str] | None = None) -> list[Entrant]:
        there = self.people if people is None else people
        found = []
        for one in sorted(there, key=lambda person: -self.points[person]):
            met = {other: self.met[frozenset((one, other))] for other in self.people if other != one}
            seats = tuple(self.sat[one, seat] for seat in range(self.size))
            found.append(Entrant(one, self.points[one], seats, {k: v for k, v in met.items() if v}, self.rested[one]))
        return found

    def play(self, plan: RoundPlan, chance: random.Random) -> int:
        """Take a round in; how many pairs met again, as often as they had met."""
        repeats = 0
        self.rested.update(plan.byes)
        for table in plan.tables:
            for seat, person in enumerate(table):
                if person is not None:
                    self.sat[person, seat] += 1
                    self.points[person] += 60 * chance.choice([0, 1, 2, 4])
            for pair in itertools.combinations([person for person in table if person is not None], 2):
                repeats += self.met[frozenset(pair)]
                self.met[frozenset(pair)] += 1
        return repeats

    def uneven(self, people: list[str]) -> list[str]:
        """Those who had a seat more than once more, or less, often than all the same would be."""
        counts = {one: [self.sat[one, seat] for seat in range(self.size)] for one in people}
        return [one for one, some in counts.items() if any(abs(n * self.size - sum(some)) > self.size for n in some)]

    def fewest_repeats(self, people: list[str], sizes: list[int]) -> int:
        """Over all ways to seat them, by a method of its own."""
        return min(
            sum(self.met[frozenset(pair)] for group in groups for pair in itertools.combinations(group, 2))
            for groups in partitions(people, tuple(sorted(sizes)))
        )


def partitions(people: list[str], sizes: tuple[int, ...]) -> Iterator[list[tuple[str, ...]]]:
    """All ways to divide people into groups of these sizes."""
    if not people:
        yield []
        return
    for size in sorted(set(sizes)):
        rest = list(sizes)
        rest.remove(size)
        for others in itertools.combinations(people[1:], size - 1):
            left = [one for one in people[1:] if one not in others]
            for found in partitions(left, tuple(rest)):
                yield [(people[0], *others), *found]


@pytest.mark.parametrize(
    ("people", "size", "allowed", "fill", "sizes", "resting"),
    [
        (64, 4, (2, 3, 4), SMALLER, [4] * 16, 0),
        (23, 4, (2, 3, 4), SMALLER, [4, 4, 4, 4, 4, 3], 0),
        (6, 4, (2, 3, 4), SMALLER, [3, 3], 0),
        (5, 4, (3, 4), SMALLER, [4], 1),
        (5, 4, (2, 3, 4), SMALLER, [3, 2], 0),
        (7, 2, (2, 3, 4), SMALLER, [2, 2, 2], 1),
        (7, 4, (4,), BYES, [4], 3),
        (21, 4, (4,), BOTS, [4, 4, 4, 3, 3, 3], 0),
        (2, 6, (6,), BOTS, [2], 0),
        (1, 4, (2, 3, 4), SMALLER, [], 1),
        (0, 4, (2, 3, 4), BOTS, [], 0),
    ],
)
def test_how_many_sit_at_each_table(
    people: int, size: int, allowed: tuple[int, ...], fill: str, sizes: list[int], resting: int
) -> None:
    assert plan_table_sizes(people, size, allowed, fill) == (sizes, resting)


@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_everybody_sits_once_or_rests(fill: str, size: int) -> None:
    chance = random.Random(size)
    field = Field(17, size)
    for number in range(4):
        there = [one for one in field.people if chance.random() < 0.8]
        plan = pair_round(field.entrants(there), size, range(2, size + 1), fill, number)
        seated = [person for table in plan.tables for person in table if person is not None]
        assert sorted([*seated, *plan.byes]) == sorted(there)
        assert all(len(table) == size for table in plan.tables) or fill == SMALLER
        assert all(None not in table for table in plan.tables) or fill == BOTS
        assert all(2 <= len(table) <= size for table in plan.tables)
        field.play(plan, chance)


@pytest.mark.parametrize(
    ("people", "size", "rounds"), [(6, 2, 5), (8, 2, 6), (9, 3, 5), (7, 3, 4), (8, 4, 4), (11, 4, 4), (10, 3, 4)]
)
def test_no_repeat_that_can_be_avoided(people: int, size: int, rounds: int) -> None:
    for seed in range(3):
        chance = random.Random(seed)
        field = Field(people, size)
        for number in range(rounds):
            plan = pair_round(field.entrants(), size, range(2, size + 1), SMALLER, seed * 100 + number)
            seated = [[person for person in table if person] for table in plan.tables]
            least = field.fewest_repeats([one for table in seated for one in table], [len(table) for table in seated])
            assert field.play(plan, chance) == least, f"round {number + 1}"


def test_a_large_field_by_exchanges_is_as_good_as_a_complete_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The method for large fields, on fields that can be searched."""
    monkeypatch.setattr(round_pairing, "MAX_EXACT", 0)
    for people, size in ((12, 2), (12, 3), (12, 4), (9, 3)):
        chance = random.Random(people * size)
        field = Field(people, size)
        for number in range(4):
            plan = pair_round(field.entrants(), size, (size,), BYES, number)
            least = field.fewest_repeats(field.people, [size] * (people // size))
            assert field.play(plan, chance) == least, f"{people} by {size}, round {number + 1}"


@pytest.mark.parametrize(("people", "size", "rounds"), [(64, 4, 6), (23, 4, 5), (40, 2, 7), (30, 3, 6)])
def test_a_club_evening_has_no_repeat_and_even_seats(people: int, size: int, rounds: int) -> None:
    """The largest one with leavers, which leaves odd seats."""
    chance = random.Random(people)
    field = Field(people, size)
    there = list(field.people)
    for number in range(rounds):
        plan = pair_round(field.entrants(there), size, range(2, size + 1), SMALLER, number)
        assert field.play(plan, chance) == 0, f"round {number + 1}"
        if people % size == 0:
            assert not field.uneven(there), f"round {number + 1}"
        if people == 64 and number in (1, 3):
            there = [one for one in there if chance.random() > 0.07]
            there = there[: len(there) // size * size]


def test_leaders_meet_leaders() -> None:
    field = Field(16, 4)
    field.points.update({person: 60 * (4 - n // 4) for n, person in enumerate(field.people)})
    plan = pair_round(field.entrants(), 4, (4,), BYES, 1)
    assert sorted(plan.tables[0], key=str) == field.people[:4]
    assert {frozenset(table) for table in plan.tables} == {frozenset(field.people[n : n + 4]) for n in (0, 4, 8, 12)}


def test_rests_go_round_from_the_last_one_up() -> None:
    chance = random.Random(1)
    field = Field(5, 2)
    for number in range(5):
        last = field.entrants()[-1].id
        plan = pair_round(field.entrants(), 2, (2,), BYES, number)
        assert number or plan.byes == [last]
        field.play(plan, chance)
    assert set(field.rested.values()) == {1}


def test_the_draw_of_the_first_round_depends_on_the_seed() -> None:
    field = Field(32, 4)
    plans = [pair_round(field.entrants(), 4, (4,), BYES, seed).tables for seed in (1, 1, 2)]
    assert plans[0] == plans[1] != plans[2]


def test_repeats_that_are_not_avoided_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: whoever met does not matter. The counts of these tests notice."""
    right = round_pairing.group_cost
    monkeypatch.setattr(round_pairing, "group_cost", lambda *given: right(*given) % REPEAT_COST)
    monkeypatch.setattr(round_pairing, "group_without_repeats", lambda *_: None)
    chance = random.Random(1)
    field = Field(32, 4)
    repeats = [field.play(pair_round(field.entrants(), 4, (4,), BYES, number), chance) for number in range(4)]
    assert sum(repeats) > 0
