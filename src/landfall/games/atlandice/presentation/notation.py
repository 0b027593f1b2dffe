"""The notation of actions and chance outcomes.

`d3` a die from sector 3, `n3` one for the neutral player, `+3b` take a book lying there, `^3b` that book is the piece
to move, `>6` where it goes, `c2` change the die in sector 2, `-g` donate a gem, `pass`; chance: `4` a die, `2c` a tile.
"""

from __future__ import annotations

from typing import Final

from landfall.core.errors import NotationError
from landfall.games.atlandice.rules import codes, components, phases
from landfall.games.atlandice.rules.board import Sector
from landfall.games.atlandice.rules.position import AtlandicePosition

NUMBERS: Final = "123456"
MARKS: Final = {
    codes.OWN_DIE: "d",
    codes.NEUTRAL_DIE: "n",
    codes.TAKE: "+",
    codes.PICK: "^",
    codes.TO: ">",
    codes.CHANGE: "c",
    codes.GIVE: "-",
}
A_SECTOR: Final = "a sector from 1 to 6"
A_RESOURCE: Final = f"a resource of {components.RESOURCE_LETTERS}"
EXPECTED: Final = "d3, n3, +3b, ^3b, >3, c3, -b or pass"


def format_action(s: AtlandicePosition, action: int) -> str:
    """The notation of an action or outcome."""
    sort = int(codes.action_family(action))
    part = action - sort
    if sort == codes.PASS:
        return "pass"
    elif sort == codes.GIVE:
        return MARKS[sort] + components.RESOURCE_LETTERS[part]
    elif sort == codes.ROLLED:
        return NUMBERS[part]
    elif sort == codes.TILE:
        return f"{NUMBERS[s.reveal]}{components.TILE_LETTERS[part]}"
    elif sort in (codes.TAKE, codes.PICK):
        return MARKS[sort] + format_place(part)
    return MARKS[sort] + NUMBERS[part]


def format_place(place: int) -> str:
    return (
        NUMBERS[components.sector_of_place(components.Place(place))]
        + components.RESOURCE_LETTERS[components.resource_of_place(components.Place(place))]
    )


def parse_action(s: AtlandicePosition, text: str) -> int:
    """The action or outcome that a text names in this position."""
    if s.actor < 0:
        return parse_outcome(s, text)
    if text == "pass":
        return codes.PASS
    mark, rest = text[:1], text[1:]
    sort = next((sort for sort, known in MARKS.items() if mark == known), -1)
    if sort == codes.GIVE:
        return codes.GIVE + parse_letter(text, rest, components.RESOURCE_LETTERS, A_RESOURCE)
    elif sort in (codes.TAKE, codes.PICK):
        return sort + parse_place(text, rest)
    elif sort >= 0:
        return sort + parse_letter(text, rest, NUMBERS, A_SECTOR)
    raise NotationError(text, f"expected {EXPECTED}")


def parse_outcome(s: AtlandicePosition, text: str) -> int:
    if s.phase != phases.REVEAL:
        return codes.ROLLED + parse_letter(text, text, NUMBERS, "a die's face from 1 to 6")
    if text[:1] != NUMBERS[s.reveal]:
        raise NotationError(text, f"expected a tile of stack {NUMBERS[s.reveal]}")
    return codes.TILE + parse_letter(text, text[1:], components.TILE_LETTERS, "a tile a, b or c")


def parse_place(text: str, rest: str) -> int:
    sector = parse_letter(text, rest[:1], NUMBERS, A_SECTOR)
    return int(
        components.place_of_resource(
            Sector(sector), components.Resource(parse_letter(text, rest[1:], components.RESOURCE_LETTERS, A_RESOURCE))
        )
    )


def parse_letter(text: str, found: str, known: str, expected: str) -> int:
    """The index of a single letter among the known ones."""
    if len(found) != 1 or found not in known:
        raise NotationError(text, f"expected {expected}, not {found!r}")
    return known.index(found)
