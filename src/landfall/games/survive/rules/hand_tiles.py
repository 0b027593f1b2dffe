"""H · Hand tiles, step 1: a dolphin for a swimmer, wind for a ship, a creature sent elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules.action_encoding import DEFEND, END, MOVE, SEND_FOREST, SHIP_TO, SWIM, SWIM_FOREST
from landfall.games.survive.rules.board import SPACES, place_name
from landfall.games.survive.rules.components import (
    CREATURES,
    DOLPHIN_TILE,
    FIRST,
    FOREST,
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
    Terrain,
    kind_of_creature,
)
from landfall.games.survive.rules.creatures import add_moves_to_vacant_sea, record_creature_move
from landfall.games.survive.rules.defence import (
    discard_hand_tile,
    holds_hand_tile,
    matching_defence_tile,
    may_play_terrain,
)
from landfall.games.survive.rules.dolphins import resolve_dangers_and_resume_step
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.giant_squid import remove_whales_and_ask_squid_prey
from landfall.games.survive.rules.movement import record_ship_moved, resolve_ship_meeting_creatures
from landfall.games.survive.rules.phases import DEFENDING, HAND
from landfall.games.survive.rules.piece_positions import (
    does_seat_control_ship,
    explorer_name,
    explorers_per_seat,
    is_first_of_equal_creatures,
    is_swimming,
    is_vacant_sea,
    lift_explorer_off,
    move_creature_to_space,
    move_ship_to_space,
    nth_explorer_of_seat,
    put_explorer_on_space,
)
from landfall.games.survive.rules.reachability import add_reachable_spaces, can_reach, shortest_route
from landfall.games.survive.rules.turn import end_match_or_resume_step

if TYPE_CHECKING:
    from landfall.games.survive.rules.message_types import Moved
    from landfall.games.survive.rules.position import SurvivePosition


def tile_that_moves_kind(kind: Kind) -> Back:
    """The tile that moves creatures of a kind: SV.H3; SV.Q3: the whale's also moves squids. Dolphins have none."""
    return Back(MOVE_TILE[kind])


# --- listing --------------------------------------------------------------------------------------------------


def add_legal_hand_tile_uses(s: SurvivePosition, moves: ActionList) -> None:
    """SV.T2: pass, or any use of a tile in the hand."""
    add_legal_hand_tile_uses_except_sending(s, moves)
    for c in range(CREATURES):
        tile = tile_that_moves_kind(kind_of_creature(c))
        if (
            s.creature_space[c] >= 0
            and tile != NO_BACK
            and holds_hand_tile(s, s.actor, tile)
            and is_first_of_equal_creatures(s, c)
        ):
            add_moves_to_vacant_sea(s, moves, MOVE + c * SPACES)
            if may_play_terrain(s, s.actor, tile, FOREST):
                add_moves_to_vacant_sea(s, moves, SEND_FOREST + c * SPACES)


def add_legal_hand_tile_uses_except_sending(s: SurvivePosition, moves: ActionList) -> None:
    """All uses except sending a creature to a vacant space: pass, a swimmer, a ship, a squid that stays."""
    seat = s.actor
    moves.add(END)
    if holds_hand_tile(s, seat, DOLPHIN_TILE):
        both = may_play_terrain(s, seat, DOLPHIN_TILE, FOREST)
        for i in range(explorers_per_seat(s)):
            e = nth_explorer_of_seat(s, seat, i)
            if is_swimming(s, e):
                add_reachable_spaces(s, SWIMMER, s.where[e], TILE_REACH, moves, SWIM + i * SPACES)
                if both:
                    add_reachable_spaces(s, SWIMMER, s.where[e], TILE_REACH, moves, SWIM_FOREST + i * SPACES)
    if holds_hand_tile(s, seat, WIND):
        for ship in range(SHIPS):
            if s.ship_space[ship] >= 0 and does_seat_control_ship(s, seat, ship):
                add_reachable_spaces(s, WIND_SHIP, s.ship_space[ship], TILE_REACH, moves, SHIP_TO + ship * SPACES)
    if holds_hand_tile(s, seat, MOVE_WHALE):
        both = may_play_terrain(s, seat, MOVE_WHALE, FOREST)
        for c in range(FIRST[SQUID], FIRST[SQUID + 1]):
            if s.creature_space[c] >= 0 and is_first_of_equal_creatures(s, c):
                moves.add(MOVE + c * SPACES + s.creature_space[c])  # SV.Q4
                if both:
                    moves.add(SEND_FOREST + c * SPACES + s.creature_space[c])


