"""Request and response models of REST, for FastAPI and its OpenAPI page."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from landfall.core.record import MAX_RECORD_CHARS

MAX_OPTIONS = 64  # option keys that are read: no game has as many


class Body(BaseModel):
    """A request body without unknown fields."""

    model_config = ConfigDict(extra="forbid")


class NameBody(Body):
    """A display name."""

    name: str = Field(max_length=96, examples=["Ana"])


class AccountBody(Body):
    """An account's name and password."""

    name: str = Field(max_length=96, examples=["Ana"])
    password: str = Field(min_length=8, max_length=200, examples=["correct horse"])


class PasswordBody(Body):
    """The current password, and the new one."""

    old: str = Field(max_length=200, examples=["correct horse"])
    new: str = Field(min_length=8, max_length=200, examples=["battery staple"])


class SessionInfo(BaseModel):
    """A device that you are signed in on."""

    id: str
    device: str = Field(description="Browser and system; empty if unknown.", examples=["Firefox · Android"])
    created: int = Field(description="Milliseconds since 1970.")
    seen: int
    here: bool = Field(description="Whether it is the one that asks.")


class PositionInfo(BaseModel):
    """For bug reports: the table's position as the user may see it, and the running version."""

    game: str
    rules: int
    landfall: str = Field(description="The server's version.", examples=["0.1.0"])
    engine: str = Field(description="How the rules run: compiled or interpreted.")
    entry: int = Field(description="The last entry of the table's log.")
    seat: int | None = Field(description="Whose eyes; null: a spectator's.")
    line: str = Field(description="The position in one line; ? is what one may not know.")


class Me(BaseModel):
    """Who you are."""

    name: str = Field(examples=["Ana"])
    account: bool = Field(description="Whether there is an account, so that other devices can log in.")


class ClockBody(Body):
    """A time control."""

    mode: Literal["none", "live", "days"] = "none"
    turn: int = Field(default=0, ge=0, le=3600, description="Live: seconds a turn.")
    bank: int = Field(default=0, ge=0, le=36_000, description="Live: seconds besides, for the whole match.")
    days: int = Field(default=0, ge=0, le=30, description="By days: how many for a choice.")


class TableBody(Body):
    """The settings of a table."""

    game: str = Field(max_length=40, examples=["survive"])
    players: int = Field(ge=1, le=8, examples=[4])
    options: dict[str, Any] = Field(default_factory=dict, max_length=MAX_OPTIONS, examples=[{"dolphins": True}])
    clock: ClockBody = Field(default_factory=lambda: ClockBody())
    public: bool = Field(default=False, description="Listed in the lobby; otherwise only who has the link finds it.")
    seating: Literal["drawn", "as_sat"] = Field(
        default="drawn", description="Who begins is drawn, or whoever sits first."
    )
    hot_seat: bool = Field(default=False, description="Several people on one device, each with a chair.")
    pace: Literal["slow", "normal", "quick"] = Field(default="normal", description="How fast bots play.")


class OptionsBody(Body):
    """Players and options to check."""

    players: int = Field(ge=0, le=8, examples=[4])
    options: dict[str, Any] = Field(default_factory=dict, max_length=MAX_OPTIONS, examples=[{"dolphins": True}])


class ProblemInfo(BaseModel):
    """Why the options are invalid: the option, and a text key with arguments."""

    option: str = Field(examples=["dolphins"])
    key: str = Field(examples=["option.players"])
    args: dict[str, Any]
    text: str = Field(description="The sentence in English.")


class OptionsInfo(BaseModel):
    """All options with their values, and the problems."""

    options: dict[str, Any]
    problems: list[ProblemInfo]


class QuickBody(TableBody):
    """A table with bots on all other chairs, started at once."""

    bots: list[Annotated[str, Field(max_length=60)]] = Field(
        min_length=1, max_length=7, examples=[["sprat", "mackerel", "marlin"]]
    )


class GuidedBody(Body):
    """A game that is explained while it is played."""

    game: str = Field(max_length=40, examples=["survive"])
    guide: str = Field(max_length=40, examples=["first"])
    bots: str = Field(default="sprat", max_length=60, description="Who plays the other seats.")


class RecordBody(Body):
    """A record."""

    record: str = Field(max_length=MAX_RECORD_CHARS, examples=["landfall record 1\ngame: survive\n..."])


class ReopenBody(RecordBody):
    """A record to open as a table."""

    lines: int | None = Field(default=None, ge=0, le=100_000, description="Only so many lines of its log.")
    seat: int | None = Field(default=None, ge=0, le=7, description="Yours: the match goes on at once.")
    bots: str = Field(default="mackerel", max_length=60, description="Who plays the other seats then.")


class TableLink(BaseModel):
    """The link of the table."""

    table: str = Field(examples=["q3nN0m1cXlTtVbQp0Jx8Zg"])
    link: str = Field(examples=["http://192.0.2.7:8000/t/q3nN0m1cXlTtVbQp0Jx8Zg"])


class TableListing(BaseModel):
    """A table in the lobby or in a history."""

    table: str
    game: str
    status: Literal["gathering", "playing", "over"]
    public: bool
    created: int = Field(description="Milliseconds since 1970.")
    updated: int
    players: int
    options: dict[str, Any]
    clock: str
    chairs: list[str | None] = Field(description="Names, codes of bots, or null for a free chair.")
    ended: str | None = None
    ranking: list[dict[str, Any]] | None = None
    you: list[int] = Field(default_factory=list, description="Your chairs.")
    owner: bool = Field(default=False, description="Whether the table is yours.")
    turn: int | None = Field(default=None, description="Whose choice it is, where this server knows at once.")
    here: int = Field(default=0, description="How many people are connected.")


class OptionInfo(BaseModel):
    """An optional rule; `text` is the key of the sentence that explains it."""

    name: str
    rule: str
    kind: Literal["bool", "choice", "object"]
    default: Any
    choices: list[str]
    players: list[int]
    requires: list[str]
    excludes: list[str]
    text: str


class GameInfo(BaseModel):
    """A game."""

    name: str = Field(examples=["survive"])
    rules_version: int
    counts: list[int] = Field(description="How many can play.", examples=[[2, 3, 4]])
    colours: list[str] = Field(description="By seat.")
    num_actions: int
    options: list[OptionInfo]
    guides: list[str] = Field(
        description="Names of games that are explained while they are played.", examples=[["first"]]
    )


class RuleInfo(BaseModel):
    """One numbered rule, as Markdown."""

    id: str = Field(examples=["SV.M9"])
    chapter: str
    text: str


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


class ChatInfo(BaseModel):
    """A line of chat."""

    n: int
    at: int
    name: str
    seat: int | None
    text: str


class BotInfo(BaseModel):
    """A bot that can be put on a chair."""

    level: str
    code: str


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
        429: "Too many at once",
        503: "The database is away",
    }.items()
}


class Health(BaseModel):
    """Whether the server is operational."""

    status: Literal["ok", "failing"] = Field(description="`failing`: nothing can be written down.")
    version: str
    engine: str
    tables: int
