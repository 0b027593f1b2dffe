"""How good a position looks for a seat, in hundredths of a point: points, majorities and how near they are, what the
visit in progress still brings, and the clock. For bots that look one choice ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.state import OVER, Moves
from landfall.core.vectors import buf
from landfall.games.atlandice.actions import (
    BONUS,
    DIE_TO,
    DONATE_SECOND,
    PIECE,
    PIECE_TO,
    ROLL,
    SECOND_ROLL,
    SWAP,
)
from landfall.games.atlandice.board import BLACK_MARKET, REGIONS
from landfall.games.atlandice.components import (
    FACE_DOWN,
    FORGE_C,
    INN_A,
    JEWELLER_C,
    LETTERS,
    LIBRARY_A,
    RESOURCES,
    TILE_POINTS,
    USED_UP,
)
from landfall.games.atlandice.scoring import holders, tiles_of, total
from landfall.games.atlandice.visits import pieces_in

if TYPE_CHECKING:
    from landfall.games.atlandice.state import AtlandiceState

ANSWERS: Final = Moves()
POINT: Final = 100
PIECE_WORTH: Final = 12  # of any piece, for inventories and donations to come
# Chance in a hundred to end with most of a resource, by the lead over the best of the others, from -4 to 4.
LEAD_CHANCE: Final = buf([4, 9, 18, 34, 52, 74, 88, 95, 98])
# What a tile's effect is worth to whom it benefits, before it is resolved.
EFFECT_WORTH: Final = buf([30, 25, 12, 22, 10, 30, 0, 10, 12, 15, 15, 15, 30, 15, 12])


def evaluate(s: AtlandiceState, seat: i64) -> i64:
    """Higher is better; comparable between positions that the same choice could lead to."""
    if s.actor == OVER:
        return standing(s, seat, True) * 4
    phase = s.phase
    if s.actor == seat and (phase in (BONUS, SWAP, PIECE_TO, DIE_TO, DONATE_SECOND)):
        return best_child(s, seat)  # the second half of one choice: judged by its best answer
    value = standing(s, seat, False)
    for resource in range(RESOURCES):
        if s.top[resource] != USED_UP:
            value += balance(s, seat, resource, -1)
    if PIECE <= phase <= SECOND_ROLL and s.turn == seat:
        value += promise(s, seat)
    return value


def best_child(s: AtlandiceState, seat: i64) -> i64:
    ANSWERS.count = 0
    s.generate(ANSWERS)
    best: i64 = -1000000000
    for i in range(ANSWERS.count):  # no answer leads to another half choice, so the list is ours until the end
        child = s.copy()
        child.apply(ANSWERS.items[i])
        value = evaluate(child, seat)
        if value > best:
            best = value
    return best


def standing(s: AtlandiceState, seat: i64, final: bool) -> i64:
    """Points and tiles against the average of the other seats; a leader likes the clock to move."""
    mine: i64 = 0
    others: i64 = 0
    for other in range(s.players):
        points = total(s, other) if final else s.points[other] + TILE_POINTS * tiles_of(s, other)
        if other == seat:
            mine = points
        else:
            others += points
    lead = mine * (s.players - 1) - others
    last: i64 = len(s.face) - 1
    return lead * POINT + (lead * 2 if lead > -10 else -20) * s.hand // last


def balance(s: AtlandiceState, seat: i64, resource: i64, gainer: i64) -> i64:
    """A resource's worth to a seat against the other seats, if `gainer` (-1: nobody) had one more of it."""
    mine: i64 = 0
    others: i64 = 0
    for other in range(s.players):
        value = worth(s, other, resource, gainer)
        if other == seat:
            mine = value
        else:
            others += value
    return mine * (s.players - 1) - others


def worth(s: AtlandiceState, holder: i64, resource: i64, gainer: i64) -> i64:
    """What a holder may expect of a resource: its share now, the more so the nearer a scoring is, else its chance."""
    mine = s.stock[holder * RESOURCES + resource] + (1 if gainer == holder else 0)
    if mine == 0:
        return 0
    best: i64 = 0
    second: i64 = 0
    for other in range(holders(s)):
        if other != holder:
            count = s.stock[other * RESOURCES + resource] + (1 if gainer == other else 0)
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
    first_chance = LEAD_CHANCE[bounded(mine - best) + 4]
    later = 3 * first_chance + (100 - first_chance) * LEAD_CHANCE[bounded(mine - second) + 4] // 100
    near = nearness(s, resource)
    return (now * near + later * (100 - near)) // 100 + PIECE_WORTH * mine


def bounded(lead: i64) -> i64:
    if lead < -4:
        return -4
    return lead if lead < 4 else 4


def nearness(s: AtlandiceState, resource: i64) -> i64:
    """How near, up to 95 in a hundred, the resource's next scoring is: its region empties, or the clock ends."""
    by_region = 80 - 14 * pieces_in(s, resource)
    if s.held[resource] == 0:
        by_region = 0
    left: i64 = len(s.face) - 1 - s.hand
    by_clock = 95 - 22 * left
    near = by_region if by_region > by_clock else by_clock
    return near if near > 5 else 5


# --- the visit in progress ----------------------------------------------------------------------------------------


def promise(s: AtlandiceState, seat: i64) -> i64:
    """What the rest of the visit may bring: the best pieces lying here, then the effect."""
    phase = s.phase
    if phase == ROLL:
        return effect_promise(s, seat)
    if phase == SECOND_ROLL:
        return 60 * (s.players - 1) if s.holder == seat else 0
    value = best_gain(s, seat, s.at, 0)
    if phase == PIECE and s.submarine == s.at and pieces_in(s, s.at) > 1:
        value += best_gain(s, seat, s.at, 1)
    return value + effect_promise(s, seat) // 2


def best_gain(s: AtlandiceState, seat: i64, sector: i64, rank: i64) -> i64:
    """How much the best piece lying in a sector (rank 1: the second best) is worth to a seat when `holder` takes it."""
    best: i64 = -100000
    second: i64 = -100000
    for resource in range(RESOURCES):
        count = s.lying[sector * RESOURCES + resource]
        if count > 0:
            gain = balance(s, seat, resource, s.holder) - balance(s, seat, resource, -1)
            if gain > best:
                second = gain if count > 1 else best
                best = gain
            elif gain > second:
                second = gain
    if rank == 1:
        best = second
    return best if best > -100000 else 0


def effect_promise(s: AtlandiceState, seat: i64) -> i64:
    """What the visited tile's effect may bring."""
    if s.at == BLACK_MARKET or s.top[s.at] == FACE_DOWN:
        return 0
    tile = s.at * LETTERS + s.top[s.at]
    if tile in (INN_A, JEWELLER_C) or s.phase != ROLL:
        return EFFECT_WORTH[tile] * (s.players - 1) * (1 if s.holder == seat else -1)
    if tile == FORGE_C:
        return best_gain(s, seat, BLACK_MARKET, 0) // 6
    if tile == LIBRARY_A:
        best: i64 = 0
        for region in range(REGIONS):
            if region != s.at and pieces_in(s, region) > 0:
                gain = best_gain(s, seat, region, 0)
                if gain > best:
                    best = gain
        return best // 3
    return best_gain(s, seat, s.at, 0) // 2
