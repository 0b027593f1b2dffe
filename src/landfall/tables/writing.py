"""Text that strangers send, checked where it comes in: normalised, of a bounded size, and nothing in it that hides.

Names are refused where they are at fault; of chat, what cannot be shown is left out. All else is to be plain.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from landfall.tables.errors import Refused

NAME: Final = 24, 72  # characters, bytes: any script in full, and a row of emoji
SEAT: Final = 64, 192  # in a record it may be a bot's code
CHAT: Final = 500, 1500
MARKS: Final = 4  # marks on one letter: enough for every script, too few to climb over the lines around
DEEP: Final = 20  # levels of a JSON value
MAX_JSON_PARTS: Final = 1_000  # members of all objects and lists of a JSON value together
UNKEPT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")  # controls, halves of characters
JOINERS: Final = "\u200c\u200d"  # they make one sign of two, in emoji and in scripts without capitals
BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f\u180b\u180c\u180d\u180f")  # seen by nobody
EMOJI: Final = "\U0001f000", "\U0001fbff"  # this Python may know fewer of them than a phone does
TABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def name(text: str, most: tuple[int, int] = NAME) -> str:
    """A name as it is shown; Refused if somebody could not see it, or could take it for another."""
    found = " ".join(normal(text).split())
    if not found or shown(found) != found or too_long(found, most) or not any(map(visible, found)):
        raise Refused("name")
    return found


def account_name(text: str) -> str:
    """What an account is found by: a name as somebody types it, however many spaces and capitals."""
    return " ".join(normal(text).split()).casefold()


def seat_name(text: str) -> str:
    """A name in a record: perhaps none."""
    return name(text, SEAT) if text else ""


def line(text: str) -> str:
    """A line of chat, without what cannot be shown; Refused if nothing is left."""
    found = " ".join(shown(" ".join(normal(text).split())).split())
    if not any(map(visible, found)):
        raise Refused("empty")
    if too_long(found, CHAT):
        raise Refused("too_large", most=CHAT[1])
    return found


def table_id(text: str) -> str:
    """The key of a table; what cannot be one is no table's."""
    if not TABLE.fullmatch(text):
        raise Refused("no_table")
    return text


def plain(value: Any) -> None:
    """Refused if some text in a JSON value could not be kept by every database, or if it is too deep or has too many
    parts."""
    level: list[Any] = [value]
    parts = 0
    for _ in range(DEEP + 1):
        inner: list[Any] = []
        for one in level:
            if isinstance(one, str):
                if UNKEPT.search(one):
                    raise Refused("bad_text")
            elif isinstance(one, dict | list | tuple):
                parts += len(one)
                if parts > MAX_JSON_PARTS:
                    raise Refused("bad_message", reason=f"more than {MAX_JSON_PARTS} values")
                inner += one
                if isinstance(one, dict):
                    inner += one.values()
        if not inner:
            return
        level = inner
    raise Refused("bad_text")


# --- characters -----------------------------------------------------------------------------------------------


def normal(text: str) -> str:
    """NFC: what looks the same is the same."""
    return unicodedata.normalize("NFC", text)


def too_long(text: str, most: tuple[int, int]) -> bool:
    return len(text) > most[0] or len(text.encode()) > most[1]


def shown(text: str) -> str:
    """The text without controls, surrogates, overrides of direction, fillers, heaps of marks, and stray joiners."""
    out: list[str] = []
    marks = 0
    for i, c in enumerate(text):
        kind = unicodedata.category(c)
        marks = marks + 1 if kind[0] == "M" else 0
        if c in JOINERS:
            fine = bool(out) and joins(out[-1]) and i + 1 < len(text) and joins(text[i + 1])
        elif kind == "Cn":
            fine = EMOJI[0] <= c <= EMOJI[1]
        elif kind[0] == "M":
            fine = c not in BLANK and marks <= MARKS and bool(out) and visible_or_mark(out[-1])
        else:
            fine = kind[0] != "C" and (kind[0] != "Z" or c == " ") and c not in BLANK
        if fine:
            out.append(c)
    return "".join(out)


def joins(c: str) -> bool:
    """Whether a joiner may stand beside this: a letter of a script without capitals, a mark, an emoji."""
    return unicodedata.category(c) in ("Lo", "Mn", "Mc", "So", "Sk", "Cn") and c not in BLANK


def visible(c: str) -> bool:
    """Whether there is something to see by itself."""
    kind = unicodedata.category(c)
    return (kind[0] in "LNPS" and c not in BLANK) or EMOJI[0] <= c <= EMOJI[1]


def visible_or_mark(c: str) -> bool:
    return visible(c) or unicodedata.category(c)[0] == "M"
