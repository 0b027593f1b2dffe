# interpreted
"""What each action of Survive names, as a row of bytes."""

from __future__ import annotations

from typing import Final, cast

from landfall.core.action_features import ActionColumn, ActionFeatures
from landfall.core.state import State
from landfall.games.survive.ai import observation
from landfall.games.survive.rules import board, codes, components
from landfall.games.survive.rules.piece_positions import count_colours
from landfall.games.survive.rules.position import SurvivePosition

COLUMNS: Final = (
    ActionColumn("family", len(codes.ACTION_FAMILIES), "its family, in the order of rules/codes.py, counted from 1"),
    ActionColumn("colour", int(components.COLOURS), "of the explorer, from the acting seat's on, counted from 1"),
    ActionColumn("explorer", int(components.PER_COLOUR), "its number, counted from 1"),
    ActionColumn("ship", int(components.SHIPS), "counted from 1"),
    ActionColumn("creature", int(components.CREATURES), "counted from 1"),
    ActionColumn("dolphin", int(components.DOLPHINS), "counted from 1"),
    ActionColumn("row", observation.LETTERS, "of the space it goes to, as in the observation"),
    ActionColumn("number", observation.ACROSS, "in that row"),
    ActionColumn("how", int(codes.WAYS_TO_STEP), "a direction, or another way to step, counted from 1"),
    ActionColumn("value", int(components.VALUES), "of the explorer that is placed"),
)
NAMES: Final = [column.name for column in COLUMNS]
SECOND_COLOUR: Final = 3  # of two players with two colours each: the third from the seat's first on


def encode_action_row(action: int) -> list[int]:
    """The row of an action."""
    family, *arguments = (int(n) for n in codes.decode_action(action))
    number = [one.code for one in codes.ACTION_FAMILIES].index(family)
    found = dict.fromkeys(NAMES, 0) | {"family": number + 1}
    for kind, argument in zip(codes.ACTION_FAMILIES[number].arguments, arguments):
        found |= encode_argument(kind, argument)
    return list(found.values())


def encode_argument(kind: str, n: int) -> dict[str, int]:
    """The columns that name an argument of an action."""
    if kind in ("slot", "space"):
        code = observation.PLACE_CODES[board.SLOT_SPACE[n] if kind == "slot" else n]
        return {"row": code & 255, "number": code >> 8}
    if kind == "own_explorer":
        second = n >= components.PER_COLOUR
        return {"colour": SECOND_COLOUR if second else 1, "explorer": n % int(components.PER_COLOUR) + 1}
    if kind == "explorer":
        return {"colour": n // int(components.PER_COLOUR) + 1, "explorer": n % int(components.PER_COLOUR) + 1}
    return {"how" if kind == "direction" else kind: n + 1}


def count_colours_in_play(state: State) -> int:
    """How many colours take part: with SV.V1 two players have two each."""
    return int(count_colours(cast("SurvivePosition", state)))


def may_name_explorer_of_any_colour(action: int) -> bool:
    """Whether the explorer may be of any colour; steps and swims are the actor's own."""
    return int(codes.decode_action(action)[0]) in (codes.PICK, codes.CHANGE)


ACTION_FEATURES: Final = ActionFeatures(
    COLUMNS, encode_action_row, "colour", may_name_explorer_of_any_colour, count_colours_in_play
)
