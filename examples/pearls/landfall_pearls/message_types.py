"""What Pearls tells the outside: its view, events and choices, each a TypedDict. The names of the unions are fixed."""

from typing import Literal, NotRequired, TypedDict

from landfall.core import message_types as core


class PrivateView(core.PrivateView):
    """What may differ from a spectator's view."""

    hand: NotRequired[list[int]]  # one's own cards, as values
    picture: str  # with them
    spots: NotRequired[list[core.PictureSpot]]  # what one's cards can do


class View(core.View):
    """What a seat may see; `scores` are the pearls by seat."""

    turn: int  # whose turn it is
    depth: int  # of the rope, in fathoms
    storm: bool  # the option
    deck: int  # cards left to draw
    cards: list[int]  # how many each seat holds
    hand: NotRequired[list[int]]  # one's own cards, as values


class Dived(TypedDict):
    kind: Literal["dived"]
    seat: int
    card: int
    depth: int  # where the rope is now


class FoundPearls(TypedDict):
    kind: Literal["pearls"]
    seat: int
    card: int
    depth: int
    pearls: int


class Surfaced(TypedDict):
    kind: Literal["surfaced"]
    seat: int
    card: int


class Drifted(TypedDict):
    kind: Literal["drifted"]
    depth: int


class DrewSecret(TypedDict):
    card: NotRequired[int]  # for who drew it


class Drew(DrewSecret):
    kind: Literal["drew"]
    seat: int


Event = Dived | FoundPearls | Surfaced | Drifted | Drew


class Dive(TypedDict):
    verb: Literal["dive"]
    card: int


class Surface(TypedDict):
    verb: Literal["surface"]
    card: int


Choice = Dive | Surface


class Draw(TypedDict):
    verb: Literal["draw"]
    card: int


class Drift(TypedDict):
    verb: Literal["drift"]
    depth: int


Outcome = Draw | Drift


class Preview(core.BasePreview):
    """Empty: words describe the effect of a choice."""
