"""The immediate losses of a choice: the actor's explorers, and others' that it hits. All of it is public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.games.survive.rules.action_encoding import (
    DEFEND,
    DIVE,
    END,
    MOVE,
    PICK,
    PLACE,
    PLACE_SECOND,
    PUT,
    SAIL,
    SHIP_TO,
    SINK,
    STEP,
    SWIM,
    decode_action,
)
from landfall.games.survive.rules.board import NEXT, SIDES, SPACES
from landfall.games.survive.rules.components import DEADLY, EXPLORERS, KIND_OF, LOST, SQUID
from landfall.games.survive.rules.dolphins import space_of_ward_choice
from landfall.games.survive.rules.phases import DEFENDING, PREY, PUTTING_SHIPS, WARD
from landfall.games.survive.rules.piece_positions import (
    explorer_name,
    is_beside_tile_with_explorers,
    nth_explorer_of_seat,
    seat_of_explorer,
)

if TYPE_CHECKING:
    from landfall.games.survive.rules.position import SurvivePosition

NO_LOSSES: Final[tuple[list[str], list[str]]] = ([], [])  # shared and immutable


def list_immediate_losses(s: SurvivePosition, a: int) -> tuple[list[str], list[str]]:
    """For a legal choice without defence: own explorers removed; others' removed, wrecked or exposed to a squid."""
    return NO_LOSSES if is_obviously_harmless(s, a) else find_losses_by_applying(s, a)


def find_losses_by_applying(s: SurvivePosition, a: int) -> tuple[list[str], list[str]]:
    """The same, found by applying the action to a copy."""
    after = s.copy()
    after.apply(a)
    while after.phase == DEFENDING:
        after.apply(END)
    prey = list_prey_actions(after)
    if after.phase == PREY and len(prey) == 1:
        after.apply(prey[0])
    loses: list[str] = []
    hits: list[str] = []
    for e in range(EXPLORERS):
        if s.where[e] < 0 or s.where[e] >= SPACES:
            continue
        lost = after.where[e] == LOST
        if seat_of_explorer(s, e) == s.actor:
            if lost:
                loses.append(explorer_name(e))
        elif lost or (s.aboard[e] >= 0 and after.aboard[e] < 0) or int(PICK) + e in prey:  # SV.K5, SV.S6: a wreck
            hits.append(explorer_name(e))
    return loses, hits if a != END else []  # ending a step hits nobody


def list_prey_actions(after: SurvivePosition) -> list[int]:
    """SV.Q5: the explorers a squid may take; SV.N5: those exposed to a shark or serpent for lack of dolphins."""
    if after.phase == PREY:
        return after.legal_actions()
    if after.phase == WARD and after.creatures_at[space_of_ward_choice(after)] & DEADLY != 0:
        return after.legal_actions()
    return []


def is_obviously_harmless(s: SurvivePosition, a: i64) -> bool:
    """Whether the choice obviously removes and hits nobody, so that no trial is needed. Most choices are."""
    family, first, second = decode_action(a)
    if family in (PLACE, PLACE_SECOND, SINK, DEFEND):
        return True  # the back of a tile is up to chance
    if family == PUT:
        return s.phase == PUTTING_SHIPS  # a squid may have prey where it is put
    if family == STEP:
        at = s.where[nth_explorer_of_seat(s, s.actor, first)]
        to = NEXT[at * SIDES + second % SIDES] if second < DIVE else at
        return s.creatures_at[at] == 0 and (to < 0 or s.creatures_at[to] == 0)
    if family == SAIL:
        to = NEXT[s.ship_space[first] * SIDES + second]
        return to >= 0 and s.creatures_at[to] == 0
    if family == MOVE:
        if KIND_OF[first] == SQUID and is_beside_tile_with_explorers(s, second):
            return False
        return s.people_at[s.creature_space[first]] == 0 and s.people_at[second] == 0 and s.ship_at[second] < 0
    if family == SHIP_TO:
        return s.creatures_at[second] == 0
    if family == SWIM:
        return s.creatures_at[s.where[nth_explorer_of_seat(s, s.actor, first)]] == 0 and s.creatures_at[second] == 0
    return False
