"""What requests bring and what they are answered with, by either transport. Bodies are checked by `message_codec`;
`make_field_documentation` holds what the server's OpenAPI page says of a field."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from landfall.core.match_record import MAX_RECORD_CHARS
from landfall.tables.live.copied_match_check import Asker
from landfall.tables.live.subscriber import User
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused

MAX_OPTIONS = 64  # keys of options that are read at all: no game has as many


def make_field_documentation(description: str = "", examples: list[Any] | None = None) -> dict[str, Any]:
    """What documents say of a field."""
    found = {"description": description or None, "examples": examples}
    return {key: value for key, value in found.items() if value is not None}


@dataclass(frozen=True)
class UrlDocumentation:
    """The same of an argument in a URL."""

    description: str = ""
    examples: tuple[str | int, ...] = ()


Name = Annotated[str, Bounds(0, 96)]
GameName = Annotated[str, Bounds(0, 40), UrlDocumentation(examples=("survive",))]
TableId = Annotated[str, Bounds(0, 64), UrlDocumentation(examples=("q3nN0m1cXlTtVbQp0Jx8Zg",))]
Language = Annotated[str, Bounds(0, 8), UrlDocumentation(examples=("pt",))]
RuleId = Annotated[str, Bounds(0, 8), UrlDocumentation(examples=("SV.M9",))]
PuzzleId = Annotated[str, Bounds(0, 20), UrlDocumentation(examples=("0c1d2e3f40",))]
Touched = Annotated[str, Bounds(0, 40)]
BotCode = Annotated[str, Bounds(0, 60)]
Options = Annotated[dict[str, Any], Bounds(0, MAX_OPTIONS)]
PlayerName = Annotated[str, Bounds(1, 96), UrlDocumentation(examples=("Ana",))]
TableSize = Annotated[int, Bounds(2, 6), UrlDocumentation(examples=(4,))]
SeatNumber = Annotated[int, Bounds(0, 9)]
LineNumber = Annotated[int, Bounds(0, 2**31)]
Milliseconds = Annotated[int, Bounds(0, 2**53)]
Eyes = Annotated[
    Literal["open", "spectator"] | int, UrlDocumentation("A seat; `spectator`; or `open`: everything.", ("open",))
]


@dataclass(frozen=True)
class Caller:
    """Who asks: a user, if they have a name, and an opaque key of where they connect from."""

    user: User | None
    origin: str = ""

    @property
    def user_id(self) -> str | None:
        """None for one who has no name."""
        return self.user.id if self.user else None

    @property
    def as_asker(self) -> Asker:
        """The same, for the check of fair play."""
        return Asker(self.user_id, self.origin)

    def require_user(self) -> User:
        """Who asks; Refused if they have no name."""
        if self.user is None:
            raise Refused("nameless")
        return self.user


@dataclass(frozen=True)
class TextFile:
    """A text that is answered as a file to be kept."""

    name: str
    text: str


# --- bodies ---------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Body:
    """What is sent: nothing unknown in it."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}  # for documents


@dataclass(kw_only=True)
class NameBody(Body):
    """A name to be shown by."""

    name: Name = field(metadata=make_field_documentation(examples=["Ana"]))


@dataclass(kw_only=True)
class ClockBody(Body):
    """How long a player may think."""

    mode: Literal["none", "live", "days"] = "none"
    turn: Annotated[int, Bounds(0, 3600)] = field(default=0, metadata=make_field_documentation("Live: seconds a turn."))
    bank: Annotated[int, Bounds(0, 36_000)] = field(
        default=0, metadata=make_field_documentation("Live: seconds besides, for the whole match.")
    )
    days: Annotated[int, Bounds(0, 30)] = field(
        default=0, metadata=make_field_documentation("By days: how many for a choice.")
    )


