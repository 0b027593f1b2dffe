"""H · Hand tiles, step 1: a dolphin for a swimmer, wind for a ship, a creature sent elsewhere."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules import board, codes, components, defence, message_types, phases, piece_positions
from landfall.games.survive.rules.creatures import add_moves_to_vacant_sea, record_creature_move
from landfall.games.survive.rules.dolphins import resolve_dangers_and_resume_step
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.giant_squid import remove_whales_and_ask_squid_prey
from landfall.games.survive.rules.movement import record_ship_moved, resolve_ship_meeting_creatures
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.reachability import add_reachable_spaces, can_reach, shortest_route
from landfall.games.survive.rules.turn import end_match_or_resume_step


def tile_that_moves_kind(kind: components.Kind) -> components.Back:
    """The tile that moves creatures of a kind: SV.H3; SV.Q3: the whale's also moves squids. Dolphins have none."""
    return components.Back(components.MOVE_TILE[kind])


# --- listing --------------------------------------------------------------------------------------------------


def add_legal_hand_tile_uses(s: SurvivePosition, moves: ActionList) -> None:
    """SV.T2: pass, or any use of a tile in the hand."""
    add_legal_hand_tile_uses_except_sending(s, moves)
    for c in range(components.CREATURES):
        tile = tile_that_moves_kind(components.kind_of_creature(c))
        if (
            s.creature_space[c] >= 0
            and tile != components.NO_BACK
            and defence.holds_hand_tile(s, s.actor, tile)
            and piece_positions.is_first_of_equal_creatures(s, c)
        ):
            add_moves_to_vacant_sea(s, moves, codes.MOVE + c * board.SPACES)
            if defence.may_play_terrain(s, s.actor, tile, components.FOREST):
                add_moves_to_vacant_sea(s, moves, codes.SEND_FOREST + c * board.SPACES)


def add_legal_hand_tile_uses_except_sending(s: SurvivePosition, moves: ActionList) -> None:
    """All uses except sending a creature to a vacant space: pass, a swimmer, a ship, a squid that stays."""
    seat = s.actor
    moves.add(codes.END)
    if defence.holds_hand_tile(s, seat, components.DOLPHIN_TILE):
        both = defence.may_play_terrain(s, seat, components.DOLPHIN_TILE, components.FOREST)
        for i in range(piece_positions.explorers_per_seat(s)):
            e = piece_positions.nth_explorer_of_seat(s, seat, i)
            if piece_positions.is_swimming(s, e):
                add_reachable_spaces(
                    s, components.SWIMMER, s.where[e], components.TILE_REACH, moves, codes.SWIM + i * board.SPACES
                )
                if both:
                    add_reachable_spaces(
                        s,
                        components.SWIMMER,
                        s.where[e],
                        components.TILE_REACH,
                        moves,
                        codes.SWIM_FOREST + i * board.SPACES,
                    )
    if defence.holds_hand_tile(s, seat, components.WIND):
        for ship in range(components.SHIPS):
            if s.ship_space[ship] >= 0 and piece_positions.does_seat_control_ship(s, seat, ship):
                add_reachable_spaces(
                    s,
                    components.WIND_SHIP,
                    s.ship_space[ship],
                    components.TILE_REACH,
                    moves,
                    codes.SHIP_TO + ship * board.SPACES,
                )
    if defence.holds_hand_tile(s, seat, components.MOVE_WHALE):
        both = defence.may_play_terrain(s, seat, components.MOVE_WHALE, components.FOREST)
        for c in range(components.FIRST[components.SQUID], components.FIRST[components.SQUID + 1]):
            if s.creature_space[c] >= 0 and piece_positions.is_first_of_equal_creatures(s, c):
                moves.add(codes.MOVE + c * board.SPACES + s.creature_space[c])  # SV.Q4
                if both:
                    moves.add(codes.SEND_FOREST + c * board.SPACES + s.creature_space[c])


# --- checking -------------------------------------------------------------------------------------------------


def rule_forbidding_sending_creature(s: SurvivePosition, c: i64, to: i64) -> str:
    """SV.H3: one such creature to any vacant sea space."""
    tile = tile_that_moves_kind(components.kind_of_creature(c))
    if tile == components.NO_BACK:
        return "SV.H3"
    if not defence.holds_hand_tile(s, s.actor, tile):
        return "SV.T2"
    if s.creature_space[c] < 0 or not piece_positions.is_first_of_equal_creatures(s, c):
        return "LF.1"
    if s.creature_space[c] == to:
        return "" if components.KIND_OF[c] == components.SQUID else "SV.H3"
    return "" if piece_positions.is_vacant_sea(s, to) else "SV.H3"


