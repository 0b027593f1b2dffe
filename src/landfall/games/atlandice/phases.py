"""The moments of a game at which somebody, or chance, decides; and those that are only passed through."""

from __future__ import annotations

from typing import Final

# Phases in which somebody acts.
REVEAL: Final = 0  # chance: the next tile of the stack `reveal`
GATES: Final = 1  # chance: one die (AD.P1)
DIE: Final = 2  # AD.V1 (a)
PIECE: Final = 3  # AD.V1 (b)
SUBMARINE_PIECE: Final = 4  # AD.V1 (b), where the submarine is
ROLL: Final = 5  # chance: the die taken, for the effect
SECOND_ROLL: Final = 6  # chance: jeweller c's second roll
BONUS: Final = 7  # the piece an effect gives
MOVE: Final = 8  # the piece an effect moves or swaps
SWAP: Final = 9  # the other piece of jeweller b's swap
PIECE_TO: Final = 10  # where the piece goes
CHANGE_DIE: Final = 11  # inn c's die
DIE_TO: Final = 12  # where it goes
SUBMARINE_TO: Final = 13  # where the submarine goes
DONATE: Final = 14  # the first of two pieces, or no more (AD.V5)
DONATE_SECOND: Final = 15  # the second
FINISHED: Final = 16

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

# Phases passed through while an action is carried out; no position is left in one.
ENTER: Final = 20  # a visit to `at` begins
RESOLVE: Final = 21  # its effect
VISITED: Final = 22  # the whole visit is over
SETTLED: Final = 23  # no region is left to score
CLOCK: Final = 24  # all visits are over
NEXT_DONOR: Final = 25
CLOCK_DONE: Final = 26
