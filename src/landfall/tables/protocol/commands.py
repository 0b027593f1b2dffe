"""Commands to a table. A command is also a client's message: `t` is its name in lower case.

Treat them as immutable; frozen classes would take longer to create.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any


@dataclass(frozen=True)
class Bounds:
    """The smallest and largest value of a field, or its length in characters; the decoder enforces them."""

    minimum: int
    maximum: int
    no_controls: bool = False  # no control characters

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """The same bounds for arguments of a server's paths and queries, and in its documents."""
        schema = handler(source)
        if source is int:
            return {**schema, "ge": self.minimum, "le": self.maximum}
        return {**schema, "max_length": self.maximum, **({"min_length": self.minimum} if self.minimum else {})}


CommandId = Annotated[str, Bounds(1, 40, no_controls=True)]
ShortText = Annotated[str, Bounds(0, 64, no_controls=True)]
ChatText = Annotated[str, Bounds(1, 500)]  # `text_validation` checks chat and names
DisplayName = Annotated[str, Bounds(1, 96)]
ChairNumber = Annotated[int, Bounds(0, 7)]
Count = Annotated[int, Bounds(0, 2**31)]


@dataclass(slots=True)
class Play:
    """A choice made at `version`; `id` is chosen by the sender and identifies a resend. Give `action` or `text`."""

    version: Count
    id: CommandId
    action: Count | None = None
    text: ShortText | None = None


@dataclass(slots=True)
class Undo:
    """Undo one's last choice, or with `turn` all that is allowed."""

    version: Count
    id: CommandId
    turn: bool = False


@dataclass(slots=True)
class Arrange:
    """Let the rest of one's set-up be placed automatically, each piece in its turn; or place manually again."""

    on: bool = True


@dataclass(slots=True)
class Skip:
    """Let the bots play without pauses until one must choose. Only if one plays against bots alone."""


@dataclass(slots=True)
class Sit:
    """Take a free chair; at a hot seat, under a name of its own."""

    chair: ChairNumber
    name: DisplayName | None = None


@dataclass(slots=True)
class Bot:
    """Put a bot on a chair, by level or code. Owner only."""

    chair: ChairNumber
    code: ShortText


@dataclass(slots=True)
class Free:
    """Free a chair before the match: one's own, or as the owner any."""

    chair: ChairNumber


@dataclass(slots=True)
class Colour:
    """Choose the colour of one's chair."""

    chair: ChairNumber
    colour: ShortText


@dataclass(slots=True)
class Start:
    """Start the match. Owner only."""


@dataclass(slots=True)
class Leave:
    """Leave: a stand-in takes over."""


@dataclass(slots=True)
class Back:
    """Take one's seat back from the stand-in."""


@dataclass(slots=True)
class Resign:
    """Resign for good."""

    seat: ChairNumber | None = None


@dataclass(slots=True)
class Propose:
    """Propose to `abandon` the match, a `takeback` of one's last choice, or a `pause` until somebody resumes."""

    what: ShortText


@dataclass(slots=True)
class Answer:
    """Answer the proposal."""

    yes: bool


@dataclass(slots=True)
class Resume:
    """Resume after an agreed pause."""


@dataclass(slots=True)
class Say:
    """Chat."""

    text: ChatText


@dataclass(slots=True)
class Viewpoint:
    """At a hot seat: show one of one's own seats, or hide it. When the match is over: any seat."""

    seat: ChairNumber | None = None


@dataclass(slots=True)
class Remove:
    """Remove somebody from the table. Owner only."""

    who: ShortText


@dataclass(slots=True)
class Mute:
    """Mute somebody in the chat, or unmute them. Owner only."""

    who: ShortText
    on: bool = True


@dataclass(slots=True)
class Close:
    """Close the table. Owner only."""


@dataclass(slots=True)
class Rematch:
    """Play again at a new table: propose it, or accept."""


@dataclass(slots=True)
class Explain:
    """Ask why a piece cannot go to a place, or why a choice given in notation is illegal."""

    piece: ShortText = ""
    place: ShortText = ""
    text: ShortText | None = None


@dataclass(slots=True)
class Preview:
    """Ask for consequences of one's choices that the choices themselves do not show."""


@dataclass(slots=True)
class Hint:
    """Ask for a bot's choice in one's place, with one's own knowledge."""

    version: Count


@dataclass(slots=True)
class Events:
    """Ask for all events of the match from number `since` on, as one may see them now."""

    since: Count = 0


@dataclass(slots=True)
class Ping:
    """Check the connection."""


AnyCommand = (
    Play | Undo | Arrange | Skip | Sit | Bot | Free | Colour | Start | Leave | Back | Resign | Propose | Answer | Resume
    | Say | Viewpoint | Remove | Mute | Close | Rematch | Explain | Preview | Hint | Events | Ping
)  # fmt: skip
