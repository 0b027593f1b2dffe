# interpreted
"""What an action names, as a row of bytes: for policies that score legal actions one by one.

A game's `ai/action_features.py` declares the columns and the row of every action. 0 means: the action names no such
thing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from landfall.core.state import State


class ActionColumn:
    """One column: its name, its largest value, and its meaning."""

    def __init__(self, name: str, most: int, meaning: str) -> None:
        if not 0 < most < 256:
            raise ValueError(f"{name}: an entry is a byte, so its most is 1 to 255, not {most}")
        self.name: Final = name
        self.most: Final = most
        self.meaning: Final = meaning


class ActionFeatures:
    """The columns, and the row of an action.

    `rotated` names a column that `row` counts from seat 0 for some actions: it is shown from the acting seat on.
    `cycle` is the number after which it begins again.
    """

    def __init__(
        self,
        columns: Sequence[ActionColumn],
        row: Callable[[int], Sequence[int]],
        rotated: str = "",
        is_rotated: Callable[[int], bool] = lambda action: False,
        cycle: Callable[[State], int] = lambda state: int(state.players),
    ) -> None:
        self.columns: Final = columns
        self.row: Final = row
        self.rotated: Final = [column.name for column in columns].index(rotated) if rotated else -1
        self.is_rotated: Final = is_rotated
        self.cycle: Final = cycle
