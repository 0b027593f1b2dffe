"""Who sits where in a round: a pure function of the standings and of who met whom.

In this order: as few people as possible meet again; everybody gets the seats as evenly as possible, and colours with
them, because a colour belongs to a seat; people with about the same points sit together. Small fields are searched
completely. In larger ones tables are improved by exchanging two players until nothing gets better, from several
starting points.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

BOTS: Final = "bots"  # free seats go to bots
SMALLER: Final = "smaller"  # some tables have fewer players
BYES: Final = "byes"  # whoever is left over rests
FILLS: Final = (BOTS, SMALLER, BYES)
MAX_EXACT: Final = 12  # players up to whom all possibilities are compared
MAX_STARTS: Final = 12  # starting points, while somebody meets again or a seat is uneven
RANDOM_EXCHANGES: Final = 6  # exchanges at random that make the next starting point
STRANGER_ORDERS, STRANGER_STEPS = 20, 400  # orders in which people are seated, and tables tried in each
REPEAT_COST, SEAT_COST = 10**9, 10**5  # weights: a repeat is worse than all seats, a seat worse than all points


@dataclass(frozen=True)
class Entrant:
    """Somebody who plays in the next round."""

    id: str
    points: int
    seats: tuple[int, ...]  # how often at each seat
    met: dict[str, int] = field(default_factory=dict)  # how often with each other
    byes: int = 0


@dataclass(frozen=True)
class RoundPlan:
    """People by table and seat, None for a bot; and who rests."""

    tables: list[list[str | None]]
    byes: list[str]


def plan_table_sizes(people: int, size: int, allowed: Collection[int], fill: str) -> tuple[list[int], int]:
    """How many people sit at each table, the fullest first, and how many rest."""
    if fill == BOTS and people >= 2:
        tables = -(-people // size)
        return [people // tables + (n < people % tables) for n in range(tables)], 0
    if fill == SMALLER:
        for resting in range(people):
            if (sizes := split_into_near_full_tables(people - resting, size, allowed)) is not None:
                return sizes, resting
    return [size] * (people // size), people % size


def split_into_near_full_tables(people: int, size: int, allowed: Collection[int]) -> list[int] | None:
    """Tables of the full size and as few smaller ones as possible, none much smaller; None if there is no such."""
    for tables in range(-(-people // size), people // 2 + 1):
        sizes = [people // tables + (n < people % tables) for n in range(tables)]
        missing = size * tables - people  # at one table each, as long as that is allowed
        if missing <= tables:
            sizes = [size] * (tables - missing) + [size - 1] * missing
        if all(one in allowed for one in sizes):
            return sizes
    return None


def pair_round(entrants: Sequence[Entrant], size: int, allowed: Collection[int], fill: str, seed: int) -> RoundPlan:
    """A round of those who play, given in the order of the standings."""
    chance = random.Random(seed)
    sizes, resting = plan_table_sizes(len(entrants), size, allowed, fill)
    byes = choose_byes(entrants, resting)
    there = [one for one in entrants if one.id not in byes]
    drawn = {one.id: chance.random() for one in there}
    there.sort(key=lambda one: (-one.points, drawn[one.id]))
    seats = [size if fill == BOTS else people for people in sizes]
    groups = (
        find_best_grouping(there, sizes, seats)
        if len(there) <= MAX_EXACT
        else group_by_exchanges(there, sizes, seats, chance)
    )
    return RoundPlan([assign_even_seats(group, room)[1] for group, room in zip(groups, seats, strict=True)], byes)


def pair_divisions(
    divisions: Sequence[Sequence[Entrant]], size: int, allowed: Collection[int], fill: str, seed: int
) -> RoundPlan:
    """A round of all divisions: nobody meets somebody of another. Where no table can be filled, all rest."""
    plans = [pair_round(entrants, size, allowed, fill, seed) for entrants in divisions]
    return RoundPlan([one for plan in plans for one in plan.tables], [one for plan in plans for one in plan.byes])


def choose_byes(entrants: Sequence[Entrant], resting: int) -> list[str]:
    """Those who rested least, of them the last in the standings."""
    order = sorted(range(len(entrants)), key=lambda n: (entrants[n].byes, -n))
    return [entrants[n].id for n in order[:resting]]


# --- what a table costs -----------------------------------------------------------------------------------------


def group_cost(group: Sequence[Entrant], seats: int, limit: int | None = None) -> int:
    """How bad it is that these sit together; perhaps not all of it, if it is the limit or more."""
    cost = REPEAT_COST * sum(one.met.get(other.id, 0) for one, other in itertools.combinations(group, 2))
    points = [one.points for one in group]
    spread = (max(points) - min(points)) // 6  # in tenths of a point
    cost += spread * spread // 10
    if (limit is not None and cost >= limit) or can_seat_evenly(group, seats):
        return cost
    return cost + SEAT_COST * assign_even_seats(group, seats)[0]


@functools.lru_cache(maxsize=1024)
def uneven_seat_costs(counted: tuple[int, ...], seats: int) -> list[int]:
    """By seat: 0 where somebody sat least often; so the counts differ by one at most."""
    counts = [counted[n] if n < len(counted) else 0 for n in range(seats)]
    least = min(counts)
    return [(count - least) ** 2 for count in counts]


def can_seat_evenly(group: Sequence[Entrant], seats: int) -> bool:
    """Whether everybody can have a seat that costs nothing."""
    taken = {0}
    for one in group:
        free = [1 << seat for seat, cost in enumerate(uneven_seat_costs(one.seats, seats)) if cost == 0]
        taken = {before | seat for before in taken for seat in free if not before & seat}
    return bool(taken)


def assign_even_seats(group: Sequence[Entrant], seats: int) -> tuple[int, list[str | None]]:
    """The most even seats for a group, and what they cost; free seats are bots'."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}  # by taken seats: the cost, and who has which
    for one in group:
        costs = uneven_seat_costs(one.seats, seats)
        found: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (cost, chosen) in best.items():
            for seat in range(seats):
                key = taken | 1 << seat
                if key != taken and (key not in found or cost + costs[seat] < found[key][0]):
                    found[key] = cost + costs[seat], (*chosen, seat)
        best = found
    cost, chosen = min(best.values())
    table: list[str | None] = [None] * seats
    for one, seat in zip(group, chosen, strict=True):
        table[seat] = one.id
    return cost, table


