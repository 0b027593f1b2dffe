"""Choices and outcomes as short texts.

`d3` a die from sector 3, `n3` one for the neutral player, `+3b` take a book lying there, `^3b` that book is the piece
to move, `>6` where it goes, `c2` change the die in sector 2, `-g` donate a gem, `pass`; chance: `4` a die, `2c` a tile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.errors import NotationError
from landfall.games.atlandice.actions import (
    CHANGE,
    FACE,
    GIVE,
    NEUTRAL_DIE,
    OWN_DIE,
    PASS,
    PICK,
    REVEAL,
    TAKE,
    TILE,
    TO,
)
from landfall.games.atlandice.components import RESOURCE_LETTERS, RESOURCES, TILE_LETTERS

if TYPE_CHECKING:
    from landfall.games.atlandice.state import AtlandiceState

NUMBERS: Final = "123456"
EXPECTED: Final = "d3, n3, +3b, ^3b, >3, c3, -b or pass"


def notation(s: AtlandiceState, action: int) -> str:
    """The text of a choice or an outcome."""
    if action >= TILE:
        return f"{int(s.reveal) + 1}{TILE_LETTERS[action - TILE]}"
    elif action >= FACE:
        return NUMBERS[action - FACE]
    elif action == PASS:
        return "pass"
    elif action >= GIVE:
        return "-" + RESOURCE_LETTERS[action - GIVE]
    elif action >= CHANGE:
        return "c" + NUMBERS[action - CHANGE]
    elif action >= TO:
        return ">" + NUMBERS[action - TO]
    elif action >= PICK:
        return "^" + place_text(action - PICK)
    elif action >= TAKE:
        return "+" + place_text(action - TAKE)
    elif action >= NEUTRAL_DIE:
        return "n" + NUMBERS[action - NEUTRAL_DIE]
    return "d" + NUMBERS[action - OWN_DIE]


def place_text(place: int) -> str:
    return NUMBERS[place // RESOURCES] + RESOURCE_LETTERS[place % RESOURCES]


def parse(s: AtlandiceState, text: str) -> int:
    """The choice or outcome a text names here."""
    if s.actor < 0:
        return parse_outcome(s, text)
    if text == "pass":
        return PASS
    mark, rest = text[:1], text[1:]
    if mark == "-":
        return GIVE + letter(text, rest, RESOURCE_LETTERS, "a resource of gbptw")
    elif mark == "+":
        return TAKE + parse_place(text, rest)
    elif mark == "^":
        return PICK + parse_place(text, rest)
    elif mark == "d":
        return OWN_DIE + letter(text, rest, NUMBERS, "a sector from 1 to 6")
    elif mark == "n":
        return NEUTRAL_DIE + letter(text, rest, NUMBERS, "a sector from 1 to 6")
    elif mark == ">":
        return TO + letter(text, rest, NUMBERS, "a sector from 1 to 6")
    elif mark == "c":
        return CHANGE + letter(text, rest, NUMBERS, "a sector from 1 to 6")
    raise NotationError(text, f"expected {EXPECTED}")


def parse_outcome(s: AtlandiceState, text: str) -> int:
    if s.phase != REVEAL:
        return FACE + letter(text, text, NUMBERS, "a die's face from 1 to 6")
    if text[:1] != NUMBERS[s.reveal]:
        raise NotationError(text, f"expected a tile of stack {NUMBERS[s.reveal]}")
    return TILE + letter(text, text[1:], TILE_LETTERS, "a tile a, b or c")


def parse_place(text: str, rest: str) -> int:
    sector = letter(text, rest[:1], NUMBERS, "a sector from 1 to 6")
    return sector * RESOURCES + letter(text, rest[1:], RESOURCE_LETTERS, "a resource of gbptw")


def letter(text: str, found: str, known: str, expected: str) -> int:
    """The position of a single letter among those known."""
    if len(found) != 1 or found not in known:
        raise NotationError(text, f"expected {expected}, not {found!r}")
    return known.index(found)
