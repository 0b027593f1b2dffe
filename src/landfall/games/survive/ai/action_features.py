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

FAMILIES: Final = (
    codes.PLACE,
    codes.PLACE_SECOND,
    codes.PUT,
    codes.STEP,
    codes.SAIL,
    codes.SINK,
    codes.PICK,
    codes.FETCH,
    codes.END,
    codes.DEFEND,
    codes.MOVE,
    codes.SHIP_TO,
    codes.SWIM,
    codes.CHANGE,
)
COLUMNS: Final = (
    ActionColumn("family", len(FAMILIES), "its family, in the order of rules/codes.py, counted from 1"),
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
    family, a, b = (int(n) for n in codes.decode_action(action))
    found = dict.fromkeys(NAMES, 0)
    found["family"] = FAMILIES.index(family) + 1

    def fill_space_columns(space: int) -> None:
        found["row"], found["number"] = observation.PLACE_CODES[space] & 255, observation.PLACE_CODES[space] >> 8

    def fill_explorer_columns(e: int) -> None:
        found["colour"], found["explorer"] = e // int(components.PER_COLOUR) + 1, e % int(components.PER_COLOUR) + 1

    if family in (codes.PLACE, codes.PLACE_SECOND):
        fill_space_columns(int(board.SLOT_SPACE[a]))
        found["value"] = b + 1
    elif family == codes.PUT:
        fill_space_columns(a)
    elif family == codes.SINK:
        fill_space_columns(int(board.SLOT_SPACE[a]))
    elif family in (codes.STEP, codes.SWIM):
        found["colour"] = SECOND_COLOUR if a >= components.PER_COLOUR else 1
        found["explorer"] = a % int(components.PER_COLOUR) + 1
        if family == codes.SWIM:
            fill_space_columns(b)
        else:
            found["how"] = b + 1
    elif family == codes.SAIL:
        found["ship"], found["how"] = a + 1, b + 1
    elif family == codes.PICK:
        fill_explorer_columns(a)
    elif family == codes.FETCH:
        found["ship"] = a + 1
    elif family in (codes.MOVE, codes.SHIP_TO):
        found["creature" if family == codes.MOVE else "ship"] = a + 1
        fill_space_columns(b)
    elif family == codes.CHANGE:
        found["dolphin"] = a + 1
        fill_explorer_columns(b)
    return list(found.values())


def count_colours_in_play(state: State) -> int:
    """How many colours take part: with SV.V1 two players have two each."""
    return int(count_colours(cast("SurvivePosition", state)))


def may_name_explorer_of_any_colour(action: int) -> bool:
    """Whether the explorer may be of any colour; steps and swims are the actor's own."""
    return int(codes.decode_action(action)[0]) in (codes.PICK, codes.CHANGE)


ACTION_FEATURES: Final = ActionFeatures(
    COLUMNS, encode_action_row, "colour", may_name_explorer_of_any_colour, count_colours_in_play
)
