# interpreted
"""How the city is drawn, as shares of its radius and by sector: for pictures, and for the client's generated tables."""

from __future__ import annotations

from math import pi
from typing import Final, get_args

from landfall.core.message_types import Json
from landfall.games.atlandice.rules import board, message_types

RESOURCES: Final[tuple[message_types.Resource, ...]] = get_args(message_types.Resource)
CITY_RADIUS: Final = 356  # in the units of the drawing
CITY_FLATNESS: Final = 0.8  # its height against its width
RADII: Final = {  # as shares of the city's radius
    "plaza": 0.31,
    "clock": 0.458,
    "canal": 0.507,
    "gate": 0.532,
    "shore": 0.556,
    "middle": 0.775,
    "plate": 0.95,
    "submarine": 1.085,
}
BRIDGE_RADII: Final = (0.445, 0.59)
DISTRICT_GAP: Final = 0.034  # half the angle between two districts
DISTRICT_ANGLES: Final = tuple(round(-pi / 2 + i * 2 * pi / board.REGIONS, 6) for i in range(board.REGIONS))
# For each district: from its middle, its building and its pieces; from its middle's angle, its plate and the submarine.
BUILDING_OFFSETS: Final = ((-78, 18), (6, -24), (66, 2), (-66, 2), (-6, -24))
PILE_OFFSETS: Final = ((50, 12), (2, 50), (-50, 4), (50, 4), (-2, 50))
PLATE_TURNS: Final = (0.42, 0.4, 0.42, 0.4, -0.4)
SUBMARINE_TURNS: Final = (-0.27, 0.27, -0.27, 0.27, -0.27)
OFFSET_SCALE: Final = CITY_RADIUS / 372  # of the offsets above
ICON_SYMBOLS: Final = {
    "gems": "gem",
    "books": "book",
    "provisions": "provisions",
    "tools": "tool",
    "weapons": "weapon",
    "stock": "stock",
    "donation": "donation",
}
SECTOR_TINTS: Final[dict[str, dict[str, str]]] = {
    "jeweller": {"ground": "#efd2ee", "edge": "#d5a3df", "ink": "#6b2a80", "roof": "#c05ad6"},
    "library": {"ground": "#cddcf2", "edge": "#9dbbe6", "ink": "#1f4688", "roof": "#3b6fc4"},
    "inn": {"ground": "#fbdcae", "edge": "#eeb874", "ink": "#7a430b", "roof": "#e08b2d"},
    "workshop": {"ground": "#c6e7dd", "edge": "#8fcbbf", "ink": "#17575a", "roof": "#3a9c97"},
    "forge": {"ground": "#f4cbbf", "edge": "#e19c8d", "ink": "#872a27", "roof": "#c8433f"},
    "black_market": {"ground": "#4b3a78", "edge": "#3a2a5e", "ink": "#3a2a5e", "roof": "#8a5ac0"},
}


def drawing_constants_for_client() -> dict[str, Json]:
    """The client's tables, by the names they have there."""
    return {
        "SECTORS": [*board.SECTOR_NAMES],
        "RESOURCES": [*RESOURCES],
        "CITY_RADIUS": CITY_RADIUS,
        "CITY_FLATNESS": CITY_FLATNESS,
        "RADII": {**RADII},
        "BRIDGE_RADII": [*BRIDGE_RADII],
        "DISTRICT_GAP": DISTRICT_GAP,
        "DISTRICT_ANGLES": [*DISTRICT_ANGLES],
        "BUILDING_OFFSETS": [list(offset) for offset in BUILDING_OFFSETS],
        "PILE_OFFSETS": [list(offset) for offset in PILE_OFFSETS],
        "PLATE_TURNS": [*PLATE_TURNS],
        "SUBMARINE_TURNS": [*SUBMARINE_TURNS],
        "ICON_SYMBOLS": {**ICON_SYMBOLS},
        "SECTOR_TINTS": {sector: {**tints} for sector, tints in SECTOR_TINTS.items()},
    }
