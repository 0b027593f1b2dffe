"""K · Creatures on the die, with the dive dice of chapter N: what may move, how far, and its effects."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules import board, codes, components, message_types, phases, piece_positions
from landfall.games.survive.rules.defence import begin_asking_for_defence
from landfall.games.survive.rules.dolphins import may_change_ward, resolve_dangers_and_resume_step
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.giant_squid import remove_whales_and_ask_squid_prey
from landfall.games.survive.rules.movement import record_ship_moved
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.reachability import add_reachable_spaces, can_reach, shortest_route
from landfall.games.survive.rules.turn import end_match_or_resume_step, end_turn_and_begin_next, set_actor_and_phase

# By kind: the rule for its range on the creature die, and the rule for where it must stop.
TOO_FAR: Final = ("SV.K3", "SV.K4", "SV.K5", "SV.N2", "SV.Q3")
MUST_STOP: Final = ("SV.N3", "SV.K4", "SV.K5", "SV.N2", "SV.Q4")

# --- what the dice name ---------------------------------------------------------------------------------------


def is_kind_rolled(s: SurvivePosition, kind: components.Kind) -> bool:
    """SV.K1, SV.N2, SV.Q3: whether the rolled die names a kind of creature."""
    return components.MOVED_BY[s.face * components.MOVABLES + kind] != 0


def are_empty_ships_rolled(s: SurvivePosition) -> bool:
    """SV.N2: whether it names empty ships."""
    return components.MOVED_BY[s.face * components.MOVABLES + components.EMPTY_SHIP] != 0


def is_empty_ship(s: SurvivePosition, ship: i64) -> bool:
    return s.ship_space[ship] >= 0 and s.ship_seat[ship * components.SHIP_SEATS] < 0


def ask_roller_or_end_turn(s: SurvivePosition) -> None:
    """After the roll, the roller chooses if the dice name anything on the board (SV.K1)."""
    for c in range(components.CREATURES):
        if s.creature_space[c] >= 0 and is_kind_rolled(s, components.kind_of_creature(c)):
            set_actor_and_phase(s, s.turn, phases.CREATURE)
            return
    if are_empty_ships_rolled(s):
        for ship in range(components.SHIPS):
            if is_empty_ship(s, ship):
                set_actor_and_phase(s, s.turn, phases.CREATURE)
                return
    end_turn_and_begin_next(s)


def move_distance_of_kind(s: SurvivePosition, kind: components.Kind) -> i64:
    return s.far if s.far > 0 else components.REACH[kind]


# --- listing --------------------------------------------------------------------------------------------------


def add_legal_dice_moves(s: SurvivePosition, moves: ActionList, vacant_too: bool) -> None:
    """All moves that the dice allow. Those to any vacant space (the D) may be left out: callers sample them."""
    moves.add(codes.END)
    for c in range(components.CREATURES):
        at = s.creature_space[c]
        kind = components.kind_of_creature(c)
        if at < 0 or not is_kind_rolled(s, kind) or not piece_positions.is_first_of_equal_creatures(s, c):
            continue
        if kind == components.SQUID:
            moves.add(codes.MOVE + c * board.SPACES + at)  # SV.Q4: staying is a move
        if s.far == components.ANYWHERE:
            if vacant_too:
                add_moves_to_vacant_sea(s, moves, codes.MOVE + c * board.SPACES)
        else:
            add_reachable_spaces(s, kind, at, move_distance_of_kind(s, kind), moves, codes.MOVE + c * board.SPACES)
    if are_empty_ships_rolled(s):
        for ship in range(components.SHIPS):
            if not is_empty_ship(s, ship):
                continue
            if s.far == components.ANYWHERE:
                if vacant_too:
                    add_moves_to_vacant_sea(s, moves, codes.SHIP_TO + ship * board.SPACES)
            else:
                add_reachable_spaces(
                    s, components.EMPTY_SHIP, s.ship_space[ship], s.far, moves, codes.SHIP_TO + ship * board.SPACES
                )
    if is_kind_rolled(s, components.DOLPHIN):
        for dolphin in range(components.DOLPHINS):
            if s.creature_space[components.FIRST_DOLPHIN + dolphin] < 0:
                continue
            for e in range(components.EXPLORERS):
                if may_change_ward(s, dolphin, e):
                    moves.add(codes.CHANGE + dolphin * components.EXPLORERS + e)


def add_moves_to_vacant_sea(s: SurvivePosition, moves: ActionList, base: i64) -> None:
    """SV.N2, SV.H3: every vacant sea space."""
    items, count = moves.items, moves.count
    tile, creatures_at, people_at, ship_at = s.tile, s.creatures_at, s.people_at, s.ship_at
    for space in range(board.SPACES):
        if tile[space] == components.SEA and creatures_at[space] == 0 and people_at[space] == 0 and ship_at[space] < 0:
            items[count] = base + space
            count += 1
    moves.count = count


# --- checking -------------------------------------------------------------------------------------------------


def rule_forbidding_creature_dice_move(s: SurvivePosition, c: i64, to: i64) -> str:
    at = s.creature_space[c]
    kind = components.kind_of_creature(c)
    if not is_kind_rolled(s, kind):
        return "SV.N2" if s.rules.dolphins else "SV.K1"
    if at < 0 or not piece_positions.is_first_of_equal_creatures(s, c):
        return "LF.1"
    if at == to:
        return "" if kind == components.SQUID else "SV.K6"
    if s.far == components.ANYWHERE:
        return "" if piece_positions.is_vacant_sea(s, to) else "SV.N2"
    far = move_distance_of_kind(s, kind)
    if can_reach(s, kind, at, to, far):
        return ""
    if board.APART[at * board.SPACES + to] > far:
        return "SV.N2" if s.rules.dolphins else TOO_FAR[kind]
    # Within range: the way is blocked by land, or by something at which this kind must stop and a dolphin need not.
    if not can_reach(s, components.DOLPHIN, at, to, far):
        return "SV.K2"
    if kind == components.WHALE:
        for space in shortest_route(s, components.DOLPHIN, at, to, far)[1:-1]:
            if s.creatures_at[space] & components.SQUIDS != 0:
                return "SV.Q6"
    return MUST_STOP[kind]


def rule_forbidding_ship_drift(s: SurvivePosition, ship: i64, to: i64) -> str:
    """SV.N3: an empty ship moved by the dice."""
    if not are_empty_ships_rolled(s):
        return "SV.N2" if s.rules.dolphins else "SV.K1"
    at = s.ship_space[ship]
    if at < 0:
        return "LF.1"
    if s.ship_seat[ship * components.SHIP_SEATS] >= 0 or at == to:
        return "SV.N3"
    if s.far == components.ANYWHERE:
        return "" if piece_positions.is_vacant_sea(s, to) else "SV.N2"
    if s.tile[to] != components.SEA:
        return "SV.S1"
    if s.ship_at[to] >= 0:
        return "SV.S4"
    if can_reach(s, components.EMPTY_SHIP, at, to, s.far):
        return ""
    return "SV.N2" if board.APART[at * board.SPACES + to] > s.far else "SV.N3"


def rule_forbidding_ward_change(s: SurvivePosition, dolphin: i64, e: i64) -> str:
    if not is_kind_rolled(s, components.DOLPHIN):
        return "SV.N2" if s.rules.dolphins else "SV.K1"
    return "" if may_change_ward(s, dolphin, e) else "SV.N9"


# --- applying -------------------------------------------------------------------------------------------------


def record_creature_move(s: SurvivePosition, c: i64, to: i64, far: i64) -> None:
    """Record the event with its path, before the creature moves."""
    if s.events is None:
        return
    at = s.creature_space[c]
    names = [board.place_name(int(to))]
    if at != to:
        names = [board.place_name(p) for p in shortest_route(s, components.kind_of_creature(c), at, to, far)]
    event: message_types.CreatureMoved = {
        "kind": "creature_moved",
        "creature": components.KIND_NAMES[components.KIND_OF[c]],
        "id": int(c),
        "seat": int(s.turn),
        "from": names[0],
        "to": names[-1],
        "path": names,
    }
    record_event(s, event)


def move_creature_by_dice(s: SurvivePosition, c: i64, to: i64) -> None:
    """Move a creature, then remove what it hits or ask for defence."""
    kind = components.kind_of_creature(c)
    at = s.creature_space[c]
    record_creature_move(s, c, to, 0 if s.far == components.ANYWHERE else move_distance_of_kind(s, kind))
    if kind == components.DOLPHIN:
        move_dolphin_by_dice(s, c - components.FIRST_DOLPHIN, to)
        return
    if at != to:
        piece_positions.move_creature_to_space(s, c, to)
    if kind == components.SERPENT:  # SV.K3
        if piece_positions.has_occupied_ship(s, to):
            if s.events is not None:
                record_event(s, {"kind": "swallowed", "at": board.place_name(int(to)), "id": int(s.ship_at[to])})
            piece_positions.remove_ship_with_crew(s, s.ship_at[to], "serpent")
        resolve_dangers_and_resume_step(s, to, -1)
    elif kind == components.SHARK:
        if piece_positions.count_unguarded_swimmers(s, to) > 0:
            begin_asking_for_defence(s, c)
        else:
            end_match_or_resume_step(s)
    elif kind == components.WHALE:
        piece_positions.remove_creatures_of_kind(s, components.SQUID, to, "whale")  # SV.Q6: the squid first
        if piece_positions.has_occupied_ship(s, to):
            begin_asking_for_defence(s, c)
        else:
            end_match_or_resume_step(s)
    else:
        remove_whales_and_ask_squid_prey(s, c)


def move_dolphin_by_dice(s: SurvivePosition, dolphin: i64, to: i64) -> None:
    """SV.N8: it goes alone; SV.N6: it takes another ward where it comes to."""
    c = components.FIRST_DOLPHIN + dolphin
    at = s.creature_space[c]
    if s.ward[dolphin] >= 0:
        piece_positions.free_ward(s, s.ward[dolphin])
    piece_positions.move_creature_to_space(s, c, to)
    resolve_dangers_and_resume_step(s, at, to)


def drift_empty_ship(s: SurvivePosition, ship: i64, to: i64) -> None:
    """SV.N3: the dice move an empty ship."""
    if s.events is not None:
        at = s.ship_space[ship]
        record_ship_moved(
            s,
            ship,
            shortest_route(s, components.EMPTY_SHIP, at, to, 0 if s.far == components.ANYWHERE else s.far),
            "drift",
        )
    piece_positions.move_ship_to_space(s, ship, to)
    end_match_or_resume_step(s)
