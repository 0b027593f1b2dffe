"""The phases at which a seat or chance decides, and internal transitional phases."""

# mypy: disable-error-code="assignment"
# Values of NewTypes are written as plain numbers, so that the compiler inlines them.

from __future__ import annotations

from typing import Final, NewType

from mypy_extensions import i64

Phase = NewType("Phase", i64)

# Phases in which somebody acts.
REVEAL: Final[Phase] = 0  # chance: the next tile of the stack `reveal`
GATES: Final[Phase] = 1  # chance: one die (AD.P1)
DIE: Final[Phase] = 2  # AD.V1 (a)
PIECE: Final[Phase] = 3  # AD.V1 (b)
SUBMARINE_PIECE: Final[Phase] = 4  # AD.V1 (b), where the submarine is
ROLL: Final[Phase] = 5  # chance: the die taken, for the effect
SECOND_ROLL: Final[Phase] = 6  # chance: jeweller c's second roll
BONUS: Final[Phase] = 7  # the piece an effect gives
MOVE: Final[Phase] = 8  # the piece an effect moves or swaps
SWAP: Final[Phase] = 9  # the other piece of jeweller b's swap
PIECE_TO: Final[Phase] = 10  # where the piece goes
CHANGE_DIE: Final[Phase] = 11  # inn c's die
DIE_TO: Final[Phase] = 12  # where it goes
SUBMARINE_TO: Final[Phase] = 13  # where the submarine goes
DONATE: Final[Phase] = 14  # the first of two pieces, or no more (AD.V5)
DONATE_SECOND: Final[Phase] = 15  # the second
FINISHED: Final[Phase] = 16

PHASES: Final = (
    "reveal",
    "gates",
    "die",
    "piece",
    "submarine_piece",
    "roll",
    "second_roll",
    "bonus",
    "move",
    "swap",
    "piece_to",
    "change_die",
    "die_to",
    "submarine_to",
    "donate",
    "donate_second",
    "finished",
)

# Transitional phases while an action is applied; no position stays in one.
ENTER: Final[Phase] = 20  # a visit to `at` begins
RESOLVE: Final[Phase] = 21  # its effect
VISITED: Final[Phase] = 22  # the whole visit is over
SETTLED: Final[Phase] = 23  # no region is left to score
CLOCK: Final[Phase] = 24  # all visits are over
NEXT_DONOR: Final[Phase] = 25
CLOCK_DONE: Final[Phase] = 26
