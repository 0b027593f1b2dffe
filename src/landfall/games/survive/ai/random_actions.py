"""Samples one legal action uniformly without listing all of them: for playouts.

Where it is faster, it samples from a larger set that is easy to count, and rejects illegal actions.
"""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import SCRATCH_ACTIONS
from landfall.games.survive.rules import action_dispatch, board, codes, components, creatures, phases, piece_positions
from landfall.games.survive.rules.defence import holds_hand_tile, may_play_terrain
from landfall.games.survive.rules.hand_tiles import add_legal_hand_tile_uses_except_sending, tile_that_moves_kind
from landfall.games.survive.rules.movement import rule_forbidding_sail, rule_forbidding_step
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.setup import may_place_explorer


def sample_legal_action(s: SurvivePosition, rng: Rng) -> i64:
    phase = s.phase
    if phase == phases.MOVING:
        return sample_movement_action(s, rng)
    if phase == phases.PLACING:
        return sample_placing(s, rng)
    moves = SCRATCH_ACTIONS
    moves.count = 0
    if phase == phases.HAND:
        add_legal_hand_tile_uses_except_sending(s, moves)
        return sample_listed_or_vacant_action(s, rng)
    if phase == phases.CREATURE and s.far == components.ANYWHERE:
        creatures.add_legal_dice_moves(s, moves, False)
        return sample_listed_or_vacant_action(s, rng)
    action_dispatch.add_legal_actions(s, moves)
    return moves.items[rng.randbelow(moves.count)]


def sample_movement_action(s: SurvivePosition, rng: Rng) -> i64:
    """Step 2: a step of an own explorer, a ship in any direction, or the end of the step; by rejection."""
    steps = piece_positions.explorers_per_seat(s) * codes.WAYS_TO_STEP
    every = steps + components.SHIPS * board.SIDES + 1
    while True:
        x = rng.randbelow(every)
        if x < steps:
            if rule_forbidding_step(s, x // codes.WAYS_TO_STEP, x % codes.WAYS_TO_STEP) == "":
                return codes.STEP + x
        elif x == every - 1:
            return codes.END
        elif rule_forbidding_sail(s, (x - steps) // board.SIDES, (x - steps) % board.SIDES) == "":
            return codes.SAIL + x - steps


def sample_listed_or_vacant_action(s: SurvivePosition, rng: Rng) -> i64:
    """A listed action, or a piece to a vacant space; spaces are sampled until one is vacant."""
    moves = SCRATCH_ACTIONS
    listed = moves.count
    for c in range(components.CREATURES):  # after the listed ones: the pieces that may go to any vacant space
        if (
            s.creature_space[c] >= 0
            and may_go_to_any_vacant_space(s, components.kind_of_creature(c))
            and piece_positions.is_first_of_equal_creatures(s, c)
        ):
            moves.add(codes.MOVE + c * board.SPACES)
            if s.phase == phases.HAND and may_play_terrain(
                s, s.actor, tile_that_moves_kind(components.kind_of_creature(c)), components.FOREST
            ):
                moves.add(codes.SEND_FOREST + c * board.SPACES)
    if s.phase == phases.CREATURE and creatures.are_empty_ships_rolled(s):
        for ship in range(components.SHIPS):
            if creatures.is_empty_ship(s, ship):
                moves.add(codes.SHIP_TO + ship * board.SPACES)
    every = listed + (moves.count - listed) * board.SPACES
    while True:
        x = rng.randbelow(every)
        if x < listed:
            return moves.items[x]
        space = (x - listed) % board.SPACES
        if piece_positions.is_vacant_sea(s, space):
            return moves.items[listed + (x - listed) // board.SPACES] + space


def may_go_to_any_vacant_space(s: SurvivePosition, kind: components.Kind) -> bool:
    """Whether a hand tile or the D of the dice lets this kind go to any vacant space."""
    if s.phase == phases.CREATURE:
        return creatures.is_kind_rolled(s, kind)
    tile = tile_that_moves_kind(kind)
    return tile != components.NO_BACK and holds_hand_tile(s, s.actor, tile)


# --- placing --------------------------------------------------------------------------------------------------


def sample_placing(s: SurvivePosition, rng: Rng) -> i64:
    """The value and the place are independent, so each is sampled by itself."""
    which: i64 = 0
    if s.rules.two_colours:
        first, second = (
            count_distinct_values_left(s, s.actor),
            count_distinct_values_left(s, piece_positions.colour_of_seat(s.actor, 1)),
        )
        which = 0 if rng.randbelow(first + second) < first else 1
    colour = piece_positions.colour_of_seat(s.actor, which)
    slot = rng.randbelow(board.SLOTS)
    while not may_place_explorer(s, colour, slot):
        slot = rng.randbelow(board.SLOTS)
    nth = rng.randbelow(count_distinct_values_left(s, colour))
    v: i64 = 0
    while s.values_left[colour * components.VALUES + v] == 0 or nth > 0:
        if s.values_left[colour * components.VALUES + v] > 0:
            nth -= 1
        v += 1
    return (codes.PLACE_SECOND if which == 1 else codes.PLACE) + slot * components.VALUES + v


def count_distinct_values_left(s: SurvivePosition, colour: i64) -> i64:
    """The number of distinct values that a colour still has to place."""
    count: i64 = 0
    for v in range(components.VALUES):
        if s.values_left[colour * components.VALUES + v] > 0:
            count += 1
    return count
