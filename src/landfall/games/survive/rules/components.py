"""C · Components: tiles and their backs, explorers and their values, creatures, ships, dice, colours."""

# mypy: disable-error-code="assignment"
# Values of NewTypes are written as plain numbers, so that the compiler inlines them.

from __future__ import annotations

from typing import Final, NewType, get_args

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector
from landfall.games.survive.rules import message_types

# Small-number types that must not be mixed.
Terrain = NewType("Terrain", i64)
Back = NewType("Back", i64)
Mover = NewType("Mover", i64)  # anything that moves several spaces: a kind of creature, a ship, a swimmer
Kind = NewType("Kind", Mover)
Face = NewType("Face", i64)

# Terrains, in the order in which they sink (SV.R1).
BEACH: Final[Terrain] = 0
FOREST: Final[Terrain] = 1
MOUNTAIN: Final[Terrain] = 2
TERRAINS: Final[i64] = 3
TERRAIN_NAMES: Final[tuple[message_types.TerrainName, ...]] = get_args(message_types.TerrainName)
SEA: Final[Terrain] = -1  # what a space without a tile holds
UNLAID: Final[Terrain] = 3  # a slot without its tile yet

# Backs, in the order of the names in `BackName`. The first seven can be in a hand; 10 is the whirlpool.
DOLPHIN_TILE: Final[Back] = 0
WIND: Final[Back] = 1
MOVE_SERPENT: Final[Back] = 2
MOVE_SHARK: Final[Back] = 3
MOVE_WHALE: Final[Back] = 4
SHARK_DEFENCE: Final[Back] = 5
WHALE_DEFENCE: Final[Back] = 6
SHARK_TILE: Final[Back] = 7
WHALE_TILE: Final[Back] = 8
SHIP_TILE: Final[Back] = 9
VOLCANO: Final[Back] = 11
NO_BACK: Final[Back] = -1
HAND_KINDS: Final[i64] = 7
BACKS: Final[i64] = 12
BACK_NAMES: Final[tuple[message_types.BackName, ...]] = get_args(message_types.BackName)

# SV.C1: the number of tiles by back, for beach, forest, mountain.
TILE_TABLE: Final[list[list[int]]] = [
    [3, 2, 1, 1, 1, 1, 0, 3, 3, 1, 0, 0],
    [1, 0, 1, 1, 1, 1, 2, 2, 2, 3, 2, 0],
    [0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 4, 1],
]
BACKS_OF_TERRAINS: Final[list[int]] = [count for row in TILE_TABLE for count in row]
TILES_OF_TERRAINS: Final[list[int]] = [sum(row) for row in TILE_TABLE]

# SV.C2, SV.C4
COLOURS: Final[i64] = 6  # also the largest number of seats
COLOUR_NAMES: Final = ("red", "yellow", "green", "blue", "orange", "white")
COLOUR_LETTERS: Final = "rygbow"
PIECE_NAMES: Final = [f"{letter}{n + 1}" for letter in COLOUR_LETTERS for n in range(10)]  # by explorer
PER_COLOUR: Final[i64] = 10
EXPLORERS: Final[i64] = 60
BIT: Final = to_vector([1 << e for e in range(63)])  # by explorer, for bit sets; three bits are left
SHIPS_CHANGED: Final[i64] = 60  # bits of a position's `changed`: ships and crews, creatures, public facts of seats
CREATURES_CHANGED: Final[i64] = 61
SEATS_CHANGED: Final[i64] = 62
VALUES: Final[i64] = 6
VALUE_COUNTS: Final[list[int]] = [3, 2, 2, 1, 1, 1]
SHIPS: Final[i64] = 12
SHIP_SEATS: Final[i64] = 3  # SV.S1
MAX_SHIPS_TO_PUT: Final[i64] = 4  # SV.V2
MOVEMENT_POINTS: Final[i64] = 3  # SV.T3: movement points a turn
NONE: Final[i64] = -1  # no explorer, ship, creature or dolphin

