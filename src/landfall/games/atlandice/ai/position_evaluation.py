"""Heuristic evaluation for a seat, in thousandths of a point: points, majorities and leads, the rest of the current
visit, and the clock. For bots that look one choice ahead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector
from landfall.core.state import OVER, ActionList
from landfall.games.atlandice.rules import board, components, phases
from landfall.games.atlandice.rules.position import AtlandicePosition
from landfall.games.atlandice.rules.scoring import count_scoring_holders, count_tiles_of_holder, total_points
from landfall.games.atlandice.rules.visits import count_pieces_in_sector

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

POINT: Final = 1000
PIECE_WORTH: Final = 120  # of any piece, for future inventories and donations
# Probability in percent to end with most of a resource, by the lead over the best opponent, from -4 to 4.
LEAD_CHANCE: Final = to_vector([4, 9, 18, 34, 52, 74, 88, 95, 98])
# The value of a tile's effect to the holder it benefits, before it is resolved.
EFFECT_WORTH: Final = to_vector([300, 250, 120, 220, 100, 300, 0, 100, 120, 150, 150, 150, 300, 150, 120])
ANSWERS: Final = ActionList()  # refilled at each call: building one costs more than listing


def expected_score_lead(s: AtlandicePosition, seat: i64) -> i64:
    """Expected score against the best and the mean of the others'; half a choice has its best completion's value."""
    phase = s.phase
    if s.actor == seat and (phase in (phases.BONUS, phases.SWAP, phases.PIECE_TO, phases.DIE_TO, phases.DONATE_SECOND)):
        return best_follow_up_lead(s, seat)
    best: i64 = -10000000000
    total: i64 = 0
    for other in range(s.players):
        if other != seat:
            theirs = expected_score(s, other)
            total += theirs
            if theirs > best:
                best = theirs
    return 4 * expected_score(s, seat) - best - total // (s.players - 1)


def best_follow_up_lead(s: AtlandicePosition, seat: i64) -> i64:
    ANSWERS.count = 0
    s.fill_legal(ANSWERS)
    best: i64 = -10000000000
    for i in range(ANSWERS.count):
        child = s.copy()
        child.apply(ANSWERS.items[i])
        value = expected_score_lead(child, seat)
        if value > best:
            best = value
    return best


def fill_expected_scores(s: AtlandicePosition, out: Buf) -> None:
    for seat in range(s.players):
        out[seat] = expected_score(s, seat)


def expected_score(s: AtlandicePosition, seat: i64) -> i64:
    """Points and tiles, the expected value of each resource, and of the current visit."""
    if s.actor == OVER:
        return total_points(s, seat) * POINT
    value = (s.points[seat] + components.TILE_POINTS * count_tiles_of_holder(s, seat)) * POINT
    for resource in range(components.RESOURCES):
        if s.top[resource] != components.USED_UP:
            value += expected_resource_points(s, seat, components.Resource(resource), -1)
    if phases.PIECE <= s.phase <= phases.SECOND_ROLL and s.turn == seat:
        value += expected_visit_value(s, seat)
    return value


def win_probability_score_scale(s: AtlandicePosition) -> i64:
    """Large while the clock has far to go."""
    last: i64 = len(s.icons) - 1
    return 1200 + 2500 * (last - s.hand) // last


def resource_value_lead(s: AtlandicePosition, seat: i64, resource: components.Resource, gainer: i64) -> i64:
    """A resource's value to a seat minus the mean of the others', if `gainer` (-1: nobody) had one more of it."""
    mine: i64 = 0
    others: i64 = 0
    for other in range(s.players):
        value = expected_resource_points(s, other, resource, gainer)
        if other == seat:
            mine = value
        else:
            others += value
    return mine - others // (s.players - 1)


def expected_resource_points(s: AtlandicePosition, holder: i64, resource: components.Resource, gainer: i64) -> i64:
    """A holder's expected points from a resource: its share, weighted by how near a scoring is, else its odds."""
    mine = s.stock[holder * components.RESOURCES + resource] + (1 if gainer == holder else 0)
    if mine == 0:
        return 0
    best: i64 = 0
    second: i64 = 0
    for other in range(count_scoring_holders(s)):
        if other != holder:
            count = s.stock[other * components.RESOURCES + resource] + (1 if gainer == other else 0)
            if count > best:
                second = best
                best = count
            elif count > second:
                second = count
    now: i64 = 0
    if mine >= best:
        now = 3 * POINT
    elif mine >= second and best > second:
        now = POINT
    first_chance = LEAD_CHANCE[clamp_lead_to_four(mine - best) + 4]
    later = (
        POINT
        // 100
        * (3 * first_chance + (100 - first_chance) * LEAD_CHANCE[clamp_lead_to_four(mine - second) + 4] // 100)
    )
    near = scoring_nearness_percent(s, resource)
    return (now * near + later * (100 - near)) // 100 + PIECE_WORTH * mine


def clamp_lead_to_four(lead: i64) -> i64:
    if lead < -4:
        return -4
    return lead if lead < 4 else 4


def scoring_nearness_percent(s: AtlandicePosition, resource: components.Resource) -> i64:
    """How near the resource's next scoring is, up to 95 percent: its region empties, or the clock ends."""
    by_region = 80 - 14 * count_pieces_in_sector(s, components.home_region_of_resource(resource))
    if s.held[resource] == 0:
        by_region = 0
    left: i64 = len(s.icons) - 1 - s.hand
    by_clock = 95 - 22 * left
    near = by_region if by_region > by_clock else by_clock
    return near if near > 5 else 5


# --- the current visit --------------------------------------------------------------------------------------------


def expected_visit_value(s: AtlandicePosition, seat: i64) -> i64:
    """The expected value of the rest of the visit: the best pieces there, then the effect."""
    phase = s.phase
    if phase == phases.ROLL:
        return expected_effect_value(s, seat)
    if phase == phases.SECOND_ROLL:
        return 600 if s.holder == seat else 0
    value = best_piece_gain(s, seat, s.at, 0)
    if phase == phases.PIECE and s.submarine == s.at and count_pieces_in_sector(s, s.at) > 1:
        value += best_piece_gain(s, seat, s.at, 1)
    return value + expected_effect_value(s, seat) // 2


def best_piece_gain(s: AtlandicePosition, seat: i64, sector: board.Sector, rank: i64) -> i64:
    """The value to a seat of the best piece in a sector (rank 1: the second best) if `holder` takes it."""
    best: i64 = -1000000
    second: i64 = -1000000
    for resource in range(components.RESOURCES):
        count = s.lying[sector * components.RESOURCES + resource]
        if count > 0:
            gain = resource_value_lead(s, seat, components.Resource(resource), s.holder) - resource_value_lead(
                s, seat, components.Resource(resource), -1
            )
            if gain > best:
                second = gain if count > 1 else best
                best = gain
            elif gain > second:
                second = gain
    if rank == 1:
        best = second
    return best if best > -1000000 else 0


def expected_effect_value(s: AtlandicePosition, seat: i64) -> i64:
    """The expected value of the visited tile's effect."""
    if s.at == board.BLACK_MARKET or s.top[s.at] == components.FACE_DOWN:
        return 0
    tile = components.tile_of_region(s.at, s.top[s.at])
    if tile in (components.INN_A, components.JEWELLER_C) or s.phase != phases.ROLL:
        return EFFECT_WORTH[tile] if s.holder == seat else -EFFECT_WORTH[tile]
    if tile == components.FORGE_C:
        return best_piece_gain(s, seat, board.BLACK_MARKET, 0) // 6
    if tile == components.LIBRARY_A:
        best: i64 = 0
        for region in range(board.REGIONS):
            if region != s.at and count_pieces_in_sector(s, board.Sector(region)) > 0:
                gain = best_piece_gain(s, seat, board.Sector(region), 0)
                if gain > best:
                    best = gain
        return best // 3
    return best_piece_gain(s, seat, s.at, 0) // 2
