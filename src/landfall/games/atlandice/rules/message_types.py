# interpreted
"""Atlandice's messages: the view, events and choices. Not compiled, so that the generator can read them."""

from typing import Annotated, Literal, NotRequired, TypedDict

from landfall.core import message_types as core

Sector = Literal["jeweller", "library", "inn", "workshop", "forge", "black_market"]
Resource = Literal["gems", "books", "provisions", "tools", "weapons"]
Icon = Literal["gems", "books", "provisions", "tools", "weapons", "stock", "donation"]

Pieces = Annotated[dict[Resource, int], core.EVERY]


class Piece(TypedDict):
    resource: Resource
    sector: Sector


Way = TypedDict("Way", {"from": Sector, "to": Sector})
Turned = TypedDict("Turned", {"from": int, "to": int})  # the clock's hand, from a space to a space

# --- the view -----------------------------------------------------------------------------------------------------


class SectorView(TypedDict):
    """One sector: its tile and the tiles that may follow, its pieces and dice."""

    sector: Sector
    number: int  # on a die
    pieces: Pieces
    dice: int
    submarine: bool
    tile: str | None  # as `forge_b`; None: the black market, used up, or about to be revealed
    hands: int | None  # how far the last die here moves the clock
    used_up: bool
    unseen: list[str]  # tiles that may still follow


class ClockView(TypedDict):
    """The face and its hand."""

    hand: int  # the space it points at
    last: int  # the space that ends the match
    icons: dict[str, Icon]  # by space
    hands: dict[str, int]  # of every tile, revealed or not, and of the black market


class HolderView(TypedDict):
    """A seat, or the neutral player, who has no seat."""

    seat: int | None
    neutral: bool
    colour: str
    stock: Pieces
    pieces: int  # all of the stock
    points: int  # scored so far, without tiles
    tiles: list[str]
    score: int  # if the match ended now
    dice: int  # taken this round
    neutral_die_taken: bool  # this round, for the neutral player


class Picked(TypedDict):
    """What is being moved: a die, or a piece of a resource."""

    die: NotRequired[Literal[True]]
    resource: NotRequired[Resource]
    sector: Sector


class VisitView(TypedDict):
    """The current visit."""

    seat: int
    neutral: bool  # for the neutral player
    sector: Sector
    picked: NotRequired[Picked]


class PrivateView(core.PrivateView):
    """All is public; it only names the seat."""

    seat: int | None


class View(core.View, PrivateView):
    """The whole table."""

    round: int
    first: int  # the first player
    order: list[int]  # the seats in turn order
    visits_left: int  # in this round
    dice_to_roll: int
    sectors: list[SectorView]
    submarine: Sector
    clock: ClockView
    default_clock: bool
    default_hands: bool
    holders: list[HolderView]
    leaders: Annotated[dict[Resource, list[int]], core.EVERY]  # the holders with most of each
    visit: VisitView | None
    gone: list[str]  # tiles out of the game
    own: NotRequired[list[PrivateView]]  # in a replay with open hands: by seat


# --- events -------------------------------------------------------------------------------------------------------


class RoundBegan(TypedDict):
    kind: Literal["round"]
    round: int
    seat: int  # the first player


class GateOpened(TypedDict):
    """A die rolled at the start of a round goes to its sector."""

    kind: Literal["gate"]
    face: int
    sector: Sector


class TileRevealed(TypedDict):
    kind: Literal["reveal"]
    sector: Sector
    tile: str
    hands: int


class DieTaken(TypedDict):
    kind: Literal["die", "die_neutral"]  # for oneself, or for the neutral player
    seat: int
    sector: Sector


Gained = Literal["visit", "submarine", "effect"]


class PieceTaken(Piece):
    kind: Literal["take", "take_neutral"]
    seat: int
    reason: Gained


class Rolled(TypedDict):
    """The die just taken is rolled for a tile's effect."""

    kind: Literal["roll"]
    seat: int
    face: int
    tile: str


class VisitedAgain(TypedDict):
    kind: Literal["second_visit"]
    seat: int
    face: int
    sector: Sector


class InnTurnedClock(Turned):
    kind: Literal["clock_inn"]
    seat: int


class ClockTurned(Turned):
    kind: Literal["clock"]
    sector: Sector  # of the last die


