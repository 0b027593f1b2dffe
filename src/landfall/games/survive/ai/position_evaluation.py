"""Heuristic evaluation of a position for each seat: rescue value and distance, remaining time, danger from creatures,
controlled ships. One pass over the explorers covers all seats; odds of rescue are in thousandths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.int_vectors import filled_vector, to_vector
from landfall.core.state import OVER
from landfall.games.survive.rules import board, components, phases
from landfall.games.survive.rules.piece_positions import does_seat_control_ship, has_free_seat, seat_of_explorer
from landfall.games.survive.rules.position import SurvivePosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

# By steps to the nearest landing space. The dangers of the way are included from the start, so that waiting gains
# nothing.
ABOARD_PERMILLE: Final = to_vector([985, 810, 720, 670, 640, 610, 580, 550, 520, 490, 460, 430, 400])
SWIMMING_PERMILLE: Final = to_vector([950, 700, 570, 470, 390, 320, 260, 200, 150, 110, 80, 60, 50])
ASHORE_PERMILLE: Final[i64] = 430
A_WALK: Final[i64] = 22  # value of a step on land towards a ship with a free seat
A_MILE: Final[i64] = 14  # ... towards an isle
HIGHER: Final[i64] = 22  # forest above beach, and mountain above forest
AT_ONCE: Final[i64] = 970  # can land before anybody else acts
ADRIFT: Final[i64] = 60  # controlled only by others
A_TILE: Final[i64] = 150  # a tile in hand
NEAR: Final[i64] = 270  # of a thousand explorers in a creature's reach, losses per round
CLOSE: Final[i64] = 60  # ... one step further away
UPSET: Final[i64] = 150  # a whale's reach: the ship is lost, its passengers may still swim
FAR_SHIP: Final[i64] = 6

EXPECTED_SCORES: Final = filled_vector(components.COLOURS, 0)  # refilled at each call
EXPOSED: Final = filled_vector(components.COLOURS, 0)  # by seat: see `danger_weight_permille_of_seat`
CREATURE_AT: Final = filled_vector(components.CREATURES, 0)  # spaces of the creatures on the board
CREATURE_KIND: Final = filled_vector(components.CREATURES, 0)
SHIP_AT: Final = filled_vector(components.SHIPS, 0)  # spaces of the ships with a free seat
TURNS: Final[i64] = 16
TIME: Final = filled_vector(TURNS, 0)  # by turns of a seat: see `enough_turns_permille`


def expected_score_lead(s: SurvivePosition, seat: i64) -> i64:
    """The seat's expected score against the best and the mean of the others', in thousandths of a value point."""
    fill_expected_scores(s, EXPECTED_SCORES)
    best: i64 = -1
    total: i64 = 0
    for other in range(s.players):
        if other != seat:
            total += EXPECTED_SCORES[other]
            if EXPECTED_SCORES[other] > best:
                best = EXPECTED_SCORES[other]
    return 4 * EXPECTED_SCORES[seat] - best - total // (s.players - 1)


def win_probability_score_scale(s: SurvivePosition) -> i64:
    """Large at first, small when few tiles are left."""
    return 1500 + 80 * s.tiles_left


def fill_expected_scores(s: SurvivePosition, out: Buf) -> None:
    """The expected saved value of each seat, in thousandths of a value point."""
    over = s.actor == OVER
    for seat in range(s.players):
        EXPOSED[seat] = danger_weight_permille_of_seat(s, seat)
        out[seat] = 1000 * s.bounties[seat] + (0 if over else A_TILE * s.hand_size[seat])
    creatures: i64 = 0
    ships: i64 = 0
    if not over:
        creatures = fill_creatures_on_board(s)
        ships = fill_ships_with_free_seat(s)
        for turns in range(TURNS):
            TIME[turns] = enough_turns_permille(s, turns)
    isles: i64 = 0
    where = s.where
    for e in range(components.EXPLORERS):
        at = where[e]
        if at < 0:
            continue
        seat = seat_of_explorer(s, e)
        worth: i64 = 1 if s.rules.all_equal else s.value[e]
        if at >= board.FIRST_ISLE:
            out[seat] += 1000 * worth
            isles |= 1 << (4 * seat + at - board.FIRST_ISLE)
        elif not over:
            out[seat] += worth * rescue_permille(s, seat, e, at, creatures, ships)
    if s.rules.isle_hopper:
        for i in range(4 * s.players):
            out[i >> 2] += 1000 * ((isles >> i) & 1)


def fill_creatures_on_board(s: SurvivePosition) -> i64:
    """Collect the spaces and kinds of the creatures on the board. Returns their number."""
    count: i64 = 0
    for c in range(components.CREATURES):
        if s.creature_space[c] >= 0:
            CREATURE_AT[count] = s.creature_space[c]
            CREATURE_KIND[count] = components.KIND_OF[c]
            count += 1
    return count


def fill_ships_with_free_seat(s: SurvivePosition) -> i64:
    """Collect the spaces of the ships with a free seat. Returns their number."""
    count: i64 = 0
    for ship in range(components.SHIPS):
        if s.ship_space[ship] >= 0 and s.ship_seat[ship * components.SHIP_SEATS + components.SHIP_SEATS - 1] < 0:
            SHIP_AT[count] = s.ship_space[ship]
            count += 1
    return count


def rescue_permille(s: SurvivePosition, seat: i64, e: i64, at: i64, creatures: i64, ships: i64) -> i64:
    """The odds of rescue of one explorer on the board, in thousandths."""
    ship = s.aboard[e]
    miles = board.TO_LANDING[at]
    if ship < 0 and s.tile[at] != components.SEA:
        walk: i64 = steps_to_nearest_free_seat(at, ships) if s.step != phases.STEP_SETUP or ships > 0 else 2
        chance = ASHORE_PERMILLE - A_WALK * walk - A_MILE * miles + HIGHER * s.tile[at]
        chance = multiply_by_permille(chance, TIME[(walk + miles + 6) >> 1])
        return (
            multiply_by_permille(chance, ashore_survival_permille(at, creatures, EXPOSED[seat]))
            if s.rules.squid > 0
            else chance
        )
    moving = s.phase == phases.MOVING and s.actor == seat
    if ship >= 0:
        chance = multiply_by_permille(ABOARD_PERMILLE[miles], TIME[(miles + 3) >> 1])
        chance = multiply_by_permille(chance, aboard_survival_permille(at, creatures, EXPOSED[seat]))
        if not does_seat_control_ship(s, seat, ship):
            return chance - ADRIFT
        if moving and miles < s.points:
            own = count_own_aboard(s, seat, ship)
            land = s.points - miles
            return AT_ONCE if own <= land else (AT_ONCE * land + chance * (own - land)) // own
        return chance
    if moving and miles == 0 and s.points > 0 and s.marks[e] & components.ACTED == 0:
        return AT_ONCE
    chance = multiply_by_permille(SWIMMING_PERMILLE[miles], TIME[miles + 1])
    if s.ship_at[at] >= 0 and has_free_seat(s, s.ship_at[at]):
        chance += 60
    if s.guard[e] >= 0:
        return chance + 80
    return multiply_by_permille(chance, swimming_survival_permille(at, creatures, EXPOSED[seat]))


def multiply_by_permille(whole: i64, thousandths: i64) -> i64:
    """Multiply by thousandths; the common case of all of it avoids the slow division."""
    return whole if thousandths == 1000 else whole * thousandths // 1000


def count_own_aboard(s: SurvivePosition, seat: i64, ship: i64) -> i64:
    """How many of a seat's explorers are aboard."""
    count: i64 = 0
    for i in range(ship * components.SHIP_SEATS, (ship + 1) * components.SHIP_SEATS):
        if s.ship_seat[i] >= 0 and seat_of_explorer(s, s.ship_seat[i]) == seat:
            count += 1
    return count


