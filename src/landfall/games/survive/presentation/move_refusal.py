"""Explains why a piece cannot go to a place: the rule id for a click that is no action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.errors import NotationError
from landfall.core.hex_grid import DIRECTIONS
from landfall.core.state import NOT_A_CHOICE
from landfall.games.survive.presentation.notation import parse_action, parse_explorer
from landfall.games.survive.rules.board import BY_NAME, FIRST_ISLE, NEXT, SIDES, SLOT_OF, SPACES
from landfall.games.survive.rules.components import COLOUR_LETTERS, VALUES
from landfall.games.survive.rules.phases import (
    BOARDING,
    FETCHING,
    MINI,
    MOVING,
    PLACING,
    PREY,
    PUTTING_SHIPS,
    PUTTING_SQUID,
    REMOVING,
    WARD,
)
from landfall.games.survive.rules.piece_positions import seat_of_explorer

if TYPE_CHECKING:
    from landfall.games.survive.rules.position import SurvivePosition


def rule_forbidding_move_of_piece(s: SurvivePosition, piece: str, place: str) -> str | None:
    """None if the piece can go there, else the rule that forbids the most likely move.

    `piece` is an explorer (r3), `ship D3`, `shark E5`, or "" for a bare touch; `place` a space or an isle.
    """
    if place not in BY_NAME:
        return NOT_A_CHOICE
    first = ""
    for text in list_candidate_notations(s, piece, place):
        try:
            rule = s.forbidden_by(parse_action(s, text))
        except NotationError:
            continue
        if rule == "":
            return None
        if first in ("", NOT_A_CHOICE):
            first = rule
    if first == "" and s.phase in (MOVING, MINI):
        return rule_for_move_without_notation(s, piece)
    return first or NOT_A_CHOICE


def rule_for_move_without_notation(s: SurvivePosition, piece: str) -> str:
    """A step without notation: another's explorer (SV.M11), a safe one (SV.M8), or too far (SV.T3)."""
    too_far = "SV.T3" if s.phase == MOVING else "SV.O5"
    if piece.startswith("ship "):
        at = BY_NAME.get(piece.removeprefix("ship "), FIRST_ISLE)
        return too_far if at < SPACES and s.ship_at[at] >= 0 else NOT_A_CHOICE
    try:
        e = parse_explorer(piece, piece)
    except NotationError:
        return NOT_A_CHOICE
    if seat_of_explorer(s, e) != s.actor:
        return "SV.M11"
    if s.where[e] >= FIRST_ISLE:
        return "SV.M8"
    return too_far if s.where[e] >= 0 else NOT_A_CHOICE


def list_candidate_notations(s: SurvivePosition, piece: str, place: str) -> list[str]:
    """The notations of the actions that a click on this piece and place could mean, most likely first."""
    phase = s.phase
    if phase == PLACING:
        letter = piece[:1] or COLOUR_LETTERS[s.actor]
        return [f"{letter}{place}={value}" for value in range(1, VALUES + 1)]
    if phase in (PUTTING_SHIPS, PUTTING_SQUID):
        return [f"ship {place}"]
    if phase == REMOVING and piece == "":
        return [f"sink {place}"] if BY_NAME[place] < SPACES and SLOT_OF[BY_NAME[place]] >= 0 else []
    if phase in (WARD, PREY, BOARDING):
        return [f"pick {piece}"]
    if piece.startswith("ship "):
        at = piece.removeprefix("ship ")
        if phase == FETCHING:
            return [f"fetch {at}"]
        sails = [f"{at} {d}" for d in list_direction_if_adjacent(at, place)]
        return sails if phase in (MOVING, MINI) else [*sails, f"{at} {place}"]
    if " " in piece:
        return [f"{piece} {place}"]
    out: list[str] = []
    if place.startswith("@"):
        return [f"{piece} {place}", f"{piece} land"]
    at = explorer_space_name(s, piece)
    for d in list_direction_if_adjacent(at, place):
        out += [f"{piece} {d}", f"{piece} {d} ship", f"{piece} {d} dolphin"]
    if at == place:
        out += [f"{piece} board", f"{piece} dive"]
    if phase not in (MOVING, MINI):
        out.append(f"{piece} {place}")
    return out


def explorer_space_name(s: SurvivePosition, piece: str) -> str:
    try:
        at = int(s.where[parse_explorer(piece, piece)])
    except NotationError:
        return ""
    return next((name for name, space in BY_NAME.items() if space == at and at < SPACES), "")


def list_direction_if_adjacent(at: str, to: str) -> list[str]:
    """The direction from one space to an adjacent one, if it is adjacent."""
    if at not in BY_NAME or to not in BY_NAME or BY_NAME[at] >= SPACES or BY_NAME[to] >= SPACES:
        return []
    return [DIRECTIONS[d] for d in range(SIDES) if NEXT[BY_NAME[at] * SIDES + d] == BY_NAME[to]]
