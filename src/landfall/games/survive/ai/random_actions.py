"""Samples one legal action uniformly without listing all of them: for playouts.

Where it is faster, it samples from a larger set that is easy to count, and rejects illegal actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import SCRATCH_ACTIONS
from landfall.games.survive.rules import action_dispatch
from landfall.games.survive.rules.action_encoding import (
    END,
    HOWS,
    MOVE,
    PLACE,
    PLACE_SECOND,
    SAIL,
    SEND_FOREST,
    SHIP_TO,
    STEP,
)
from landfall.games.survive.rules.board import SIDES, SLOTS, SPACES
from landfall.games.survive.rules.components import (
    ANYWHERE,
    CREATURES,
    FOREST,
    NO_BACK,
    SHIPS,
    VALUES,
    Kind,
    kind_of_creature,
)
from landfall.games.survive.rules.creatures import (
    add_legal_dice_moves,
    are_empty_ships_rolled,
    is_empty_ship,
    is_kind_rolled,
)
from landfall.games.survive.rules.defence import holds_hand_tile, may_play_terrain
from landfall.games.survive.rules.hand_tiles import add_legal_hand_tile_uses_except_sending, tile_that_moves_kind
from landfall.games.survive.rules.movement import rule_forbidding_sail, rule_forbidding_step
from landfall.games.survive.rules.phases import CREATURE, HAND, MOVING, PLACING
from landfall.games.survive.rules.piece_positions import (
    colour_of_seat,
    explorers_per_seat,
    is_first_of_equal_creatures,
    is_vacant_sea,
)
from landfall.games.survive.rules.setup import may_place_explorer

if TYPE_CHECKING:
    from landfall.games.survive.rules.position import SurvivePosition


def sample_legal_action(s: SurvivePosition, rng: Rng) -> i64:
    phase = s.phase
    if phase == MOVING:
        return sample_movement_action(s, rng)
    if phase == PLACING:
        return sample_placing(s, rng)
    moves = SCRATCH_ACTIONS
    moves.count = 0
    if phase == HAND:
        add_legal_hand_tile_uses_except_sending(s, moves)
        return sample_listed_or_vacant_action(s, rng)
    if phase == CREATURE and s.far == ANYWHERE:
        add_legal_dice_moves(s, moves, False)
        return sample_listed_or_vacant_action(s, rng)
    action_dispatch.add_legal_actions(s, moves)
    return moves.items[rng.randbelow(moves.count)]


def sample_movement_action(s: SurvivePosition, rng: Rng) -> i64:
    """Step 2: a step of an own explorer, a ship in any direction, or the end of the step; by rejection."""
    steps = explorers_per_seat(s) * HOWS
    every = steps + SHIPS * SIDES + 1
    while True:
        x = rng.randbelow(every)
        if x < steps:
            if rule_forbidding_step(s, x // HOWS, x % HOWS) == "":
                return STEP + x
        elif x == every - 1:
            return END
        elif rule_forbidding_sail(s, (x - steps) // SIDES, (x - steps) % SIDES) == "":
            return SAIL + x - steps


def sample_listed_or_vacant_action(s: SurvivePosition, rng: Rng) -> i64:
    """A listed action, or a piece to a vacant space; spaces are sampled until one is vacant."""
    moves = SCRATCH_ACTIONS
    listed = moves.count
    for c in range(CREATURES):  # after the listed ones: the pieces that may go to any vacant space
        if (
            s.creature_space[c] >= 0
            and may_go_to_any_vacant_space(s, kind_of_creature(c))
            and is_first_of_equal_creatures(s, c)
        ):
            moves.add(MOVE + c * SPACES)
            if s.phase == HAND and may_play_terrain(s, s.actor, tile_that_moves_kind(kind_of_creature(c)), FOREST):
                moves.add(SEND_FOREST + c * SPACES)
    if s.phase == CREATURE and are_empty_ships_rolled(s):
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


def may_go_to_any_vacant_space(s: SurvivePosition, kind: Kind) -> bool:
    """Whether a hand tile or the D of the dice lets this kind go to any vacant space."""
    if s.phase == CREATURE:
        return is_kind_rolled(s, kind)
    tile = tile_that_moves_kind(kind)
    return tile != NO_BACK and holds_hand_tile(s, s.actor, tile)


# --- placing --------------------------------------------------------------------------------------------------


def sample_placing(s: SurvivePosition, rng: Rng) -> i64:
    """The value and the place are independent, so each is sampled by itself."""
    which: i64 = 0
    if s.rules.two_colours:
        first, second = (
            count_distinct_values_left(s, s.actor),
            count_distinct_values_left(s, colour_of_seat(s.actor, 1)),
        )
        which = 0 if rng.randbelow(first + second) < first else 1
    colour = colour_of_seat(s.actor, which)
    slot = rng.randbelow(SLOTS)
    while not may_place_explorer(s, colour, slot):
        slot = rng.randbelow(SLOTS)
    nth = rng.randbelow(count_distinct_values_left(s, colour))
    v: i64 = 0
    while s.values_left[colour * VALUES + v] == 0 or nth > 0:
        if s.values_left[colour * VALUES + v] > 0:
            nth -= 1
        v += 1
    return (PLACE_SECOND if which == 1 else PLACE) + slot * VALUES + v


def count_distinct_values_left(s: SurvivePosition, colour: i64) -> i64:
    """The number of distinct values that a colour still has to place."""
    count: i64 = 0
    for v in range(VALUES):
        if s.values_left[colour * VALUES + v] > 0:
            count += 1
    return count
