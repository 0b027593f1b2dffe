"""Ranks seats by tie-break keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from landfall.core.message_types import Rank


def group_seats_by_rank(keys: list[list[int]], names: list[str]) -> list[Rank]:
    """Groups of tied seats, best first. `keys[seat]` are compared in order, higher is better; `names` are their names.

    A group's `decided_by` is the name of the key that put it above the next group; None for the last group.

    >>> group_seats_by_rank([[5, 1], [7, 0], [5, 2], [5, 2]], ["points", "saved"])[1]
    {'place': 2, 'seats': [2, 3], 'keys': {'points': 5, 'saved': 2}, 'decided_by': 'saved'}
    """
    order = sorted(range(len(keys)), key=lambda seat: keys[seat], reverse=True)
    groups: list[list[int]] = []
    for seat in order:
        if groups and keys[groups[-1][0]] == keys[seat]:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    out: list[Rank] = []
    place = 1
    for i, group in enumerate(groups):
        mine = keys[group[0]]
        decided: str | None = None
        if i + 1 < len(groups):
            next_keys = keys[groups[i + 1][0]]
            decided = next(name for name, a, b in zip(names, mine, next_keys, strict=True) if a != b)
        out.append(
            {
                "place": place,
                "seats": sorted(group),
                "keys": dict(zip(names, mine, strict=True)),
                "decided_by": decided,
            }
        )
        place += len(group)
    return out
