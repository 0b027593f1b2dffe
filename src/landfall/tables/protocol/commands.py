"""What can be asked of a table. A command is also the message a client sends: `t` is its name in small letters.

Nobody changes one; that is not enforced, since a frozen one costs more to make.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any


@dataclass(frozen=True)
class Bounds:
    """What a field holds at least and at most, counted or in characters; the door refuses what does not."""

    minimum: int
    maximum: int
    no_controls: bool = False  # a text without controls

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """The same bounds for arguments of a server's paths and queries, and in its documents."""
        schema = handler(source)
        if source is int:
            return {**schema, "ge": self.minimum, "le": self.maximum}
        return {**schema, "max_length": self.maximum, **({"min_length": self.minimum} if self.minimum else {})}


CommandId = Annotated[str, Bounds(1, 40, no_controls=True)]
ShortText = Annotated[str, Bounds(0, 64, no_controls=True)]
ChatText = Annotated[str, Bounds(1, 500)]  # chat and names are read by `writing`
DisplayName = Annotated[str, Bounds(1, 96)]
ChairNumber = Annotated[int, Bounds(0, 7)]
Count = Annotated[int, Bounds(0, 2**31)]


@dataclass(slots=True)
class Play:
    """A choice, decided at `version`; `id` is the sender's own, so that a resend is known. Either way of naming it."""

    version: Count
    id: CommandId
    action: Count | None = None
    text: ShortText | None = None


@dataclass(slots=True)
class Undo:
    """Take back one's last choice, or with `turn` all one may."""

    version: Count
    id: CommandId
    turn: bool = False


@dataclass(slots=True)
class Arrange:
    """Have the rest of one's set-up placed, each piece when its turn comes; or place by oneself again."""

    on: bool = True


@dataclass(slots=True)
class Skip:
    """Let the bots play without a pause until one is asked. For one who plays against bots alone."""


@dataclass(slots=True)
class Sit:
    """Take a free chair; at a hot seat, under a name of its own."""

    chair: ChairNumber
    name: DisplayName | None = None


@dataclass(slots=True)
class Bot:
    """Put a bot on a chair, by level or code. The owner's."""

    chair: ChairNumber
    code: ShortText


@dataclass(slots=True)
class Free:
    """Clear a chair before the match: one's own, or as the owner any."""

    chair: ChairNumber


@dataclass(slots=True)
class Colour:
    """Choose the colour of one's chair."""

    chair: ChairNumber
    colour: ShortText


@dataclass(slots=True)
class Start:
    """Begin the match. The owner's."""


@dataclass(slots=True)
class Leave:
    """Go: a stand-in plays on."""


@dataclass(slots=True)
class Back:
    """Take one's seat back from the stand-in."""


@dataclass(slots=True)
class Resign:
    """Give up for good."""

    seat: ChairNumber | None = None


@dataclass(slots=True)
class Propose:
    """Ask all to agree: `abandon` the match, `takeback` of one's last choice, or `pause` until somebody resumes."""

    what: ShortText


@dataclass(slots=True)
class Answer:
    """To the proposal."""

    yes: bool


@dataclass(slots=True)
class Resume:
    """Go on after a pause that was agreed to."""


@dataclass(slots=True)
class Say:
    """Chat."""

    text: ChatText


@dataclass(slots=True)
class Viewpoint:
    """At a hot seat: lift the curtain for one of one's seats, or lower it. When the match is over: any seat."""

    seat: ChairNumber | None = None


@dataclass(slots=True)
class Remove:
    """Send somebody away from the table. The owner's."""

    who: ShortText


@dataclass(slots=True)
class Mute:
    """Let somebody not chat, or again. The owner's."""

    who: ShortText
    on: bool = True


@dataclass(slots=True)
class Pace:
    """How fast the bots here play: `slow`, `normal` or `quick`. The owner's."""

    pace: ShortText


@dataclass(slots=True)
class Close:
    """End the table. The owner's."""


@dataclass(slots=True)
class Rematch:
    """Once more, at a new table: ask for it, or answer yes to who did."""


@dataclass(slots=True)
class Explain:
    """Why a piece cannot go to a place, for a touch that is no choice; or why a choice named by its text is none."""

    piece: ShortText = ""
    place: ShortText = ""
    text: ShortText | None = None


@dataclass(slots=True)
class Preview:
    """What one's choices would lead to, where words alone do not tell."""


@dataclass(slots=True)
class Hint:
    """What a bot would choose in one's place, knowing what one knows."""

    version: Count


@dataclass(slots=True)
class Events:
    """Everything that happened in the match from event `since` on, as one may know it now."""

    since: Count = 0


@dataclass(slots=True)
class Ping:
    """Is anybody there."""


AnyCommand = (
    Play | Undo | Arrange | Skip | Sit | Bot | Free | Colour | Start | Leave | Back | Resign | Propose | Answer | Resume
    | Say | Viewpoint | Remove | Mute | Pace | Close | Rematch | Explain | Preview | Hint | Events | Ping
)  # fmt: skip
