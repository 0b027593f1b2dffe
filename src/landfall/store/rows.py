"""What is kept, as plain values."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Final

from landfall.store.events import LogEvent, UnreadableEvent


class MissingLog(Exception):
    """The entry before the one to be written is not there: the table was deleted. Nothing was written."""


@dataclass(slots=True)
class LogEntry:
    """One line of a table's log, numbered from 1. Numbers are never used twice; an action and its chance are one."""

    table: str
    seq: int
    at: int  # milliseconds since 1970
    event: LogEvent | UnreadableEvent

    @property
    def kind(self) -> str:
        """The word its column says."""
        return self.event.kind


@dataclass(frozen=True)
class TableSummary:
    """A table as a lobby or a history lists it; written together with the entry that changed it."""

    table: str
    game: str
    rules: int
    status: str
    public: bool
    owner: str
    created: int
    updated: int
    deadline: int | None  # when a clock by days runs out
    info: dict[str, Any]
    people: list[str] = field(default_factory=list)  # who sat there at any time


@dataclass(frozen=True)
class ChatLine:
    """Something said at a table; chat is numbered by itself."""

    table: str
    n: int
    at: int
    person: str
    name: str
    seat: int | None
    text: str


@dataclass(frozen=True)
class UserRecord:
    """Somebody: a guest, or with `account` the owner of an account."""

    id: str
    name: str
    created: int
    seen: int
    account: str | None = None
    password: str | None = None  # argon2id
    signed: bool = False  # whether a cookie from before there were sessions still proves who they are
    skeleton: str | None = None  # of an account's name, for names that look alike


@dataclass(frozen=True)
class Session:
    """A device that somebody is signed in on; the id is a hash of what its cookie says."""

    id: str
    person: str
    created: int
    seen: int
    device: str


FORGOTTEN_PREFIX = "gone-"
OPEN_LEASE_MS: Final = 900_000  # a process that says nothing for so long has no table open


def anonymous_id(table: str, person: str) -> str:
    """Who somebody forgotten is at a table: nobody, and another nobody at every other."""
    return FORGOTTEN_PREFIX + hashlib.blake2b(person.encode(), key=table.encode()[:64], digest_size=8).hexdigest()
