"""The numbering of actions and chance outcomes, the same for all player counts. Only this module decodes it.

A number is the first of its family plus an argument: `action_family` gives the first, the remainder is the argument.
Tiles are named by their face, because tiles of equal face are equivalent. A gap is named by its first position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector
from landfall.games.atlantis.rules import components

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

PLAY: Final = 0  # + figure * 7 + kind: play a card of that kind with that figure (AT.T3)
PAY_CARD: Final = 21  # + kind (AT.G3)
PAY_TILE: Final = 28  # + face (AT.G3)
BUY: Final = 77  # + face: buy cards with this tile (AT.T2)
BRIDGE: Final = 126  # + position: lay the bridge on the gap that begins there (AT.G5)
SHOW: Final = 179  # show the hand when stuck (AT.T6)
NO_BRIDGE: Final = 180  # keep the bridge for later (AT.G5)
NUM_ACTIONS: Final = 181

# Chance outcomes.
TILE: Final = 181  # + face: the tile turned up
CARD: Final = 230  # + kind: the card drawn
NUM_OUTCOMES: Final = 56
END: Final = 237

SORTS: Final = (PLAY, PAY_CARD, PAY_TILE, BUY, BRIDGE, SHOW, NO_BRIDGE, TILE, CARD)
SORT: Final[Buf] = to_vector([max(first for first in SORTS if first <= action) for action in range(END)])


def action_family(action: i64) -> i64:
    """The family of an action or outcome, as the first number of the family, such as PAY_TILE."""
    return SORT[action]


def figure_of_played_card(part: i64) -> i64:
    """The figure a card is played with."""
    return part // components.NUM_KINDS


def kind_of_played_card(part: i64) -> components.Kind:
    """The kind of the card played."""
    return components.Kind(part % components.NUM_KINDS)


def encode_card_play(figure: i64, kind: components.Kind) -> i64:
    """The action that plays this kind of card with that figure."""
    return PLAY + figure * components.NUM_KINDS + kind
