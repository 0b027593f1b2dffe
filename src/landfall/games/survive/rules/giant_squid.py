"""Q · Giant squid: where it comes, and whom it takes."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules import board, codes, components, phases, piece_positions
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.turn import end_match_or_resume_step, set_actor_and_phase

# --- arriving -------------------------------------------------------------------------------------------------


def ask_squid_placement(s: SurvivePosition) -> None:
    """SV.Q1: with no fitting space, or none left in the supply, no squid comes."""
    if s.creature_left[components.SQUID] > 0:
        for space in range(board.SPACES):
            if may_put_squid(s, space):
                set_actor_and_phase(s, s.turn, phases.PUTTING_SQUID)
                return
    end_match_or_resume_step(s)


def may_put_squid(s: SurvivePosition, space: i64) -> bool:
    return piece_positions.is_vacant_sea(s, space) and piece_positions.is_beside_tile(s, space)


def add_legal_squid_puts(s: SurvivePosition, moves: ActionList) -> None:
    for space in range(board.SPACES):
        if piece_positions.is_vacant_sea(s, space) and piece_positions.is_beside_tile(s, space):
            moves.add(codes.PUT + space)


def rule_forbidding_squid_put(s: SurvivePosition, space: i64) -> str:
    return "" if may_put_squid(s, space) else "SV.Q1"


def put_squid_from_supply(s: SurvivePosition, space: i64) -> None:
    """SV.Q2: beside a tile with explorers one of them is taken, unless SV.Q9 spares them."""
    s.creature = piece_positions.bring_creature_from_supply(s, components.SQUID, space)
    s.prey_aboard = 0
    if not s.rules.squid_spares_on_arrival and piece_positions.is_beside_tile_with_explorers(s, space):
        set_actor_and_phase(s, s.turn, phases.PREY)
    else:
        end_match_or_resume_step(s)


# --- hunting --------------------------------------------------------------------------------------------------


def remove_whales_and_ask_squid_prey(s: SurvivePosition, squid: i64) -> None:
    """SV.Q5: after any move every whale in its space goes; then it takes one explorer, if one is within reach."""
    space = s.creature_space[squid]
    piece_positions.remove_creatures_of_kind(s, components.WHALE, space, "squid")
    s.creature = squid
    s.prey_aboard = 1 if piece_positions.has_occupied_ship(s, space) else 0
    if s.prey_aboard == 1 or piece_positions.is_beside_tile_with_explorers(s, space):
        set_actor_and_phase(s, s.turn, phases.PREY)
    else:
        end_match_or_resume_step(s)


def add_legal_squid_prey_choices(s: SurvivePosition, moves: ActionList) -> None:
    space = s.creature_space[s.creature]
    for e in range(components.EXPLORERS):
        at = s.where[e]
        if at < 0 or at >= board.SPACES:
            continue
        if at == space:
            if s.aboard[e] >= 0 and s.prey_aboard == 1:
                moves.add(codes.PICK + e)
        elif s.tile[at] != components.SEA and piece_positions.are_adjacent(space, at):
            moves.add(codes.PICK + e)


def rule_requiring_squid_prey(s: SurvivePosition) -> str:
    """SV.Q2 if the squid was placed, SV.Q5 if it moved: the rule for its prey, which must be taken."""
    return "SV.Q2" if s.step == phases.STEP_TILE else "SV.Q5"


def rule_forbidding_squid_prey(s: SurvivePosition, e: i64) -> str:
    space = s.creature_space[s.creature]
    if not piece_positions.is_on_board(s, e):
        return rule_requiring_squid_prey(s)
    at = s.where[e]
    if s.aboard[e] >= 0:
        return "" if at == space and s.prey_aboard == 1 else rule_requiring_squid_prey(s)
    return (
        "" if s.tile[at] != components.SEA and piece_positions.are_adjacent(at, space) else rule_requiring_squid_prey(s)
    )


def take_squid_prey(s: SurvivePosition, e: i64) -> None:
    """SV.Q10: nobody is asked for a defence tile."""
    piece_positions.remove_explorer(s, e, "squid")
    end_match_or_resume_step(s)
