# interpreted
"""What each action of Atlantis names, as a row of bytes."""

from __future__ import annotations

from typing import Final

from landfall.core.action_features import ActionColumn, ActionFeatures
from landfall.games.atlantis.rules import action_encoding
from landfall.games.atlantis.rules.components import NUM_KINDS, NUM_VALUES, Face, kind_of_face, value_of_face

CHOICES: Final = tuple(first for first in action_encoding.SORTS if first < action_encoding.NUM_ACTIONS)
COLUMNS: Final = (
    ActionColumn("sort", len(CHOICES), "its sort, in the order of rules/action_encoding.py, counted from 1"),
    ActionColumn("figure", 3, "that a card moves, counted from 1"),
    ActionColumn("kind", int(NUM_KINDS), "of the card or the tile, counted from 1"),
    ActionColumn("value", int(NUM_VALUES), "of the tile"),
    ActionColumn(
        "position", action_encoding.SHOW - action_encoding.BRIDGE, "where the bridged gap begins, counted from 1"
    ),
)


def encode_action_row(action: int) -> list[int]:
    """The row of an action."""
    sort = int(action_encoding.action_family(action))
    part = action - sort
    figure = kind = value = position = 0
    if sort == action_encoding.PLAY:
        figure, kind = (
            int(action_encoding.figure_of_played_card(part)) + 1,
            int(action_encoding.kind_of_played_card(part)) + 1,
        )
    elif sort == action_encoding.PAY_CARD:
        kind = part + 1
    elif sort in (action_encoding.PAY_TILE, action_encoding.BUY):
        kind, value = int(kind_of_face(Face(part))) + 1, int(value_of_face(Face(part)))
    elif sort == action_encoding.BRIDGE:
        position = part + 1
    return [CHOICES.index(sort) + 1, figure, kind, value, position]


ACTION_FEATURES: Final = ActionFeatures(COLUMNS, encode_action_row)
