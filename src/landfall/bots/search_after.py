"""What every choice leads to, written as rows for a net; compiled with the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.state import Moves, State

if TYPE_CHECKING:
    from landfall.core.layout import Sheet
    from landfall.core.rng import Rng

CHOICES: Final = Moves()  # refilled at each call: making one costs more than listing does


def afterstates(state: State, seat: i64, sheet: Sheet, most: i64, rng: Rng) -> list[int]:
    """The actor's choices, for each a row of what `seat` knows right after it; of more than `most`, so many drawn.

    The sheet must have room for them.
    """
    CHOICES.count = 0
    state.generate(CHOICES)
    items = CHOICES.items
    number = CHOICES.count
    if number > most:
        kept: i64 = 0
        for i in range(number):  # each with the same chance, and in their order: what lies side by side is much alike
            if rng.below(number - i) < most - kept:
                items[kept] = items[i]
                kept += 1
        number = kept
    actions: list[int] = []
    for i in range(number):
        after = state.copy()
        after.apply(items[i])
        after.features(seat, sheet)
        actions.append(int(items[i]))
    return actions


def one_row(state: State, seat: i64, sheet: Sheet) -> bytes:
    """A single position, on a sheet of which nothing else is needed."""
    sheet.clear()
    state.features(seat, sheet)
    return sheet.row(0)
