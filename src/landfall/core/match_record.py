# interpreted
"""Records: a match as a readable text file. A header, then one line an action in notation, chance marked with `*`.

landfall record 1 game: survive rules: 1 players: 4 options: {"dolphins": true} seats: ["Ana", "greedy"] --- *beach
rD4=5

A match that started from another position has one more field, `position:` with its position string.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

from landfall.core.errors import RecordError

FORMAT_LINE: Final = "landfall record 1"
SEPARATOR_LINE: Final = "---"
MAX_RECORD_CHARS: Final = 100_000  # limit for tables and servers; long matches have about 10,000
CHANCE_MARK: Final = "*"
HIDDEN_MARK: Final = "?"
HEADER_FIELDS: Final = ("game", "rules", "players", "options", "seats")
POSITION_FIELD: Final = "position"  # optional


@dataclass
class Record:
    """A parsed record file; its actions are still text."""

    game: str
    rules: int
    players: int
    options: dict[str, object]
    seats: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    first_line: int = 0  # line number of the first action
    position: str | None = None  # position string it starts from

    def to_text(self) -> str:
        """The text of the record file."""
        head = [FORMAT_LINE, f"game: {self.game}", f"rules: {self.rules}", f"players: {self.players}"]
        head.append(f"options: {json.dumps(self.options, ensure_ascii=False)}")
        head.append(f"seats: {json.dumps(self.seats, ensure_ascii=False)}")
        if self.position is not None:
            head.append(f"{POSITION_FIELD}: {self.position}")
        return "\n".join([*head, SEPARATOR_LINE, *self.lines, ""])


def parse_record(text: str) -> Record:
    """Parse a record file; RecordError names the line and the reason."""
    lines = text.split("\n")
    if lines[0].rstrip("\r").lstrip("\ufeff") != FORMAT_LINE:
        raise RecordError(1, f"not a Landfall record: the first line is not {FORMAT_LINE!r}")
    found: dict[str, Any] = {}
    at = 1
    while True:
        if at >= len(lines):
            raise RecordError(at, f"the header does not end: no line {SEPARATOR_LINE!r}")
        line = lines[at].strip()
        if line == SEPARATOR_LINE:
            break
        name, colon, value = line.partition(":")
        if not colon or name not in (*HEADER_FIELDS, POSITION_FIELD):
            raise RecordError(at + 1, f"no header field is called {name!r}; they are {', '.join(HEADER_FIELDS)}")
        if name in found:
            raise RecordError(at + 1, f"{name!r} is given twice")
        found[name] = parse_header_field(name, value.strip(), at + 1)
        at += 1
    for name in HEADER_FIELDS:
        if name not in found:
            raise RecordError(at + 1, f"the header lacks {name!r}")
    actions = [line.strip() for line in lines[at + 1 :]]
    while actions and not actions[-1]:
        actions.pop()
    record = Record(**found, lines=actions, first_line=at + 2)
    for i, line in enumerate(actions):
        if not line:
            raise RecordError(record.first_line + i, "an empty line between actions")
        if HIDDEN_MARK in line:
            raise RecordError(
                record.first_line + i,
                f"{line!r} hides what its reader may not know; only an open record can be replayed",
            )
    return record


def parse_header_field(name: str, value: str, line: int) -> object:
    """Parse one header field and check its type."""
    if name in ("game", POSITION_FIELD):
        return value
    try:
        loaded = json.loads(value)
        json.dumps(loaded, ensure_ascii=False).encode()  # a lone surrogate is not text
    except (ValueError, RecursionError):
        raise RecordError(line, f"{name!r} cannot be read: {value[:60]!r}") from None
    if name in ("rules", "players") and (not isinstance(loaded, int) or isinstance(loaded, bool)):
        raise RecordError(line, f"{name!r} is not a whole number: {value[:60]!r}")
    if name == "options" and not isinstance(loaded, dict):
        raise RecordError(line, f"'options' is not an object: {value[:60]!r}")
    if name == "seats" and not (isinstance(loaded, list) and all(isinstance(s, str) for s in loaded)):
        raise RecordError(line, f"'seats' is not a list of names: {value[:60]!r}")
    return loaded
