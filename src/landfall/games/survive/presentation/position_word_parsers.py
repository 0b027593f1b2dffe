# interpreted
"""Parses single words of a position string: a number, a seat, a space, an explorer. Errors say what was expected."""

from __future__ import annotations

from typing import Final

from landfall.core.errors import PositionError
from landfall.core.position_words import parse_one_of
from landfall.games.survive.rules import board, components
from landfall.games.survive.rules.position import SurvivePosition

GROUND: Final = "bfm"  # beach, forest, mountain
GROUPS: Final = tuple(f"{name}s" for name in components.KIND_NAMES)


def parse_seat(s: SurvivePosition, value: str, shown: str) -> int:
    return parse_one_of(components.COLOUR_NAMES[: s.players], value, shown)


def parse_space_or_isle(name: str, shown: str) -> int:
    place = board.BY_NAME.get(name.upper(), -1)
    if place < 0:
        raise PositionError(shown, f"there is no space {name.upper()}; they are A1 to M7, and {', '.join(board.ISLES)}")
    return place


def parse_space(name: str, shown: str) -> int:
    space = parse_space_or_isle(name, shown)
    if space >= board.FIRST_ISLE:
        raise PositionError(shown, "expected a space of the board, not an isle")
    return space


def parse_explorer(name: str, shown: str) -> int:
    colour, nth = components.COLOUR_LETTERS.find(name[:1].lower()), name[1:]
    if colour < 0 or not (nth.isascii() and nth.isdecimal()) or not 1 <= int(nth[:3]) <= components.PER_COLOUR:
        raise PositionError(shown, f"{name} is no explorer; they are r1 to w10")
    return colour * int(components.PER_COLOUR) + int(nth) - 1
