"""The events of a table's log: one type per kind, as every release so far wrote it.

A field with a default is omitted if it has that value; all others are always present. A new kind or field makes logs
that older releases cannot read: they report the event's number and kind (see `event_codec`). Treat events as immutable;
frozen classes would take five times as long to create.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final

# The version of this format. A log of a later one says so in its first event, and no older release opens it. It rises
# only when the meaning of an event changes: older releases report an unknown kind, and read tables without it.
LOG_VERSION: Final = 1


@dataclass(slots=True)
class InitialChair:
    """A chair at the table's creation: a person's, a bot's, reserved for a handle of the previous table, or free."""

    person: str | None = None
    name: str | None = None
    bot: str | None = None
    kept: str | None = None
    colour: str | None = None
    author: str | None = None  # of an online bot: a handle of its author at this table


@dataclass(slots=True)
class InitialClock:
    """A time control; see `tables/log/clocks.py`."""

    mode: str = "none"
    turn: int = 0
    bank: int = 0
    days: int = 0


@dataclass(slots=True)
class Created:
    """Always the first event."""

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
    pace: str | None = field(default=None, kw_only=True)  # written by earlier releases; without effect
    chairs: list[InitialChair]
    lines: list[str] | None = None  # of a reopened record
    previous: str | None = None  # the table it is a rematch of
    log: int = LOG_VERSION
    position: str | None = None  # position string to start from, if not the standard one
    rated: bool = False
    hints: bool = True
    by_bot: bool = False  # an online bot made the table
    tournament: str | None = None  # that it is a table of


@dataclass(slots=True)
class SatDown:
    kind: ClassVar[str] = "sit"
    chair: int
    person: str
    name: str
    author: str | None = None  # as in `InitialChair`


@dataclass(slots=True)
class BotSatDown:
    kind: ClassVar[str] = "bot"
    chair: int
    code: str


@dataclass(slots=True)
class StoodUp:
    """The chair becomes free."""

    kind: ClassVar[str] = "stand"
    chair: int


@dataclass(slots=True)
class ColourChosen:
    kind: ClassVar[str] = "colour"
    chair: int
    colour: str


@dataclass(slots=True)
class Started:
    """The match starts; `order` are the chairs by seat, `acts` the first chance outcomes."""

    kind: ClassVar[str] = "start"
    order: list[int]
    colours: list[str]
    acts: list[str]


@dataclass(slots=True)
class Played:
    """One choice and the chance outcomes that follow."""

    kind: ClassVar[str] = "play"
    seat: int
    acts: list[str]
    id: str | None = None  # of its message; bots have none
    decided: int | None = None  # of a delayed answer: when the clock stopped


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
    """From now on the rest of a seat's set-up is placed automatically, or no longer."""

    kind: ClassVar[str] = "arrange"
    seat: int
    on: bool


@dataclass(slots=True)
class Left:
    """A stand-in takes over; `why` is left, time, removed or resigned."""

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
    to: int | None = None  # takeback: the number of lines that stay


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
    """Written by earlier releases; without effect."""

    kind: ClassVar[str] = "pace"
    pace: str


@dataclass(slots=True)
class Banned:
    kind: ClassVar[str] = "ban"
    person: str


@dataclass(slots=True)
class RematchMade:
    """The table of the rematch, and the seat that asked for it."""

    kind: ClassVar[str] = "rematch"
    table: str
    seat: int | None = None


@dataclass(slots=True)
class Rated:
    """The finished match changed its players' ratings. It is the `n`th of all rated matches; the lists are by seat.

    A rating is openskill's mean and deviation. `played` are the matches that the rating before came from. With them a
    rating can be computed again although earlier matches, or their players, were deleted.
    """

    kind: ClassVar[str] = "rated"
    n: int
    places: list[int]
    before: list[list[float]]
    after: list[list[float]]
    played: list[int]
    weight: float = 1.0  # by how much of the model's change they changed
    early: list[int] | None = None  # the seats given up before a third of the match


@dataclass(slots=True)
class Uncounted:
    """The match changes no ratings: see `tables/ratings/counting_rules.py`. After `Rated` it takes that back."""

    kind: ClassVar[str] = "uncounted"
    why: str


@dataclass(slots=True)
class OnHoliday:
    """The clock of a seat stands from then until then; in place of what was said of a holiday that begins then."""

    kind: ClassVar[str] = "holiday"
    seat: int
    since: int
    until: int


@dataclass(slots=True)
class UnreadableEvent:
    """A damaged event, or one whose kind or fields only a newer release knows."""

    kind: str
    reason: str
    row: str  # the data in the database
    is_newer: bool = False  # a newer release wrote it: it is not damaged


LogEvent = (
    Played | TakenBack | Created | SatDown | BotSatDown | StoodUp | ColourChosen | Started | Left | CameBack | Proposed
    | Answered | Ended | Paused | Resumed | Muted | PaceSet | Banned | RematchMade
    | Arranged | Rated | Uncounted | OnHoliday
)  # fmt: skip
EVENT_TYPES: Final[tuple[type[LogEvent], ...]] = (
    Played, TakenBack, Created, SatDown, BotSatDown, StoodUp, ColourChosen, Started, Left, CameBack, Proposed,
    Answered, Ended, Paused, Resumed, Muted, PaceSet, Banned, RematchMade,
    Arranged, Rated, Uncounted, OnHoliday,
)  # fmt: skip
# By type: its fields in order, each with the default at which it is omitted (MISSING: never).
EVENT_FIELDS: Final[dict[type, tuple[tuple[str, object], ...]]] = {
    kind: tuple((one.name, one.default) for one in fields(kind)) for kind in (*EVENT_TYPES, InitialChair, InitialClock)
}


def to_stored_fields(value: Any) -> dict[str, Any]:
    """A value as it is stored: defaults are omitted."""
    found: dict[str, Any] = {}
    for name, default in EVENT_FIELDS[type(value)]:
        part = getattr(value, name)
        if part != default:
            found[name] = part
    if type(value) is Created:
        found["clock"], found["chairs"] = (
            to_stored_fields(value.clock),
            [to_stored_fields(chair) for chair in value.chairs],
        )
    return found
