"""What REST takes and gives that a server alone has, or that is described for its OpenAPI page alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from landfall.api.types import Body, Name, ProblemInfo, make_field_documentation
from landfall.tables.protocol.commands import Bounds

InvitationCode = Annotated[str, Bounds(0, 64)]  # of the host's link


@dataclass(kw_only=True)
class AccountBody(Body):
    """An account's name and password."""

    name: Name = field(metadata=make_field_documentation(examples=["Ana"]))
    password: Annotated[str, Bounds(8, 200)] = field(metadata=make_field_documentation(examples=["correct horse"]))
    invitation: InvitationCode = field(
        default="", metadata=make_field_documentation("For a new one where registration is by invitation.", [""])
    )


@dataclass(kw_only=True)
class PasswordBody(Body):
    """The current password, and the new one."""

    old: Annotated[str, Bounds(0, 200)] = field(metadata=make_field_documentation(examples=["correct horse"]))
    new: Annotated[str, Bounds(8, 200)] = field(metadata=make_field_documentation(examples=["battery staple"]))


class SessionInfo(BaseModel):
    """A device that you are signed in on."""

    id: str
    device: str = Field(description="Browser and system; empty if unknown.", examples=["Firefox · Android"])
    created: int = Field(description="Milliseconds since 1970.")
    seen: int
    here: bool = Field(description="Whether it is the one that asks.")


class MomentInfo(BaseModel):
    """The changes of one log line."""

    actor: int = Field(description="A seat, or -1: chance.")
    line: str = Field(description="In notation.", examples=["r3 NE"])
    patch: dict[str, Any]
    events: list[dict[str, Any]] = Field(default_factory=list)


class ReplayInfo(BaseModel):
    """A match moment by moment."""

    t: Literal["replay"] = "replay"
    game: str
    rules: int
    players: int
    options: dict[str, Any]
    seats: list[str] = Field(description="Names.")
    seat: int | None = Field(description="Whose eyes: a seat, null for a spectator, -1 for everything.")
    view: dict[str, Any] = Field(description="Before the first line; of everything with `own`, a list by seat.")
    moments: list[MomentInfo]


class ReviewStatus(BaseModel):
    """The progress of a review, and the results so far."""

    state: Literal["none", "queued", "working", "kept", "failed"]
    why: str = Field(default="", description="A text key, if it failed.")
    key: str = Field(default="", description="To ask again by, of a record.")
    before: int = Field(default=0, description="Matches that come before this one.")
    done: int = Field(default=0, description="Log lines reviewed so far.")
    total: int = Field(default=0, description="Lines of the log.")
    review: dict[str, Any] | None = None


class ReviewChoices(BaseModel):
    """The choices at a moment, as offered, and the chooser's win probability after each."""

    at: int
    seat: int
    chosen: int = Field(description="The action that was chosen.")
    choices: list[dict[str, Any]]
    preview: dict[str, Any]
    chances: dict[str, float] = Field(description="By action.")


class TableView(BaseModel):
    """A table as you may see it now: the same as a socket's first message."""

    model_config = ConfigDict(extra="allow")
    t: Literal["welcome"] = "welcome"
    n: int
    version: int
    table: dict[str, Any]


class PuzzleListing(BaseModel):
    """A puzzle in a list."""

    id: str
    number: int = Field(description="It never changes.")
    theme: str = Field(description="`puzzle.theme.NAME` is its text.")
    fish: str = Field(description="How hard: the smallest fish among the bots that finds it.")
    seat: int
    colour: str = Field(description="The seat's colour.")
    goal: str = Field(description="`puzzle.goal.NAME`, filled with the facts, is its text.")
    facts: dict[str, Any]
    sets: list[str] = Field(description="`puzzle.set.NAME` is the title of each.")


class PuzzlePicture(BaseModel):
    """A part of the position as its seat sees it."""

    svg: str


class PuzzleSetup(PuzzleListing):
    """A puzzle to solve: the seat's view and choices."""

    game: str
    players: int
    view: dict[str, Any]
    choices: list[dict[str, Any]]
    preview: dict[str, Any]
    tenths: int | None = Field(description="Of ten people so many find it at the first try; null: too few tried it.")
    rating: float | None = Field(description="How hard it is for people, by openskill; null likewise.")


class Reason(BaseModel):
    """A sentence of the game's catalogue."""

    key: str
    args: dict[str, Any]


class AttemptResult(Reason):
    """The result of a try, before any chance, and a sentence about it."""

    right: bool
    events: list[dict[str, Any]]
    view: dict[str, Any]
    why: list[Reason] = Field(description="What the choice does.")
    places: list[str] = Field(description="Where it leads.")


class PuzzleHint(Reason):
    """A sentence, and what it points at: places, or `tile NAME` and `card NAME` of the hand."""

    places: list[str]


class PuzzleSolution(BaseModel):
    """The solution, the reasons, and the confidence."""

    action: int
    places: list[str] = Field(description="Where it leads.")
    chance: int = Field(description="To win, in per cent.")
    margin: int = Field(description="How many per cent less the next best gives.")
    next: int = Field(description="The action that is next best.")
    why: list[Reason]


class SearchStatus(BaseModel):
    """Your search for a table, as the lobby's socket tells of it."""

    model_config = ConfigDict(extra="allow")
    games: list[str]
    sizes: list[int]
    pace: str
    rated: bool
    bots: str
    waited: int = Field(description="Milliseconds.")
    ring: int = Field(description="How far the rating may be from yours: 0 like you, 1 near you, 2 anyone.")


class ErrorInfo(BaseModel):
    """An error: a code for programs, the id of the rule that forbids it, if any, and a sentence in English."""

    code: str = Field(examples=["no_table"])
    key: str = Field(examples=["table.no_table"])
    args: dict[str, Any] = Field(default_factory=dict)
    rule: str | None = None
    text: str = Field(examples=["There is no such table."])
    problems: list[ProblemInfo] = Field(default_factory=list, description="With options: each fault of theirs.")


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorInfo, "description": words}
    for status, words in {
        400: "It cannot be done, and why",
        401: "Say who you are first",
        403: "Not yours to do",
        404: "There is no such thing",
        409: "Something else came first",
        413: "Too large",
        422: "Not what was asked for",
        429: "Too many at once",
        503: "The database is away",
    }.items()
}


HealthStatus = Literal["ok", "failing", "draining"]


class Health(BaseModel):
    """Whether the server is operational."""

    status: HealthStatus = Field(description="`failing`: nothing can be written down. `draining`: it stops soon.")
    version: str
    engine: str
    tables: int


class ConnectionInfo(BaseModel):
    """How a request arrived."""

    forwarded: Literal["missing", "ignored", "trusted"] = Field(description="The proxy's `X-Forwarded-For`.")
    scheme: str
