"""The notation of actions and chance outcomes.

`d3` a die from sector 3, `n3` one for the neutral player, `+3b` take a book lying there, `^3b` that book is the piece
to move, `>6` where it goes, `c2` change the die in sector 2, `-g` donate a gem, `pass`; chance: `4` a die, `2c` a tile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.errors import NotationError
from landfall.games.atlandice.rules.action_encoding import (
    CHANGE,
    GIVE,
    NEUTRAL_DIE,
    OWN_DIE,
    PASS,
    PICK,
    ROLLED,
    TAKE,
    TILE,
    TO,
    action_family,
)
from landfall.games.atlandice.rules.board import Sector
from landfall.games.atlandice.rules.components import (
    RESOURCE_LETTERS,
    TILE_LETTERS,
    Place,
    Resource,
    place_of_resource,
    resource_of_place,
    sector_of_place,
)
from landfall.games.atlandice.rules.phases import REVEAL

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.position import AtlandicePosition

NUMBERS: Final = "123456"
MARKS: Final = {OWN_DIE: "d", NEUTRAL_DIE: "n", TAKE: "+", PICK: "^", TO: ">", CHANGE: "c", GIVE: "-"}
A_SECTOR: Final = "a sector from 1 to 6"
A_RESOURCE: Final = f"a resource of {RESOURCE_LETTERS}"
EXPECTED: Final = "d3, n3, +3b, ^3b, >3, c3, -b or pass"


def format_action(s: AtlandicePosition, action: int) -> str:
    """The notation of an action or outcome."""
    sort = int(action_family(action))
    part = action - sort
    if sort == PASS:
        return "pass"
    elif sort == GIVE:
        return MARKS[sort] + RESOURCE_LETTERS[part]
    elif sort == ROLLED:
        return NUMBERS[part]
    elif sort == TILE:
        return f"{NUMBERS[s.reveal]}{TILE_LETTERS[part]}"
    elif sort in (TAKE, PICK):
        return MARKS[sort] + format_place(part)
    return MARKS[sort] + NUMBERS[part]


def format_place(place: int) -> str:
    return NUMBERS[sector_of_place(Place(place))] + RESOURCE_LETTERS[resource_of_place(Place(place))]


def parse_action(s: AtlandicePosition, text: str) -> int:
    """The action or outcome that a text names in this position."""
    if s.actor < 0:
        return parse_outcome(s, text)
    if text == "pass":
        return PASS
    mark, rest = text[:1], text[1:]
    sort = next((sort for sort, known in MARKS.items() if mark == known), -1)
    if sort == GIVE:
        return GIVE + parse_letter(text, rest, RESOURCE_LETTERS, A_RESOURCE)
    elif sort in (TAKE, PICK):
        return sort + parse_place(text, rest)
    elif sort >= 0:
        return sort + parse_letter(text, rest, NUMBERS, A_SECTOR)
    raise NotationError(text, f"expected {EXPECTED}")


def parse_outcome(s: AtlandicePosition, text: str) -> int:
    if s.phase != REVEAL:
        return ROLLED + parse_letter(text, text, NUMBERS, "a die's face from 1 to 6")
    if text[:1] != NUMBERS[s.reveal]:
        raise NotationError(text, f"expected a tile of stack {NUMBERS[s.reveal]}")
    return TILE + parse_letter(text, text[1:], TILE_LETTERS, "a tile a, b or c")


def parse_place(text: str, rest: str) -> int:
    sector = parse_letter(text, rest[:1], NUMBERS, A_SECTOR)
    return int(place_of_resource(Sector(sector), Resource(parse_letter(text, rest[1:], RESOURCE_LETTERS, A_RESOURCE))))


def parse_letter(text: str, found: str, known: str, expected: str) -> int:
    """The index of a single letter among the known ones."""
    if len(found) != 1 or found not in known:
        raise NotationError(text, f"expected {expected}, not {found!r}")
    return known.index(found)
