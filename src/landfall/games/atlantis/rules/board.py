"""The path's layout (AT.U1): 53 positions from Atlantis to the mainland, the middle one water."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.int_vectors import to_vector

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

ATLANTIS: Final = -1
POSITIONS: Final = 53  # 0 to 52
MIDDLE: Final = 26  # the first gap; back A before it, back B after it
MAINLAND: Final = 53
STATIONS: Final = 55  # Atlantis, the positions, the mainland: such tables are indexed with position + 1

ROW: Final = 54  # size of tables over Atlantis and the positions only

# The initial number of tiles at each position.
TILE_STACKS: Final[Buf] = to_vector([2] * 10 + [1] * 10 + [2] * 6 + [0] + [2] * 6 + [1] * 10 + [2] * 10)


def format_place(at: int) -> str:
    """A position as players name it: counted from 1 at Atlantis."""
    if at == ATLANTIS:
        return "atlantis"
    return "mainland" if at == MAINLAND else str(at + 1)


def parse_place(text: str) -> int:
    """The place that a text names, or -2."""
    if text == "atlantis":
        return ATLANTIS
    if text == "mainland":
        return MAINLAND
    if text.isascii() and text.isdecimal() and 1 <= int(text[:4]) <= POSITIONS:
        return int(text) - 1
    return -2
