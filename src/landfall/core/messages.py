# interpreted
"""What code that knows no game carries: the part every game's messages have in common, and JSON.

A game's own `messages.py` declares the rest the same way, each message a TypedDict: plain dicts when they run, checked
by mypy where they are made. The client's types, the JSON schema and the reference in docs/client.md are made from these
declarations (`landfall types`); the comment behind a field goes with it. Not compiled, so that they can be read.
"""

from typing import Final, NotRequired, TypedDict

EVERY: Final = object()  # Annotated[dict[Some, int], EVERY]: a dict that has every key there can be

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Rank(TypedDict):
    """Seats that share a place."""

    place: int
    seats: list[int]
    keys: dict[str, int]  # what they are compared by, in this order: `term.<key>` names it
    decided_by: str | None  # the key that put them above the next


class View(TypedDict):
    """What every view has."""

    game: str
    players: int
    actor: int  # the seat that must choose; -1: chance, -2: the match is over
    phase: str  # what is asked or going on
    ask: str  # the key of the sentence that asks for it
    scores: NotRequired[list[int]]  # by seat, where all may know them
    ranking: NotRequired[list[Rank]]  # at the end
    picture: NotRequired[str]  # of a game that brings its own: an SVG
    drawing: NotRequired[dict[str, list[str]]]  # the same in characters, by language


class PrivateView(TypedDict):
    """The part of a view that may differ from a spectator's: laid over a spectator's view, it makes the seat's."""


class GameEvent(TypedDict):
    """Something that happened; what else it has depends on its kind."""

    kind: str  # `event.<kind>` is its sentence
    seat: NotRequired[int]  # whose doing it is, or whom it befalls
    n: NotRequired[int]  # its number, where events do not come in one piece


class Offer(TypedDict):
    """What every choice has besides its own words."""

    verb: str  # `act.<verb>` is its sentence
    action: int  # what is sent back
    text: str  # the same, in notation
    loses: NotRequired[list[str]]  # own pieces this choice costs at once
    hits: NotRequired[list[str]]  # pieces of others that it strikes at once, if nobody prevents it


class BasePreview(TypedDict):
    """What a seat's choices would lead to, where words alone do not tell."""
