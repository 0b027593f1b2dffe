"""The phases at which a seat or chance decides, in the order of the turn (AT.T1)."""

# mypy: disable-error-code="assignment"
# Values of NewTypes are written as plain numbers, so that the compiler inlines them.

from __future__ import annotations

from typing import Final, NewType

from mypy_extensions import i64

Phase = NewType("Phase", i64)

LAYING: Final[Phase] = 0  # chance: the path's next top tile (AT.U1)
DEALING: Final[Phase] = 1  # chance: the next card of a first hand (AT.U2)
START: Final[Phase] = 2  # buy, lay the bridge, play the first card, or show the hand
BUYING: Final[Phase] = 3  # chance: the next card bought (AT.T2)
HOPPING: Final[Phase] = 4  # on an occupied tile: the next card (AT.T3)
PAYING: Final[Phase] = 5  # the next piece of a payment (AT.G3)
UNCOVERING: Final[Phase] = 6  # chance: the tile below the one taken (AT.R3)
BRIDGING: Final[Phase] = 7  # the second opportunity for the bridge (AT.G5)
DRAWING: Final[Phase] = 8  # chance: the next card at the end of the turn (AT.D1)
STUCK: Final[Phase] = 9  # chance: the next card after showing the hand (AT.T6)
DONE: Final[Phase] = 10

PHASES: Final = (
    "laying",
    "dealing",
    "start",
    "buying",
    "hopping",
    "paying",
    "uncovering",
    "bridging",
    "drawing",
    "stuck",
    "done",
)
