# interpreted
"""Atlantis's messages: the view, events and choices. Not compiled, so that the generator can read them.

Places are `atlantis`, `mainland`, or a position of the path as a text, counted from 1 at Atlantis.
"""

from typing import Annotated, Literal, NotRequired, TypedDict

from landfall.core import message_types as core

Kind = Literal["blue", "grey", "white", "yellow", "brown", "green", "pink"]
Figure = Literal["A", "B", "C"]
Back = Literal["A", "B"]

Cards = dict[Kind, int]  # counts by kind, without zeros
Way = TypedDict("Way", {"from": str, "to": str})


class Tile(TypedDict):
    kind: Kind
    value: int


class TileWords(TypedDict):
    """A tile, in messages where `kind` has another meaning."""

    tile: Kind
    value: int


# --- the view -----------------------------------------------------------------------------------------------------


class FigureAt(TypedDict):
    """The figure on a tile."""

    seat: int
    figure: Figure


class Position(TypedDict):
    """One position of the path; empty before the first and after the last tile."""

    at: int
    back: Back  # the side of the middle
    tile: Tile | None
    below: int  # unseen tiles below
    water: bool
    bridge: bool
    figure: FigureAt | None


class Gap(TypedDict):
    """Water between two tiles."""

    at: int  # its first position
    to: int  # its last
    price: int
    bridge: bool


Move = TypedDict(
    "Move",
    {
        "figure": Figure,
        "from": str,
        "at": str,
        "bill": int,
        "paid": int,  # of the bill
    },
)


class SeatView(TypedDict):
    """A seat's area."""

    seat: int
    colour: str
    cards: int  # how many in hand
    hand: Cards | None  # the seat's own; at the end everybody's
    known: Cards  # public cards
    tiles: list[Tile]
    worth: int  # of the tiles
    bridge: bool  # not laid yet
    figures: Annotated[dict[Figure, str], core.EVERY]  # where each is
    atlantis: int  # figures there
    mainland: int  # figures there


class Payment(TypedDict):
    """The tiles and cards given for a bill."""

    tiles: list[Tile]
    cards: Cards
    sum: int


CrossingFigure = TypedDict("CrossingFigure", {"figure": Figure, "from": str, "bill": int})


class Crossing(TypedDict):
    """How the figures not yet ashore cross at the end."""

    figures: list[CrossingFigure]
    bill: int
    gives: Payment | None  # None: not enough to pay


class PrivateView(core.PrivateView):
    """The seat, all seats' areas, and what only the seat knows."""

    seat: int | None
    seats: list[SeatView]
    may_not_pay: Cards | None  # cards bought this turn


class View(core.View, PrivateView):
    """The whole table."""

    turn: int  # the seat whose turn it is
    path: list[Position]
    gaps: list[Gap]
    move: Move | None  # the current move
    deck: int  # cards left
    discard: Cards
    out: Cards  # of the game
    played: Cards  # this turn
    to_draw: int
    bought: int  # cards, this turn
    bills: NotRequired[list[int]]  # at the end
    crossing: NotRequired[list[Crossing]]  # at the end
    own: NotRequired[list[PrivateView]]  # in a replay with open hands: by seat


# --- events -------------------------------------------------------------------------------------------------------


class Laid(TileWords):
    """A tile of the path, during set-up."""

    kind: Literal["laid"]
    at: int


class DrewSecret(TypedDict):
    card: Kind | Literal["hidden"]  # hidden from others


class Drew(DrewSecret):
    kind: Literal["drew"]
    seat: int


class TurnBegan(TypedDict):
    kind: Literal["turn"]
    seat: int


class Bought(TileWords):
    kind: Literal["bought"]
    seat: int
    cards: int


class BridgeLaid(TypedDict):
    kind: Literal["bridge"]
    seat: int
    at: int  # the gap's first position
    to: int  # its last