@dataclass(kw_only=True)
class TableBody(Body):
    """A table as you want it."""

    game: GameName = field(metadata=make_field_documentation(examples=["survive"]))
    players: Annotated[int, Bounds(1, 8)] = field(metadata=make_field_documentation(examples=[4]))
    options: Options = field(default_factory=dict, metadata=make_field_documentation(examples=[{"dolphins": True}]))
    clock: ClockBody = field(default_factory=ClockBody)
    public: bool = field(
        default=False,
        metadata=make_field_documentation("Listed in the lobby; otherwise only who has the link finds it."),
    )
    seating: Literal["drawn", "as_sat"] = field(
        default="drawn", metadata=make_field_documentation("Who begins is drawn, or whoever sits first.")
    )
    hot_seat: bool = field(
        default=False, metadata=make_field_documentation("Several people on one device, each with a chair.")
    )
    rated: bool = field(
        default=False,
        metadata=make_field_documentation("Counts for ratings: needs accounts, a clock and usual options."),
    )
    hints: bool = field(
        default=True, metadata=make_field_documentation("Whether bots may help; never in a rated match.")
    )

    @property
    def bot_codes(self) -> list[str]:
        """The bots that are put on chairs at once."""
        return []


@dataclass(kw_only=True)
class OptionsBody(Body):
    """Players and options that somebody thinks of."""

    players: Annotated[int, Bounds(0, 8)] = field(metadata=make_field_documentation(examples=[4]))
    options: Options = field(default_factory=dict, metadata=make_field_documentation(examples=[{"dolphins": True}]))


@dataclass(kw_only=True)
class QuickBody(TableBody):
    """A table with bots on all other chairs, begun at once."""

    bots: Annotated[list[BotCode], Bounds(1, 7)] = field(
        metadata=make_field_documentation(examples=[["sprat", "mackerel", "marlin"]])
    )

    @property
    def bot_codes(self) -> list[str]:
        return self.bots


@dataclass(kw_only=True)
class GuidedBody(Body):
    """A game that is explained while it is played."""

    game: GameName = field(metadata=make_field_documentation(examples=["survive"]))
    guide: Annotated[str, Bounds(0, 40)] = field(metadata=make_field_documentation(examples=["first"]))
    bots: BotCode = field(default="sprat", metadata=make_field_documentation("Who plays the other seats."))
    public: ClassVar[bool] = False

    @property
    def bot_codes(self) -> list[str]:
        return [self.bots]


@dataclass(kw_only=True)
class RecordBody(Body):
    """A record."""

    record: Annotated[str, Bounds(0, MAX_RECORD_CHARS)] = field(
        metadata=make_field_documentation(examples=["landfall record 1\ngame: survive\n..."])
    )


@dataclass(kw_only=True)
class ReopenBody(RecordBody):
    """A record to be opened as a table."""

    lines: Annotated[int, Bounds(0, 100_000)] | None = field(
        default=None, metadata=make_field_documentation("Only so many lines of its log.")
    )
    seat: Annotated[int, Bounds(0, 7)] | None = field(
        default=None, metadata=make_field_documentation("Yours: the match goes on at once.")
    )
    bots: BotCode = field(default="mackerel", metadata=make_field_documentation("Who plays the other seats then."))
    public: ClassVar[bool] = False

    @property
    def bot_codes(self) -> list[str]:
        return [] if self.seat is None else [self.bots]


@dataclass(kw_only=True)
class TryBody(Body):
    """A choice, by its number."""

    action: LineNumber = field(metadata=make_field_documentation(examples=[12]))
    first: bool = field(
        default=False,
        metadata=make_field_documentation("Nobody tried it here before: such tries are counted, without a name."),
    )


@dataclass(kw_only=True)
class TouchBody(Body):
    """What was touched, or said."""

    piece: Touched = ""
    place: Touched = ""
    text: Annotated[str, Bounds(0, 80)] | None = None


# --- results --------------------------------------------------------------------------------------------------


@dataclass
class Me:
    """Who you are."""

    name: str = field(metadata=make_field_documentation(examples=["Ana"]))
    account: bool = field(
        metadata=make_field_documentation("Whether there is an account, so that other devices can log in.")
    )
    shown: bool = field(default=False, metadata=make_field_documentation("Whether others may see that you are here."))
    host: bool = field(default=False, metadata=make_field_documentation("Whether you are a host of this server."))


@dataclass
class OptionInfo:
    """A rule that can be switched; `text` is the key of the sentence that explains it."""

    name: str
    rule: str
    kind: Literal["bool", "choice", "object"]
    default: Any
    choices: list[str]
    players: list[int]
    requires: list[str]
    excludes: list[str]
    text: str


