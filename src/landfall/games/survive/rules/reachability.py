"""Moves over several spaces: which spaces can be entered, where a move must stop, and its path.

A mover is a creature's kind, a ship or a swimmer. `add_reachable_spaces` lists every end of a move; `shortest_route`
finds the path to one. They are independent on purpose: `legal_actions` uses one, `why_illegal` and events the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.position_field_declarations import declare_number, declare_vector
from landfall.core.state import ActionList
from landfall.games.survive.rules.board import NEXT, SIDES, SPACES
from landfall.games.survive.rules.components import (
    DEADLY,
    EMPTY_SHIP,
    SEA,
    SERPENT,
    SHARK,
    SQUID,
    SQUIDS,
    SWIMMER,
    WHALE,
    WHALES,
    WIND_SHIP,
    WRECKERS,
    Mover,
)
from landfall.games.survive.rules.piece_positions import (
    count_free_dolphins,
    count_unguarded_swimmers,
    has_occupied_ship,
    is_beside_tile_with_explorers,
)

if TYPE_CHECKING:
    from landfall.games.survive.rules.position import SurvivePosition


def can_enter(s: SurvivePosition, mover: Mover, space: i64) -> bool:
    """Whether the space may be entered at all."""
    if s.tile[space] != SEA:  # SV.K2, SV.S1
        return False
    if mover == EMPTY_SHIP:
        return s.ship_at[space] < 0  # SV.S4
    if mover == WIND_SHIP:
        return s.ship_at[space] < 0 and s.creatures_at[space] & SQUIDS == 0  # SV.S4, SV.Q7
    return True


def must_stop_in(s: SurvivePosition, mover: Mover, space: i64) -> bool:
    """Whether a move that enters the space ends there."""
    if mover == SERPENT:
        return count_unguarded_swimmers(s, space) > 0 or has_occupied_ship(s, space)  # SV.N3, SV.N11
    if mover == SHARK:
        return count_unguarded_swimmers(s, space) > 0  # SV.K4, SV.N11
    if mover == WHALE:
        return has_occupied_ship(s, space) or s.creatures_at[space] & SQUIDS != 0  # SV.K5, SV.Q6
    if mover == SQUID:  # SV.Q4
        if has_occupied_ship(s, space) or s.creatures_at[space] & WHALES != 0:
            return True
        return is_beside_tile_with_explorers(s, space)
    if mover == WIND_SHIP:
        return s.creatures_at[space] & WRECKERS != 0  # SV.S6
    if mover == SWIMMER:
        return s.creatures_at[space] & DEADLY != 0 and count_free_dolphins(s, space) == 0  # SV.M12, SV.N5
    return False


class FloodBuffers:
    """Reusable buffers of `add_reachable_spaces`."""

    def __init__(self) -> None:
        # the number of the last flood that reached the space
        self.seen = declare_vector(SPACES, 0, 0, 1 << 40)
        self.number = declare_number(0, 0, 1 << 40)
        self.queue = declare_vector(SPACES, 0, 0, SPACES - 1)


FLOOD: Final = FloodBuffers()


def add_reachable_spaces(s: SurvivePosition, mover: Mover, start: i64, far: i64, moves: ActionList, base: i64) -> None:
    """Add `base + space` for every space within `far` steps where the move can end, except the start."""
    room = FLOOD
    seen, queue, beside = room.seen, room.queue, NEXT
    room.number += 1
    number = room.number
    seen[start] = number
    queue[0] = start
    items, count = moves.items, moves.count
    first: i64 = 0
    end: i64 = 1
    while far > 0 and first < end:
        far -= 1
        ring = end
        while first < ring:
            at = queue[first] * SIDES
            first += 1
            for d in range(SIDES):
                n = beside[at + d]
                if n < 0 or seen[n] == number or not can_enter(s, mover, n):
                    continue
                seen[n] = number
                items[count] = base + n
                count += 1
                if far > 0 and not must_stop_in(s, mover, n):
                    queue[end] = n
                    end += 1
    moves.count = count


def can_reach(s: SurvivePosition, mover: Mover, start: i64, goal: i64, far: i64) -> bool:
    """Whether the move can end on `goal`, which is not the start, within `far` steps."""
    if far <= 0:
        return False
    for d in range(SIDES):
        n = NEXT[start * SIDES + d]
        if n < 0 or not can_enter(s, mover, n):
            continue
        if n == goal or (far > 1 and not must_stop_in(s, mover, n) and can_reach(s, mover, n, goal, far - 1)):
            return True
    return False


def shortest_route(s: SurvivePosition, mover: Mover, start: i64, goal: i64, far: i64) -> list[int]:
    """A shortest path, both ends included; only the ends if no path leads there (the D of the dice)."""
    for steps in range(1, int(far) + 1):
        if can_reach(s, mover, start, goal, steps):
            break
    else:
        return [int(start), int(goal)]
    path = [int(start)]
    at = start
    left: i64 = steps
    while at != goal:
        left -= 1
        for d in range(SIDES):
            n = NEXT[at * SIDES + d]
            if n < 0 or not can_enter(s, mover, n):
                continue
            if n == goal or (not must_stop_in(s, mover, n) and can_reach(s, mover, n, goal, left)):
                at = n
                path.append(int(n))
                break
    return path