class PieceMoved(Way):
    kind: Literal["move"]
    seat: int
    resource: Resource


class PiecesSwapped(TypedDict):
    kind: Literal["swap"]
    seat: int
    resource: Resource  # went there
    other: Resource  # came here
    sector: Sector  # there


class DieMoved(Way):
    kind: Literal["die_moved"]
    seat: int
    face: int  # its new value


class SubmarineMoved(Way):
    kind: Literal["submarine"]
    seat: int


class RegionEmptied(TypedDict):
    """A tile has no pieces left and is scored."""

    kind: Literal["emptied"]
    sector: Sector
    tile: str


class TileWon(TypedDict):
    kind: Literal["tile"]
    seat: int
    tile: str
    points: int


class TileWonByNeutral(TypedDict):
    kind: Literal["tile_neutral"]
    tile: str
    points: int


class TileGone(TypedDict):
    kind: Literal["tile_gone"]
    tile: str


Reason = Literal["region", "inventory", "donation"] | Resource


class PointsScored(TypedDict):
    kind: Literal["points"]
    seat: int
    points: int
    reason: Reason  # a resource: at the end of the match


class PointsScoredByNeutral(TypedDict):
    kind: Literal["points_neutral"]
    points: int
    reason: Reason


Returned = TypedDict(
    "Returned",
    {
        "kind": Literal["returned"],
        "resource": Resource,
        "market": int,  # pieces that went to the black market
        "region": int,  # pieces that went to the region
        "from": list[int],  # pieces that each holder gave
    },
)


class RegionUsedUp(TypedDict):
    kind: Literal["used_up"]
    sector: Sector
    resource: Resource


class Inventory(TypedDict):
    """The clock triggers an inventory: most of what the icon names scores."""

    kind: Literal["inventory"]
    icon: Icon


class DonationCalled(TypedDict):
    kind: Literal["donation"]


class PieceGiven(TypedDict):
    kind: Literal["give"]
    seat: int
    resource: Resource


class DonatedNoMore(TypedDict):
    kind: Literal["no_more"]
    seat: int


class Ended(TypedDict):
    kind: Literal["end"]
    scores: list[int]


Event = (
    RoundBegan
    | GateOpened
    | TileRevealed
    | DieTaken
    | PieceTaken
    | Rolled
    | VisitedAgain
    | InnTurnedClock
    | ClockTurned
    | PieceMoved
    | PiecesSwapped
    | DieMoved
    | SubmarineMoved
    | RegionEmptied
    | TileWon
    | TileWonByNeutral
    | TileGone
    | PointsScored
    | PointsScoredByNeutral
    | Returned
    | RegionUsedUp
    | Inventory
    | DonationCalled
    | PieceGiven
    | DonatedNoMore
    | Ended
)

# --- choices and chance outcomes ----------------------------------------------------------------------------------


class TakeDie(TypedDict):
    verb: Literal["die", "die_neutral"]
    sector: Sector


class TakePiece(Piece):
    verb: Literal["take", "take_neutral"]


class PickPiece(Piece):
    """The piece an effect moves, or the one it is swapped with."""

    verb: Literal["pick", "swap"]


class MovePiece(Way):
    verb: Literal["move"]
    resource: Resource


class ChangeDie(TypedDict):
    """Which die an effect changes."""

    verb: Literal["change"]
    sector: Sector


class MoveDie(Way):
    verb: Literal["die_to"]


class MoveSubmarine(Way):
    verb: Literal["submarine"]


class GivePiece(TypedDict):
    verb: Literal["give"]
    resource: Resource


class Pass(TypedDict):
    """Donate no more."""

    verb: Literal["pass"]


Choice = TakeDie | TakePiece | PickPiece | MovePiece | ChangeDie | MoveDie | MoveSubmarine | GivePiece | Pass


class RevealTile(TypedDict):
    verb: Literal["reveal"]
    tile: str


class RollDie(TypedDict):
    verb: Literal["gate", "roll"]
    face: int


Outcome = RevealTile | RollDie

# --- the preview --------------------------------------------------------------------------------------------------


class ClockAfter(TypedDict):
    """Where the clock would go."""

    to: int
    icon: Icon | None
    ends: bool  # the match


class Preview(core.BasePreview):
    clock: NotRequired[dict[Sector, ClockAfter]]  # if the last die were one of those in the sector