# Creatures, by kind; the pieces of a kind are numbered from FIRST[kind].
SERPENT: Final[Kind] = 0
SHARK: Final[Kind] = 1
WHALE: Final[Kind] = 2
DOLPHIN: Final[Kind] = 3
SQUID: Final[Kind] = 4
KINDS: Final[i64] = 5
KIND_NAMES: Final[tuple[message_types.CreatureName, ...]] = get_args(message_types.CreatureName)
SUPPLY: Final[list[int]] = [5, 6, 5, 4, 5]
CREATURES: Final[i64] = 25
FIRST: Final = to_vector([0, 5, 11, 16, 20, 25])
KIND_OF: Final = to_vector([kind for kind in range(KINDS) for _ in range(SUPPLY[kind])])
FIRST_DOLPHIN: Final[i64] = 16
DOLPHINS: Final[i64] = 4
# By kind, the hand tile that moves it (SV.H3, SV.Q3).
MOVE_TILE: Final = to_vector([int(back) for back in (MOVE_SERPENT, MOVE_SHARK, MOVE_WHALE, NO_BACK, MOVE_WHALE)])
REACH: Final = to_vector([1, 2, 3, 3, 3])  # SV.K3, SV.K4, SV.K5, SV.Q3: range of each kind on the creature die

TILE_REACH: Final[i64] = 3  # SV.H1, SV.H2: range of a swimmer or a ship with a hand tile

# `creatures_at[space]` packs a count of each kind in four bits, and the count of guarded swimmers in four more.
ONE: Final = to_vector([1, 1 << 4, 1 << 8, 1 << 12, 1 << 16])
ONE_WARD: Final[i64] = 1 << 20
COUNT_BITS: Final[i64] = 15
DOLPHIN_BITS: Final[i64] = 12
WARD_BITS: Final[i64] = 20
ALL_COUNTS: Final[i64] = 0xFFFFFF
SERPENTS: Final[i64] = 0xF
WHALES: Final[i64] = 0xF00
SQUIDS: Final[i64] = 0xF0000
DEADLY: Final[i64] = 0xFF  # serpents and sharks, which remove swimmers (SV.M12)
WRECKERS: Final[i64] = 0xF0F  # serpents and whales, which wreck an occupied ship that enters (SV.S6)

# Faces of the dice are not kinds: only MOVED_BY maps a face to what it moves. The creature die has the first three
# faces, the first dive die all six (SV.C3, SV.C4).
NO_FACE: Final[Face] = -1  # no die is rolled
FACES: Final[i64] = 6
CREATURE_FACES: Final[i64] = 3
FACE_NAMES: Final = ("serpent", "shark", "whale", "dolphin", "ship", "starfish")

# What a face moves: serpent, shark, whale, dolphin, squid, empty ship (SV.K1, SV.N2). A squid moves wherever a whale
# does (SV.Q3). MOVED_BY[face * MOVABLES + kind or EMPTY_SHIP] is 1 for these.
EMPTY_SHIP: Final[Mover] = 5  # the dice move these too; numbered after the kinds
WIND_SHIP: Final[Mover] = 6  # an occupied ship moved by wind (SV.H2)
SWIMMER: Final[Mover] = 7  # with a dolphin tile (SV.H1)
MOVABLES: Final[i64] = 6
MOVED_BY: Final = to_vector(
    [1, 0, 0, 0, 0, 0]  # serpent
    + [0, 1, 0, 0, 0, 0]  # shark
    + [0, 0, 1, 0, 1, 0]  # whale
    + [0, 0, 0, 1, 0, 0]  # dolphin
    + [0, 0, 0, 0, 0, 1]  # ship
    + [1, 1, 1, 1, 1, 1]  # starfish
)
SECOND_DIE_NAMES: Final = ("1", "2", "3", "D")
SECOND_DIE_WEIGHTS: Final[list[int]] = [2, 2, 1, 1]
ANYWHERE: Final[i64] = 4  # the D of the second dive die

# Where an explorer is: a space, an isle (FIRST_ISLE on), or one of these.
UNPLACED: Final[i64] = -1
LOST: Final[i64] = -2
ASIDE: Final[i64] = -3  # never enters the game (SV.X1, SV.X2)

# Flags of an explorer within a turn.
ACTED: Final[i64] = 1  # SV.M9: its one act in the water is used
FELL: Final[i64] = 2  # SV.O5: it stood on the tile just removed


def hand_index(seat: i64, terrain: i64, back: i64) -> i64:
    """The index into a position's `hand` for a seat, a terrain and a back."""
    return (seat * TERRAINS + terrain) * HAND_KINDS + back


def kind_of_creature(creature: i64) -> Kind:
    """The kind of a creature."""
    return Kind(Mover(KIND_OF[creature]))


def is_tile_kept_in_hand(dolphins: bool, back: Back) -> bool:
    """SV.R8: whether a back is kept in the hand; SV.N1: with the dolphins option, dolphin tiles are used at once."""
    return back < HAND_KINDS and not (dolphins and back == DOLPHIN_TILE)
