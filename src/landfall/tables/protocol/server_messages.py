"""The server's messages to clients. `t` names each; fields with default values are omitted.

They are plain dicts, like the games' messages in them; the transport chooses the encoding.
"""

import json
from typing import Any, Literal, NotRequired, TypedDict

from landfall.core.message_types import BasePreview, GameEvent, View
from landfall.tables.protocol.errors import Refused


class ChairInfo(TypedDict):
    """One chair, as everybody may see it. `who` is a handle for remove and mute; `away` is why a stand-in plays;
    `kept`: it is reserved for a player of the previous table; `arranging`: the set-up is placed automatically;
    `online_bot`: a program plays there, which its author runs; `holiday`: from when until when its clock stands.
    """

    name: NotRequired[str]
    bot: NotRequired[str | None]
    who: NotRequired[str | None]
    online_bot: NotRequired[bool]
    colour: NotRequired[str | None]
    away: NotRequired[str | None]
    here: NotRequired[bool]
    kept: NotRequired[bool]
    arranging: NotRequired[bool]
    holiday: NotRequired[list[int]]


class ShownRating(TypedDict):
    """A rating as players see it: the number, its uncertainty, and whether it comes from few matches."""

    rating: int
    uncertainty: int
    provisional: NotRequired[bool]


class RatingChange(TypedDict):
    """What a match did to a seat's rating; `place` is the one that counted."""

    place: int
    before: ShownRating
    after: ShownRating


class TableInfo(TypedDict):
    """Everything about a table but the position: sent whole whenever a part changes. `rated`: as chosen when it was
    made; `unrated` is why the match does not count all the same; `ratings` comes after its end. `hints`: false if off.

    `scores`: at the end of a match that was not finished. `successor`: the table of a rematch, which the seat
    `successor_by` proposed. `tournament`: whose table it is.
    """

    t: Literal["table"]
    n: int
    id: str
    game: str
    rules: int
    players: int
    options: dict[str, Any]
    status: str
    chairs: list[ChairInfo]
    owner: str
    clock: dict[str, Any]
    public: NotRequired[bool]
    rated: NotRequired[bool]
    unrated: NotRequired[str]
    ratings: NotRequired[list[RatingChange]]
    hints: NotRequired[bool]
    tournament: NotRequired[str]
    hot_seat: NotRequired[bool]
    ended: NotRequired[str | None]
    scores: NotRequired[list[int]]
    paused: NotRequired[bool]
    rests: NotRequired[bool]
    proposal: NotRequired[dict[str, Any] | None]
    previous: NotRequired[str | None]
    successor: NotRequired[str | None]
    successor_by: NotRequired[int | None]
    watching: NotRequired[int]
    muted: NotRequired[list[str]]
    link: NotRequired[str | None]


class ChatMessage(TypedDict):
    """A chat line. Plain text, never markup."""

    t: Literal["chat"]
    n: int
    at: int
    name: str
    text: str
    seat: NotRequired[int | None]
    who: NotRequired[str | None]


class Choices(TypedDict):
    """Choices of one verb: their keys once, then one row of values per choice."""

    verb: str
    keys: list[str]
    rows: list[list[Any]]


class Welcome(TypedDict):
    """The first message: a full snapshot for this viewpoint. `you` is the subscriber's handle.

    After a reconnect, `again` contains all earlier events of which the viewpoint may now see more, or less.
    """

    t: Literal["welcome"]
    n: int
    version: int
    table: TableInfo
    you: NotRequired[str | None]
    seats: NotRequired[list[int]]
    seat: NotRequired[int | None]
    curtain: NotRequired[bool]
    view: NotRequired[View | None]
    choices: NotRequired[list[Choices]]
    first: NotRequired[int]
    events: NotRequired[list[GameEvent]]
    again: NotRequired[list[GameEvent]]
    clock: NotRequired[dict[str, Any] | None]
    chat: NotRequired[list[ChatMessage]]


class Update(TypedDict):
    """A change: `patch` of the view, and new events; `first` is the number of the first of them.

    Known events with numbers from `first` on were undone. `again` replaces earlier events, by number, of which the
    viewpoint may now see more, or less. `seat` is the viewpoint where it goes with the turn: at a hot seat of a game
    that hides nothing.
    """

    t: Literal["update"]
    n: int
    version: int
    seat: NotRequired[int]
    patch: NotRequired[dict[str, Any]]
    choices: NotRequired[list[Choices]]
    first: NotRequired[int]
    events: NotRequired[list[GameEvent]]
    again: NotRequired[list[GameEvent]]
    clock: NotRequired[dict[str, Any] | None]


class Ack(TypedDict):
    """A choice is on disk; `n` and `version` are its result."""

    t: Literal["ack"]
    id: str
    n: int
    version: int


class Held(TypedDict):
    """An answer was accepted and is delayed, so that its timing reveals nothing."""

    t: Literal["held"]
    id: str
    ms: int