class FigureMoved(Way):
    kind: Literal["moved", "hopped"]  # hopped: onto an occupied tile, so the move continues
    seat: int
    figure: Figure
    card: Kind


class PaidCard(TypedDict):
    kind: Literal["paid_card"]
    seat: int
    card: Kind
    paid: int  # so far
    bill: int


class PaidTile(TileWords):
    kind: Literal["paid_tile"]
    seat: int
    paid: int  # so far
    bill: int


class Took(TileWords):
    kind: Literal["took"]
    seat: int
    at: int


class TookNothing(TypedDict):
    kind: Literal["took_nothing"]
    seat: int


class GapOpened(TypedDict):
    kind: Literal["gap"]
    at: int


class ShoreReached(TypedDict):
    """The path closes up."""

    kind: Literal["shore"]
    at: int
    side: Literal["atlantis", "mainland"]


class BridgeLost(TypedDict):
    kind: Literal["bridge_lost"]
    at: int


class Uncovered(TileWords):
    """The lower tile of a stack is turned up."""

    kind: Literal["uncovered"]
    at: int


class Shuffled(TypedDict):
    """The discard pile becomes the deck."""

    kind: Literal["shuffled"]
    cards: int


class Shown(TypedDict):
    """A player who is stuck shows the hand."""

    kind: Literal["shown"]
    seat: int
    cards: list[Kind | Literal["none"]]  # one by one; `none` alone: an empty hand


class Scored(TypedDict):
    kind: Literal["scored"]
    seat: int
    tiles: int  # their worth
    cards: int  # how many
    bill: int  # of the end crossing
    paid: int  # the payment for it
    score: int


class Over(TypedDict):
    kind: Literal["over"]


Event = (
    Laid
    | Drew
    | TurnBegan
    | Bought
    | BridgeLaid
    | FigureMoved
    | PaidCard
    | PaidTile
    | Took
    | TookNothing
    | GapOpened
    | ShoreReached
    | BridgeLost
    | Uncovered
    | Shuffled
    | Shown
    | Scored
    | Over
)

# --- choices and chance outcomes ----------------------------------------------------------------------------------


class PlayCard(Way):
    """A card played with a figure: where it leads, and what the way costs so far."""

    verb: Literal["move", "move_pay", "hop"]
    figure: Figure
    card: Kind
    bill: int


class PayCard(TypedDict):
    verb: Literal["pay_card"]
    card: Kind
    left: int  # to pay


class PayTile(TileWords):
    verb: Literal["pay_tile"]
    left: int  # to pay


class Buy(TileWords):
    verb: Literal["buy"]
    cards: int


class LayBridge(TypedDict):
    verb: Literal["bridge"]
    at: int  # the gap's first position
    to: int  # its last
    price: int  # until now


class ShowHand(TypedDict):
    verb: Literal["show"]


class KeepBridge(TypedDict):
    verb: Literal["no_bridge"]


Choice = PlayCard | PayCard | PayTile | Buy | LayBridge | ShowHand | KeepBridge


class TurnUp(TileWords):
    verb: Literal["turn_up"]
    at: int


class Draw(TypedDict):
    verb: Literal["draw"]
    seat: int
    card: Kind


Outcome = TurnUp | Draw

# --- the preview --------------------------------------------------------------------------------------------------


class TileAt(Tile):
    at: int


class Route(TypedDict):
    """Where a card would lead."""

    card: Kind
    to: str
    occupied: bool
    bill: int
    takes: TileAt | None  # the tile that would be taken
    rule: NotRequired[str | None]  # that forbids it
    pay: NotRequired[Payment | None]  # the cheapest payment; None: not enough
    then: NotRequired[list["Route"]]  # if it is occupied: cards playable from there


class Preview(core.BasePreview):
    pay: NotRequired[Payment | None]  # while paying: the cheapest payment
    figures: NotRequired[dict[Figure, list[Route]]]  # by figure: the cards in hand