@dataclass
class GameInfo:
    """A game."""

    name: str = field(metadata=make_field_documentation(examples=["survive"]))
    rules_version: int
    counts: list[int] = field(metadata=make_field_documentation("How many can play.", examples=[[2, 3, 4]]))
    colours: list[str] = field(metadata=make_field_documentation("By seat."))
    num_actions: int
    options: list[OptionInfo]
    guides: list[str] = field(
        metadata=make_field_documentation(
            "Names of games that are explained while they are played.", examples=[["first"]]
        )
    )


@dataclass
class ProblemInfo:
    """Why options cannot be played so: the option, and a sentence's key with arguments."""

    option: str = field(metadata=make_field_documentation(examples=["dolphins"]))
    key: str = field(metadata=make_field_documentation(examples=["option.players"]))
    args: dict[str, Any]
    text: str = field(metadata=make_field_documentation("The sentence in English."))


@dataclass
class OptionsInfo:
    """All options with a value, and what is wrong with them."""

    options: dict[str, Any]
    problems: list[ProblemInfo]


@dataclass
class RuleInfo:
    """One numbered rule, as Markdown."""

    id: str = field(metadata=make_field_documentation(examples=["SV.M9"]))
    chapter: str
    text: str


@dataclass
class BotInfo:
    """A bot that can be put on a chair."""

    level: str
    code: str


@dataclass
class TableLink:
    """Where the table is."""

    table: str = field(metadata=make_field_documentation(examples=["q3nN0m1cXlTtVbQp0Jx8Zg"]))
    link: str = field(metadata=make_field_documentation(examples=["http://192.0.2.7:8000/t/q3nN0m1cXlTtVbQp0Jx8Zg"]))


@dataclass(kw_only=True)
class TableListing:
    """A table in the lobby or in a history."""

    table: str
    game: str
    status: Literal["gathering", "playing", "over"]
    public: bool
    created: int = field(metadata=make_field_documentation("Milliseconds since 1970."))
    updated: int
    players: int
    options: dict[str, Any]
    clock: str
    chairs: list[str | None] = field(
        metadata=make_field_documentation("Names, codes of bots, or null for a free chair.")
    )
    colours: list[str | None] = field(
        default_factory=list,
        metadata=make_field_documentation("The colour of each chair; empty for tables of earlier versions."),
    )
    ended: str | None = None
    ranking: list[dict[str, Any]] | None = None
    you: list[int] = field(default_factory=list, metadata=make_field_documentation("Your chairs."))
    owner: bool = field(default=False, metadata=make_field_documentation("Whether the table is yours."))
    rated: bool = field(default=False, metadata=make_field_documentation("Whether the match counts, or counted."))
    online_bots: list[int] = field(
        default_factory=list, metadata=make_field_documentation("The chairs of bots that their authors run.")
    )
    turn: int | None = field(
        default=None, metadata=make_field_documentation("Whose choice it is, where this server knows at once.")
    )
    here: int = field(default=0, metadata=make_field_documentation("How many people are connected."))


@dataclass
class WorldInfo:
    """A position for a bot that searches: everything its seat cannot know was drawn again."""

    game: str
    rules: int = field(metadata=make_field_documentation("The version of the rules that packed it."))
    version: int = field(metadata=make_field_documentation("Of the true position."))
    seat: int
    world: str = field(metadata=make_field_documentation("`State.to_bytes`, in base64."))
    events: list[dict[str, Any]] = field(
        metadata=make_field_documentation("If asked for: what happened, as the seat may know it.")
    )


@dataclass(kw_only=True)
class RatingInfo:
    """A rating in one game and class of table sizes: 2, 3 (3-4 players) or 5 (5-6)."""

    game: str = field(metadata=make_field_documentation(examples=["survive"]))
    size: int
    rating: int = field(metadata=make_field_documentation(examples=[1512]))
    uncertainty: int = field(
        metadata=make_field_documentation("The range reaches so far to either side.", examples=[60])
    )
    provisional: bool = field(metadata=make_field_documentation("It comes from few matches, or is very uncertain."))
    matches: int
    last: int = field(metadata=make_field_documentation("Time of the last match, milliseconds since 1970."))


@dataclass(kw_only=True)
class PlayerInfo:
    """What everybody may know of the owner of an account."""

    name: str
    since: int = field(metadata=make_field_documentation("Milliseconds since 1970."))
    you: bool
    matches: int = field(metadata=make_field_documentation("Rated ones."))
    ratings: list[RatingInfo]
    blocked: bool = field(default=False, metadata=make_field_documentation("Whether you have blocked them."))
    followed: bool = field(default=False, metadata=make_field_documentation("Whether you follow them."))
    author: str | None = field(default=None, metadata=make_field_documentation("Of an online bot: whose it is."))
    follows: list[str] = field(
        default_factory=list, metadata=make_field_documentation("Whom you follow: on your own page alone.")
    )


