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
    thin_out(CHOICES, most, rng)
    actions: list[int] = []
    for i in range(CHOICES.count):
        after = state.copy()
        after.apply(CHOICES.items[i])
        after.features(seat, sheet)
        actions.append(int(CHOICES.items[i]))
    return actions


def thin_out(moves: Moves, most: i64, rng: Rng) -> None:
    """Of more than `most`, so many drawn, each as likely, in their order: what lies side by side is much alike."""
    number = moves.count
    if number <= most:
        return
    kept: i64 = 0
    for i in range(number):
        if rng.below(number - i) < most - kept:
            moves.items[kept] = moves.items[i]
            kept += 1
    moves.count = kept


def one_row(state: State, seat: i64, sheet: Sheet) -> bytes:
    """A single position, on a sheet of which nothing else is needed."""
    sheet.clear()
    state.features(seat, sheet)
    return sheet.row(0)
