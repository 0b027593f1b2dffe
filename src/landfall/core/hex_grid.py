"""Hexagons in axial coordinates (q, r), pointy top: six named directions, neighbours, distance.

>>> neighbour_in_direction((0, 0), DIRECTIONS.index("NE"))
(1, -1)
>>> hex_distance((0, 0), (2, -3))
3
"""

from __future__ import annotations

from typing import Final

Hex = tuple[int, int]

# Clockwise from the upper left; directions are numbered in this order everywhere.
DIRECTIONS: Final = ("NW", "NE", "E", "SE", "SW", "W")
DIRECTION_OFFSETS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def neighbour_in_direction(at: Hex, direction: int) -> Hex:
    """The hexagon one step away."""
    return at[0] + DIRECTION_OFFSETS[direction][0], at[1] + DIRECTION_OFFSETS[direction][1]


def hex_distance(a: Hex, b: Hex) -> int:
    """Steps between two hexagons."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def hexes_within_radius(radius: int) -> list[Hex]:
    """All hexagons at most `radius` steps from the centre, row by row."""
    span = range(-radius, radius + 1)
    return [(q, r) for r in span for q in span if abs(q + r) <= radius]
