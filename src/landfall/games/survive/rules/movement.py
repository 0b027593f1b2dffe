"""M · Movement of explorers, one step per point, and S · Ships moved by players."""

from __future__ import annotations

from typing import Literal

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules import board, codes, components, message_types, phases, piece_positions
from landfall.games.survive.rules.dolphins import resolve_dangers_and_resume_step
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.turn import end_match_or_resume_step

# --- listing --------------------------------------------------------------------------------------------------


def add_legal_movement_actions(s: SurvivePosition, moves: ActionList) -> None:
    """Step 2: every step of an own explorer, every ship the seat may move, and the end of the step (SV.T3)."""
    moves.add(codes.END)
    add_legal_steps(s, moves, False)
    items, count, tile, ship_at, beside = moves.items, moves.count, s.tile, s.ship_at, board.NEXT
    for ship in range(components.SHIPS):
        at = s.ship_space[ship]
        if at < 0:
            continue
        occupied = s.ship_seat[ship * components.SHIP_SEATS] >= 0
        if occupied and not piece_positions.does_seat_control_ship(s, s.actor, ship):
            continue
        for d in range(board.SIDES):
            n = beside[at * board.SIDES + d]
            if n < 0 or tile[n] != components.SEA or ship_at[n] >= 0:
                continue
            if not occupied or s.creatures_at[n] & components.SQUIDS == 0:
                items[count] = codes.SAIL + ship * board.SIDES + d
                count += 1
    moves.count = count


def add_legal_mini_round_actions(s: SurvivePosition, moves: ActionList) -> None:
    """SV.O5: one step of an own explorer that fell, by SV.M4, SV.M5, SV.M6, SV.M7 or SV.N7, or to decline."""
    moves.add(codes.END)
    add_legal_steps(s, moves, True)


def add_legal_steps(s: SurvivePosition, moves: ActionList, mini: bool) -> None:
    """Every step of every own explorer; in the mini-round only of those that fell, and none onto an isle."""
    where, marks, tile, ship_at, beside = s.where, s.marks, s.tile, s.ship_at, board.NEXT
    items, count = moves.items, moves.count
    for i in range(piece_positions.explorers_per_seat(s)):
        e = piece_positions.nth_explorer_of_seat(s, s.actor, i)
        at = where[e]
        if at < 0 or at >= board.SPACES or (mini and marks[e] & components.FELL == 0):
            continue
        base = codes.STEP + i * codes.WAYS_TO_STEP
        if tile[at] == components.SEA:
            moves.count = count
            add_legal_steps_at_sea(s, moves, e, base, mini)
            count = moves.count
            continue
        for d in range(board.SIDES):
            items[count] = base + d  # SV.M1, SV.M3: a slot has six neighbours
            count += 1
            ship = ship_at[beside[at * board.SIDES + d]]
            if ship >= 0 and piece_positions.has_free_seat(s, ship):
                items[count] = base + codes.ONTO_SHIP + d  # SV.M2
                count += 1
    moves.count = count


def add_legal_steps_at_sea(s: SurvivePosition, moves: ActionList, e: i64, base: i64, mini: bool) -> None:
    """The steps of one aboard or in the water."""
    at = s.where[e]
    acted = s.marks[e] & components.ACTED != 0
    if s.aboard[e] >= 0:
        for d in range(board.SIDES):
            n = board.NEXT[at * board.SIDES + d]
            if n >= 0 and s.ship_at[n] >= 0 and piece_positions.has_free_seat(s, s.ship_at[n]):
                moves.add(base + codes.ONTO_SHIP + d)  # SV.M4
        if not acted:
            moves.add(base + codes.DIVE)  # SV.M5
    elif not acted:
        guarded, tile = s.guard[e] >= 0, s.tile
        for d in range(board.SIDES):
            n = board.NEXT[at * board.SIDES + d]
            if n >= 0 and tile[n] == components.SEA:
                moves.add(base + d)  # SV.M6
                if guarded:
                    moves.add(base + codes.WITH_DOLPHIN + d)  # SV.N7
        ship = s.ship_at[at]
        if ship >= 0 and piece_positions.has_free_seat(s, ship):
            moves.add(base + codes.BOARD)  # SV.M7
    if board.ISLE_OF[at] >= 0 and not mini and (not acted or s.aboard[e] >= 0):
        moves.add(base + codes.LAND)  # SV.M8


# --- checking -------------------------------------------------------------------------------------------------


