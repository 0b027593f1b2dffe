# interpreted
"""How wide a text is on a terminal: Chinese letters take two cells, marks that combine none."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MARKUP_PATTERN: Final = re.compile(r"(\\\[)|\[/?[a-z][^\[\]]*\]|\[/\]")


def text_width(text: str) -> int:
    """The cells a plain text takes."""
    return sum(char_width(letter) for letter in text)


def char_width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def truncate_to_width(text: str, cells: int) -> str:
    """As much of a plain text as fits into so many cells."""
    left = cells
    for i, letter in enumerate(text):
        left -= char_width(letter)
        if left < 0:
            return text[:i]
    return text


def pad_to_width(markup: str, cells: int) -> str:
    """A text with marks of style (`[bold]...[/]`) filled up with spaces to so many cells."""
    bare = MARKUP_PATTERN.sub(lambda found: "[" if found[1] else "", markup)
    return markup + " " * max(0, cells - text_width(bare))
