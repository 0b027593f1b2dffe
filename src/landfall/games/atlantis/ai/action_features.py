# interpreted
"""What each action of Atlantis names, as a row of bytes."""

from __future__ import annotations

from typing import Final

from landfall.core.action_features import ActionColumn, ActionFeatures
from landfall.games.atlantis.rules import actions
from landfall.games.atlantis.rules.components import NUM_KINDS, NUM_VALUES, Face, kind_of_face, value_of_face

CHOICES: Final = tuple(first for first in actions.SORTS if first < actions.NUM_ACTIONS)
COLUMNS: Final = (
    ActionColumn("sort", len(CHOICES), "its sort, in the order of rules/actions.py, counted from 1"),
    ActionColumn("figure", 3, "that a card moves, counted from 1"),
    ActionColumn("kind", int(NUM_KINDS), "of the card or the tile, counted from 1"),
    ActionColumn("value", int(NUM_VALUES), "of the tile"),
    ActionColumn("position", actions.SHOW - actions.BRIDGE, "where the bridged gap begins, counted from 1"),
)


def encode_action_row(action: int) -> list[int]:
    """The row of an action."""
    sort = int(actions.action_family(action))
    part = action - sort
    figure = kind = value = position = 0
    if sort == actions.PLAY:
        figure, kind = int(actions.figure_of_played_card(part)) + 1, int(actions.kind_of_played_card(part)) + 1
    elif sort == actions.PAY_CARD:
        kind = part + 1
    elif sort in (actions.PAY_TILE, actions.BUY):
        kind, value = int(kind_of_face(Face(part))) + 1, int(value_of_face(Face(part)))
    elif sort == actions.BRIDGE:
        position = part + 1
    return [CHOICES.index(sort) + 1, figure, kind, value, position]


ACTION_FEATURES: Final = ActionFeatures(COLUMNS, encode_action_row)
