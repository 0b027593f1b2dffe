"""The positions after every choice, encoded as rows for a net; compiled with the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.state import ActionList, State

if TYPE_CHECKING:
    from landfall.core.feature_layout import RowBuffer
    from landfall.core.rng import Rng

ACTION_BUFFER: Final = ActionList()  # reused: creating one costs more than filling it


def write_afterstates(state: State, seat: i64, sheet: RowBuffer, most: i64, rng: Rng) -> list[int]:
    """Encode the position after each of the actor's choices as `seat` knows it; of more than `most`, a sample.

    The buffer must have room for them.
    """
    ACTION_BUFFER.count = 0
    state.fill_legal(ACTION_BUFFER)
    reduce_to_uniform_sample(ACTION_BUFFER, most, rng)
    actions: list[int] = []
    for i in range(ACTION_BUFFER.count):
        after = state.copy()
        after.apply(ACTION_BUFFER.items[i])
        after.write_features(seat, sheet)
        actions.append(int(ACTION_BUFFER.items[i]))
    return actions


def reduce_to_uniform_sample(moves: ActionList, most: i64, rng: Rng) -> None:
    """A uniform sample of `most` actions in their order; neighbouring actions are similar."""
    number = moves.count
    if number <= most:
        return
    kept: i64 = 0
    for i in range(number):
        if rng.randbelow(number - i) < most - kept:
            moves.items[kept] = moves.items[i]
            kept += 1
    moves.count = kept


def encode_row(state: State, seat: i64, sheet: RowBuffer) -> bytes:
    """Encode a single position in a buffer whose contents may be overwritten."""
    sheet.restart_at_first_row()
    state.write_features(seat, sheet)
    return sheet.copy_row_bytes(0)
