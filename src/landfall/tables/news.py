"""What a table tells: the messages that go to clients. `t` names each; fields at their defaults are left out."""

from __future__ import annotations

from typing import Any

import msgspec

from landfall.core.messages import GameEvent, Outlook, View
from landfall.tables.errors import Refused


class News(msgspec.Struct, frozen=True, tag_field="t", tag=str.lower, omit_defaults=True):
    """The base of all."""


class ChairNews(msgspec.Struct, frozen=True, omit_defaults=True):
    """One chair, as all may know it. `who` is a handle for remove and mute; `away` says why a stand-in plays; `kept`:
    it waits for somebody who played at the table before."""

    name: str = ""
    bot: str | None = None
    who: str | None = None
    colour: str | None = None
    away: str | None = None
    here: bool = False
    kept: bool = False


class TableNews(News, frozen=True, tag="table"):
    """All about a table but the position: sent whole whenever some of it changes.

    `successor`: the table of a rematch, which the seat `successor_by` asked for.
    """

    n: int
    id: str
    game: str
    rules: int
    players: int
    options: dict[str, Any]
    status: str
    chairs: list[ChairNews]
    owner: str
    clock: dict[str, Any]
    public: bool = False
    hot_seat: bool = False
    pace: str = "normal"
    ended: str | None = None
    paused: bool = False
    rests: bool = False
    proposal: dict[str, Any] | None = None
    previous: str | None = None
    successor: str | None = None
    successor_by: int | None = None
    watching: int = 0
    muted: list[str] = []
    link: str | None = None


class ChatNews(News, frozen=True, tag="chat"):
    """A line of chat. Text is text, never markup."""

    n: int
    at: int
    name: str
    text: str
    seat: int | None = None
    who: str | None = None


class Choices(msgspec.Struct, frozen=True):
    """Choices of one verb: the names of their words once, then a row for each choice."""

    verb: str
    keys: list[str]
    rows: list[list[Any]]


class Welcome(News, frozen=True, tag="welcome"):
    """The first message: everything, as this viewer may see it. `you` is the handle of who is asking.

    To one who comes back, `again` tells all earlier events of which one may know more, or less, than before.
    """

    n: int
    version: int
    table: TableNews
    you: str | None = None
    seats: list[int] = []
    seat: int | None = None
    curtain: bool = False
    view: View | None = None
    choices: list[Choices] = []
    first: int = 0
    events: list[GameEvent] = []
    again: list[GameEvent] = []
    clock: dict[str, Any] | None = None
    chat: list[ChatNews] = []


class Update(News, frozen=True, tag="update"):
    """What changed: `patch` of the view; the events that happened, `first` being the number of the first of them.

    Events with numbers from `first` on that a client already has were taken back. `again`: earlier ones, by their
    number, of which one may know more now, or less; what was told of them before is to be forgotten.
    """

    n: int
    version: int
    patch: dict[str, Any] = {}
    choices: list[Choices] = []
    first: int = 0
    events: list[GameEvent] = []
    again: list[GameEvent] = []
    clock: dict[str, Any] | None = None


class Ack(News, frozen=True, tag="ack"):
    """A choice is on disk; `n` and `version` are what it became."""

    id: str
    n: int
    version: int


class Held(News, frozen=True, tag="held"):
    """An answer was taken and is kept for a moment, so that how fast it came tells nothing."""

    id: str
    ms: int


class RefusedNews(News, frozen=True, tag="refused"):
    """Nothing was changed: why, as a code, a rule's id if one forbids it, and a sentence's key with arguments."""

    code: str
    key: str
    args: dict[str, Any] = {}
    rule: str | None = None
    id: str | None = None
    version: int | None = None


class Why(News, frozen=True, tag="why"):
    """The answer to `explain`: the rule that forbids it, or none."""

    rule: str | None = None


class PreviewNews(News, frozen=True, tag="preview"):
    """The answer to `preview`."""

    version: int
    preview: Outlook


class HintNews(News, frozen=True, tag="hint"):
    """The answer to `hint`: a choice of those offered at `version`, and the bot whose it is."""

    version: int
    action: int
    text: str
    bot: str


class EventsNews(News, frozen=True, tag="events"):
    """The answer to `events`."""

    first: int
    events: list[GameEvent]


class Done(News, frozen=True, tag="done"):
    """A command other than a choice was carried out."""

    what: str
    table: str | None = None


class Pong(News, frozen=True, tag="pong"):
    """The answer to `ping`."""

    n: int


AnyNews = (
    Welcome | Update | TableNews | ChatNews | Ack | Held | RefusedNews | Why | PreviewNews | HintNews | EventsNews
    | Done | Pong
)  # fmt: skip
ENCODER = msgspec.json.Encoder()


def encoded(news: News) -> str:
    """As it is sent."""
    return ENCODER.encode(news).decode()


def refusal(error: Refused, command: object = None, version: int | None = None) -> RefusedNews:
    """A refusal as a client is told."""
    return RefusedNews(
        code=error.code,
        key=error.key,
        args={k: v for k, v in error.arguments.items() if k != "version"},
        rule=error.rule,
        id=getattr(command, "id", None),
        version=version,
    )
