"""Stored rows as plain values."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from landfall.store.events import LogEvent, UnreadableEvent


class MissingLog(Exception):
    """The event before the one to be written is missing: the table was deleted. Nothing was written."""


PRESENCE_LEASE_MS: Final = 60_000  # a process silent for so long has nobody connected
OPEN_INVITATION, ACCEPTED, DECLINED = "open", "accepted", "declined"


@dataclass(slots=True)
class LogEntry:
    """One event of a table's log, numbered from 1. Numbers are never reused; an action and its chance are one event."""

    table: str
    seq: int
    at: int  # milliseconds since 1970
    event: LogEvent | UnreadableEvent

    @property
    def kind(self) -> str:
        """The value of its kind column."""
        return self.event.kind


@dataclass(frozen=True)
class Notice:
    """Something to notify a user of: an outbox row, unique by its key. Only public facts, and no names."""

    key: str
    person: str
    kind: str
    topic: str  # a table's id, or what else it is about; a later notice replaces the earlier one
    at: int
    due: int | None  # when to look after it; None: nothing is left to do
    data: dict[str, Any] = field(default_factory=dict)
    other: str | None = None  # the user who caused it, if it names one
    seen: int | None = None  # when the user was at the table
    tries: int = 0
    reached: frozenset[str] = frozenset()  # devices and addresses that have it


@dataclass(frozen=True)
class PushDevice:
    """A browser that receives push messages."""

    id: str
    person: str
    session: str
    endpoint: str
    p256dh: str
    auth: str
    device: str
    language: str
    created: int
    succeeded: int | None = None
    failing: int | None = None  # since then


@dataclass(frozen=True)
class MailAddress:
    """A user's e-mail address."""

    person: str
    address: str
    language: str
    token: str | None  # a hash of the one in the mailed link
    asked: int  # when that was sent
    confirmed: int | None = None


@dataclass(frozen=True)
class Holiday:
    """Days on which a user's tables by days stand still."""

    person: str
    since: int
    until: int


@dataclass(frozen=True)
class TableSummary:
    """A table's entry in a lobby or history; written together with the event that changed it."""

    table: str
    game: str
    rules: int
    status: str
    public: bool
    owner: str
    created: int
    updated: int
    deadline: int | None  # when a correspondence clock runs out
    info: dict[str, Any]
    people: list[str] = field(default_factory=list)  # everybody who ever sat there
    notices: list[Notice] | None = None  # written with it; earlier ones about whose turn it is are deleted


@dataclass(frozen=True)
class ChatLine:
    """A chat line; chat has its own numbers."""

    table: str
    n: int
    at: int
    person: str
    name: str
    seat: int | None
    text: str


@dataclass(frozen=True)
class UserRecord:
    """A user: a guest, or with `account` the owner of an account."""

    id: str
    name: str
    created: int
    seen: int
    account: str | None = None
    password: str | None = None  # argon2id
    signed: bool = False  # whether an old signed cookie is still valid
    skeleton: str | None = None  # of an account's name, for names that look alike
    shown: bool = False  # agreed that others see who is here
    author: str | None = None  # of an online bot: the user whose bot it is


@dataclass(frozen=True)
class Session:
    """A device that a user is signed in on, or a bot's token; the id is a hash of the cookie or token.

    Of a token `device` is its end, by which its owner recognises it.
    """

    id: str
    person: str
    created: int
    seen: int
    device: str
    scopes: str | None = None  # of a token
    ends: int | None = None  # when it stops being valid, if known


RANGE_DEVIATIONS: Final = 2  # from a rating's mean to either end of its range


@dataclass(frozen=True)
class RatingRow:
    """A user's rating in one game and class of table sizes."""

    person: str
    game: str
    size: int  # the smallest number of players of its class
    mu: float
    sigma: float
    played: int
    at: int  # of the last match

    @property
    def rating_lower_bound(self) -> float:
        """The low end of its range: leaderboards are sorted by it."""
        return self.mu - RANGE_DEVIATIONS * self.sigma


@dataclass(frozen=True)
class RatingChangeRow:
    """What one rated match did to a user's rating; `n` is its number among all rated matches."""

    person: str
    n: int
    table: str
    game: str
    size: int
    at: int
    players: int
    place: int
    mu_before: float
    sigma_before: float
    mu: float
    sigma: float
    early: bool = False  # the user gave the match up early


@dataclass(frozen=True)
class RatingFacts:
    """What decides whether a match counts, and how much."""

    known: list[RatingRow | None]  # the ratings of its seats; None: not rated yet
    together: int  # other matches of the same people that counted within a day
    same_place: bool  # two of them have an address or a device in common
    early: dict[str, int]  # by user: matches given up early, lately


@dataclass(frozen=True)
class PairResult:
    """What rated matches in which somebody came in ahead of somebody else did, in one game and size."""

    winner: str  # names
    loser: str
    game: str
    size: int
    matches: int  # between the two
    won: int
    early: int  # of these, given up early by the loser
    gained: float  # by the winner, of the mean, in those won
    winner_matches: int  # against anybody
    first: int
    last: int
    tables: list[str]


class LeaderboardCriteria(NamedTuple):
    """Who is on a leaderboard: with so many matches, but fewer than `below`, and one since then."""

    played: int
    since: int
    bots: bool = False
    below: int | None = None


RESERVED_NAME_MS: Final = 90 * 86_400_000  # that the earlier name of an account stays reserved
FORGOTTEN_PREFIX = "gone-"
OPEN_LEASE_MS: Final = 900_000  # a process silent for so long has no table open


def anonymous_user_id(table: str, person: str) -> str:
    """A deleted user's id at a table: anonymous, and unlinkable between tables."""
    return FORGOTTEN_PREFIX + hashlib.blake2b(person.encode(), key=table.encode()[:64], digest_size=8).hexdigest()


class Presence(NamedTuple):
    """Somebody who is connected. Without a name: not shown; without a table: at none."""

    person: str
    name: str
    table: str


class Invitation(NamedTuple):
    """An invitation to a table. `name` is its sender's."""

    table: str
    sender: str
    name: str
    at: int
