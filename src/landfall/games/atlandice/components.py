"""What lies in the box (AD.C1, AD.C2): resources, region tiles, dice, and how many of each are used (AD.U1)."""

from __future__ import annotations

from typing import Final, Literal, get_args

from mypy_extensions import i64

from landfall.core.vectors import buf
from landfall.games.atlandice.board import SECTOR_NAMES
from landfall.games.atlandice.messages import Icon, Resource

# The resource of a region bears the region's number.
RESOURCES: Final = 5
RESOURCE_NAMES: Final[tuple[Resource, ...]] = get_args(Resource)
RESOURCE_LETTERS: Final = "gbptw"

# A tile is its region's number times three plus its letter.
LETTERS: Final = 3
TILE_LETTERS: Final = "abc"
TILES: Final = 15
JEWELLER_A: Final = 0
JEWELLER_B: Final = 1
JEWELLER_C: Final = 2
LIBRARY_A: Final = 3
LIBRARY_B: Final = 4
LIBRARY_C: Final = 5
INN_A: Final = 6
INN_B: Final = 7
INN_C: Final = 8
WORKSHOP_A: Final = 9
WORKSHOP_B: Final = 10
WORKSHOP_C: Final = 11
FORGE_A: Final = 12
FORGE_B: Final = 13
FORGE_C: Final = 14

# On top of a stack: a letter, or one of these.
USED_UP: Final = -1
FACE_DOWN: Final = 3

# Where a tile is: unseen in its stack, on top of it, out of the game, or TAKEN + holder.
UNSEEN: Final = 0
ON_TOP: Final = 1
GONE: Final = 2
TAKEN: Final = 3

# Icons on the clock's spaces (AD.C4). An inventory of one resource is the resource's number plus one.
NO_ICON: Final = 0
WHOLE_STOCK: Final = 6
DONATION: Final = 7
ICON_NAMES: Final[tuple[Icon | Literal[""], ...]] = ("", *RESOURCE_NAMES, "stock", "donation")

MOST_SPACES: Final = 240  # of the last space, and of a tile's hands: a byte each

# Holders of pieces are the seats and, with two players, the neutral player behind them (AD.N1).
HOLDERS: Final = 4
NEUTRAL: Final = 2
OWN_DICE: Final = 2  # of a round, at most, with two players: the third is the neutral player's (AD.N1)

MARKET_SHARE: Final = 3  # pieces of each resource in the black market (AD.U1, AD.V3)
REGION_SHARE: Final = buf([0, 0, 7, 7, 9])  # by players
DICE: Final = buf([0, 0, 7, 7, 9])  # by players
VISITS: Final = buf([0, 0, 6, 6, 8])  # in a round, by players: one die is left (AD.P2, AD.N1)
MOST_DICE: Final = 9
MOST_VISITS: Final = 8
MOST_OF_A_RESOURCE: Final = 12

TILE_POINTS: Final = 3
MOST_POINTS: Final = 3
SECOND_POINTS: Final = 1
INVENTORY_POINTS: Final = 1
DONATION_POINTS: Final = 1
COLOURS: Final = ("red", "blue", "green", "yellow")
NEUTRAL_COLOUR: Final = "black"


def place_of(sector: i64, resource: i64) -> i64:
    """Where pieces of a resource lie in a sector: how `lying` counts them."""
    return sector * RESOURCES + resource


def sector_of(place: i64) -> i64:
    """The sector of a place."""
    return place // RESOURCES


def resource_of(place: i64) -> i64:
    """The resource of a place."""
    return place % RESOURCES


def tile_name(tile: int) -> str:
    """A tile as texts name it: `forge_b`."""
    return f"{SECTOR_NAMES[tile // LETTERS]}_{TILE_LETTERS[tile % LETTERS]}"


def icon_name(icon: int) -> Icon | None:
    """An icon as texts name it; None if there is none."""
    return ICON_NAMES[icon] or None
