"""B · Board: 133 spaces in 13 rows, 40 of them slots of the island, four safe isles off the grid.

Spaces are numbered row by row; rows are A to M from the top, spaces count from 1 at the left: the lake is G6.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.hex_grid import Hex, hex_distance, hexes_within_radius, neighbour_in_direction
from landfall.core.int_vectors import to_vector

ROWS: Final = "ABCDEFGHIJKLM"
ISLES: Final = ("@NW", "@NE", "@SW", "@SE")

# SV.B4: the two sea spaces that touch each isle.
LANDINGS: Final[list[list[Hex]]] = [
    [(-2, -5), (-3, -4)],
    [(7, -5), (7, -4)],
    [(-7, 4), (-7, 5)],
    [(3, 4), (2, 5)],
]

# SV.B1: the hexagon of radius 6 without two corners, plus the landing spaces that lie outside it.
HEXES: Final[list[Hex]] = sorted(
    (set(hexes_within_radius(6)) - {(6, 0), (-6, 0)}) | {at for isle in LANDINGS for at in isle},
    key=lambda at: (at[1], at[0]),
)
INDEX: Final[dict[Hex, int]] = {at: i for i, at in enumerate(HEXES)}

# SV.B2: the island, without the lake in its middle.
SLOT_HEXES: Final[list[Hex]] = sorted(
    (set(hexes_within_radius(3)) - {(0, 0)}) | {(-3, -1), (4, -1), (-4, 1), (3, 1)}, key=lambda at: (at[1], at[0])
)
SERPENT_HEXES: Final[list[Hex]] = [(0, 0), (-2, -5), (7, -4), (-7, 4), (2, 5)]  # SV.B3


def make_space_names() -> list[str]:
    """The names of the spaces, in their order."""
    names: list[str] = []
    row, count = 99, 0
    for _, r in HEXES:
        count = count + 1 if r == row else 1
        row = r
        names.append(f"{ROWS[r + 6]}{count}")
    return names


NAMES: Final[list[str]] = make_space_names()
BY_NAME: Final[dict[str, int]] = {name: i for i, name in enumerate(NAMES)}
for _number, _isle in enumerate(ISLES):
    BY_NAME[_isle] = len(NAMES) + _number

SPACES: Final[i64] = 133
SLOTS: Final[i64] = 40
SIDES: Final[i64] = 6
FIRST_ISLE: Final[i64] = 133  # isle n is the place FIRST_ISLE + n
PLACES: Final[i64] = 137  # spaces and isles
NOWHERE: Final[i64] = -1  # no space
LAKE: Final[i64] = 66

# NEXT[space * 6 + direction]: the neighbouring space, -1 off the board.
NEXT: Final = to_vector([INDEX.get(neighbour_in_direction(at, d), -1) for at in HEXES for d in range(6)])
SLOT_SPACE: Final = to_vector([INDEX[at] for at in SLOT_HEXES])
SLOT_OF: Final = to_vector([SLOT_HEXES.index(at) if at in SLOT_HEXES else -1 for at in HEXES])
SERPENT_STARTS: Final = to_vector([INDEX[at] for at in SERPENT_HEXES])
ISLE_OF: Final = to_vector([next((i for i, two in enumerate(LANDINGS) if at in two), -1) for at in HEXES])

# 1 for slots that touch the outer sea: any initial sea space but the lake (SV.O1, SV.B5).
OUTER_SLOT: Final = to_vector(
    [
        int(
            any(
                neighbour_in_direction(at, d) not in SLOT_HEXES and neighbour_in_direction(at, d) != (0, 0)
                for d in range(6)
            )
        )
        for at in SLOT_HEXES
    ]
)

# The sea spaces that touch the island, including the lake: ships may start there (SV.U4).
SHORE: Final = to_vector(
    [
        i
        for i, at in enumerate(HEXES)
        if at not in SLOT_HEXES and any(neighbour_in_direction(at, d) in SLOT_HEXES for d in range(6))
    ]
)

# Straight-line steps to the nearest landing space: for evaluation only, never for rules.
TO_LANDING: Final = to_vector([min(hex_distance(at, landing) for two in LANDINGS for landing in two) for at in HEXES])
APART: Final = to_vector([hex_distance(a, b) for a in HEXES for b in HEXES])


def place_name(place: int) -> str:
    """The name of a space or an isle."""
    return ISLES[place - FIRST_ISLE] if place >= FIRST_ISLE else NAMES[place]
