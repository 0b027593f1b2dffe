# interpreted
"""The width of texts on a terminal: Chinese characters take two cells, combining marks none."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MARKUP_PATTERN: Final = re.compile(r"(\\\[)|\[/?[a-z][^\[\]]*\]|\[/\]")


def text_width(text: str) -> int:
    """The width of a plain text in cells."""
    return sum(char_width(letter) for letter in text)


def char_width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def truncate_to_width(text: str, cells: int) -> str:
    """The longest prefix of a plain text that fits into a number of cells."""
    left = cells
    for i, letter in enumerate(text):
        left -= char_width(letter)
        if left < 0:
            return text[:i]
    return text


def pad_markup_to_width(markup: str, cells: int) -> str:
    """A text with style markup (`[bold]...[/]`), padded with spaces to a number of cells."""
    bare = MARKUP_PATTERN.sub(lambda found: "[" if found[1] else "", markup)
    return markup + " " * max(0, cells - text_width(bare))
