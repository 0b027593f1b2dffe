"""The events of a tournament's log: who is in, who sits where in each round, and how each match ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from landfall.store.shared_log_entries import SharedEntry, SharedWrite


@dataclass(slots=True)
class TournamentOpened:
    """Always the first event. `person` opened it, under this `name`; `title` is the tournament's."""

    kind: ClassVar[str] = "open"
    person: str
    name: str
    title: str
    game: str
    options: dict[str, Any]
    size: int  # players at a full table
    rounds: int
    pace: str
    form: str  # evening: a round follows the one before; league: a round every week
    starts: int  # milliseconds since 1970
    rated: bool
    fill: str  # what becomes of an incomplete table: bots, smaller or byes
    rest: int  # seconds between two rounds of an evening
    least: int  # players without whom it does not begin
    most: int
    listed: bool = True  # otherwise only those who have the link find it
    after: str = ""  # of a league: the season before it
    division: int = 0  # players of a division at least; 0: there are no divisions
    accounts: bool = False  # only users with accounts join
    age: int = 0  # days that an account must have existed for


@dataclass(slots=True)
class PlayerJoined:
    """Before the start, late, or again. `here`: no need to check in."""

    kind: ClassVar[str] = "join"
    person: str
    name: str
    here: bool = False


@dataclass(slots=True)
class PlayerCheckedIn:
    """Somebody is here for the next round: before the start, or again after having been left out."""

    kind: ClassVar[str] = "here"
    person: str


@dataclass(slots=True)
class PlayerLeft:
    """Before the start they were never in; later they keep their points."""

    kind: ClassVar[str] = "leave"
    person: str


@dataclass(slots=True)
class PlayerRemoved:
    """The organiser removed somebody, as if they had left; `barred`: they cannot join again."""

    kind: ClassVar[str] = "remove"
    person: str
    barred: bool = False


@dataclass(slots=True)
class TournamentBegun:
    """Whoever has not checked in is left out of the first round; `everyone`: it began early, and all are in."""

    kind: ClassVar[str] = "begin"
    everyone: bool = False


@dataclass(slots=True)
class DivisionsSet:
    """A league is played in divisions, the highest first. Whoever joins later plays in the last one."""

    kind: ClassVar[str] = "divisions"
    people: list[list[str]]


@dataclass(slots=True)
class PlannedTable:
    """A table of a round: its people by seat; None is a bot."""

    table: str
    people: list[str | None]


@dataclass(slots=True)
class RoundPaired:
    """The tables' logs begin in the same transaction."""

    kind: ClassVar[str] = "round"
    number: int
    tables: list[PlannedTable]
    byes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ResultRecorded:
    """A match is over: places by seat, 1 is the first; without places nobody scores.

    `absent` are the seats of people whose time ran out before they made a choice.
    """

    kind: ClassVar[str] = "result"
    table: str
    places: list[int]
    absent: list[int] = field(default_factory=list)


@dataclass(slots=True)
class TournamentFinished:
    kind: ClassVar[str] = "finish"


@dataclass(slots=True)
class TournamentCancelled:
    """`why` is cancelled or too_few."""

    kind: ClassVar[str] = "cancel"
    why: str


TournamentEvent = (
    TournamentOpened | PlayerJoined | PlayerCheckedIn | PlayerLeft | PlayerRemoved | TournamentBegun | DivisionsSet
    | RoundPaired | ResultRecorded | TournamentFinished | TournamentCancelled
)  # fmt: skip
TOURNAMENT_EVENTS: Final[dict[str, type[TournamentEvent]]] = {
    event.kind: event
    for event in (
        TournamentOpened, PlayerJoined, PlayerCheckedIn, PlayerLeft, PlayerRemoved, TournamentBegun, DivisionsSet,
        RoundPaired, ResultRecorded, TournamentFinished, TournamentCancelled,
    )
}  # fmt: skip
TournamentEntry = SharedEntry[TournamentEvent]
TournamentWrite = SharedWrite[TournamentEvent]


@dataclass(frozen=True)
class TournamentHead:
    """A tournament's entry in lists; written together with the event that changed it."""

    id: str
    opener: str
    status: str
    listed: bool
    starts: int
    seq: int
    info: dict[str, Any]
