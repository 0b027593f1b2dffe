"""Actions and outcomes as numbers; they mean the same for every number of players. Here alone they are taken apart.

A number is the first of its sort plus its part: `sort_of` tells the sort, and what is left is the part. Tiles are
named by their face: two tiles of one face are alike to everybody. A gap is named by its first position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.int_vectors import vector
from landfall.games.atlantis.rules.components import NUM_KINDS, Kind

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

PLAY: Final = 0  # + figure * 7 + kind: play a card of that kind with that figure (AT.T3)
PAY_CARD: Final = 21  # + kind (AT.G3)
PAY_TILE: Final = 28  # + face (AT.G3)
BUY: Final = 77  # + face: buy cards with such a tile (AT.T2)
BRIDGE: Final = 126  # + position: lay the bridge on the gap that begins there (AT.G5)
SHOW: Final = 179  # show the hand, being stuck (AT.T6)
NO_BRIDGE: Final = 180  # keep the bridge for later (AT.G5)
NUM_ACTIONS: Final = 181

# Outcomes of chance.
TILE: Final = 181  # + face: the tile turned up
CARD: Final = 230  # + kind: the card drawn
NUM_OUTCOMES: Final = 56
END: Final = 237

SORTS: Final = (PLAY, PAY_CARD, PAY_TILE, BUY, BRIDGE, SHOW, NO_BRIDGE, TILE, CARD)
SORT: Final[Buf] = vector([max(first for first in SORTS if first <= action) for action in range(END)])


def sort_of(action: i64) -> i64:
    """What sort of action or outcome a number is: the first of its sort, such as PAY_TILE."""
    return SORT[action]


def figure_played(part: i64) -> i64:
    """The figure a card is played with."""
    return part // NUM_KINDS


def kind_played(part: i64) -> Kind:
    """The kind of the card played."""
    return Kind(part % NUM_KINDS)


def play(figure: i64, kind: Kind) -> i64:
    """The action that plays such a card with that figure."""
    return PLAY + figure * NUM_KINDS + kind