def enough_turns_permille(s: SurvivePosition, turns: i64) -> i64:
    """The odds that a seat gets so many turns before the game ends (SV.G1, SV.O2, SV.O4)."""
    if s.rules.to_the_last and s.tiles_left == 0:
        return 1000
    tiles = turns * s.players
    mountains = s.terrain_left[components.MOUNTAIN]
    safe = s.tiles_left - mountains
    if s.step == phases.STEP_SETUP or tiles <= safe or mountains == 0:
        return 1000
    if s.rules.to_the_last or s.rules.submerged:
        return 1000 if tiles <= s.tiles_left or s.rules.to_the_last else 30
    left = mountains + safe - tiles
    return 30 + 970 * left // mountains if left > 0 else 30


def steps_to_nearest_free_seat(at: i64, ships: i64) -> i64:
    """Steps to the nearest free seat."""
    best = FAR_SHIP
    row = at * board.SPACES
    for i in range(ships):
        apart = board.APART[row + SHIP_AT[i]]
        if apart < best:
            best = apart
            if best <= 1:
                break
    return best


def danger_weight_permille_of_seat(s: SurvivePosition, seat: i64) -> i64:
    """The weight of danger for a seat, in thousandths: how many others roll the die before it can move away."""
    rolls = (seat - s.turn + s.players) % s.players
    if rolls == 0 and s.step > phases.STEP_MOVE:
        rolls = s.players - 1
    if s.players == 2:
        return 250 + 750 * rolls
    return 250 + 1250 * rolls // (s.players - 1)


# --- danger: of a thousand, how many survive the next round -------------------------------------------------------


def swimming_survival_permille(at: i64, creatures: i64, exposed: i64) -> i64:
    left: i64 = 1000
    for i in range(creatures):
        apart = board.APART[at * board.SPACES + CREATURE_AT[i]]
        if apart > 3:
            continue
        kind = CREATURE_KIND[i]
        if kind == components.SHARK:
            left -= left * (NEAR if apart <= 2 else CLOSE) // 1000 * exposed // 1000
        elif kind == components.SERPENT and apart <= 2:
            left -= left * (NEAR if apart <= 1 else CLOSE) // 1000 * exposed // 1000
    return left


def aboard_survival_permille(at: i64, creatures: i64, exposed: i64) -> i64:
    left: i64 = 1000
    for i in range(creatures):
        apart = board.APART[at * board.SPACES + CREATURE_AT[i]]
        if apart > 3:
            continue
        kind = CREATURE_KIND[i]
        if kind == components.SERPENT and apart <= 2:
            left -= left * (NEAR if apart <= 1 else CLOSE) // 1000 * exposed // 1000
        elif kind == components.WHALE:
            left -= left * UPSET // 1000 * exposed // 1000
        elif kind == components.SQUID:
            left -= left * CLOSE // 1000 * exposed // 1000
    return left


def ashore_survival_permille(at: i64, creatures: i64, exposed: i64) -> i64:
    left: i64 = 1000
    for i in range(creatures):
        if CREATURE_KIND[i] == components.SQUID and board.APART[at * board.SPACES + CREATURE_AT[i]] <= 2:
            left -= left * CLOSE // 1000 * exposed // 1000
    return left
