"""N · Dolphins: after every event dolphins without a ward take one, then SV.M12 takes the unguarded (SV.N12)."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules import codes, components, phases, piece_positions
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.turn import end_match_or_resume_step, set_actor_and_phase


def resolve_dangers_and_resume_step(s: SurvivePosition, space: i64, too: i64) -> None:
    """Finish an event that touched one or two spaces (-1: none), then continue the current step."""
    if s.rules.dolphins:
        s.touched = space
        s.touched_too = too
        if assign_wards_or_ask(s, space) or (too >= 0 and assign_wards_or_ask(s, too)):
            return
    remove_swimmers_if_predator_there(s, space)
    if too >= 0:
        remove_swimmers_if_predator_there(s, too)
    end_match_or_resume_step(s)


def assign_wards_or_ask(s: SurvivePosition, space: i64) -> bool:
    """SV.N5, SV.N6: dolphins without a ward take swimmers. True if dolphins are too few: somebody must choose."""
    free = piece_positions.count_free_dolphins(s, space)
    if free <= 0:
        return False
    prey = piece_positions.count_unguarded_swimmers(s, space)
    if prey > free:
        set_actor_and_phase(s, piece_positions.seat_of_current_event(s), phases.WARD)
        return True
    for e in range(components.EXPLORERS):
        if prey > 0 and s.where[e] == space and piece_positions.is_swimming(s, e) and s.guard[e] < 0:
            piece_positions.assign_ward(s, first_free_dolphin(s, space), e)
            prey -= 1
    return False


def first_free_dolphin(s: SurvivePosition, space: i64) -> i64:
    """The first dolphin (0 to 3) without a ward in a space that has one."""
    dolphin: i64 = 0
    while s.creature_space[components.FIRST_DOLPHIN + dolphin] != space or s.ward[dolphin] >= 0:
        dolphin += 1
    return dolphin


def remove_swimmers_if_predator_there(s: SurvivePosition, space: i64) -> None:
    """SV.M12: with a serpent or a shark there, unguarded swimmers are removed from the game."""
    if s.creatures_at[space] & components.DEADLY == 0 or piece_positions.count_unguarded_swimmers(s, space) <= 0:
        return
    by = "serpent" if s.creatures_at[space] & components.SERPENTS != 0 else "shark"
    for e in range(components.EXPLORERS):
        if s.where[e] == space and s.aboard[e] < 0 and s.guard[e] < 0:
            piece_positions.remove_explorer(s, e, by)


# --- choosing a ward ------------------------------------------------------------------------------------------


def space_of_ward_choice(s: SurvivePosition) -> i64:
    """The space in which a ward is being chosen."""
    if (
        piece_positions.count_free_dolphins(s, s.touched) > 0
        and piece_positions.count_unguarded_swimmers(s, s.touched) > 0
    ):
        return s.touched
    return s.touched_too


def add_legal_ward_choices(s: SurvivePosition, moves: ActionList) -> None:
    space = space_of_ward_choice(s)
    for e in range(components.EXPLORERS):
        if s.where[e] == space and s.aboard[e] < 0 and s.guard[e] < 0:
            moves.add(codes.PICK + e)


def rule_forbidding_ward(s: SurvivePosition, e: i64) -> str:
    if not piece_positions.is_swimming(s, e) or s.where[e] != space_of_ward_choice(s):
        return "SV.N4"
    return "SV.N4" if s.guard[e] >= 0 else ""


def pick_ward(s: SurvivePosition, e: i64) -> None:
    piece_positions.assign_ward(s, first_free_dolphin(s, s.where[e]), e)
    resolve_dangers_and_resume_step(s, s.touched, s.touched_too)


# --- SV.N9: another ward --------------------------------------------------------------------------------------


def may_change_ward(s: SurvivePosition, dolphin: i64, e: i64) -> bool:
    """A dolphin named by the dice may take another unguarded swimmer in its space as its ward."""
    space = s.creature_space[components.FIRST_DOLPHIN + dolphin]
    return (
        space >= 0
        and s.ward[dolphin] >= 0
        and s.where[e] == space
        and piece_positions.is_swimming(s, e)
        and s.guard[e] < 0
    )


def change_ward(s: SurvivePosition, dolphin: i64, e: i64) -> None:
    left = s.ward[dolphin]
    piece_positions.free_ward(s, left)
    piece_positions.assign_ward(s, dolphin, e)
    resolve_dangers_and_resume_step(s, s.where[e], -1)