# --- small fields -----------------------------------------------------------------------------------------------


def find_best_grouping(there: list[Entrant], sizes: list[int], seats: list[int]) -> list[list[Entrant]]:
    """The best of all groupings."""
    costs: dict[tuple[frozenset[str], int], int] = {}
    best: tuple[float, list[list[Entrant] | None]] = (float("inf"), [])
    placed: list[list[Entrant] | None] = [None] * len(sizes)

    def place_remaining(left: list[Entrant], cost: int) -> None:
        nonlocal best
        if cost >= best[0]:
            return
        if not left:
            best = cost, list(placed)
            return
        first, rest, tried = left[0], left[1:], set()
        for n, people in enumerate(sizes):
            if placed[n] is not None or (people, seats[n]) in tried:
                continue
            tried.add((people, seats[n]))
            for others in itertools.combinations(rest, people - 1):
                group = [first, *others]
                ids = frozenset(one.id for one in group)
                if (ids, seats[n]) not in costs:
                    costs[ids, seats[n]] = group_cost(group, seats[n])
                placed[n] = group
                place_remaining([one for one in rest if one.id not in ids], cost + costs[ids, seats[n]])
                placed[n] = None

    place_remaining(there, 0)
    return [group for group in best[1] if group is not None]


# --- large fields -----------------------------------------------------------------------------------------------


