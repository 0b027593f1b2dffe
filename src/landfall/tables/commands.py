"""What can be asked of a table. A command is also the message a client sends: `t` names it."""

from __future__ import annotations

from typing import Annotated

import msgspec

PLAIN = r"^[^\x00-\x1f\x7f-\x9f]*\Z"  # no controls
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=PLAIN)]
Words = Annotated[str, msgspec.Meta(max_length=64, pattern=PLAIN)]
Chat = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]  # chat and names are read by `writing`
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=96)]
Chairs = Annotated[int, msgspec.Meta(ge=0, le=7)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class Command(
    msgspec.Struct, frozen=True, tag_field="t", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True
):
    """The base of all."""


class Play(Command, frozen=True, tag=str.lower):
    """A choice, decided at `version`; `id` is the sender's own, so that a resend is known. Either way of naming it."""

    version: Count
    id: Id
    action: Count | None = None
    text: Words | None = None


class Undo(Command, frozen=True, tag=str.lower):
    """Take back one's last choice, or with `turn` all one may."""

    version: Count
    id: Id
    turn: bool = False


class Arrange(Command, frozen=True, tag=str.lower):
    """Have the rest of one's set-up placed, each piece when its turn comes; or place by oneself again."""

    on: bool = True


class Skip(Command, frozen=True, tag=str.lower):
    """Let the bots play without a pause until one is asked. For one who plays against bots alone."""


class Sit(Command, frozen=True, tag=str.lower):
    """Take a free chair; at a hot seat, under a name of its own."""

    chair: Chairs
    name: Name | None = None


class Bot(Command, frozen=True, tag=str.lower):
    """Put a bot on a chair, by level or code. The owner's."""

    chair: Chairs
    code: Words


class Free(Command, frozen=True, tag=str.lower):
    """Clear a chair before the match: one's own, or as the owner any."""

    chair: Chairs


class Colour(Command, frozen=True, tag=str.lower):
    """Choose the colour of one's chair."""

    chair: Chairs
    colour: Words


class Start(Command, frozen=True, tag=str.lower):
    """Begin the match. The owner's."""


class Leave(Command, frozen=True, tag=str.lower):
    """Go: a stand-in plays on."""


class Back(Command, frozen=True, tag=str.lower):
    """Take one's seat back from the stand-in."""


class Resign(Command, frozen=True, tag=str.lower):
    """Give up for good."""

    seat: Chairs | None = None


class Propose(Command, frozen=True, tag=str.lower):
    """Ask all to agree: `abandon` the match, `takeback` of one's last choice, or `pause` until somebody resumes."""

    what: Words


class Answer(Command, frozen=True, tag=str.lower):
    """To the proposal."""

    yes: bool


class Resume(Command, frozen=True, tag=str.lower):
    """Go on after a pause that was agreed to."""


class Say(Command, frozen=True, tag=str.lower):
    """Chat."""

    text: Chat


class Look(Command, frozen=True, tag=str.lower):
    """At a hot seat: lift the curtain for one of one's seats, or lower it. When the match is over: any seat."""

    seat: Chairs | None = None


class Remove(Command, frozen=True, tag=str.lower):
    """Send somebody away from the table. The owner's."""

    who: Words


class Mute(Command, frozen=True, tag=str.lower):
    """Let somebody not chat, or again. The owner's."""

    who: Words
    on: bool = True


class Pace(Command, frozen=True, tag=str.lower):
    """How fast the bots here play: `slow`, `normal` or `quick`. The owner's."""

    pace: Words


class Close(Command, frozen=True, tag=str.lower):
    """End the table. The owner's."""


class Rematch(Command, frozen=True, tag=str.lower):
    """Once more, at a new table: ask for it, or answer yes to who did."""


class Explain(Command, frozen=True, tag=str.lower):
    """Why a piece cannot go to a place, for a touch that is no choice; or why a choice named by its text is none."""

    piece: Words = ""
    place: Words = ""
    text: Words | None = None


class Preview(Command, frozen=True, tag=str.lower):
    """What one's choices would lead to, where words alone do not tell."""


class Hint(Command, frozen=True, tag=str.lower):
    """What a bot would choose in one's place, knowing what one knows."""

    version: Count


class Events(Command, frozen=True, tag=str.lower):
    """Everything that happened in the match from event `since` on, as one may know it now."""

    since: Count = 0


class Ping(Command, frozen=True, tag=str.lower):
    """Is anybody there."""


AnyCommand = (
    Play | Undo | Arrange | Skip | Sit | Bot | Free | Colour | Start | Leave | Back | Resign | Propose | Answer | Resume
    | Say | Look | Remove | Mute | Pace | Close | Rematch | Explain | Preview | Hint | Events | Ping
)  # fmt: skip
