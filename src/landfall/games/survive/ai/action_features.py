# interpreted
"""What each action of Survive names, as a row of bytes."""

from __future__ import annotations

from typing import Final, cast

from landfall.core.action_features import ActionColumn, ActionFeatures
from landfall.core.state import State
from landfall.games.survive.ai.observation import ACROSS, LETTERS, PLACE_CODES
from landfall.games.survive.rules import action_encoding
from landfall.games.survive.rules.board import SLOT_SPACE
from landfall.games.survive.rules.components import COLOURS, CREATURES, DOLPHINS, PER_COLOUR, SHIPS, VALUES
from landfall.games.survive.rules.piece_positions import count_colours
from landfall.games.survive.rules.position import SurvivePosition

FAMILIES: Final = (
    action_encoding.PLACE,
    action_encoding.PLACE_SECOND,
    action_encoding.PUT,
    action_encoding.STEP,
    action_encoding.SAIL,
    action_encoding.SINK,
    action_encoding.PICK,
    action_encoding.FETCH,
    action_encoding.END,
    action_encoding.DEFEND,
    action_encoding.MOVE,
    action_encoding.SHIP_TO,
    action_encoding.SWIM,
    action_encoding.CHANGE,
)
COLUMNS: Final = (
    ActionColumn("family", len(FAMILIES), "its family, in the order of rules/action_encoding.py, counted from 1"),
    ActionColumn("colour", int(COLOURS), "of the explorer, from the acting seat's on, counted from 1"),
    ActionColumn("explorer", int(PER_COLOUR), "its number, counted from 1"),
    ActionColumn("ship", int(SHIPS), "counted from 1"),
    ActionColumn("creature", int(CREATURES), "counted from 1"),
    ActionColumn("dolphin", int(DOLPHINS), "counted from 1"),
    ActionColumn("row", LETTERS, "of the space it goes to, as in the observation"),
    ActionColumn("number", ACROSS, "in that row"),
    ActionColumn("how", int(action_encoding.HOWS), "a direction, or another way to step, counted from 1"),
    ActionColumn("value", int(VALUES), "of the explorer that is placed"),
)
NAMES: Final = [column.name for column in COLUMNS]
SECOND_COLOUR: Final = 3  # of two players with two colours each: the third from the seat's first on


def encode_action_row(action: int) -> list[int]:
    """The row of an action."""
    family, a, b = (int(n) for n in action_encoding.decode_action(action))
    found = dict.fromkeys(NAMES, 0)
    found["family"] = FAMILIES.index(family) + 1

    def fill_space_columns(space: int) -> None:
        found["row"], found["number"] = PLACE_CODES[space] & 255, PLACE_CODES[space] >> 8

    def fill_explorer_columns(e: int) -> None:
        found["colour"], found["explorer"] = e // int(PER_COLOUR) + 1, e % int(PER_COLOUR) + 1

    if family in (action_encoding.PLACE, action_encoding.PLACE_SECOND):
        fill_space_columns(int(SLOT_SPACE[a]))
        found["value"] = b + 1
    elif family == action_encoding.PUT:
        fill_space_columns(a)
    elif family == action_encoding.SINK:
        fill_space_columns(int(SLOT_SPACE[a]))
    elif family in (action_encoding.STEP, action_encoding.SWIM):
        found["colour"] = SECOND_COLOUR if a >= PER_COLOUR else 1
        found["explorer"] = a % int(PER_COLOUR) + 1
        if family == action_encoding.SWIM:
            fill_space_columns(b)
        else:
            found["how"] = b + 1
    elif family == action_encoding.SAIL:
        found["ship"], found["how"] = a + 1, b + 1
    elif family == action_encoding.PICK:
        fill_explorer_columns(a)
    elif family == action_encoding.FETCH:
        found["ship"] = a + 1
    elif family in (action_encoding.MOVE, action_encoding.SHIP_TO):
        found["creature" if family == action_encoding.MOVE else "ship"] = a + 1
        fill_space_columns(b)
    elif family == action_encoding.CHANGE:
        found["dolphin"] = a + 1
        fill_explorer_columns(b)
    return list(found.values())


def count_colours_in_play(state: State) -> int:
    """How many colours take part: with SV.V1 two players have two each."""
    return int(count_colours(cast("SurvivePosition", state)))


def may_name_explorer_of_any_colour(action: int) -> bool:
    """Whether the explorer may be of any colour; steps and swims are the actor's own."""
    return int(action_encoding.decode_action(action)[0]) in (action_encoding.PICK, action_encoding.CHANGE)


ACTION_FEATURES: Final = ActionFeatures(
    COLUMNS, encode_action_row, "colour", may_name_explorer_of_any_colour, count_colours_in_play
)
