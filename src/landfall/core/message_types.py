# interpreted
"""Message types that all games share, and JSON encoding.

Each game's `message_types.py` declares its own messages the same way, as TypedDicts: plain dicts at run time, checked
by mypy. `landfall types` generates the client's types, the JSON schema and the reference in docs/client.md from these
declarations, including the comment after a field. These modules are not compiled, so that the generator can read them.
"""

from typing import Final, NotRequired, TypedDict

EVERY: Final = object()  # Annotated[dict[Some, int], EVERY]: a dict with every possible key

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Rank(TypedDict):
    """Seats that share a place."""

    place: int
    seats: list[int]
    keys: dict[str, int]  # compared in this order; `term.<key>` names each
    decided_by: str | None  # the key that ranked them above the next group


class PictureSpot(TypedDict):
    """A place of the picture that stands for a choice: pressing it is choosing it."""

    text: str  # the choice in notation; if it is none now, pressing says why
    box: list[int]  # x, y, width, height, in the picture's units


class PicturePiece(TypedDict):
    """A piece that lies on the picture and moves when its box changes."""

    id: str  # the same in every view
    picture: str  # an SVG
    box: list[int]  # x, y, width, height, in the picture's units


class View(TypedDict):
    """The part that all views have in common."""

    game: str
    players: int
    actor: int  # the seat that must choose; -1: chance, -2: the match is over
    phase: str  # what the actor is asked, or what is going on
    ask: str  # the key of the sentence that asks for it
    scores: NotRequired[list[int]]  # by seat, if they are public
    ranking: NotRequired[list[Rank]]  # at the end of the match
    picture: NotRequired[str]  # an SVG, if the game draws its own picture
    spots: NotRequired[list[PictureSpot]]  # where it can be pressed
    pieces: NotRequired[list[PicturePiece]]  # what moves on it
    drawing: NotRequired[dict[str, list[str]]]  # the same as text, by language


class PrivateView(TypedDict):
    """The part of a view that may differ from a spectator's. Merged over the public view, it gives the seat's view."""


class GameEvent(TypedDict):
    """Something that happened. The other fields depend on its kind."""

    kind: str  # `event.<kind>` is its sentence
    seat: NotRequired[int]  # the seat that acted, or that is affected
    n: NotRequired[int]  # its number, if events are sent one by one


class Offer(TypedDict):
    """The part that all choices have in common."""

    verb: str  # `act.<verb>` is its sentence
    action: int  # sent back to choose it
    text: str  # the action in notation
    loses: NotRequired[list[str]]  # own pieces that this choice loses at once
    hits: NotRequired[list[str]]  # others' pieces that it hits at once, unless somebody prevents it


class BasePreview(TypedDict):
    """Consequences of a seat's choices that the choices themselves do not show."""