class RefusedMessage(TypedDict):
    """Nothing was changed: a code, the id of the rule that forbids it, if any, and a text key with arguments."""

    t: Literal["refused"]
    code: str
    key: str
    args: NotRequired[dict[str, Any]]
    rule: NotRequired[str | None]
    id: NotRequired[str | None]
    version: NotRequired[int | None]


class Explanation(TypedDict):
    """The answer to `explain`: the rule that forbids it, or none."""

    t: Literal["explanation"]
    rule: NotRequired[str | None]


class PreviewMessage(TypedDict):
    """The answer to `preview`."""

    t: Literal["preview"]
    version: int
    preview: BasePreview


class Reason(TypedDict):
    """A reason: a text key of the game's catalogue, and its numbers."""

    key: str
    args: dict[str, Any]


class Alternative(TypedDict):
    """Another good choice, and at most two reasons."""

    action: int
    text: str
    why: list[Reason]


class HintMessage(TypedDict):
    """The answer to `hint`: one of the choices at `version`, the bot it comes from, at most two reasons and the
    plan for the rest of the step, and alternatives; the first is equally good if `alike`. There are none without a net.
    """

    t: Literal["hint"]
    version: int
    action: int
    text: str
    bot: str
    why: list[Reason]
    others: list[Alternative]
    alike: bool


class EventsMessage(TypedDict):
    """The answer to `events`."""

    t: Literal["events"]
    first: int
    events: list[GameEvent]


class Done(TypedDict):
    """A command other than a choice was executed."""

    t: Literal["done"]
    what: str
    table: NotRequired[str | None]


class Pong(TypedDict):
    """The answer to `ping`."""

    t: Literal["pong"]
    n: int


class NearSearch(TypedDict):
    """Somebody who looks for a table like yours. Without a name: a guest, or an account that is not shown. `ring`: how
    far apart the ratings are (0 like you, 1 near you, 2 anyone); `fits`: within both bands by now.
    """

    ring: int
    fits: bool
    name: NotRequired[str]
    rating: NotRequired[int]


class SearchInfo(TypedDict):
    """Your search for a table. Times are milliseconds: since it began, until the band widens, until bots sit down.
    `ring`: the band (0 like you, 1 near you, 2 anyone); `near`: the nearest of all `others` who look for the same.
    """

    games: list[str]
    sizes: list[int]
    pace: str
    rated: bool
    bots: str
    waited: int
    ring: int
    wider: int | None
    bots_in: int | None
    rating: int
    near: list[NearSearch]
    others: int


class WaitingInfo(TypedDict):
    """How many look for such a table."""

    game: str
    players: int
    pace: str
    rated: bool
    people: int


class LobbyTable(TypedDict):
    """A public table that is not over. `chairs`: names, codes of bots, or null for a free one; `here`: how many people
    are connected to it; `exhibition`: bots play for spectators.
    """

    table: str
    game: str
    status: str
    created: int
    updated: int
    players: int
    clock: str
    chairs: list[str | None]
    colours: list[str | None]
    rated: bool
    here: int
    online_bots: NotRequired[list[int]]
    exhibition: NotRequired[bool]


class HerePerson(TypedDict):
    """Somebody who agreed to be shown: at a public table, looking for one (of which games), or just here."""

    name: str
    table: NotRequired[str]
    game: NotRequired[str]
    waits: NotRequired[list[str]]


class HereInfo(TypedDict):
    """Who is connected: how many people, at how many tables, and some of those who are shown. `searches`: how many look
    for a table; `waiting`: by game.
    """

    people: int
    tables: int
    names: list[HerePerson]
    searches: int
    waiting: dict[str, int]


class LobbyMessage(TypedDict):
    """The lobby, on its own socket: each part is sent whenever it changes. `found`: the table of your search; `tables`:
    the public tables that changed, null for those that are gone; `fresh`: they are all there are; `followed`: those
    whom you follow and who are here; `home`: something waits for you, or no longer, ask `/api/home`.
    """

    t: Literal["lobby"]
    tables: NotRequired[dict[str, LobbyTable | None]]
    fresh: NotRequired[bool]
    here: NotRequired[HereInfo]
    followed: NotRequired[list[HerePerson]]
    home: NotRequired[bool]
    search: NotRequired[SearchInfo | None]
    found: NotRequired[str | None]
    waiting: NotRequired[list[WaitingInfo]]


ServerMessage = (
    Welcome | Update | TableInfo | ChatMessage | Ack | Held | RefusedMessage | Explanation | PreviewMessage
    | HintMessage | EventsMessage
    | Done | Pong | LobbyMessage
)  # fmt: skip


def encode_json(message: ServerMessage) -> str:
    """The default encoder: JSON."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def make_refusal_message(error: Refused, command: object = None, version: int | None = None) -> RefusedMessage:
    """A refusal as a message."""
    message: RefusedMessage = {"t": "refused", "code": error.code, "key": error.key}
    if args := {k: v for k, v in error.arguments.items() if k != "version"}:
        message["args"] = args
    if error.rule is not None:
        message["rule"] = error.rule
    id_: str | None = getattr(command, "id", None)
    if id_ is not None:
        message["id"] = id_
    if version is not None:
        message["version"] = version
    return message
