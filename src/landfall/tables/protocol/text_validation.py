"""Text that strangers send, checked where it comes in: normalised, of a bounded size, and nothing in it that hides.

Names are refused where they are at fault; of chat, what cannot be shown is left out. All else is to be plain.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from landfall.tables.protocol.errors import Refused

NAME_LIMITS: Final = 24, 72  # characters, bytes: any script in full, and a row of emoji
SEAT_NAME_LIMITS: Final = 64, 192  # in a record it may be a bot's code
CHAT_LIMITS: Final = 500, 1500
MAX_COMBINING_MARKS: Final = 4  # marks on one letter: enough for every script, too few to climb over the lines around
MAX_JSON_DEPTH: Final = 20  # levels of a JSON value
MAX_JSON_PARTS: Final = 1_000  # members of all objects and lists of a JSON value together
UNKEPT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")  # controls, halves of characters
JOINERS: Final = "\u200c\u200d"  # they make one sign of two, in emoji and in scripts without capitals
BLANK_CHARS: Final = frozenset(
    "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f\u180b\u180c\u180d\u180f"
)  # seen by nobody
EMOJI_RANGE: Final = "\U0001f000", "\U0001fbff"  # this Python may know fewer of them than a phone does
TABLE_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def clean_name(text: str, limits: tuple[int, int] = NAME_LIMITS) -> str:
    """A name as it is shown; Refused if somebody could not see it, or could take it for another."""
    found = " ".join(normalise(text).split())
    if not found or strip_hidden(found) != found or is_too_long(found, limits) or not any(map(is_visible, found)):
        raise Refused("name")
    return found


def account_name(text: str) -> str:
    """What an account is found by: a name as somebody types it, however many spaces and capitals."""
    return " ".join(normalise(text).split()).casefold()


def clean_seat_name(text: str) -> str:
    """A name in a record: perhaps none."""
    return clean_name(text, SEAT_NAME_LIMITS) if text else ""


def clean_chat_line(text: str) -> str:
    """A line of chat, without what cannot be shown; Refused if nothing is left."""
    found = " ".join(strip_hidden(" ".join(normalise(text).split())).split())
    if not any(map(is_visible, found)):
        raise Refused("empty")
    if is_too_long(found, CHAT_LIMITS):
        raise Refused("too_large", most=CHAT_LIMITS[1])
    return found


def check_table_id(text: str) -> str:
    """The key of a table; what cannot be one is no table's."""
    if not TABLE_ID_PATTERN.fullmatch(text):
        raise Refused("no_table")
    return text


def check_plain_text(value: Any) -> None:
    """Refused if some text in a JSON value could not be kept by every database, or if it is too deep or has too many
    parts."""
    level: list[Any] = [value]
    parts = 0
    for _ in range(MAX_JSON_DEPTH + 1):
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


def normalise(text: str) -> str:
    """NFC: what looks the same is the same."""
    return unicodedata.normalize("NFC", text)


def is_too_long(text: str, limits: tuple[int, int]) -> bool:
    return len(text) > limits[0] or len(text.encode()) > limits[1]


def strip_hidden(text: str) -> str:
    """The text without controls, surrogates, overrides of direction, fillers, heaps of marks, and stray joiners."""
    out: list[str] = []
    marks = 0
    for i, c in enumerate(text):
        kind = unicodedata.category(c)
        marks = marks + 1 if kind[0] == "M" else 0
        if c in JOINERS:
            fine = bool(out) and can_join(out[-1]) and i + 1 < len(text) and can_join(text[i + 1])
        elif kind == "Cn":
            fine = EMOJI_RANGE[0] <= c <= EMOJI_RANGE[1]
        elif kind[0] == "M":
            fine = c not in BLANK_CHARS and marks <= MAX_COMBINING_MARKS and bool(out) and is_visible_or_mark(out[-1])
        else:
            fine = kind[0] != "C" and (kind[0] != "Z" or c == " ") and c not in BLANK_CHARS
        if fine:
            out.append(c)
    return "".join(out)


def can_join(c: str) -> bool:
    """Whether a joiner may stand beside this: a letter of a script without capitals, a mark, an emoji."""
    return unicodedata.category(c) in ("Lo", "Mn", "Mc", "So", "Sk", "Cn") and c not in BLANK_CHARS


def is_visible(c: str) -> bool:
    """Whether there is something to see by itself."""
    kind = unicodedata.category(c)
    return (kind[0] in "LNPS" and c not in BLANK_CHARS) or EMOJI_RANGE[0] <= c <= EMOJI_RANGE[1]


def is_visible_or_mark(c: str) -> bool:
    return is_visible(c) or unicodedata.category(c)[0] == "M"