@dataclass
class RatingPoint:
    """A rating after a match."""

    at: int
    rating: int
    uncertainty: int


@dataclass
class PlaceCount:
    """How often somebody came in at a place, of so many players."""

    players: int
    place: int
    matches: int


@dataclass
class OpponentInfo:
    """Somebody met in rated matches, and how often the player came in ahead, or behind."""

    name: str
    matches: int
    ahead: int
    behind: int


@dataclass(kw_only=True)
class PlayerPool:
    """How somebody fares in one game and class of table sizes."""

    curve: list[RatingPoint] = field(
        metadata=make_field_documentation("The last 90 days, or 30 matches if that is more.")
    )
    places: list[PlaceCount]
    met: list[OpponentInfo] = field(metadata=make_field_documentation("Most met first."))


@dataclass(kw_only=True)
class RatedSeat:
    """One player of a rated match. The name is empty for a deleted account."""

    name: str
    colour: str | None
    place: int | None
    you: bool = field(metadata=make_field_documentation("Whose page it is."))


@dataclass(kw_only=True)
class RatedMatchInfo:
    """A rated match of a player."""

    n: int = field(metadata=make_field_documentation("Its number among all rated matches: `before` pages on from it."))
    at: int
    game: str
    size: int
    players: int
    place: int
    rating: int
    uncertainty: int
    change: int = field(metadata=make_field_documentation("Of the shown number."))
    seats: list[RatedSeat]
    table: str | None = field(
        metadata=make_field_documentation("Where it can be looked at, if you may: public tables, and your own.")
    )


@dataclass(kw_only=True)
class LeaderInfo:
    """A line of a leaderboard."""

    rank: int
    name: str
    rating: int
    uncertainty: int
    matches: int
    change: int | None = field(
        metadata=make_field_documentation("Of the shown number in 30 days; null without a match in them.")
    )
    you: bool = field(metadata=make_field_documentation("Whether it is you, or a bot of yours."))
    author: str | None = field(default=None, metadata=make_field_documentation("Of an online bot: whose it is."))


@dataclass(kw_only=True)
class LevelRating:
    """The rating of a level of the server's own bots, from matches against each other."""

    level: str = field(metadata=make_field_documentation(examples=["marlin"]))
    rating: int
    uncertainty: int
    matches: int


@dataclass(kw_only=True)
class PlayedPool:
    """A game and a table size in which matches were rated."""

    game: str
    size: int


@dataclass(kw_only=True)
class LeaderPage:
    """A page of a leaderboard: sorted by rating minus uncertainty."""

    total: int
    leaders: list[LeaderInfo]
    around: list[LeaderInfo] = field(
        metadata=make_field_documentation("You, with one above and one below; empty if you are not listed.")
    )
    missing: int | None = field(
        metadata=make_field_documentation(
            "How many rated matches you still need to be listed; null if you are listed or nobody."
        )
    )
    provisional: list[LeaderInfo] = field(
        metadata=make_field_documentation("On the first page: players with fewer matches, whose place may change much.")
    )
    levels: list[LevelRating] = field(
        metadata=make_field_documentation("On the first page of a list of bots: the server's own, the strongest first.")
    )


@dataclass
class PositionInfo:
    """What a report of a fault needs: where the table stands, as the asker may know it, and what runs here."""

    game: str
    rules: int
    landfall: str = field(metadata=make_field_documentation("The server's version.", examples=["0.1.0"]))
    engine: str = field(metadata=make_field_documentation("How the rules run: compiled or interpreted."))
    entry: int = field(metadata=make_field_documentation("The last entry of the table's log."))
    seat: int | None = field(metadata=make_field_documentation("Whose eyes; null: a spectator's."))
    line: str = field(metadata=make_field_documentation("The position in one line; ? is what one may not know."))


@dataclass
class ChatInfo:
    """A line of chat."""

    n: int
    at: int
    name: str
    seat: int | None
    text: str


@dataclass
class Explanation:
    """The rule that forbids it, if one does."""

    rule: str | None
