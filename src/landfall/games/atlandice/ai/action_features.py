# interpreted
"""What each action of Atlandice names, as a row of bytes."""

from __future__ import annotations

from typing import Final

from landfall.core.action_features import ActionColumn, ActionFeatures
from landfall.games.atlandice.rules import board, codes, components

CHOICES: Final = tuple(first for first in codes.SORTS if first < codes.NUM_ACTIONS)
COLUMNS: Final = (
    ActionColumn("sort", len(CHOICES), "its sort, in the order of rules/codes.py, counted from 1"),
    ActionColumn("sector", len(board.SECTOR_NAMES), "counted from 1"),
    ActionColumn("resource", int(components.RESOURCES), "counted from 1"),
)


def encode_action_row(action: int) -> list[int]:
    """The row of an action."""
    sort = int(codes.action_family(action))
    part = action - sort
    sector = resource = 0
    if sort in (codes.TAKE, codes.PICK):
        sector, resource = part // int(components.RESOURCES) + 1, part % int(components.RESOURCES) + 1
    elif sort == codes.GIVE:
        resource = part + 1
    elif sort != codes.PASS:
        sector = part + 1
    return [CHOICES.index(sort) + 1, sector, resource]


ACTION_FEATURES: Final = ActionFeatures(COLUMNS, encode_action_row)