# --- checking -------------------------------------------------------------------------------------------------


def rule_forbidding_sending_creature(s: SurvivePosition, c: i64, to: i64) -> str:
    """SV.H3: one such creature to any vacant sea space."""
    tile = tile_that_moves_kind(kind_of_creature(c))
    if tile == NO_BACK:
        return "SV.H3"
    if not holds_hand_tile(s, s.actor, tile):
        return "SV.T2"
    if s.creature_space[c] < 0 or not is_first_of_equal_creatures(s, c):
        return "LF.1"
    if s.creature_space[c] == to:
        return "" if KIND_OF[c] == SQUID else "SV.H3"
    return "" if is_vacant_sea(s, to) else "SV.H3"


def rule_forbidding_dolphin_tile(s: SurvivePosition, i: i64, to: i64) -> str:
    """SV.H1: one own swimmer, one to three sea spaces."""
    if i >= explorers_per_seat(s):
        return "SV.V1"
    e = nth_explorer_of_seat(s, s.actor, i)
    if not holds_hand_tile(s, s.actor, DOLPHIN_TILE):
        return "SV.T2"
    if not is_swimming(s, e) or s.where[e] == to:
        return "SV.H1"
    return "" if can_reach(s, SWIMMER, s.where[e], to, TILE_REACH) else "SV.H1"


def rule_forbidding_wind_tile(s: SurvivePosition, ship: i64, to: i64) -> str:
    """SV.H2: an occupied ship one controls, one to three spaces."""
    at = s.ship_space[ship]
    if not holds_hand_tile(s, s.actor, WIND):
        return "SV.T2"
    if at < 0 or at == to or not does_seat_control_ship(s, s.actor, ship):
        return "SV.H2"
    if s.tile[to] != SEA:
        return "SV.S1"
    if s.ship_at[to] >= 0:
        return "SV.S4"
    if s.creatures_at[to] & SQUIDS != 0:
        return "SV.Q7"
    return "" if can_reach(s, WIND_SHIP, at, to, TILE_REACH) else "SV.H2"


def rule_forbidding_higher_terrain(s: SurvivePosition, family: i64, c: i64, terrain: Terrain) -> str:
    """SV.R8: the tile of a higher terrain, for an action that is legal with that of the lowest held."""
    if s.phase != HAND and s.phase != DEFENDING:
        return "LF.1"
    back = tile_played_by(s, family, c)
    return "" if may_play_terrain(s, s.actor, back, terrain) else "SV.R8"


def tile_played_by(s: SurvivePosition, family: i64, c: i64) -> Back:
    """The hand tile that an action plays: by its family and, of MOVE, its creature."""
    if family == DEFEND:
        return matching_defence_tile(s)
    return DOLPHIN_TILE if family == SWIM else tile_that_moves_kind(kind_of_creature(c))


# --- applying -------------------------------------------------------------------------------------------------


def send_creature_by_tile(s: SurvivePosition, c: i64, to: i64, terrain: Terrain) -> None:
    kind = kind_of_creature(c)
    discard_hand_tile(s, s.actor, tile_that_moves_kind(kind), terrain)
    record_creature_move(s, c, to, 0)
    if s.creature_space[c] != to:
        move_creature_to_space(s, c, to)
    if kind == SQUID:
        remove_whales_and_ask_squid_prey(s, c)
    else:
        end_match_or_resume_step(s)


def move_swimmer_by_tile(s: SurvivePosition, i: i64, to: i64, terrain: Terrain) -> None:
    e = nth_explorer_of_seat(s, s.actor, i)
    at = s.where[e]
    discard_hand_tile(s, s.actor, DOLPHIN_TILE, terrain)
    if s.events is not None:
        names = [place_name(p) for p in shortest_route(s, SWIMMER, at, to, TILE_REACH)]
        event: Moved = {
            "kind": "moved",
            "piece": explorer_name(int(e)),
            "how": "dolphin_tile",
            "from": names[0],
            "to": names[-1],
            "path": names,
        }
        record_event(s, event)
    lift_explorer_off(s, e)
    put_explorer_on_space(s, e, to)
    resolve_dangers_and_resume_step(s, to, at)


def move_ship_by_wind_tile(s: SurvivePosition, ship: i64, to: i64) -> None:
    discard_hand_tile(s, s.actor, WIND, SEA)
    if s.events is not None:
        record_ship_moved(s, ship, shortest_route(s, WIND_SHIP, s.ship_space[ship], to, TILE_REACH), "wind")
    move_ship_to_space(s, ship, to)
    resolve_ship_meeting_creatures(s, ship)
