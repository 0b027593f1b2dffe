"""What a table's log says: one type for each kind of entry, as every release so far wrote it.

A field with a default is left out where it has that value, all others are always there. Whoever adds a kind or a field
makes logs that older releases cannot follow: they say so by the entry's number and kind (see `encoding.read`).
Nobody changes one; that is not enforced, since a frozen one costs five times as much to make.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final

# Of this language; a log of a later one says so in its first entry, and no older release opens it. Raised only when
# what an entry said means something else: a new kind is named where it stands, and tables without it stay readable.
LOG_VERSION: Final = 1


@dataclass(slots=True)
class InitialChair:
    """A chair as a table is made with it: a person's, a bot's, kept for a handle of the table before, or free."""

    person: str | None = None
    name: str | None = None
    bot: str | None = None
    kept: str | None = None
    colour: str | None = None


@dataclass(slots=True)
class InitialClock:
    """How long a player may think; see `tables.clocks`."""

    mode: str = "none"
    turn: int = 0
    bank: int = 0
    days: int = 0


@dataclass(slots=True)
class Created:
    """The first entry, and no other."""

    kind: ClassVar[str] = "create"
    game: str
    players: int
    options: dict[str, Any]
    rules: int  # their version then
    owner: str
    clock: InitialClock
    public: bool
    seating: str
    hot_seat: bool
    pace: str
    chairs: list[InitialChair]
    lines: list[str] | None = None  # of a record that is opened again
    previous: str | None = None  # the table it is a rematch of
    log: int = LOG_VERSION
    position: str | None = None  # the line it begins from, where that is not the rules' first position


@dataclass(slots=True)
class SatDown:
    kind: ClassVar[str] = "sit"
    chair: int
    person: str
    name: str


@dataclass(slots=True)
class BotSatDown:
    kind: ClassVar[str] = "bot"
    chair: int
    code: str


@dataclass(slots=True)
class StoodUp:
    """The chair is free, whoever had it."""

    kind: ClassVar[str] = "stand"
    chair: int


@dataclass(slots=True)
class ColourChosen:
    kind: ClassVar[str] = "colour"
    chair: int
    colour: str


@dataclass(slots=True)
class Started:
    """The match begins; `order` are the chairs by seat, `acts` the chance it begins with."""

    kind: ClassVar[str] = "start"
    order: list[int]
    colours: list[str]
    acts: list[str]


@dataclass(slots=True)
class Played:
    """One choice and the chance it brings."""

    kind: ClassVar[str] = "play"
    seat: int
    acts: list[str]
    id: str | None = None  # of the message it came with; bots have none
    decided: int | None = None  # when the clock stopped, of an answer that was held


@dataclass(slots=True)
class TakenBack:
    """The first `to` lines stay."""

    kind: ClassVar[str] = "undo"
    seat: int
    to: int
    consent: bool  # all people agreed
    id: str | None = None


@dataclass(slots=True)
class Arranged:
    """The rest of a seat's set-up is placed for it from now on, or no longer."""

    kind: ClassVar[str] = "arrange"
    seat: int
    on: bool


@dataclass(slots=True)
class Left:
    """A stand-in plays from now on; `why` is left, time, removed or resigned."""

    kind: ClassVar[str] = "leave"
    seat: int
    why: str


@dataclass(slots=True)
class CameBack:
    kind: ClassVar[str] = "back"
    seat: int


@dataclass(slots=True)
class Proposed:
    """`what` is abandon, takeback or pause."""

    kind: ClassVar[str] = "propose"
    what: str
    by: str
    to: int | None = None  # takeback: how many lines stay


@dataclass(slots=True)
class Answered:
    kind: ClassVar[str] = "answer"
    person: str
    yes: bool


@dataclass(slots=True)
class Ended:
    """`why` is finished, abandoned, resigned or closed."""

    kind: ClassVar[str] = "end"
    why: str


@dataclass(slots=True)
class Paused:
    kind: ClassVar[str] = "pause"
    since: int
    agreed: bool = False


@dataclass(slots=True)
class Resumed:
    kind: ClassVar[str] = "resume"


@dataclass(slots=True)
class Muted:
    kind: ClassVar[str] = "mute"
    person: str
    on: bool


@dataclass(slots=True)
class PaceSet:
    kind: ClassVar[str] = "pace"
    pace: str


@dataclass(slots=True)
class Banned:
    kind: ClassVar[str] = "ban"
    person: str


@dataclass(slots=True)
class RematchMade:
    """Where it is played again, and the seat of who asked for that."""

    kind: ClassVar[str] = "rematch"
    table: str
    seat: int | None = None


@dataclass(slots=True)
class UnreadableEvent:
    """An entry that is damaged, or of a kind or with fields that only a newer release knows."""

    kind: str
    reason: str
    row: str  # what is in the database


LogEvent = (
    Played | TakenBack | Created | SatDown | BotSatDown | StoodUp | ColourChosen | Started | Left | CameBack | Proposed
    | Answered | Ended | Paused | Resumed | Muted | PaceSet | Banned | RematchMade
    | Arranged
)  # fmt: skip
EVENT_TYPES: Final[tuple[type[LogEvent], ...]] = (
    Played, TakenBack, Created, SatDown, BotSatDown, StoodUp, ColourChosen, Started, Left, CameBack, Proposed,
    Answered, Ended, Paused, Resumed, Muted, PaceSet, Banned, RematchMade,
    Arranged,
)  # fmt: skip
# By type: its fields in order, each with the value at which it is left out (MISSING, if it never is).
EVENT_FIELDS: Final[dict[type, tuple[tuple[str, object], ...]]] = {
    kind: tuple((field.name, field.default) for field in fields(kind))
    for kind in (*EVENT_TYPES, InitialChair, InitialClock)
}


def to_plain(value: Any) -> dict[str, Any]:
    """A declared value as it is written: what has its default is left out."""
    found: dict[str, Any] = {}
    for name, default in EVENT_FIELDS[type(value)]:
        part = getattr(value, name)
        if part != default:
            found[name] = part
    if type(value) is Created:
        found["clock"], found["chairs"] = to_plain(value.clock), [to_plain(chair) for chair in value.chairs]
    return found
