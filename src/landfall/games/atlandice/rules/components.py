"""The components (AD.C1, AD.C2): resources, region tiles, dice, and how many of each are used (AD.U1)."""

# mypy: disable-error-code="assignment"
# Values of NewTypes are written as plain numbers, so that the compiler inlines them.

from __future__ import annotations

from typing import Final, Literal, NewType, get_args

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector
from landfall.games.atlandice.rules import board, message_types

# Small-number types that must not be mixed.
Resource = NewType("Resource", i64)
Place = NewType("Place", i64)  # a resource in a sector
Tile = NewType("Tile", i64)
Letter = NewType("Letter", i64)
Icon = NewType("Icon", i64)

# A resource has the number of its region: `home_region_of_resource`, `resource_of_region`.
RESOURCES: Final = 5
RESOURCE_NAMES: Final[tuple[message_types.Resource, ...]] = get_args(message_types.Resource)
RESOURCE_LETTERS: Final = "gbptw"

# A tile is its region's number times three plus its letter. Tiles that a rule names have a constant.
LETTERS: Final = 3
TILE_LETTERS: Final = "abc"
TILES: Final = 15
JEWELLER_A: Final[Tile] = 0
JEWELLER_B: Final[Tile] = 1
JEWELLER_C: Final[Tile] = 2
LIBRARY_A: Final[Tile] = 3
LIBRARY_B: Final[Tile] = 4
LIBRARY_C: Final[Tile] = 5
INN_A: Final[Tile] = 6
INN_B: Final[Tile] = 7
INN_C: Final[Tile] = 8
FORGE_A: Final[Tile] = 12
FORGE_B: Final[Tile] = 13
FORGE_C: Final[Tile] = 14

# The top of a stack: a letter, or one of these.
USED_UP: Final[Letter] = -1
FACE_DOWN: Final[Letter] = 3

# The place of a tile: unseen in its stack, on top of it, out of the game, or TAKEN + holder.
UNSEEN: Final = 0
ON_TOP: Final = 1
GONE: Final = 2
TAKEN: Final = 3

# Icons on the clock's spaces (AD.C4). An inventory of one resource is the resource's number plus one.
NO_ICON: Final[Icon] = 0
WHOLE_STOCK: Final[Icon] = 6
DONATION: Final[Icon] = 7
ICON_NAMES: Final[tuple[message_types.Icon | Literal[""], ...]] = ("", *RESOURCE_NAMES, "stock", "donation")

MAX_SPACES: Final = 240  # limit for the last space and for a tile's hands: one byte each

# Holders of pieces are the seats and, with two players, the neutral player after them (AD.N1).
HOLDERS: Final = 4
NEUTRAL: Final = 2
OWN_DICE: Final = 2  # per round, at most, with two players: the third is the neutral player's (AD.N1)

MARKET_SHARE: Final = 3  # pieces of each resource in the black market (AD.U1, AD.V3)
REGION_SHARE: Final = to_vector([0, 0, 7, 7, 9])  # by players
DICE: Final = to_vector([0, 0, 7, 7, 9])  # by players
VISITS: Final = to_vector([0, 0, 6, 6, 8])  # per round, by players: one die is left (AD.P2, AD.N1)
MAX_DICE: Final = 9
MAX_VISITS: Final = 8
MAX_PER_RESOURCE: Final = 12

TILE_POINTS: Final = 3
MOST_POINTS: Final = 3
SECOND_POINTS: Final = 1
INVENTORY_POINTS: Final = 1
DONATION_POINTS: Final = 1
COLOURS: Final = ("red", "blue", "green", "yellow")
NEUTRAL_COLOUR: Final = "black"


def place_of_resource(sector: board.Sector, resource: Resource) -> Place:
    """The index into `lying` for a resource in a sector."""
    return Place(sector * RESOURCES + resource)


def sector_of_place(place: Place) -> board.Sector:
    """The sector of a place."""
    return board.Sector(place // RESOURCES)


def resource_of_place(place: Place) -> Resource:
    """The resource of a place."""
    return Resource(place % RESOURCES)


def home_region_of_resource(resource: Resource) -> board.Sector:
    """The region a resource comes from."""
    return board.Sector(resource)


def resource_of_region(region: board.Sector) -> Resource:
    """The resource that comes from a region."""
    return Resource(region)


def tile_of_region(region: board.Sector, letter: i64) -> Tile:
    """The tile of a region with a letter."""
    return Tile(region * LETTERS + letter)


def tile_name(tile: int) -> str:
    """The name of a tile in texts: `forge_b`."""
    return f"{board.SECTOR_NAMES[tile // LETTERS]}_{TILE_LETTERS[tile % LETTERS]}"


def icon_name(icon: int) -> message_types.Icon | None:
    """The name of an icon in texts; None if there is none."""
    return ICON_NAMES[icon] or None
