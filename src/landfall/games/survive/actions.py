"""The ints of actions and outcomes, the same for every option and player count.

An action names what is chosen, not when: the int for "this creature to that space" serves hand tile and die alike,
since the position says which of them is asked for. Explorers in STEP and SWIM are the actor's own, 0 to 19.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

PLACE: Final[i64] = 0  # + (own colour * 40 + slot) * 6 + value - 1
PUT: Final[i64] = 480  # + space: a ship at set-up, a squid
STEP: Final[i64] = 613  # + own explorer * 21 + how
SAIL: Final[i64] = 1033  # + ship * 6 + direction
SINK: Final[i64] = 1105  # + slot
PICK: Final[i64] = 1145  # + explorer: who boards, which ward, which prey
FETCH: Final[i64] = 1205  # + ship
END: Final[i64] = 1217  # end the step, pass, move nothing
DEFEND: Final[i64] = 1218
MOVE: Final[i64] = 1219  # + creature * 133 + space
SHIP_TO: Final[i64] = 4544  # + ship * 133 + space: by wind, by the dice
SWIM: Final[i64] = 6140  # + own explorer * 133 + space: by a dolphin tile
CHANGE: Final[i64] = 8800  # + dolphin * 60 + explorer: another ward
NUM_ACTIONS: Final[i64] = 9040

# How an explorer steps (STEP).
HOWS: Final[i64] = 21
ONTO_SHIP: Final[i64] = 6  # + direction
WITH_DOLPHIN: Final[i64] = 12  # + direction
DIVE: Final[i64] = 18
BOARD: Final[i64] = 19
LAND: Final[i64] = 20

# Outcomes of chance.
LAY: Final[i64] = 9040  # + terrain
BACK: Final[i64] = 9043  # + back
DIE: Final[i64] = 9055  # + face, of the creature die and the first dive die
FAR: Final[i64] = 9061  # + face of the second dive die
NUM_OUTCOMES: Final[i64] = 25
