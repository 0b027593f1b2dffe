"""The moments of a game at which somebody, or chance, decides; in the order of the turn (AT.T1)."""

from __future__ import annotations

from typing import Final

LAYING: Final = 0  # chance: the path's next top tile (AT.U1)
DEALING: Final = 1  # chance: the next card of a first hand (AT.U2)
START: Final = 2  # buy, lay the bridge, play the first card, or show the hand
BUYING: Final = 3  # chance: the next card bought (AT.T2)
HOPPING: Final = 4  # on an occupied tile: the next card (AT.T3)
PAYING: Final = 5  # the next piece of a payment (AT.G3)
UNCOVERING: Final = 6  # chance: the tile below the one taken (AT.R3)
BRIDGING: Final = 7  # the second moment for the bridge (AT.G5)
DRAWING: Final = 8  # chance: the next card at the end of the turn (AT.D1)
STUCK: Final = 9  # chance: the next card after showing the hand (AT.T6)
DONE: Final = 10

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
