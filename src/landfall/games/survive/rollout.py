"""One choice at random, each as likely as any other, without listing them all: for playouts.

Where it is quicker, a choice is drawn from a wider set that is easy to count, and drawn again until the rules allow it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import SCRATCH
from landfall.games.survive import play
from landfall.games.survive.actions import END, HOWS, MOVE, PLACE, PLACE_SECOND, SAIL, SHIP_TO, STEP
from landfall.games.survive.board import SIDES, SLOTS, SPACES
from landfall.games.survive.components import ANYWHERE, CREATURES, NO_BACK, SHIPS, VALUES, Kind, kind_of
from landfall.games.survive.creatures import generate_creatures, is_empty_ship, names_kind, names_ships
from landfall.games.survive.defence import holds
from landfall.games.survive.hand import generate_flights, tile_for
from landfall.games.survive.movement import forbids_sail, forbids_step
from landfall.games.survive.phases import CREATURE, HAND, MOVING, PLACING
from landfall.games.survive.pieces import first_alike, own_colour, own_count, vacant
from landfall.games.survive.setup import takes_explorer

if TYPE_CHECKING:
    from landfall.games.survive.position import SurvivePosition


def random_action(s: SurvivePosition, rng: Rng) -> i64:
    phase = s.phase
    if phase == MOVING:
        return random_move(s, rng)
    if phase == PLACING:
        return random_placement(s, rng)
    moves = SCRATCH
    moves.count = 0
    if phase == HAND:
        generate_flights(s, moves)
        return random_vacant(s, rng)
    if phase == CREATURE and s.far == ANYWHERE:
        generate_creatures(s, moves, False)
        return random_vacant(s, rng)
    play.generate(s, moves)
    return moves.items[rng.below(moves.count)]


def random_move(s: SurvivePosition, rng: Rng) -> i64:
    """Step 2: any step of any own explorer, any ship any way, or to stop; drawn until one is allowed."""
    steps = own_count(s) * HOWS
    every = steps + SHIPS * SIDES + 1
    while True:
        x = rng.below(every)
        if x < steps:
            if forbids_step(s, x // HOWS, x % HOWS) == "":
                return STEP + x
        elif x == every - 1:
            return END
        elif forbids_sail(s, (x - steps) // SIDES, (x - steps) % SIDES) == "":
            return SAIL + x - steps


def random_vacant(s: SurvivePosition, rng: Rng) -> i64:
    """What has been listed, or a piece to a vacant space: every space is drawn alike, until one is vacant."""
    moves = SCRATCH
    listed = moves.count
    for c in range(CREATURES):  # behind the listed ones, the pieces that may go to any vacant space
        if s.creature_space[c] >= 0 and goes_anywhere(s, kind_of(c)) and first_alike(s, c):
            moves.add(MOVE + c * SPACES)
    if s.phase == CREATURE and names_ships(s):
        for ship in range(SHIPS):
            if is_empty_ship(s, ship):
                moves.add(SHIP_TO + ship * SPACES)
    every = listed + (moves.count - listed) * SPACES
    while True:
        x = rng.below(every)
        if x < listed:
            return moves.items[x]
        space = (x - listed) % SPACES
        if vacant(s, space):
            return moves.items[listed + (x - listed) // SPACES] + space


def goes_anywhere(s: SurvivePosition, kind: Kind) -> bool:
    """Whether a hand tile or the D of the dice lets this kind go to any vacant space."""
    if s.phase == CREATURE:
        return names_kind(s, kind)
    tile = tile_for(kind)
    return tile != NO_BACK and holds(s, s.actor, tile)


# --- placing --------------------------------------------------------------------------------------------------


def random_placement(s: SurvivePosition, rng: Rng) -> i64:
    """Which value goes where are independent of each other, so each is drawn by itself."""
    which: i64 = 0
    if s.rules.two_colours:
        first, second = kinds_left(s, s.actor), kinds_left(s, own_colour(s.actor, 1))
        which = 0 if rng.below(first + second) < first else 1
    colour = own_colour(s.actor, which)
    slot = rng.below(SLOTS)
    while not takes_explorer(s, colour, slot):
        slot = rng.below(SLOTS)
    nth = rng.below(kinds_left(s, colour))
    v: i64 = 0
    while s.values_left[colour * VALUES + v] == 0 or nth > 0:
        if s.values_left[colour * VALUES + v] > 0:
            nth -= 1
        v += 1
    return (PLACE_SECOND if which == 1 else PLACE) + slot * VALUES + v


def kinds_left(s: SurvivePosition, colour: i64) -> i64:
    """How many different values a colour has yet to place."""
    count: i64 = 0
    for v in range(VALUES):
        if s.values_left[colour * VALUES + v] > 0:
            count += 1
    return count
