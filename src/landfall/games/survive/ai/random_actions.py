"""Samples one legal action uniformly without listing all of them: for playouts.

Where it is faster, it samples from a larger set that is easy to count, and rejects illegal actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import SCRATCH_ACTIONS
from landfall.games.survive.rules import action_dispatch
from landfall.games.survive.rules.actions import END, HOWS, MOVE, PLACE, PLACE_SECOND, SAIL, SHIP_TO, STEP
from landfall.games.survive.rules.board import SIDES, SLOTS, SPACES
from landfall.games.survive.rules.components import ANYWHERE, CREATURES, NO_BACK, SHIPS, VALUES, Kind, kind_of
from landfall.games.survive.rules.creatures import add_legal_creatures, are_ships_named, is_empty_ship, is_kind_named
from landfall.games.survive.rules.defence import holds_tile
from landfall.games.survive.rules.hand_tiles import add_legal_flights, tile_for
from landfall.games.survive.rules.movement import sail_forbidden_by, step_forbidden_by
from landfall.games.survive.rules.phases import CREATURE, HAND, MOVING, PLACING
from landfall.games.survive.rules.pieces import explorers_per_seat, is_first_alike, is_vacant_sea, own_colour
from landfall.games.survive.rules.setup import takes_explorer

if TYPE_CHECKING:
    from landfall.games.survive.rules.position import SurvivePosition


def random_action(s: SurvivePosition, rng: Rng) -> i64:
    phase = s.phase
    if phase == MOVING:
        return random_move(s, rng)
    if phase == PLACING:
        return random_placement(s, rng)
    moves = SCRATCH_ACTIONS
    moves.count = 0
    if phase == HAND:
        add_legal_flights(s, moves)
        return random_vacant(s, rng)
    if phase == CREATURE and s.far == ANYWHERE:
        add_legal_creatures(s, moves, False)
        return random_vacant(s, rng)
    action_dispatch.fill_legal(s, moves)
    return moves.items[rng.randbelow(moves.count)]


def random_move(s: SurvivePosition, rng: Rng) -> i64:
    """Step 2: a step of an own explorer, a ship in any direction, or the end of the step; by rejection."""
    steps = explorers_per_seat(s) * HOWS
    every = steps + SHIPS * SIDES + 1
    while True:
        x = rng.randbelow(every)
        if x < steps:
            if step_forbidden_by(s, x // HOWS, x % HOWS) == "":
                return STEP + x
        elif x == every - 1:
            return END
        elif sail_forbidden_by(s, (x - steps) // SIDES, (x - steps) % SIDES) == "":
            return SAIL + x - steps


def random_vacant(s: SurvivePosition, rng: Rng) -> i64:
    """A listed action, or a piece to a vacant space; spaces are sampled until one is vacant."""
    moves = SCRATCH_ACTIONS
    listed = moves.count
    for c in range(CREATURES):  # after the listed ones: the pieces that may go to any vacant space
        if s.creature_space[c] >= 0 and goes_anywhere(s, kind_of(c)) and is_first_alike(s, c):
            moves.add(MOVE + c * SPACES)
    if s.phase == CREATURE and are_ships_named(s):
        for ship in range(SHIPS):
            if is_empty_ship(s, ship):
                moves.add(SHIP_TO + ship * SPACES)
    every = listed + (moves.count - listed) * SPACES
    while True:
        x = rng.randbelow(every)
        if x < listed:
            return moves.items[x]
        space = (x - listed) % SPACES
        if is_vacant_sea(s, space):
            return moves.items[listed + (x - listed) // SPACES] + space


def goes_anywhere(s: SurvivePosition, kind: Kind) -> bool:
    """Whether a hand tile or the D of the dice lets this kind go to any vacant space."""
    if s.phase == CREATURE:
        return is_kind_named(s, kind)
    tile = tile_for(kind)
    return tile != NO_BACK and holds_tile(s, s.actor, tile)


# --- placing --------------------------------------------------------------------------------------------------


def random_placement(s: SurvivePosition, rng: Rng) -> i64:
    """The value and the place are independent, so each is sampled by itself."""
    which: i64 = 0
    if s.rules.two_colours:
        first, second = kinds_left(s, s.actor), kinds_left(s, own_colour(s.actor, 1))
        which = 0 if rng.randbelow(first + second) < first else 1
    colour = own_colour(s.actor, which)
    slot = rng.randbelow(SLOTS)
    while not takes_explorer(s, colour, slot):
        slot = rng.randbelow(SLOTS)
    nth = rng.randbelow(kinds_left(s, colour))
    v: i64 = 0
    while s.values_left[colour * VALUES + v] == 0 or nth > 0:
        if s.values_left[colour * VALUES + v] > 0:
            nth -= 1
        v += 1
    return (PLACE_SECOND if which == 1 else PLACE) + slot * VALUES + v


def kinds_left(s: SurvivePosition, colour: i64) -> i64:
    """The number of distinct values that a colour still has to place."""
    count: i64 = 0
    for v in range(VALUES):
        if s.values_left[colour * VALUES + v] > 0:
            count += 1
    return count
