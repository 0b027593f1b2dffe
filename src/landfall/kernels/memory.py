"""The positions and tables of a kernel in memory: from a state of the engine, and back into one."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Final

from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.kernels.structures import POSITION, TABLE, Field, Structure
from landfall.kernels.value_types import Num, Vec

if TYPE_CHECKING:
    from landfall.core.state import State
    from landfall.kernels.program import Program

BATCH: Final = (  # the fields of `Batch` in play.h: arrays with an entry for each match, then two numbers
    "table",
    "start",
    "positions",
    "words",
    "observation",
    "final",
    "seats",
    "mask",
    "legal",
    "choices",
    "actor",
    "ended",
    "reward",
    "earned",
    "length",
    "ends",
    "autoreset",
    "legal_width",
)
CELLS: Final[dict[str, Any]] = {
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "u8": ctypes.c_uint8,
    "u16": ctypes.c_uint16,
}


def layout(structure: Structure) -> type[ctypes.Structure]:
    """The structure for ctypes."""
    fields: list[tuple[str, Any]] = []
    for one in structure.stored_fields():
        cell = CELLS[one.cell]
        if isinstance(one.type, Vec):
            assert one.type.length is not None
            cell = cell * one.type.length
        fields.append((one.name, cell))
    return type(structure.name, (ctypes.Structure,), {"_fields_": fields})


class Memory:
    """Converts states of one game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.position = layout(program.structures[POSITION])
        self.table = layout(program.structures[TABLE])
        self.observation_words = tensor_layout(program.game.name).size // 8

    def fill(self, target: Any, fields: list[Field], sources: list[Any]) -> None:
        for one in fields:
            value = next(getattr(source, one.name) for source in sources if hasattr(source, one.name))
            if isinstance(one.type, Num):
                setattr(target, one.name, int(value))
            else:
                cells = getattr(target, one.name)
                for i, number in enumerate(value):
                    cells[i] = int(number)

    def table_of(self, state: State) -> Any:
        """The table that a state belongs to."""
        table = self.table()
        rules = getattr(state, "rules", None)
        fields = self.program.structures[TABLE].stored_fields()
        self.fill(table, [one for one in fields if not one.name.endswith("_length")], [state, rules])
        for one in fields:
            if isinstance(one.type, Vec):
                source = state if hasattr(state, one.name) else rules
                setattr(table, f"{one.name}_length", len(getattr(source, one.name)))
        return table

    def position_of(self, state: State) -> Any:
        """A state's position."""
        position = self.position()
        self.fill(position, self.program.structures[POSITION].stored_fields(), [state])
        return position

    def batch_shapes(self, matches: int, players: int, legal_width: int) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The arrays of a batch: the type of a number, and the shape."""
        words = -(-self.program.game.num_actions // 64)
        size = self.observation_words
        numbers = dict.fromkeys(("seats", "choices", "actor", "ended", "earned", "length"), ("i8", (matches,)))
        return numbers | {
            "positions": ("u1", (matches, ctypes.sizeof(self.position))),
            "words": ("i8", (matches,)),
            "ends": ("i8", (matches + 1,)),
            "observation": ("i8", (matches, size)),
            "final": ("i8", (matches, size)),
            "mask": ("u8", (matches, words)),
            "legal": ("i2", (matches, legal_width)),
            "reward": ("i8", (matches, players)),
        }