def group_by_exchanges(
    there: list[Entrant], sizes: list[int], seats: list[int], chance: random.Random
) -> list[list[Entrant]]:
    """Tables by points, improved by exchanges; from another start while somebody meets again or a seat is uneven."""
    ends = list(itertools.accumulate(sizes))
    groups = [there[end - people : end] for end, people in zip(ends, sizes, strict=True)]
    best, best_cost = improve_groups_by_exchanges(groups, seats)
    if best_cost >= REPEAT_COST and (strangers := group_without_repeats(there, sizes, chance)) is not None:
        best, best_cost = improve_groups_by_exchanges(strangers, seats)
    for _ in range(MAX_STARTS):
        if best_cost < SEAT_COST:
            break
        start = [list(group) for group in best]
        for _ in range(RANDOM_EXCHANGES):
            one, other = chance.sample(range(len(start)), 2)
            i, j = chance.randrange(len(start[one])), chance.randrange(len(start[other]))
            start[one][i], start[other][j] = start[other][j], start[one][i]
        found, cost = improve_groups_by_exchanges(start, seats)
        if cost < best_cost:
            best, best_cost = found, cost
    return best


def group_without_repeats(there: list[Entrant], sizes: list[int], chance: random.Random) -> list[list[Entrant]] | None:
    """Tables at which nobody meets again; None if none were found within some steps.

    Whoever has the fewest strangers left is seated first. After too many steps another order is tried.
    """
    for _ in range(STRANGER_ORDERS):
        tables = search_groups_without_repeats(chance.sample(there, len(there)), list(sizes), [STRANGER_STEPS])
        if tables is not None:
            return order_tables_by_sizes(tables, sizes)
    return None


def search_groups_without_repeats(
    left: list[Entrant], rooms: list[int], steps: list[int]
) -> list[list[Entrant]] | None:
    """Groups of these sizes from those left; None if there are none, or no steps are left."""
    if not left:
        return []
    first = min(left, key=lambda one: sum(other.id not in one.met for other in left))
    for people in sorted(set(rooms), reverse=True):
        rest = list(rooms)
        rest.remove(people)
        for group in groups_without_repeats_around([first], [one for one in left if one is not first], people):
            steps[0] -= 1
            if steps[0] < 0:
                return None
            others = search_groups_without_repeats([one for one in left if one not in group], rest, steps)
            if others is not None:
                return [group, *others]
    return None


def groups_without_repeats_around(group: list[Entrant], others: list[Entrant], people: int) -> Iterator[list[Entrant]]:
    """Groups of so many with these, none of whom has met another."""
    if len(group) == people:
        yield group
        return
    for n, one in enumerate(others):
        if all(one.id not in there.met for there in group):
            yield from groups_without_repeats_around([*group, one], others[n + 1 :], people)


def order_tables_by_sizes(tables: list[list[Entrant]], sizes: list[int]) -> list[list[Entrant]]:
    """In the order of the sizes; the tables with the most points first among equals."""
    left = sorted(tables, key=lambda table: (-len(table), -sum(one.points for one in table)))
    return [left.pop(next(n for n, table in enumerate(left) if len(table) == size)) for size in sizes]


def improve_groups_by_exchanges(groups: list[list[Entrant]], seats: list[int]) -> tuple[list[list[Entrant]], int]:
    """Exchange two players of different tables as long as that helps."""
    groups = [list(group) for group in groups]
    costs = [group_cost(group, room) for group, room in zip(groups, seats, strict=True)]
    is_better = True
    while is_better:
        is_better = False
        for one, other in itertools.combinations(range(len(groups)), 2):
            if costs[one] + costs[other] == 0:
                continue
            for i, j in itertools.product(range(len(groups[one])), range(len(groups[other]))):
                mine, theirs = list(groups[one]), list(groups[other])
                mine[i], theirs[j] = theirs[j], mine[i]
                before = costs[one] + costs[other]
                after = group_cost(mine, seats[one], before)
                if after >= before:
                    continue
                second = group_cost(theirs, seats[other], before - after)
                if after + second < before:
                    groups[one], groups[other], costs[one], costs[other] = mine, theirs, after, second
                    is_better = True
    return groups, sum(costs)
