# interpreted
"""What each action of Atlandice names, as a row of bytes."""

from __future__ import annotations

from typing import Final

from landfall.core.action_features import ActionColumn, ActionFeatures
from landfall.games.atlandice.rules import action_encoding
from landfall.games.atlandice.rules.board import SECTOR_NAMES
from landfall.games.atlandice.rules.components import RESOURCES

CHOICES: Final = tuple(first for first in action_encoding.SORTS if first < action_encoding.NUM_ACTIONS)
COLUMNS: Final = (
    ActionColumn("sort", len(CHOICES), "its sort, in the order of rules/action_encoding.py, counted from 1"),
    ActionColumn("sector", len(SECTOR_NAMES), "counted from 1"),
    ActionColumn("resource", int(RESOURCES), "counted from 1"),
)


def encode_action_row(action: int) -> list[int]:
    """The row of an action."""
    sort = int(action_encoding.action_family(action))
    part = action - sort
    sector = resource = 0
    if sort in (action_encoding.TAKE, action_encoding.PICK):
        sector, resource = part // int(RESOURCES) + 1, part % int(RESOURCES) + 1
    elif sort == action_encoding.GIVE:
        resource = part + 1
    elif sort != action_encoding.PASS:
        sector = part + 1
    return [CHOICES.index(sort) + 1, sector, resource]


ACTION_FEATURES: Final = ActionFeatures(COLUMNS, encode_action_row)
