"""H · Hand tiles, step 1: a dolphin for a swimmer, wind for a ship, a creature sent elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import Moves
from landfall.games.survive.actions import END, MOVE, SHIP_TO, SWIM
from landfall.games.survive.board import SPACES, place_name
from landfall.games.survive.components import (
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
from landfall.games.survive.creatures import generate_vacant, tell_creature
from landfall.games.survive.defence import discard, holds
from landfall.games.survive.dolphins import settle
from landfall.games.survive.events import tell
from landfall.games.survive.movement import meet, tell_ship
from landfall.games.survive.pieces import (
    controls,
    first_alike,
    leave,
    own,
    own_count,
    piece_name,
    shift_creature,
    shift_ship,
    stand,
    swims,
    vacant,
)
from landfall.games.survive.squid import strike_squid
from landfall.games.survive.travel import flood, reaches, route
from landfall.games.survive.turn import resume

if TYPE_CHECKING:
    from landfall.games.survive.messages import Moved
    from landfall.games.survive.position import SurvivePosition


def tile_for(kind: Kind) -> Back:
    """The tile that moves creatures of a kind: SV.H3; SV.Q3: the whale's moves squids too. A dolphin has none."""
    return Back(MOVE_TILE[kind])


# --- listing --------------------------------------------------------------------------------------------------


def generate_hand(s: SurvivePosition, moves: Moves) -> None:
    """SV.T2: pass, or whatever a tile of the hand can do."""
    generate_flights(s, moves)
    for c in range(CREATURES):
        tile = tile_for(kind_of(c))
        if s.creature_space[c] >= 0 and tile != NO_BACK and holds(s, s.actor, tile) and first_alike(s, c):
            generate_vacant(s, moves, MOVE + c * SPACES)


def generate_flights(s: SurvivePosition, moves: Moves) -> None:
    """All but sending a creature to a vacant space: pass, a swimmer, a ship, a squid that stays."""
    seat = s.actor
    moves.add(END)
    if holds(s, seat, DOLPHIN_TILE):
        for i in range(own_count(s)):
            e = own(s, seat, i)
            if swims(s, e):
                flood(s, SWIMMER, s.where[e], TILE_REACH, moves, SWIM + i * SPACES)
    if holds(s, seat, WIND):
        for ship in range(SHIPS):
            if s.ship_space[ship] >= 0 and controls(s, seat, ship):
                flood(s, WIND_SHIP, s.ship_space[ship], TILE_REACH, moves, SHIP_TO + ship * SPACES)
    if holds(s, seat, MOVE_WHALE):
        for c in range(FIRST[SQUID], FIRST[SQUID + 1]):
            if s.creature_space[c] >= 0 and first_alike(s, c):
                moves.add(MOVE + c * SPACES + s.creature_space[c])  # SV.Q4


# --- judging --------------------------------------------------------------------------------------------------


def forbids_send(s: SurvivePosition, c: i64, to: i64) -> str:
    """SV.H3: one such creature to any vacant sea space."""
    tile = tile_for(kind_of(c))
    if tile == NO_BACK or not holds(s, s.actor, tile):
        return "SV.H3"
    if s.creature_space[c] < 0 or not first_alike(s, c):
        return "LF.1"
    if s.creature_space[c] == to:
        return "" if KIND_OF[c] == SQUID else "SV.H3"
    return "" if vacant(s, to) else "SV.H3"


def forbids_swim(s: SurvivePosition, i: i64, to: i64) -> str:
    """SV.H1: one own swimmer, one to three sea spaces."""
    if i >= own_count(s):
        return "SV.V1"
    e = own(s, s.actor, i)
    if not holds(s, s.actor, DOLPHIN_TILE) or not swims(s, e) or s.where[e] == to:
        return "SV.H1"
    return "" if reaches(s, SWIMMER, s.where[e], to, TILE_REACH) else "SV.H1"


def forbids_wind(s: SurvivePosition, ship: i64, to: i64) -> str:
    """SV.H2: an occupied ship one controls, one to three spaces."""
    at = s.ship_space[ship]
    if not holds(s, s.actor, WIND) or at < 0 or at == to or not controls(s, s.actor, ship):
        return "SV.H2"
    if s.tile[to] != SEA:
        return "SV.S1"
    if s.ship_at[to] >= 0:
        return "SV.S4"
    if s.creatures_at[to] & SQUIDS != 0:
        return "SV.Q7"
    return "" if reaches(s, WIND_SHIP, at, to, TILE_REACH) else "SV.H2"


# --- doing ----------------------------------------------------------------------------------------------------


def send_creature(s: SurvivePosition, c: i64, to: i64) -> None:
    kind = kind_of(c)
    discard(s, s.actor, tile_for(kind))
    tell_creature(s, c, to, 0)
    if s.creature_space[c] != to:
        shift_creature(s, c, to)
    if kind == SQUID:
        strike_squid(s, c)
    else:
        resume(s)


def swim(s: SurvivePosition, i: i64, to: i64) -> None:
    e = own(s, s.actor, i)
    at = s.where[e]
    discard(s, s.actor, DOLPHIN_TILE)
    if s.events is not None:
        names = [place_name(p) for p in route(s, SWIMMER, at, to, TILE_REACH)]
        event: Moved = {
            "kind": "moved",
            "piece": piece_name(int(e)),
            "how": "dolphin_tile",
            "from": names[0],
            "to": names[-1],
            "path": names,
        }
        tell(s, event)
    leave(s, e)
    stand(s, e, to)
    settle(s, to, at)


def blow(s: SurvivePosition, ship: i64, to: i64) -> None:
    discard(s, s.actor, WIND)
    if s.events is not None:
        tell_ship(s, ship, route(s, WIND_SHIP, s.ship_space[ship], to, TILE_REACH), "wind")
    shift_ship(s, ship, to)
    meet(s, ship)
