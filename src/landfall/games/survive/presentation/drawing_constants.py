# interpreted
"""Constants and centres by which the board is drawn: for pictures, and for the client's generated tables."""

from __future__ import annotations

from math import sqrt
from typing import Final

from landfall.core.hex_grid import DIRECTION_OFFSETS, DIRECTIONS, Hex
from landfall.core.message_types import Json
from landfall.games.survive.rules import board, components

Point = tuple[float, float]

SPACE_WIDTH: Final = 42 * sqrt(3)
ROW_DISTANCE: Final = 1.5 * 42 * 0.86  # the board is seen from above and a little from the south
CORNERS: Final = ((0, -36.1), (36.4, -18.05), (36.4, 18.05), (0, 36.1), (-36.4, 18.05), (-36.4, -18.05))
TERRAIN_HEIGHTS: Final = {"beach": 7, "forest": 14, "mountain": 18}
COLOURS_BY_LETTER: Final = dict(zip(components.COLOUR_LETTERS, components.COLOUR_NAMES, strict=True))
ISLE_OFFSET: Final = (58, 24)  # outwards, from the middle of an isle's two landing spaces


def space_centre(at: Hex) -> Point:
    """The middle of a hexagon."""
    q, r = at
    return round(SPACE_WIDTH * (q + r / 2), 2), round(ROW_DISTANCE * r, 2)


def isle_centre(isle: str) -> Point:
    """The middle of an isle."""
    (ax, ay), (bx, by) = (space_centre(at) for at in board.LANDINGS[board.ISLES.index(isle)])
    dx, dy = ISLE_OFFSET
    east, south = 1 if isle.endswith("E") else -1, 1 if isle[1] == "S" else -1
    return round((ax + bx) / 2 + east * dx, 2), round((ay + by) / 2 + south * dy, 2)


# Spaces and isles by name: the middle, and the row from 0 at the top.
CENTRES: Final = {name: space_centre(at) for name, at in zip(board.NAMES, board.HEXES)} | {
    isle: isle_centre(isle) for isle in board.ISLES
}
ROW_NUMBERS: Final = {name: r + 6 for name, (_, r) in zip(board.NAMES, board.HEXES)} | {
    isle: 1 if isle[1] == "N" else 11 for isle in board.ISLES
}


def drawing_constants_for_client() -> dict[str, Json]:
    """The client's tables, by the names they have there."""
    landing_isles = {at: isle for isle, two in zip(board.ISLES, board.LANDINGS) for at in two}
    slots = set(board.SLOT_HEXES)
    return {
        "SPACES": [
            {
                **client_entry_of_place(name),
                "q": at[0],
                "r": at[1],
                "slot": at in slots,
                "isle": landing_isles.get(at),
            }
            for name, at in zip(board.NAMES, board.HEXES)
        ],
        "ISLES": [client_entry_of_place(isle) for isle in board.ISLES],
        "LAKE_NAME": board.NAMES[board.LAKE],
        "DIRECTIONS": {name: list(offset) for name, offset in zip(DIRECTIONS, DIRECTION_OFFSETS)},
        "SPACE_WIDTH": round(SPACE_WIDTH, 4),
        "ROW_DISTANCE": round(ROW_DISTANCE, 4),
        "CORNERS": [list(corner) for corner in CORNERS],
        "TERRAIN_HEIGHTS": {**TERRAIN_HEIGHTS},
        "COLOURS_BY_LETTER": {**COLOURS_BY_LETTER},
    }


def client_entry_of_place(name: str) -> dict[str, Json]:
    """What spaces and isles have in common."""
    x, y = CENTRES[name]
    return {"name": name, "x": x, "y": y, "row": ROW_NUMBERS[name]}