def rule_forbidding_dolphin_tile(s: SurvivePosition, i: i64, to: i64) -> str:
    """SV.H1: one own swimmer, one to three sea spaces."""
    if i >= piece_positions.explorers_per_seat(s):
        return "SV.V1"
    e = piece_positions.nth_explorer_of_seat(s, s.actor, i)
    if not defence.holds_hand_tile(s, s.actor, components.DOLPHIN_TILE):
        return "SV.T2"
    if not piece_positions.is_swimming(s, e) or s.where[e] == to:
        return "SV.H1"
    return "" if can_reach(s, components.SWIMMER, s.where[e], to, components.TILE_REACH) else "SV.H1"


def rule_forbidding_wind_tile(s: SurvivePosition, ship: i64, to: i64) -> str:
    """SV.H2: an occupied ship one controls, one to three spaces."""
    at = s.ship_space[ship]
    if not defence.holds_hand_tile(s, s.actor, components.WIND):
        return "SV.T2"
    if at < 0 or at == to or not piece_positions.does_seat_control_ship(s, s.actor, ship):
        return "SV.H2"
    if s.tile[to] != components.SEA:
        return "SV.S1"
    if s.ship_at[to] >= 0:
        return "SV.S4"
    if s.creatures_at[to] & components.SQUIDS != 0:
        return "SV.Q7"
    return "" if can_reach(s, components.WIND_SHIP, at, to, components.TILE_REACH) else "SV.H2"


def rule_forbidding_higher_terrain(s: SurvivePosition, family: i64, c: i64, terrain: components.Terrain) -> str:
    """SV.R8: the tile of a higher terrain, for an action that is legal with that of the lowest held."""
    if s.phase != phases.HAND and s.phase != phases.DEFENDING:
        return "LF.1"
    back = tile_played_by(s, family, c)
    return "" if defence.may_play_terrain(s, s.actor, back, terrain) else "SV.R8"


def tile_played_by(s: SurvivePosition, family: i64, c: i64) -> components.Back:
    """The hand tile that an action plays: by its family and, of MOVE, its creature."""
    if family == codes.DEFEND:
        return defence.matching_defence_tile(s)
    return components.DOLPHIN_TILE if family == codes.SWIM else tile_that_moves_kind(components.kind_of_creature(c))


# --- applying -------------------------------------------------------------------------------------------------


def send_creature_by_tile(s: SurvivePosition, c: i64, to: i64, terrain: components.Terrain) -> None:
    kind = components.kind_of_creature(c)
    defence.discard_hand_tile(s, s.actor, tile_that_moves_kind(kind), terrain)
    record_creature_move(s, c, to, 0)
    if s.creature_space[c] != to:
        piece_positions.move_creature_to_space(s, c, to)
    if kind == components.SQUID:
        remove_whales_and_ask_squid_prey(s, c)
    else:
        end_match_or_resume_step(s)


def move_swimmer_by_tile(s: SurvivePosition, i: i64, to: i64, terrain: components.Terrain) -> None:
    e = piece_positions.nth_explorer_of_seat(s, s.actor, i)
    at = s.where[e]
    defence.discard_hand_tile(s, s.actor, components.DOLPHIN_TILE, terrain)
    if s.events is not None:
        names = [board.place_name(p) for p in shortest_route(s, components.SWIMMER, at, to, components.TILE_REACH)]
        event: message_types.Moved = {
            "kind": "moved",
            "piece": piece_positions.explorer_name(int(e)),
            "how": "dolphin_tile",
            "from": names[0],
            "to": names[-1],
            "path": names,
        }
        record_event(s, event)
    piece_positions.lift_explorer_off(s, e)
    piece_positions.put_explorer_on_space(s, e, to)
    resolve_dangers_and_resume_step(s, to, at)


def move_ship_by_wind_tile(s: SurvivePosition, ship: i64, to: i64) -> None:
    defence.discard_hand_tile(s, s.actor, components.WIND, components.SEA)
    if s.events is not None:
        record_ship_moved(
            s, ship, shortest_route(s, components.WIND_SHIP, s.ship_space[ship], to, components.TILE_REACH), "wind"
        )
    piece_positions.move_ship_to_space(s, ship, to)
    resolve_ship_meeting_creatures(s, ship)
