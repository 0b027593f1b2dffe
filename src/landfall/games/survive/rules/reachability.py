"""Moves over several spaces: which spaces can be entered, where a move must stop, and its path.

A mover is a creature's kind, a ship or a swimmer. `add_reachable_spaces` lists every end of a move; `shortest_route`
finds the path to one. They are independent on purpose: `legal_actions` uses one, `why_illegal` and events the other.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.position_field_declarations import declare_number, declare_vector
from landfall.core.state import ActionList
from landfall.games.survive.rules import board, components, piece_positions
from landfall.games.survive.rules.position import SurvivePosition


def can_enter(s: SurvivePosition, mover: components.Mover, space: i64) -> bool:
    """Whether the space may be entered at all."""
    if s.tile[space] != components.SEA:  # SV.K2, SV.S1
        return False
    if mover == components.EMPTY_SHIP:
        return s.ship_at[space] < 0  # SV.S4
    if mover == components.WIND_SHIP:
        return s.ship_at[space] < 0 and s.creatures_at[space] & components.SQUIDS == 0  # SV.S4, SV.Q7
    return True


def must_stop_in(s: SurvivePosition, mover: components.Mover, space: i64) -> bool:
    """Whether a move that enters the space ends there."""
    if mover == components.SERPENT:
        return piece_positions.count_unguarded_swimmers(s, space) > 0 or piece_positions.has_occupied_ship(
            s, space
        )  # SV.N3, SV.N11
    if mover == components.SHARK:
        return piece_positions.count_unguarded_swimmers(s, space) > 0  # SV.K4, SV.N11
    if mover == components.WHALE:
        return (
            piece_positions.has_occupied_ship(s, space) or s.creatures_at[space] & components.SQUIDS != 0
        )  # SV.K5, SV.Q6
    if mover == components.SQUID:  # SV.Q4
        if piece_positions.has_occupied_ship(s, space) or s.creatures_at[space] & components.WHALES != 0:
            return True
        return piece_positions.is_beside_tile_with_explorers(s, space)
    if mover == components.WIND_SHIP:
        return s.creatures_at[space] & components.WRECKERS != 0  # SV.S6
    if mover == components.SWIMMER:
        return (
            s.creatures_at[space] & components.DEADLY != 0 and piece_positions.count_free_dolphins(s, space) == 0
        )  # SV.M12, SV.N5
    return False


class FloodBuffers:
    """Reusable buffers of `add_reachable_spaces`."""

    def __init__(self) -> None:
        # the number of the last flood that reached the space
        self.seen = declare_vector(board.SPACES, 0, 0, 1 << 40)
        self.number = declare_number(0, 0, 1 << 40)
        self.queue = declare_vector(board.SPACES, 0, 0, board.SPACES - 1)


FLOOD: Final = FloodBuffers()


def add_reachable_spaces(
    s: SurvivePosition, mover: components.Mover, start: i64, far: i64, moves: ActionList, base: i64
) -> None:
    """Add `base + space` for every space within `far` steps where the move can end, except the start."""
    room = FLOOD
    seen, queue, beside = room.seen, room.queue, board.NEXT
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
            at = queue[first] * board.SIDES
            first += 1
            for d in range(board.SIDES):
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


def can_reach(s: SurvivePosition, mover: components.Mover, start: i64, goal: i64, far: i64) -> bool:
    """Whether the move can end on `goal`, which is not the start, within `far` steps."""
    if far <= 0:
        return False
    for d in range(board.SIDES):
        n = board.NEXT[start * board.SIDES + d]
        if n < 0 or not can_enter(s, mover, n):
            continue
        if n == goal or (far > 1 and not must_stop_in(s, mover, n) and can_reach(s, mover, n, goal, far - 1)):
            return True
    return False


def shortest_route(s: SurvivePosition, mover: components.Mover, start: i64, goal: i64, far: i64) -> list[int]:
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
        for d in range(board.SIDES):
            n = board.NEXT[at * board.SIDES + d]
            if n < 0 or not can_enter(s, mover, n):
                continue
            if n == goal or (not must_stop_in(s, mover, n) and can_reach(s, mover, n, goal, left)):
                at = n
                path.append(int(n))
                break
    return path
