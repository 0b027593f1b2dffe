"""Actions and outcomes as numbers; they mean the same for every number of players.

Tiles are named by their face: two tiles of one face are alike to everybody. A gap is named by its first position.
"""

from __future__ import annotations

from typing import Final

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
