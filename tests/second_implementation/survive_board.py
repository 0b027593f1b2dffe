"""The board, the tiles and the dice of Survive, read a second time from docs/rules/survive.md."""

from __future__ import annotations

# SV.B1: the picture of the rules; every row is centred. SV.B3: S is where a serpent starts, the lake (L) too.
PICTURE = (
    ".......",
    "S........o",
    "o.........S",
    "...####...",
    "...#####...",
    "..########..",
    "..###L###..",
    "..########..",
    "...#####...",
    "...####...",
    "S.........o",
    "o........S",
    ".......",
)
ROWS = "ABCDEFGHIJKLM"
SIDES = {"NW": (-0.5, -1), "NE": (0.5, -1), "E": (1.0, 0), "SE": (0.5, 1), "SW": (-0.5, 1), "W": (-1.0, 0)}
# SV.B4: the ends of the second and third row, and of the third last and second last.
ISLES = {"@NW": ("B1", "C1"), "@NE": ("B10", "C11"), "@SW": ("K1", "L1"), "@SE": ("K11", "L10")}
ISLE_OF = {space: isle for isle, spaces in ISLES.items() for space in spaces}

# SV.C1: how many backs of each sort lie under beach, forest, mountain.
LOW_TO_HIGH = ("beach", "forest", "mountain")
TABLE = """
    shark          3  2  1
    whale          3  2  0
    ship           1  3  0
    whirlpool      0  2  4
    volcano        0  0  1
    dolphin        3  1  0
    wind           2  0  0
    move_serpent   1  1  0
    move_shark     1  1  0
    move_whale     1  1  0
    shark_defence  1  1  1
    whale_defence  0  2  1
"""
BACKS = {
    terrain: {row.split()[0]: int(row.split()[1 + column]) for row in TABLE.strip().splitlines()}
    for column, terrain in enumerate(LOW_TO_HIGH)
}
COLOURS = "rygbow"  # SV.U2: red, yellow, green, blue, orange, white
LOST = "lost"

# SV.K3, SV.K4, SV.K5, SV.Q3: how far each goes on the creature die.
REACH = {"serpent": 1, "shark": 2, "whale": 3, "squid": 3}
# SV.C4
FIRST_DIE = ("serpent", "shark", "whale", "dolphin", "ship", "starfish")
SECOND_DIE = {"1": 2, "2": 2, "3": 1, "D": 1}


def make_board() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """SV.B1: what is drawn on each space, and its neighbours by side."""
    at: dict[tuple[float, int], str] = {}
    drawn: dict[str, str] = {}
    for y, row in enumerate(PICTURE):
        for i, mark in enumerate(row):
            name = f"{ROWS[y]}{i + 1}"
            at[i - (len(row) - 1) / 2, y] = name
            drawn[name] = mark
    near = {
        name: {side: at[x + dx, y + dy] for side, (dx, dy) in SIDES.items() if (x + dx, y + dy) in at}
        for (x, y), name in at.items()
    }
    return drawn, near


DRAWN, NEAR = make_board()
LAND = [name for name, mark in DRAWN.items() if mark == "#"]  # SV.B2
OUTER = [name for name in LAND if any(DRAWN[n] not in "#L" for n in NEAR[name].values())]
