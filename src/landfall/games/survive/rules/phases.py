"""Phases and steps of a turn: a phase is one kind of question; a step is where play continues after it."""

# mypy: disable-error-code="assignment"
# Values of NewTypes are written as plain numbers, so that the compiler inlines them.

from __future__ import annotations

from typing import Final, NewType, get_args

from mypy_extensions import i64

from landfall.games.survive.rules import message_types

Phase = NewType("Phase", i64)
Step = NewType("Step", i64)

# Chance acts.
LAYING: Final[Phase] = 0  # the terrain on the next slot
DRAWING_BACK: Final[Phase] = 1  # the back of the removed tile
ROLLING: Final[Phase] = 2  # the creature die, or the first dive die
ROLLING_SECOND_DIE: Final[Phase] = 3  # the second dive die
# A seat acts.
PLACING: Final[Phase] = 4  # an explorer on a tile
PUTTING_SHIPS: Final[Phase] = 5  # a ship beside the island
HAND: Final[Phase] = 6  # play a hand tile or pass
MOVING: Final[Phase] = 7  # spend a movement point or end
REMOVING: Final[Phase] = 8  # a tile
BOARDING: Final[Phase] = 9  # who boards the ship that a tile brought
FETCHING: Final[Phase] = 10  # which empty ship comes (SV.O5)
PUTTING_SQUID: Final[Phase] = 11
PREY: Final[Phase] = 12  # whom the squid takes
WARD: Final[Phase] = 13  # whom a dolphin guards
MINI: Final[Phase] = 14  # the point of SV.O5
CREATURE: Final[Phase] = 15  # what the die moves
DEFENDING: Final[Phase] = 16  # play a defence tile or not
ENDED: Final[Phase] = 17
PHASES: Final[i64] = 18
PHASE_NAMES: Final = (
    "laying",
    "back",
    "rolling",
    "rolling_far",
    "placing",
    "ships",
    "hand",
    "moving",
    "removing",
    "boarding",
    "fetching",
    "squid",
    "prey",
    "ward",
    "mini",
    "creature",
    "defending",
    "ended",
)


STEP_SETUP: Final[Step] = 0
STEP_HAND: Final[Step] = 1
STEP_MOVE: Final[Step] = 2
STEP_TILE: Final[Step] = 3
STEP_MINI: Final[Step] = 4
STEP_DIE: Final[Step] = 5
STEPS: Final[i64] = 6
STEP_NAMES: Final[tuple[message_types.TurnStep, ...]] = get_args(message_types.TurnStep)
