# interpreted
"""What each action of Atlantis names, as a row of bytes."""

from __future__ import annotations

from typing import Final

from landfall.core.action_features import ActionColumn, ActionFeatures
from landfall.games.atlantis.rules import codes, components

CHOICES: Final = tuple(first for first in codes.SORTS if first < codes.NUM_ACTIONS)
COLUMNS: Final = (
    ActionColumn("sort", len(CHOICES), "its sort, in the order of rules/codes.py, counted from 1"),
    ActionColumn("figure", 3, "that a card moves, counted from 1"),
    ActionColumn("kind", int(components.NUM_KINDS), "of the card or the tile, counted from 1"),
    ActionColumn("value", int(components.NUM_VALUES), "of the tile"),
    ActionColumn("position", codes.SHOW - codes.BRIDGE, "where the bridged gap begins, counted from 1"),
)


def encode_action_row(action: int) -> list[int]:
    """The row of an action."""
    sort = int(codes.action_family(action))
    part = action - sort
    figure = kind = value = position = 0
    if sort == codes.PLAY:
        figure, kind = (
            int(codes.figure_of_played_card(part)) + 1,
            int(codes.kind_of_played_card(part)) + 1,
        )
    elif sort == codes.PAY_CARD:
        kind = part + 1
    elif sort in (codes.PAY_TILE, codes.BUY):
        kind, value = (
            int(components.kind_of_face(components.Face(part))) + 1,
            int(components.value_of_face(components.Face(part))),
        )
    elif sort == codes.BRIDGE:
        position = part + 1
    return [CHOICES.index(sort) + 1, figure, kind, value, position]


ACTION_FEATURES: Final = ActionFeatures(COLUMNS, encode_action_row)
