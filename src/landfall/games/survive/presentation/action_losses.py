"""The immediate losses of a choice: the actor's explorers, and others' that it hits. All of it is public."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.games.survive.presentation import action_families
from landfall.games.survive.rules import board, codes, components, phases, piece_positions
from landfall.games.survive.rules.dolphins import space_of_ward_choice
from landfall.games.survive.rules.position import SurvivePosition

NO_LOSSES: Final[tuple[list[str], list[str]]] = ([], [])  # shared and immutable


def list_immediate_losses(s: SurvivePosition, a: int) -> tuple[list[str], list[str]]:
    """For a legal choice without defence: own explorers removed; others' removed, wrecked or exposed to a squid."""
    return NO_LOSSES if is_obviously_harmless(s, a) else find_losses_by_applying(s, a)


def find_losses_by_applying(s: SurvivePosition, a: int) -> tuple[list[str], list[str]]:
    """The same, found by applying the action to a copy."""
    after = s.copy()
    after.apply(a)
    while after.phase == phases.DEFENDING:
        after.apply(codes.END)
    prey = list_prey_actions(after)
    if after.phase == phases.PREY and len(prey) == 1:
        after.apply(prey[0])
    loses: list[str] = []
    hits: list[str] = []
    for e in range(components.EXPLORERS):
        if s.where[e] < 0 or s.where[e] >= board.SPACES:
            continue
        lost = after.where[e] == components.LOST
        if piece_positions.seat_of_explorer(s, e) == s.actor:
            if lost:
                loses.append(piece_positions.explorer_name(e))
        elif lost or (s.aboard[e] >= 0 and after.aboard[e] < 0) or int(codes.PICK) + e in prey:  # SV.K5, SV.S6: a wreck
            hits.append(piece_positions.explorer_name(e))
    return loses, hits if a != codes.END else []  # ending a step hits nobody


def list_prey_actions(after: SurvivePosition) -> list[int]:
    """SV.Q5: the explorers a squid may take; SV.N5: those exposed to a shark or serpent for lack of dolphins."""
    if after.phase == phases.PREY:
        return after.legal_actions()
    if after.phase == phases.WARD and after.creatures_at[space_of_ward_choice(after)] & components.DEADLY != 0:
        return after.legal_actions()
    return []


def is_obviously_harmless(s: SurvivePosition, a: i64) -> bool:
    """Whether the choice obviously removes and hits nobody, so that no trial is needed. Most choices are."""
    family, first, second = codes.decode_action(a)
    return action_families.FAMILIES[int(family)].is_harmless(s, first, second)