def rule_forbidding_step(s: SurvivePosition, i: i64, how: i64) -> str:
    if i >= piece_positions.explorers_per_seat(s):
        return "SV.V1"
    e = piece_positions.nth_explorer_of_seat(s, s.actor, i)
    at = s.where[e]
    if at >= board.FIRST_ISLE:
        return "SV.M8"
    if at < 0:
        return "LF.1"
    if s.phase == phases.MINI:
        if s.marks[e] & components.FELL == 0 or how == codes.LAND:
            return "SV.O5"
    if how == codes.DIVE:
        return "SV.M5" if s.aboard[e] < 0 else "SV.M9" if s.marks[e] & components.ACTED != 0 else ""
    if how == codes.BOARD:
        return rule_forbidding_boarding_ship(s, e)
    if how == codes.LAND:
        return rule_forbidding_landing(s, e)
    return rule_forbidding_adjacent_step(s, e, how // board.SIDES, board.NEXT[at * board.SIDES + how % board.SIDES])


def rule_forbidding_boarding_ship(s: SurvivePosition, e: i64) -> str:
    at = s.where[e]
    if s.aboard[e] >= 0 or s.tile[at] != components.SEA or s.ship_at[at] < 0:
        return "SV.M7"
    if s.marks[e] & components.ACTED != 0:
        return "SV.M9"
    return "" if piece_positions.has_free_seat(s, s.ship_at[at]) else "SV.S1"


def rule_forbidding_landing(s: SurvivePosition, e: i64) -> str:
    if board.ISLE_OF[s.where[e]] < 0:
        return "SV.M8"
    return "SV.M9" if s.aboard[e] < 0 and s.marks[e] & components.ACTED != 0 else ""


def rule_forbidding_adjacent_step(s: SurvivePosition, e: i64, manner: i64, n: i64) -> str:
    """A step to an adjacent space: plain (0), onto a ship (1), with the dolphin (2)."""
    at = s.where[e]
    if n < 0:
        return "SV.B1"
    if s.tile[at] != components.SEA:
        if manner == 2:
            return "SV.N7"
        if manner == 1:
            return "SV.M2" if s.ship_at[n] < 0 else "" if piece_positions.has_free_seat(s, s.ship_at[n]) else "SV.S1"
        return ""
    if s.aboard[e] >= 0:
        if manner == 1:
            return "SV.M4" if s.ship_at[n] < 0 else "" if piece_positions.has_free_seat(s, s.ship_at[n]) else "SV.S1"
        return "SV.M10" if s.tile[n] != components.SEA else "SV.M5"
    if s.tile[n] != components.SEA:
        return "SV.M10"
    if manner == 1:
        return "SV.M7"
    if s.marks[e] & components.ACTED != 0:
        return "SV.M9"
    return "SV.N7" if manner == 2 and s.guard[e] < 0 else ""


def rule_forbidding_sail(s: SurvivePosition, ship: i64, d: i64) -> str:
    at = s.ship_space[ship]
    if at < 0:
        return "LF.1"
    n = board.NEXT[at * board.SIDES + d]
    if n < 0:
        return "SV.B1"
    if s.tile[n] != components.SEA:
        return "SV.S1"
    if s.ship_at[n] >= 0:
        return "SV.S4"
    if s.ship_seat[ship * components.SHIP_SEATS] < 0:
        return ""
    if not piece_positions.does_seat_control_ship(s, s.actor, ship):
        return "SV.S3"
    return "SV.Q7" if s.creatures_at[n] & components.SQUIDS != 0 else ""


# --- applying -------------------------------------------------------------------------------------------------


def step_explorer(s: SurvivePosition, i: i64, how: i64) -> None:
    """One step of one of the actor's explorers."""
    e = piece_positions.nth_explorer_of_seat(s, s.actor, i)
    at = s.where[e]
    s.points -= 1  # SV.T3, SV.O5
    if how == codes.LAND:
        land_explorer(s, e)
    elif how == codes.DIVE:
        piece_positions.lift_explorer_off(s, e)
        piece_positions.put_explorer_on_space(s, e, at)
        s.marks[e] |= components.ACTED
        record_explorer_moved(s, e, "dive", at)
        resolve_dangers_and_resume_step(s, at, -1)
    elif how == codes.BOARD:
        s.marks[e] |= components.ACTED
        board_ship(s, e, s.ship_at[at], "board")
    else:
        n = board.NEXT[at * board.SIDES + how % board.SIDES]
        if how >= codes.WITH_DOLPHIN:
            swim_with_dolphin(s, e, n)
        elif how >= codes.ONTO_SHIP:
            board_ship(s, e, s.ship_at[n], "hop" if s.aboard[e] >= 0 else "embark")
        else:
            step_to_adjacent_space(s, e, n)


def step_to_adjacent_space(s: SurvivePosition, e: i64, n: i64) -> None:
    at = s.where[e]
    piece_positions.lift_explorer_off(s, e)
    piece_positions.put_explorer_on_space(s, e, n)
    if s.tile[n] != components.SEA:
        record_explorer_moved(s, e, "walk", at)
        end_match_or_resume_step(s)
        return
    s.marks[e] |= components.ACTED
    record_explorer_moved(s, e, "swim" if s.tile[at] == components.SEA else "enter", at)
    resolve_dangers_and_resume_step(s, n, at if s.tile[at] == components.SEA else -1)


def swim_with_dolphin(s: SurvivePosition, e: i64, n: i64) -> None:
    """SV.N7: the ward takes its dolphin along, guarded on the way and on arrival."""
    at = s.where[e]
    piece_positions.move_creature_to_space(s, components.FIRST_DOLPHIN + s.guard[e], n)
    s.creatures_at[at] -= components.ONE_WARD
    s.creatures_at[n] += components.ONE_WARD
    s.people_at[at] -= 1
    piece_positions.put_explorer_on_space(s, e, n)
    s.marks[e] |= components.ACTED
    record_explorer_moved(s, e, "with_dolphin", at)
    resolve_dangers_and_resume_step(s, n, at)


def board_ship(s: SurvivePosition, e: i64, ship: i64, how: str) -> None:
    """SV.M2, SV.M4, SV.M7; SV.M13: boarding an empty ship beside a serpent or a whale meets it."""
    at = s.where[e]
    was_empty = s.ship_seat[ship * components.SHIP_SEATS] < 0
    piece_positions.lift_explorer_off(s, e)
    piece_positions.put_explorer_aboard(s, e, ship)
    n = s.ship_space[ship]
    record_explorer_moved(s, e, how, at)
    if was_empty and s.creatures_at[n] & components.WRECKERS != 0:
        wreck_ship(s, ship)
    if s.tile[at] != components.SEA or at == n:
        resolve_dangers_and_resume_step(s, n, -1)
    else:
        resolve_dangers_and_resume_step(s, n, at)


def land_explorer(s: SurvivePosition, e: i64) -> None:
    """SV.M8: safe for good."""
    at = s.where[e]
    piece_positions.put_explorer_on_isle(s, e, board.ISLE_OF[at])
    if s.events is not None:
        event: message_types.Landed = {
            "kind": "landed",
            "piece": piece_positions.explorer_name(int(e)),
            "from": board.place_name(int(at)),
            "isle": board.place_name(int(s.where[e])),
        }
        record_event(s, event)
    resolve_dangers_and_resume_step(s, at, -1)


def sail_ship(s: SurvivePosition, ship: i64, d: i64) -> None:
    """SV.S2, SV.S3, SV.S4, SV.S5, SV.S6: one space; an occupied ship that meets a serpent or a whale is wrecked."""
    s.points -= 1
    at = s.ship_space[ship]
    n = board.NEXT[at * board.SIDES + d]
    record_ship_moved(s, ship, [int(at), int(n)], "sail")
    piece_positions.move_ship_to_space(s, ship, n)
    resolve_ship_meeting_creatures(s, ship)


def resolve_ship_meeting_creatures(s: SurvivePosition, ship: i64) -> None:
    """SV.S6: an occupied ship meets the creatures of its new space; sharks never touch ships (SV.S7)."""
    at = s.ship_space[ship]
    if s.ship_seat[ship * components.SHIP_SEATS] >= 0 and s.creatures_at[at] & components.WRECKERS != 0:
        wreck_ship(s, ship)
        resolve_dangers_and_resume_step(s, at, -1)
    else:
        end_match_or_resume_step(s)


def wreck_ship(s: SurvivePosition, ship: i64) -> None:
    """The ship is removed, its passengers become swimmers and cannot act in the water this turn (SV.M9)."""
    at = s.ship_space[ship]
    if s.events is not None:
        by: Literal["serpent", "whale"] = "serpent" if s.creatures_at[at] & components.SERPENTS != 0 else "whale"
        record_event(
            s,
            {"kind": "wrecked", "at": board.place_name(int(at)), "by": by, "crew": piece_positions.crew_names(s, ship)},
        )
    while s.ship_seat[ship * components.SHIP_SEATS] >= 0:
        e = s.ship_seat[ship * components.SHIP_SEATS]
        piece_positions.lift_explorer_off(s, e)
        piece_positions.put_explorer_on_space(s, e, at)
        s.marks[e] |= components.ACTED
    piece_positions.remove_empty_ship(s, ship)


# --- events ---------------------------------------------------------------------------------------------------


def record_explorer_moved(s: SurvivePosition, e: i64, how: str, at: i64) -> None:
    """Record the event after the step; `at` is where the explorer was."""
    if s.events is not None:
        event: message_types.Moved = {
            "kind": "moved",
            "piece": piece_positions.explorer_name(int(e)),
            "how": how,
            "from": board.place_name(int(at)),
            "to": board.place_name(int(s.where[e])),
        }
        record_event(s, event)


def record_ship_moved(s: SurvivePosition, ship: i64, path: list[int], how: str) -> None:
    if s.events is not None:
        names: list[str] = [board.place_name(p) for p in path]
        event: message_types.ShipMoved = {
            "kind": "ship_moved",
            "how": how,
            "from": names[0],
            "to": names[-1],
            "path": names,
            "id": int(ship),
            "crew": piece_positions.crew_names(s, ship),
        }
        record_event(s, event)
