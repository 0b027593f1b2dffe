"""R · Removing a tile: which tile may be removed, and the effect of its back, with SV.O5's fetched ships."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import CHANCE, ActionList
from landfall.games.survive.rules import (
    board,
    codes,
    components,
    hidden_information,
    message_types,
    options,
    phases,
    piece_positions,
)
from landfall.games.survive.rules.dolphins import resolve_dangers_and_resume_step
from landfall.games.survive.rules.event_recording import record_event, record_tile_kept
from landfall.games.survive.rules.giant_squid import ask_squid_placement
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.turn import end_match_or_resume_step, finish_match, set_actor_and_phase

# --- which tile -----------------------------------------------------------------------------------------------


def lowest_terrain_left(s: SurvivePosition) -> components.Terrain:
    terrain: i64 = components.BEACH
    while s.terrain_left[terrain] == 0:
        terrain += 1
    return components.Terrain(terrain)


def add_legal_sinks(s: SurvivePosition, moves: ActionList) -> None:
    """SV.R1: of the lowest terrain left, those that touch the sea; if none does, any of it."""
    terrain = lowest_terrain_left(s)
    before = moves.count
    for slot in range(board.SLOTS):
        space = board.SLOT_SPACE[slot]
        if s.tile[space] == terrain and piece_positions.is_beside_sea(s, space):
            moves.add(codes.SINK + slot)
    if moves.count > before:
        return
    for slot in range(board.SLOTS):
        if s.tile[board.SLOT_SPACE[slot]] == terrain:
            moves.add(codes.SINK + slot)


def rule_forbidding_sink(s: SurvivePosition, slot: i64) -> str:
    space = board.SLOT_SPACE[slot]
    if s.tile[space] == components.SEA or s.terrain_left[s.tile[space]] == 0:
        return "SV.R1"
    for lower in range(s.tile[space]):
        if s.terrain_left[lower] > 0:
            return "SV.R1"
    if piece_positions.is_beside_sea(s, space):
        return ""
    for other in range(board.SLOTS):
        at = board.SLOT_SPACE[other]
        if s.tile[at] == s.tile[space] and piece_positions.is_beside_sea(s, at):
            return "SV.R1"
    return ""


def sink_tile(s: SurvivePosition, slot: i64) -> None:
    """SV.R2: explorers on it become swimmers; then its back is revealed. SV.O4: the last one ends the game."""
    space = board.SLOT_SPACE[slot]
    terrain = components.Terrain(s.tile[space])
    if s.people_at[space] > 0:
        for e in range(components.EXPLORERS):
            if s.where[e] == space:
                s.changed |= components.BIT[e]
                s.marks[e] |= components.FELL
    if s.events is not None:
        fell: list[str] = [piece_positions.explorer_name(e) for e in range(components.EXPLORERS) if s.where[e] == space]
        event: message_types.Sunk = {
            "kind": "sunk",
            "seat": int(s.turn),
            "at": board.place_name(int(space)),
            "terrain": components.TERRAIN_NAMES[terrain],
            "fell": fell,
        }
        record_event(s, event)
    s.tile[space] = components.SEA  # SV.B5
    s.terrain_left[terrain] -= 1
    s.tiles_left -= 1
    s.tile_space = space
    s.tile_terrain = terrain
    if s.rules.submerged and s.tiles_left == 0:
        finish_match(s, "submerged")
    else:
        set_actor_and_phase(s, CHANCE, phases.DRAWING_BACK)


# --- the effect of its back -----------------------------------------------------------------------------------


def apply_tile_back(s: SurvivePosition, back: components.Back) -> None:
    terrain, space = s.tile_terrain, s.tile_space
    s.back_left[terrain * components.BACKS + back] -= 1
    if components.is_tile_kept_in_hand(s.rules.dolphins, back):  # SV.R8
        s.hand[components.hand_index(s.turn, terrain, back)] += 1
        s.hand_size[s.turn] += 1
        s.changed |= components.BIT[components.SEATS_CHANGED]
        if s.events is not None:
            event: message_types.Kept = {
                "kind": "kept",
                "seat": int(s.turn),
                "terrain": components.TERRAIN_NAMES[terrain],
            }
            record_tile_kept(
                s, event, {"back": components.BACK_NAMES[back]}, hidden_information.HAND_SECRET + int(s.turn)
            )
        end_match_or_resume_step(s)
        return
    if s.events is not None:
        record_event(s, {"kind": "revealed", "back": components.BACK_NAMES[back], "at": board.place_name(int(space))})
    if back == components.SHARK_TILE:  # SV.R3
        piece_positions.bring_creature_from_supply(s, components.SHARK, space)
        resolve_dangers_and_resume_step(s, space, -1)
    elif back == components.WHALE_TILE:
        apply_whale_tile_back(s, space)
    elif back == components.SHIP_TILE:
        bring_ship_or_ask_which_to_fetch(s)
    elif back == components.DOLPHIN_TILE:  # SV.N1
        piece_positions.bring_creature_from_supply(s, components.DOLPHIN, space)
        resolve_dangers_and_resume_step(s, space, -1)
    elif back == components.VOLCANO and not s.rules.to_the_last and not s.rules.submerged:
        finish_match(s, "volcano")  # SV.R7
    else:  # SV.R6; SV.O2, SV.O4: the volcano acts as one
        apply_whirlpool_tile_back(s, space)


def apply_whale_tile_back(s: SurvivePosition, space: i64) -> None:
    """SV.R4; SV.Q1: a squid comes too; SV.Q8: or instead."""
    if s.rules.squid != options.INSTEAD_OF_WHALES:
        piece_positions.bring_creature_from_supply(s, components.WHALE, space)
    if s.rules.squid == options.NO_SQUID:
        end_match_or_resume_step(s)
    else:
        ask_squid_placement(s)


def apply_whirlpool_tile_back(s: SurvivePosition, space: i64) -> None:
    """SV.R6: every swimmer, creature, ship and passenger on that space and on the adjacent sea spaces."""
    if s.events is not None:
        record_event(s, {"kind": "whirlpool", "at": board.place_name(int(space))})
    swallow_all_in_space(s, space)
    for d in range(board.SIDES):
        n = board.NEXT[space * board.SIDES + d]
        if n >= 0 and s.tile[n] == components.SEA:
            swallow_all_in_space(s, n)
    end_match_or_resume_step(s)


def swallow_all_in_space(s: SurvivePosition, space: i64) -> None:
    if s.ship_at[space] >= 0:
        ship = s.ship_at[space]
        if s.events is not None:
            record_event(s, {"kind": "swallowed", "at": board.place_name(int(space)), "id": int(ship)})
        piece_positions.remove_ship_with_crew(s, ship, "whirlpool")
    if s.people_at[space] > 0:
        for e in range(components.EXPLORERS):
            if s.where[e] == space:
                piece_positions.remove_explorer(s, e, "whirlpool")
    if s.creatures_at[space] != 0:
        piece_positions.remove_all_creatures_in_space(s, space, "whirlpool")


# --- ships ----------------------------------------------------------------------------------------------------


def bring_ship_or_ask_which_to_fetch(s: SurvivePosition) -> None:
    """SV.R5; SV.O5: with an empty supply an empty ship is fetched; with none, nothing (SV.R9)."""
    if s.ships_left > 0:
        ship = piece_positions.bring_ship_from_supply(s, s.tile_space)
        if s.events is not None:
            record_event(s, {"kind": "ship_came", "at": board.place_name(int(s.tile_space)), "id": int(ship)})
        board_swimmers_or_ask_which(s)
        return
    if s.rules.crowded:
        for ship in range(components.SHIPS):
            if is_fetchable_ship(s, ship):
                set_actor_and_phase(s, s.turn, phases.FETCHING)
                return
    end_match_or_resume_step(s)


def is_fetchable_ship(s: SurvivePosition, ship: i64) -> bool:
    """An empty ship anywhere on the board."""
    return s.ship_space[ship] >= 0 and s.ship_seat[ship * components.SHIP_SEATS] < 0


def add_legal_fetches(s: SurvivePosition, moves: ActionList) -> None:
    for ship in range(components.SHIPS):
        if s.ship_space[ship] >= 0 and s.ship_seat[ship * components.SHIP_SEATS] < 0:
            moves.add(codes.FETCH + ship)


def rule_forbidding_fetch(s: SurvivePosition, ship: i64) -> str:
    return "" if is_fetchable_ship(s, ship) else "SV.O5"


def fetch_empty_ship(s: SurvivePosition, ship: i64) -> None:
    if s.events is not None:
        at, to = board.place_name(int(s.ship_space[ship])), board.place_name(int(s.tile_space))
        event: message_types.ShipMoved = {
            "kind": "ship_moved",
            "how": "fetch",
            "from": at,
            "to": to,
            "path": [at, to],
            "id": int(ship),
            "crew": [],
        }
        record_event(s, event)
    piece_positions.move_ship_to_space(s, ship, s.tile_space)
    board_swimmers_or_ask_which(s)


def board_swimmers_or_ask_which(s: SurvivePosition) -> None:
    """Swimmers there go aboard, three at most; if there are more, the remover chooses one by one."""
    if s.people_at[s.tile_space] > components.SHIP_SEATS:
        set_actor_and_phase(s, s.turn, phases.BOARDING)
        return
    for e in range(components.EXPLORERS):
        if s.where[e] == s.tile_space:
            put_swimmer_aboard(s, e)
    end_match_or_resume_step(s)


def put_swimmer_aboard(s: SurvivePosition, e: i64) -> None:
    piece_positions.lift_explorer_off(s, e)
    piece_positions.put_explorer_aboard(s, e, s.ship_at[s.tile_space])
    if s.events is not None:
        record_event(
            s,
            {
                "kind": "taken_aboard",
                "piece": piece_positions.explorer_name(int(e)),
                "at": board.place_name(int(s.tile_space)),
            },
        )


def add_legal_boardings(s: SurvivePosition, moves: ActionList) -> None:
    for e in range(components.EXPLORERS):
        if s.where[e] == s.tile_space and s.aboard[e] < 0:
            moves.add(codes.PICK + e)


def rule_forbidding_boarding(s: SurvivePosition, e: i64) -> str:
    return "" if piece_positions.is_swimming(s, e) and s.where[e] == s.tile_space else "SV.R5"


def board_picked_swimmer(s: SurvivePosition, e: i64) -> None:
    put_swimmer_aboard(s, e)
    if not piece_positions.has_free_seat(s, s.ship_at[s.tile_space]):
        end_match_or_resume_step(s)
