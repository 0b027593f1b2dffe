"""What a table tells: the messages that go to clients. `t` names each; what is as it usually is is left out.

They are plain dicts, as the games' own messages in them are; whoever carries them chooses how they are encoded.
"""

import json
from typing import Any, Literal, NotRequired, TypedDict

from landfall.core.messages import BasePreview, GameEvent, View
from landfall.tables.protocol.errors import Refused


class ChairInfo(TypedDict):
    """One chair, as all may know it. `who` is a handle for remove and mute; `away` says why a stand-in plays; `kept`:
    it waits for somebody who played at the table before; `arranging`: the rest of the set-up is placed for them."""

    name: NotRequired[str]
    bot: NotRequired[str | None]
    who: NotRequired[str | None]
    colour: NotRequired[str | None]
    away: NotRequired[str | None]
    here: NotRequired[bool]
    kept: NotRequired[bool]
    arranging: NotRequired[bool]


class TableInfo(TypedDict):
    """All about a table but the position: sent whole whenever some of it changes.

    `scores`: of a match that ended before its end, as they stood. `successor`: the table of a rematch, which the seat
    `successor_by` asked for.
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
    hot_seat: NotRequired[bool]
    pace: NotRequired[str]
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
    """A line of chat. Text is text, never markup."""

    t: Literal["chat"]
    n: int
    at: int
    name: str
    text: str
    seat: NotRequired[int | None]
    who: NotRequired[str | None]


class Choices(TypedDict):
    """Choices of one verb: the names of their words once, then a row for each choice."""

    verb: str
    keys: list[str]
    rows: list[list[Any]]


class Welcome(TypedDict):
    """The first message: everything, as this viewer may see it. `you` is the handle of who is asking.

    To one who comes back, `again` tells all earlier events of which one may know more, or less, than before.
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
    """What changed: `patch` of the view; the events that happened, `first` being the number of the first of them.

    Events with numbers from `first` on that a client already has were taken back. `again`: earlier ones, by their
    number, of which one may know more now, or less; what was told of them before is to be forgotten.
    """

    t: Literal["update"]
    n: int
    version: int
    patch: NotRequired[dict[str, Any]]
    choices: NotRequired[list[Choices]]
    first: NotRequired[int]
    events: NotRequired[list[GameEvent]]
    again: NotRequired[list[GameEvent]]
    clock: NotRequired[dict[str, Any] | None]


class Ack(TypedDict):
    """A choice is on disk; `n` and `version` are what it became."""

    t: Literal["ack"]
    id: str
    n: int
    version: int


class Held(TypedDict):
    """An answer was taken and is kept for a moment, so that how fast it came tells nothing."""

    t: Literal["held"]
    id: str
    ms: int


class RefusedMessage(TypedDict):
    """Nothing was changed: why, as a code, a rule's id if one forbids it, and a sentence's key with arguments."""

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
    """A reason: a sentence's key of the game's catalogue, and its figures."""

    key: str
    args: dict[str, Any]


class Alternative(TypedDict):
    """Another choice that is worth a thought, and at most two reasons."""

    action: int
    text: str
    why: list[Reason]


class HintMessage(TypedDict):
    """The answer to `hint`: a choice of those offered at `version`, the bot whose it is, at most two reasons, and the
    next best, of which the first is as good if `alike`; none where nothing can judge them."""

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
    """A command other than a choice was carried out."""

    t: Literal["done"]
    what: str
    table: NotRequired[str | None]


class Pong(TypedDict):
    """The answer to `ping`."""

    t: Literal["pong"]
    n: int


ServerMessage = (
    Welcome | Update | TableInfo | ChatMessage | Ack | Held | RefusedMessage | Explanation | PreviewMessage
    | HintMessage | EventsMessage
    | Done | Pong
)  # fmt: skip


def encode_json(message: ServerMessage) -> str:
    """As JSON, where nobody has anything quicker."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def make_refusal(error: Refused, command: object = None, version: int | None = None) -> RefusedMessage:
    """A refusal as a client is told."""
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
