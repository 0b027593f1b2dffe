"""How good a position looks for a seat: rescue value and distance, danger from creatures, ships under control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.games.survive.board import APART, FIRST_ISLE, SPACES, TO_LANDING
from landfall.games.survive.components import (
    CREATURES,
    EXPLORERS,
    KIND_OF,
    SEA,
    SERPENT,
    SHARK,
    SHIPS,
    SQUID,
    TERRAINS,
    WHALE,
)
from landfall.games.survive.pieces import controls, owner

if TYPE_CHECKING:
    from landfall.games.survive.state import SurviveState

SAFE: Final[i64] = 1000  # a rescued explorer, a point of value
ABOARD: Final[i64] = 640
SWIMMING: Final[i64] = 400
ASHORE: Final[i64] = 330  # on the island: time left, but far to go
A_STEP: Final[i64] = 26  # what a step towards an isle is worth, aboard
A_STROKE: Final[i64] = 34  # ... in the water, where one step takes a turn
A_WALK: Final[i64] = 22  # ... on land, towards a ship


def evaluate(s: SurviveState, seat: i64) -> i64:
    """Own prospects against the best and the mean of the others', in thousandths of a value point."""
    mine = prospects(s, seat)
    best: i64 = -1
    total: i64 = 0
    for other in range(s.players):
        if other != seat:
            theirs = prospects(s, other)
            total += theirs
            if theirs > best:
                best = theirs
    return 4 * mine - best - total // (s.players - 1)


def spread(s: SurviveState) -> i64:
    """Wide at first, narrow when few tiles are left."""
    return 1500 + 80 * s.tiles_left


def prospects(s: SurviveState, seat: i64) -> i64:
    total: i64 = 1000 * s.bounties[seat] + 60 * s.hand_size[seat]
    isles: i64 = 0
    for e in range(EXPLORERS):
        at = s.where[e]
        if at < 0 or owner(s, e) != seat:
            continue
        worth: i64 = 4 if s.rules.all_equal else s.value[e]
        if at >= FIRST_ISLE:
            total += worth * SAFE
            isles |= 1 << (at - FIRST_ISLE)
        else:
            total += worth * hope(s, seat, e, at)
    if s.rules.isle_hopper:
        for isle in range(4):
            total += 1000 * ((isles >> isle) & 1)
    return total


def hope(s: SurviveState, seat: i64, e: i64, at: i64) -> i64:
    """The chance of rescue of one explorer on the board, in thousandths."""
    ship = s.aboard[e]
    if ship >= 0:
        chance = ABOARD - A_STEP * TO_LANDING[at] + (60 if controls(s, seat, ship) else 0)
        return chance - danger_aboard(s, at)
    if s.tile[at] == SEA:
        chance = SWIMMING - A_STROKE * TO_LANDING[at]
        if s.ship_at[at] >= 0 and s.ship_seat[s.ship_at[at] * 3 + 2] < 0:
            chance += 90
        if s.guard[e] < 0:
            chance -= danger_swimming(s, at)
        else:
            chance += 80
        return chance if chance > 20 else 20
    chance = ASHORE - A_WALK * to_ship(s, seat, at) + 30 * s.tile[at]
    if sinks_soon(s, at):
        chance -= 60
    chance -= danger_ashore(s, at)
    return chance if chance > 40 else 40


def to_ship(s: SurviveState, seat: i64, at: i64) -> i64:
    """Steps to the nearest free seat, or to the water's edge."""
    best: i64 = 6
    for ship in range(SHIPS):
        space = s.ship_space[ship]
        if space >= 0 and s.ship_seat[ship * 3 + 2] < 0 and APART[at * SPACES + space] < best:
            best = APART[at * SPACES + space]
    return best


def sinks_soon(s: SurviveState, at: i64) -> bool:
    """Of the lowest terrain left."""
    for lower in range(TERRAINS):
        if s.terrain_left[lower] > 0:
            return s.tile[at] == lower
    return False


def danger_swimming(s: SurviveState, at: i64) -> i64:
    danger: i64 = 0
    for c in range(CREATURES):
        space = s.creature_space[c]
        if space < 0:
            continue
        apart = APART[at * SPACES + space]
        if KIND_OF[c] == SHARK and apart <= 3:
            danger += 90 if apart <= 2 else 30
        elif KIND_OF[c] == SERPENT and apart <= 2:
            danger += 90 if apart <= 1 else 30
    return danger


def danger_aboard(s: SurviveState, at: i64) -> i64:
    danger: i64 = 0
    for c in range(CREATURES):
        space = s.creature_space[c]
        if space < 0:
            continue
        apart = APART[at * SPACES + space]
        if KIND_OF[c] == SERPENT and apart <= 2:
            danger += 140 if apart <= 1 else 40
        elif KIND_OF[c] == WHALE and apart <= 3:
            danger += 70
        elif KIND_OF[c] == SQUID and apart <= 3:
            danger += 40
    return danger


def danger_ashore(s: SurviveState, at: i64) -> i64:
    danger: i64 = 0
    if s.rules.squid == 0:
        return danger
    for c in range(CREATURES):
        if KIND_OF[c] == SQUID and s.creature_space[c] >= 0 and APART[at * SPACES + s.creature_space[c]] <= 2:
            danger += 25
    return danger
