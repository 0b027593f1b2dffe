# interpreted
"""Words `name=value` of a position string, declared once each: from the declaration a word is written and read.

A word is left out where its value is the usual one, and reading begins with a position that holds the usual values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from landfall.core.errors import PositionError

MAX_DIGITS: Final = 13
Unless = Callable[[Any], object]
Names = Sequence[str] | Callable[[Any], Sequence[str]]


class Word(NamedTuple):
    """A word: when it is left out, its value as text, and how a position takes a value; `shown` is the whole word."""

    name: str
    unless: Unless
    write: Callable[[Any], str]
    read: Callable[[Any, str, str], None]


def number_word(name: str, field: str, most: int, unless: Unless | None = None) -> Word:
    """A number from 0 to `most`; left out at 0, if nothing else is said."""

    def read(s: Any, value: str, shown: str) -> None:
        setattr(s, field, parse_bounded_number(shown, value, most))

    return Word(name, unless or (lambda s: getattr(s, field) == 0), lambda s: str(int(getattr(s, field))), read)


def choice_word(name: str, field: str, names: Names, unless: Unless | None = None, first: int = 0) -> Word:
    """One of some names, which may depend on the position; the first stands for `first`, where it is left out."""

    def names_for(s: Any) -> Sequence[str]:
        return names(s) if callable(names) else names

    def read(s: Any, value: str, shown: str) -> None:
        setattr(s, field, parse_one_of(names_for(s), value, shown) + first)

    def write(s: Any) -> str:
        return names_for(s)[int(getattr(s, field)) - first]

    return Word(name, unless or (lambda s: getattr(s, field) == first), write, read)


def format_words(words: Sequence[Word], s: Any) -> list[str]:
    """The words of a position, without those that are usual."""
    return [f"{word.name}={word.write(s)}" for word in words if not word.unless(s)]


def parse_words(words: Sequence[Word], s: Any, texts: Sequence[str], expected: str) -> None:
    """Read words into a position; of an unknown one, PositionError says what was expected."""
    by_name = {word.name: word for word in words}
    for text in texts:
        name, _, value = text.lower().partition("=")
        if name not in by_name:
            raise PositionError(text, expected)
        by_name[name].read(s, value, text)


def parse_bounded_number(shown: str, value: str, most: int) -> int:
    if not (value.isascii() and value.isdecimal()) or len(value) > MAX_DIGITS or int(value) > most:
        raise PositionError(shown, f"expected a number up to {most}")
    return int(value)


def parse_one_of(names: Sequence[str], value: str, shown: str) -> int:
    lower = [name.lower() for name in names]
    if value not in lower:
        raise PositionError(shown, f"expected one of {', '.join(name for name in names if name)}")
    return lower.index(value)
