"""Explains why a piece cannot go to a place: the rule id for a click that is no action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.errors import NotationError
from landfall.core.hex_grid import DIRECTIONS
from landfall.core.state import NOT_A_CHOICE
from landfall.games.survive.presentation.action_descriptions import describe_action
from landfall.games.survive.presentation.notation import parse_action, parse_explorer
from landfall.games.survive.rules import board, components, giant_squid, phases, piece_positions

if TYPE_CHECKING:
    from landfall.games.survive.rules.position import SurvivePosition

RULE_OF_QUESTION: Final[dict[int, str]] = {
    int(phases.PLACING): "SV.U3",
    int(phases.PUTTING_SHIPS): "SV.U4",
    int(phases.PUTTING_SQUID): "SV.Q1",
    int(phases.WARD): "SV.N4",
    int(phases.BOARDING): "SV.R5",
    int(phases.FETCHING): "SV.O5",
}


def rule_forbidding_move_of_piece(s: SurvivePosition, piece: str, place: str) -> str | None:
    """None if the piece can go there, else the rule that forbids the most likely move.

    `piece` is an explorer (r3), `ship D3`, `shark E5`, or "" for a bare touch; `place` a space or an isle. While
    explorers are placed, the letter of a colour stands for its next explorer.
    """
    if place not in board.BY_NAME:
        return NOT_A_CHOICE
    first = ""
    for text in list_candidate_notations(s, piece, place):
        try:
            action = parse_action(s, text)
        except NotationError:
            continue
        rule = s.forbidden_by(action)
        if rule == "":
            if does_action_move_piece(s, action, piece, place):
                return None
            rule = rule_for_other_piece_or_place(s)
        if first in ("", NOT_A_CHOICE):
            first = rule
    if first == "" and s.phase in (phases.MOVING, phases.MINI):
        return rule_for_move_without_notation(s, piece)
    return first or NOT_A_CHOICE


def does_action_move_piece(s: SurvivePosition, action: int, piece: str, place: str) -> bool:
    """Whether the action, as a client is told of it, takes this piece to this place."""
    words = describe_action(s, action)
    if words["verb"] == "place":
        return piece in ("", components.COLOUR_LETTERS[components.COLOUR_NAMES.index(words["colour"])])
    return words.get("piece", "") == piece and words.get("to") == place


def rule_for_other_piece_or_place(s: SurvivePosition) -> str:
    """The rule of a question whose answer the piece would be elsewhere, or another piece here."""
    if s.phase == phases.PREY:
        return giant_squid.rule_requiring_squid_prey(s)
    return RULE_OF_QUESTION.get(int(s.phase), "SV.M8")  # in step 2 only an isle can be the wrong one


def rule_for_move_without_notation(s: SurvivePosition, piece: str) -> str:
    """A step without notation: another's explorer (SV.M11), a safe one (SV.M8), or too far (SV.T3)."""
    too_far = "SV.T3" if s.phase == phases.MOVING else "SV.O5"
    if piece.startswith("ship "):
        at = board.BY_NAME.get(piece.removeprefix("ship "), board.FIRST_ISLE)
        return too_far if at < board.SPACES and s.ship_at[at] >= 0 else NOT_A_CHOICE
    try:
        e = parse_explorer(piece, piece)
    except NotationError:
        return NOT_A_CHOICE
    if piece_positions.seat_of_explorer(s, e) != s.actor:
        return "SV.M11"
    if s.where[e] >= board.FIRST_ISLE:
        return "SV.M8"
    return too_far if s.where[e] >= 0 else NOT_A_CHOICE


def list_candidate_notations(s: SurvivePosition, piece: str, place: str) -> list[str]:
    """The notations of the actions that a click on this piece and place could mean, most likely first."""
    phase = s.phase
    if phase == phases.PLACING:
        letters = (
            [components.COLOUR_LETTERS[colour] for colour in piece_positions.colours_of_seat(s, s.actor)]
            if piece == ""
            else [piece[:1]]
        )
        return [f"{letter}{place}={value}" for letter in letters for value in range(1, components.VALUES + 1)]
    if phase in (phases.PUTTING_SHIPS, phases.PUTTING_SQUID):
        return [f"ship {place}"]
    if phase == phases.REMOVING and piece == "":
        return (
            [f"sink {place}"]
            if board.BY_NAME[place] < board.SPACES and board.SLOT_OF[board.BY_NAME[place]] >= 0
            else []
        )
    if phase in (phases.WARD, phases.PREY, phases.BOARDING):
        return [f"pick {piece}"]
    if piece.startswith("ship "):
        at = piece.removeprefix("ship ")
        if phase == phases.FETCHING:
            return [f"fetch {at}"]
        sails = [f"{at} {d}" for d in list_direction_if_adjacent(at, place)]
        return sails if phase in (phases.MOVING, phases.MINI) else [*sails, f"{at} {place}"]
    if " " in piece:
        return [f"{piece} {place}", *list_ward_changes(s, piece, place)]
    out: list[str] = []
    if place.startswith("@"):
        return [f"{piece} {place}", f"{piece} land"]
    at = explorer_space_name(s, piece)
    for d in list_direction_if_adjacent(at, place):
        out += [f"{piece} {d}", f"{piece} {d} ship", f"{piece} {d} dolphin"]
    if at == place:
        out += [f"{piece} board", f"{piece} dive"]
    if phase not in (phases.MOVING, phases.MINI):
        out.append(f"{piece} {place}")
    return out


def list_ward_changes(s: SurvivePosition, piece: str, place: str) -> list[str]:
    """SV.N9: a dolphin put down in its own space means another ward there."""
    if piece != f"dolphin {place}":
        return []
    here = [components.PIECE_NAMES[e] for e in range(components.EXPLORERS) if s.where[e] == board.BY_NAME[place]]
    return [f"{piece}/{nth} {ward}" for nth in range(1, int(components.DOLPHINS) + 1) for ward in here]


def explorer_space_name(s: SurvivePosition, piece: str) -> str:
    try:
        at = int(s.where[parse_explorer(piece, piece)])
    except NotationError:
        return ""
    return next((name for name, space in board.BY_NAME.items() if space == at and at < board.SPACES), "")


def list_direction_if_adjacent(at: str, to: str) -> list[str]:
    """The direction from one space to an adjacent one, if it is adjacent."""
    if (
        at not in board.BY_NAME
        or to not in board.BY_NAME
        or board.BY_NAME[at] >= board.SPACES
        or board.BY_NAME[to] >= board.SPACES
    ):
        return []
    return [
        DIRECTIONS[d]
        for d in range(board.SIDES)
        if board.NEXT[board.BY_NAME[at] * board.SIDES + d] == board.BY_NAME[to]
    ]
