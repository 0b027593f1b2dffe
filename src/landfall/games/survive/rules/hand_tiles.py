"""H · Hand tiles, step 1: a dolphin for a swimmer, wind for a ship, a creature sent elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules.actions import END, MOVE, SHIP_TO, SWIM
from landfall.games.survive.rules.board import SPACES, place_name
from landfall.games.survive.rules.components import (
    CREATURES,
    DOLPHIN_TILE,
    FIRST,
    KIND_OF,
    MOVE_TILE,
    MOVE_WHALE,
    NO_BACK,
    SEA,
    SHIPS,
    SQUID,
    SQUIDS,
    SWIMMER,
    TILE_REACH,
    WIND,
    WIND_SHIP,
    Back,
    Kind,
    kind_of,
)
from landfall.games.survive.rules.creatures import add_legal_vacant, record_creature_move
from landfall.games.survive.rules.defence import discard_tile, holds_tile
from landfall.games.survive.rules.dolphins import finish_event
from landfall.games.survive.rules.events import record_event
from landfall.games.survive.rules.giant_squid import strike_squid
from landfall.games.survive.rules.movement import meet_creatures, record_ship_moved
from landfall.games.survive.rules.pieces import (
    controls_ship,
    explorers_per_seat,
    is_first_alike,
    is_swimming,
    is_vacant_sea,
    lift_explorer,
    own_explorer,
    piece_name,
    put_explorer,
    shift_creature,
    shift_ship,
)
from landfall.games.survive.rules.reachability import add_reachable, can_reach, shortest_route
from landfall.games.survive.rules.turn import resume_step

if TYPE_CHECKING:
    from landfall.games.survive.rules.message_types import Moved
    from landfall.games.survive.rules.position import SurvivePosition


def tile_for(kind: Kind) -> Back:
    """The tile that moves creatures of a kind: SV.H3; SV.Q3: the whale's also moves squids. Dolphins have none."""
    return Back(MOVE_TILE[kind])


# --- listing --------------------------------------------------------------------------------------------------


def add_legal_hand(s: SurvivePosition, moves: ActionList) -> None:
    """SV.T2: pass, or any use of a tile in the hand."""
    add_legal_flights(s, moves)
    for c in range(CREATURES):
        tile = tile_for(kind_of(c))
        if s.creature_space[c] >= 0 and tile != NO_BACK and holds_tile(s, s.actor, tile) and is_first_alike(s, c):
            add_legal_vacant(s, moves, MOVE + c * SPACES)


def add_legal_flights(s: SurvivePosition, moves: ActionList) -> None:
    """All uses except sending a creature to a vacant space: pass, a swimmer, a ship, a squid that stays."""
    seat = s.actor
    moves.add(END)
    if holds_tile(s, seat, DOLPHIN_TILE):
        for i in range(explorers_per_seat(s)):
            e = own_explorer(s, seat, i)
            if is_swimming(s, e):
                add_reachable(s, SWIMMER, s.where[e], TILE_REACH, moves, SWIM + i * SPACES)
    if holds_tile(s, seat, WIND):
        for ship in range(SHIPS):
            if s.ship_space[ship] >= 0 and controls_ship(s, seat, ship):
                add_reachable(s, WIND_SHIP, s.ship_space[ship], TILE_REACH, moves, SHIP_TO + ship * SPACES)
    if holds_tile(s, seat, MOVE_WHALE):
        for c in range(FIRST[SQUID], FIRST[SQUID + 1]):
            if s.creature_space[c] >= 0 and is_first_alike(s, c):
                moves.add(MOVE + c * SPACES + s.creature_space[c])  # SV.Q4


# --- checking -------------------------------------------------------------------------------------------------


def send_forbidden_by(s: SurvivePosition, c: i64, to: i64) -> str:
    """SV.H3: one such creature to any vacant sea space."""
    tile = tile_for(kind_of(c))
    if tile == NO_BACK or not holds_tile(s, s.actor, tile):
        return "SV.H3"
    if s.creature_space[c] < 0 or not is_first_alike(s, c):
        return "LF.1"
    if s.creature_space[c] == to:
        return "" if KIND_OF[c] == SQUID else "SV.H3"
    return "" if is_vacant_sea(s, to) else "SV.H3"


def swim_forbidden_by(s: SurvivePosition, i: i64, to: i64) -> str:
    """SV.H1: one own swimmer, one to three sea spaces."""
    if i >= explorers_per_seat(s):
        return "SV.V1"
    e = own_explorer(s, s.actor, i)
    if not holds_tile(s, s.actor, DOLPHIN_TILE) or not is_swimming(s, e) or s.where[e] == to:
        return "SV.H1"
    return "" if can_reach(s, SWIMMER, s.where[e], to, TILE_REACH) else "SV.H1"


def wind_forbidden_by(s: SurvivePosition, ship: i64, to: i64) -> str:
    """SV.H2: an occupied ship one controls, one to three spaces."""
    at = s.ship_space[ship]
    if not holds_tile(s, s.actor, WIND) or at < 0 or at == to or not controls_ship(s, s.actor, ship):
        return "SV.H2"
    if s.tile[to] != SEA:
        return "SV.S1"
    if s.ship_at[to] >= 0:
        return "SV.S4"
    if s.creatures_at[to] & SQUIDS != 0:
        return "SV.Q7"
    return "" if can_reach(s, WIND_SHIP, at, to, TILE_REACH) else "SV.H2"


# --- applying -------------------------------------------------------------------------------------------------


def send_creature(s: SurvivePosition, c: i64, to: i64) -> None:
    kind = kind_of(c)
    discard_tile(s, s.actor, tile_for(kind))
    record_creature_move(s, c, to, 0)
    if s.creature_space[c] != to:
        shift_creature(s, c, to)
    if kind == SQUID:
        strike_squid(s, c)
    else:
        resume_step(s)


def move_swimmer(s: SurvivePosition, i: i64, to: i64) -> None:
    e = own_explorer(s, s.actor, i)
    at = s.where[e]
    discard_tile(s, s.actor, DOLPHIN_TILE)
    if s.events is not None:
        names = [place_name(p) for p in shortest_route(s, SWIMMER, at, to, TILE_REACH)]
        event: Moved = {
            "kind": "moved",
            "piece": piece_name(int(e)),
            "how": "dolphin_tile",
            "from": names[0],
            "to": names[-1],
            "path": names,
        }
        record_event(s, event)
    lift_explorer(s, e)
    put_explorer(s, e, to)
    finish_event(s, to, at)


def blow_ship(s: SurvivePosition, ship: i64, to: i64) -> None:
    discard_tile(s, s.actor, WIND)
    if s.events is not None:
        record_ship_moved(s, ship, shortest_route(s, WIND_SHIP, s.ship_space[ship], to, TILE_REACH), "wind")
    shift_ship(s, ship, to)
    meet_creatures(s, ship)
