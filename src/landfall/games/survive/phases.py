"""What can be asked, and the steps of a turn: a phase is one kind of question; a step is where play goes on after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

if TYPE_CHECKING:
    from landfall.games.survive.messages import TurnStep

# Asked of chance.
LAYING: Final[i64] = 0  # which terrain lies on the next slot
DRAWING_BACK: Final[i64] = 1  # what the removed tile hides
ROLLING: Final[i64] = 2  # the creature die, or the first dive die
ROLLING_FAR: Final[i64] = 3  # the second dive die
# Asked of a seat.
PLACING: Final[i64] = 4  # an explorer on a tile
PUTTING_SHIPS: Final[i64] = 5  # a ship beside the island
HAND: Final[i64] = 6  # play a hand tile or pass
MOVING: Final[i64] = 7  # spend a movement point or end
REMOVING: Final[i64] = 8  # a tile
BOARDING: Final[i64] = 9  # who is taken aboard by the ship a tile brought
FETCHING: Final[i64] = 10  # which empty ship comes (SV.O5)
PUTTING_SQUID: Final[i64] = 11
PREY: Final[i64] = 12  # whom the squid takes
WARD: Final[i64] = 13  # whom a dolphin guards
MINI: Final[i64] = 14  # the point of SV.O5
CREATURE: Final[i64] = 15  # what the die moves
DEFENDING: Final[i64] = 16  # play a defence tile or not
ENDED: Final[i64] = 17
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

STEP_SETUP: Final[i64] = 0
STEP_HAND: Final[i64] = 1
STEP_MOVE: Final[i64] = 2
STEP_TILE: Final[i64] = 3
STEP_MINI: Final[i64] = 4
STEP_DIE: Final[i64] = 5
STEPS: Final[i64] = 6
STEP_NAMES: Final[tuple[TurnStep, ...]] = ("setup", "hand", "move", "tile", "mini", "die")
