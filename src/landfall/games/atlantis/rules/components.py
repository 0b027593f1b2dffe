"""Tiles, cards, figures: the components (AT.C1, AT.C2) as numbers.

A tile is a number from 0 to 83: its back (A or B), then its kind, then its place among the six of that kind. Players
distinguish tiles only by their face, kind and value, of which there are 49.
"""

# mypy: disable-error-code="assignment"
# Values of NewTypes are written as plain numbers, so that the compiler inlines them.

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NewType, get_args

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector
from landfall.games.atlantis.rules import message_types

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

# Small-number types that must not be mixed.
Kind = NewType("Kind", i64)  # of cards and tiles
Face = NewType("Face", i64)  # of tiles: a kind and a value
Tile = NewType("Tile", i64)
NO_TILE: Final[Tile] = -1

KINDS: Final[tuple[message_types.Kind, ...]] = get_args(message_types.Kind)
COLOURS: Final = ("blue", "white", "black", "red")  # of the players, by seat
FIGURE_NAMES: Final[tuple[message_types.Figure, ...]] = get_args(message_types.Figure)
BACKS: Final[tuple[message_types.Back, ...]] = get_args(message_types.Back)

NUM_KINDS: Final = 7
NUM_TILES: Final = 84
TILES_A_BACK: Final = 42
TILES_A_KIND: Final = 6
NUM_VALUES: Final = 7
NUM_FACES: Final = 49
CARDS_A_KIND: Final = 15
NUM_CARDS: Final = 105
FIGURES: Final = 3
MAX_PLAYERS: Final = 4
MAX_BOUGHT: Final = 3  # cards, with a tile of value 6 or 7 (AT.T2)
MAX_TO_DRAW: Final = 7  # the first hand of the fourth seat
MAX_TO_PAY: Final = 371  # more than 53 tiles of value 7 never lie on the path
FIRST_HAND: Final = 4  # cards for seat 0; each later seat draws one more (AT.U2)


def _value_of_nth_tile(back: int, kind: int, nth: int) -> int:
    """The value of the nth tile of a kind (AT.C1): 1 to 5, then 6 or 7, whichever the other back lacks."""
    if nth < 5:
        return nth + 1
    return 6 if (kind < 4) == (back == 0) else 7


def _all_tiles() -> list[tuple[int, int, int]]:
    return [(back, kind, nth) for back in range(2) for kind in range(NUM_KINDS) for nth in range(TILES_A_KIND)]


def _build_tile_lookup_by_back_and_face() -> list[int]:
    found = [-1] * (2 * NUM_FACES)
    for tile, (back, kind, nth) in enumerate(_all_tiles()):
        found[back * NUM_FACES + kind * NUM_VALUES + _value_of_nth_tile(back, kind, nth) - 1] = tile
    return found


TILE_KIND: Final[Buf] = to_vector([kind for _, kind, _ in _all_tiles()])
TILE_VALUE: Final[Buf] = to_vector([_value_of_nth_tile(back, kind, nth) for back, kind, nth in _all_tiles()])
TILE_FACE: Final[Buf] = to_vector(
    [kind * NUM_VALUES + _value_of_nth_tile(back, kind, nth) - 1 for back, kind, nth in _all_tiles()]
)
# [back * NUM_FACES + face]: the tile, or -1 if that back has none
TILE_OF: Final[Buf] = to_vector(_build_tile_lookup_by_back_and_face())

# Each face as one bit of a set. A table, because compiled code would shift a literal 1 as a 32-bit number.
FACE_BIT: Final[Buf] = to_vector([2**face for face in range(NUM_FACES)])
ALL_FACES: Final[i64] = 0x1FFFFFFFFFFFF

# Values of `tile_at`. Seat s holds the tiles at HELD + s.
UNSEEN: Final = 0
ON_PATH: Final = 1
OUT: Final = 2
HELD: Final = 3


def kind_of_face(face: Face) -> Kind:
    """The kind of tiles with this face."""
    return Kind(face // NUM_VALUES)


def value_of_face(face: Face) -> i64:
    """The value of tiles with this face: 1 to 7."""
    return face % NUM_VALUES + 1


def count_cards_bought_with_face(face: Face) -> i64:
    """The number of cards that a tile with this face buys: half its value, rounded down (AT.T2)."""
    return value_of_face(face) // 2


def face_of_tile(tile: Tile) -> Face:
    """The face of a tile."""
    return Face(TILE_FACE[tile])


def kind_of_tile(tile: Tile) -> Kind:
    """The kind of a tile."""
    return Kind(TILE_KIND[tile])


def format_face(face: Face) -> str:
    """A face as the rules write it: `blue3`."""
    return f"{KINDS[kind_of_face(face)]}{value_of_face(face)}"


def face_to_json(face: Face) -> message_types.Tile:
    """A face as data, for clients."""
    return {"kind": KINDS[kind_of_face(face)], "value": int(value_of_face(face))}


def face_to_event_fields(face: Face) -> message_types.TileWords:
    """The same for events and choices, where `kind` is the kind of the event."""
    return {"tile": KINDS[kind_of_face(face)], "value": int(value_of_face(face))}


def parse_face(text: str) -> int:
    """The face a text like `blue3` names, or -1."""
    if text[-1:] in tuple("1234567") and text[:-1] in KINDS:
        return KINDS.index(text[:-1]) * NUM_VALUES + int(text[-1]) - 1
    return -1
