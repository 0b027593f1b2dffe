"""Validates untrusted text: normalised, bounded, without hidden characters.

Invalid names are refused; chat is stripped of what cannot be shown. All other text must be plain.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from landfall.tables.protocol.errors import Refused

NAME_LIMITS: Final = 24, 72  # characters, bytes: enough for any script, and for a row of emoji
SEAT_NAME_LIMITS: Final = 64, 192  # in a record it may be a bot's code
CHAT_LIMITS: Final = 500, 1500
MAX_COMBINING_MARKS: Final = 4  # per letter: enough for every script, too few to overlap other lines
MAX_JSON_DEPTH: Final = 20  # levels of nesting
MAX_JSON_PARTS: Final = 1_000  # members of all objects and lists together
UNKEPT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")  # controls, surrogates
JOINERS: Final = "\u200c\u200d"  # they combine two characters into one, in emoji and in scripts without capitals
BLANK_CHARS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f\u180b\u180c\u180d\u180f")  # invisible
EMOJI_RANGE: Final = "\U0001f000", "\U0001fbff"  # this Python's Unicode version may be older than a phone's
TABLE_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def require_displayable_name(text: str, limits: tuple[int, int] = NAME_LIMITS) -> str:
    """A name as it is shown, with single spaces; Refused if it is too long, invisible, or has hidden characters."""
    found = " ".join(normalise_unicode(text).split())
    if (
        not found
        or strip_hidden_characters(found) != found
        or exceeds_limits(found, limits)
        or not any(map(is_visible_character, found))
    ):
        raise Refused("name")
    return found


def normalise_account_name(text: str) -> str:
    """The key of an account: a name as typed, regardless of spaces and capitals."""
    return " ".join(normalise_unicode(text).split()).casefold()


def require_displayable_seat_name(text: str) -> str:
    """The same for a name in a record, which may be empty."""
    return require_displayable_name(text, SEAT_NAME_LIMITS) if text else ""


def clean_chat_line(text: str) -> str:
    """A chat line without what cannot be shown; Refused if nothing is left."""
    found = " ".join(strip_hidden_characters(" ".join(normalise_unicode(text).split())).split())
    if not any(map(is_visible_character, found)):
        raise Refused("empty")
    if exceeds_limits(found, CHAT_LIMITS):
        raise Refused("too_large", most=CHAT_LIMITS[1])
    return found


def require_table_id(text: str) -> str:
    """A table id; Refused if it cannot be one."""
    if not TABLE_ID_PATTERN.fullmatch(text):
        raise Refused("no_table")
    return text


def require_storable_json(value: Any) -> None:
    """Refused if a text in a JSON value cannot be stored by every database, or if the value is too large or deep."""
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


def normalise_unicode(text: str) -> str:
    """NFC: what looks equal is equal."""
    return unicodedata.normalize("NFC", text)


def exceeds_limits(text: str, limits: tuple[int, int]) -> bool:
    return len(text) > limits[0] or len(text.encode()) > limits[1]


def strip_hidden_characters(text: str) -> str:
    """The text without controls, surrogates, bidirectional overrides, fillers, stacked marks, and stray joiners."""
    out: list[str] = []
    marks = 0
    for i, c in enumerate(text):
        kind = unicodedata.category(c)
        marks = marks + 1 if kind[0] == "M" else 0
        if c in JOINERS:
            fine = bool(out) and can_precede_joiner(out[-1]) and i + 1 < len(text) and can_precede_joiner(text[i + 1])
        elif kind == "Cn":
            fine = EMOJI_RANGE[0] <= c <= EMOJI_RANGE[1]
        elif kind[0] == "M":
            fine = c not in BLANK_CHARS and marks <= MAX_COMBINING_MARKS and bool(out) and is_visible_or_mark(out[-1])
        else:
            fine = kind[0] != "C" and (kind[0] != "Z" or c == " ") and c not in BLANK_CHARS
        if fine:
            out.append(c)
    return "".join(out)


def can_precede_joiner(c: str) -> bool:
    """Whether a joiner may follow this: a letter of a script without capitals, a mark, an emoji."""
    return unicodedata.category(c) in ("Lo", "Mn", "Mc", "So", "Sk", "Cn") and c not in BLANK_CHARS


def is_visible_character(c: str) -> bool:
    """Whether the character is visible by itself."""
    kind = unicodedata.category(c)
    return (kind[0] in "LNPS" and c not in BLANK_CHARS) or EMOJI_RANGE[0] <= c <= EMOJI_RANGE[1]


def is_visible_or_mark(c: str) -> bool:
    return is_visible_character(c) or unicodedata.category(c)[0] == "M"
