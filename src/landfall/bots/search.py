"""The bots' inner loops; compiled with the engine."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import Moves, State

CHOICES: Final = Moves()  # refilled at each call: making one costs more than listing does


def best_action(state: State, seat: i64, rng: Rng) -> i64:
    """The choice after which the position looks best for `seat`, as it stands before any chance that follows.

    Among equals each is equally likely.
    """
    CHOICES.count = 0
    state.generate(CHOICES)
    best: i64 = -1
    best_value: i64 = 0
    equals: i64 = 0
    for i in range(CHOICES.count):
        action = CHOICES.items[i]
        after = state.copy()
        after.apply(action)
        value = after.evaluate(seat)
        if best < 0 or value > best_value:
            best = action
            best_value = value
            equals = 1
        elif value == best_value:
            equals += 1
            if rng.below(equals) == 0:
                best = action
    return best
