"""The positions and tables of a kernel in memory: from a state of the engine, and back into one."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Final

from landfall.core.int_vectors import overwrite_vector
from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.kernels.structures import POSITION, TABLE, Structure
from landfall.kernels.value_types import Vec

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.state import State

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


Cells = tuple[str, str, int]  # a field's name, the type of a number, and how many they are; 0: it is a number


def describe_structure(structure: Structure) -> list[Cells]:
    """The fields of a structure in order."""
    return [
        (one.name, one.cell, (one.type.length or 0) if isinstance(one.type, Vec) else 0)
        for one in structure.stored_fields()
    ]


def make_layout(name: str, fields: list[Cells]) -> type[ctypes.Structure]:
    """The structure for ctypes."""
    cells = [(field, CELLS[cell] * length if length else CELLS[cell]) for field, cell, length in fields]
    return type(name, (ctypes.Structure,), {"_fields_": cells})


class Memory:
    """Converts states of one game."""

    def __init__(self, game: Game, position: list[Cells], table: list[Cells]) -> None:
        self.game = game
        self.fields = {POSITION: position, TABLE: table}
        self.position = make_layout(POSITION, position)
        self.table = make_layout(TABLE, table)
        self.observation_words = tensor_layout(game.name).size // 8

    def fill(self, target: Any, fields: list[Cells], sources: list[Any]) -> None:
        for name, _, length in fields:
            value = next(getattr(source, name) for source in sources if hasattr(source, name))
            if length:
                cells = getattr(target, name)
                for i, number in enumerate(value):
                    cells[i] = int(number)
            else:
                setattr(target, name, int(value))

    def table_of(self, state: State) -> Any:
        """The table that a state belongs to."""
        table = self.table()
        sources = [state, getattr(state, "rules", None)]
        fields = self.fields[TABLE]
        given = [name for name, _, length in fields if length]
        self.fill(table, [one for one in fields if one[0].removesuffix("_length") not in given or one[2]], sources)
        for name in given:
            source = next(one for one in sources if hasattr(one, name))
            setattr(table, f"{name}_length", len(getattr(source, name)))
        return table

    def position_of(self, state: State) -> Any:
        """A state's position."""
        position = self.position()
        self.fill(position, self.fields[POSITION], [state])
        return position

    def state_of(self, position: bytes, table: State) -> State:
        """The state of a position, at the table of another one."""
        found, stored = table.copy(), self.position.from_buffer_copy(position)
        for name, _, length in self.fields[POSITION]:
            if length:
                overwrite_vector(getattr(found, name), list(getattr(stored, name)))
            else:
                setattr(found, name, getattr(stored, name))
        return found

    def batch_shapes(self, matches: int, players: int, legal_width: int) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The arrays of a batch: the type of a number, and the shape."""
        words = -(-self.game.num_actions // 64)
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


def memory_of(game: Game, structures: dict[str, Structure]) -> Memory:
    """The memory of a game that was translated."""
    return Memory(game, describe_structure(structures[POSITION]), describe_structure(structures[TABLE]))
