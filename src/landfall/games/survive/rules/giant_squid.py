"""Q · Giant squid: where it comes, and whom it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules.actions import PICK, PUT
from landfall.games.survive.rules.board import SPACES
from landfall.games.survive.rules.components import EXPLORERS, SEA, SQUID, WHALE
from landfall.games.survive.rules.phases import PREY, PUTTING_SQUID, STEP_TILE
from landfall.games.survive.rules.pieces import (
    are_adjacent,
    has_occupied_ship,
    is_on_board,
    is_vacant_sea,
    put_creature,
    remove_explorer,
    take_kind,
    touches_explorers,
    touches_tile,
)
from landfall.games.survive.rules.turn import ask_seat, resume_step

if TYPE_CHECKING:
    from landfall.games.survive.rules.position import SurvivePosition

# --- arriving -------------------------------------------------------------------------------------------------


def bring_squid(s: SurvivePosition) -> None:
    """SV.Q1: with no fitting space, or none left in the supply, no squid comes."""
    if s.creature_left[SQUID] > 0:
        for space in range(SPACES):
            if takes_squid(s, space):
                ask_seat(s, s.turn, PUTTING_SQUID)
                return
    resume_step(s)


def takes_squid(s: SurvivePosition, space: i64) -> bool:
    return is_vacant_sea(s, space) and touches_tile(s, space)


def add_legal_squid_puts(s: SurvivePosition, moves: ActionList) -> None:
    for space in range(SPACES):
        if is_vacant_sea(s, space) and touches_tile(s, space):
            moves.add(PUT + space)


def squid_put_forbidden_by(s: SurvivePosition, space: i64) -> str:
    return "" if takes_squid(s, space) else "SV.Q1"


def put_squid(s: SurvivePosition, space: i64) -> None:
    """SV.Q2: beside a tile with explorers one of them is taken, unless SV.Q9 spares them."""
    s.creature = put_creature(s, SQUID, space)
    s.prey_aboard = 0
    if not s.rules.squid_spares_on_arrival and touches_explorers(s, space):
        ask_seat(s, s.turn, PREY)
    else:
        resume_step(s)


# --- hunting --------------------------------------------------------------------------------------------------


def strike_squid(s: SurvivePosition, squid: i64) -> None:
    """SV.Q5: after any move every whale in its space goes; then it takes one explorer, if one is within reach."""
    space = s.creature_space[squid]
    take_kind(s, WHALE, space, "squid")
    s.creature = squid
    s.prey_aboard = 1 if has_occupied_ship(s, space) else 0
    if s.prey_aboard == 1 or touches_explorers(s, space):
        ask_seat(s, s.turn, PREY)
    else:
        resume_step(s)


def add_legal_prey(s: SurvivePosition, moves: ActionList) -> None:
    space = s.creature_space[s.creature]
    for e in range(EXPLORERS):
        at = s.where[e]
        if at < 0 or at >= SPACES:
            continue
        if at == space:
            if s.aboard[e] >= 0 and s.prey_aboard == 1:
                moves.add(PICK + e)
        elif s.tile[at] != SEA and are_adjacent(space, at):
            moves.add(PICK + e)


def prey_rule(s: SurvivePosition) -> str:
    """SV.Q2 if the squid was placed, SV.Q5 if it moved: the rule for its prey, which must be taken."""
    return "SV.Q2" if s.step == STEP_TILE else "SV.Q5"


def prey_forbidden_by(s: SurvivePosition, e: i64) -> str:
    space = s.creature_space[s.creature]
    if not is_on_board(s, e):
        return prey_rule(s)
    at = s.where[e]
    if s.aboard[e] >= 0:
        return "" if at == space and s.prey_aboard == 1 else prey_rule(s)
    return "" if s.tile[at] != SEA and are_adjacent(at, space) else prey_rule(s)


def pick_prey(s: SurvivePosition, e: i64) -> None:
    """SV.Q10: nobody is asked for a defence tile."""
    remove_explorer(s, e, "squid")
    resume_step(s)
