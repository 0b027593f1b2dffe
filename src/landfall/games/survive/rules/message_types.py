# interpreted
"""Survive's messages: the view, events and choices. Not compiled, so that the generator can read them.

Spaces are named as on the board (`D4`), isles by their corner (`@NW`), explorers by colour and number (`r3`).
"""

from typing import Annotated, Literal, NotRequired, TypedDict

from landfall.core import message_types as core

TerrainName = Literal["beach", "forest", "mountain"]
BackName = Literal[
    "dolphin",
    "wind",
    "move_serpent",
    "move_shark",
    "move_whale",
    "shark_defence",
    "whale_defence",
    "shark",
    "whale",
    "ship",
    "whirlpool",
    "volcano",
]
CreatureName = Literal["serpent", "shark", "whale", "dolphin", "squid"]
TurnStep = Literal["setup", "hand", "move", "tile", "mini", "die"]

Way = TypedDict("Way", {"from": str, "to": str})
Explorer = TypedDict("Explorer", {"piece": str, "from": str})  # an own explorer and its place

# Lists, so that a patch can change one element; clients know the meaning of each index.
ShipAt = Annotated[list[int | str], tuple[int, str]]
CreatureAt = Annotated[list[int | str], tuple[int, CreatureName, str]]

# --- the view -----------------------------------------------------------------------------------------------------


class HandTile(TypedDict):
    """A tile in a hand."""

    tile: BackName
    terrain: TerrainName


class SeatView(TypedDict):
    """The public facts about a seat."""

    colours: list[str]  # two with two players
    hand: list[TerrainName]  # the public side of its tiles
    in_play: int  # explorers still on the board
    saved: int  # explorers on isles
    turns: int  # begun so far
    ships_to_put: int  # during set-up
    bounty: NotRequired[int]  # points for removed rivals' explorers, if the option is on


class Attack(TypedDict):
    """The creature that attacks unless somebody defends, or whose prey is being chosen."""

    id: int
    creature: CreatureName
    at: str


class PrivateView(core.PrivateView):
    """What only the seat sees."""

    values: NotRequired[dict[str, int]]  # of the explorers whose value it may know now
    hand: NotRequired[list[HandTile]]
    to_place: NotRequired[dict[str, list[int]]]  # values still to be placed, by colour


class View(core.View, PrivateView):
    """The whole table."""

    step: TurnStep  # of the turn
    turn: int  # the seat whose turn it is
    points: int  # of movement left
    tiles: dict[str, TerrainName]  # remaining tiles, by space
    explorers: dict[str, str]  # where each is: a space, an isle, or `lost`
    aboard: dict[str, list[str]]  # crews, by the ship's space
    ships: list[ShipAt]  # number and space
    creatures: list[CreatureAt]  # number, kind and space
    wards: dict[str, str]  # the explorer a dolphin guards, by the dolphin's number
    acted: list[str]  # explorers that have used their action in the water
    seats: list[SeatView]
    supply: dict[str, int]  # ships and creatures not on the board
    dice: list[str]  # rolled just now
    sunk: str | None  # the space whose tile was just removed
    attack: NotRequired[Attack]
    hands: NotRequired[list[list[HandTile]]]  # at the end, by seat
    own: NotRequired[list[PrivateView]]  # in a replay with open hands: by seat


# --- events -------------------------------------------------------------------------------------------------------


class PlacedSecret(TypedDict, total=False):
    value: int  # for those who may read it


class Placed(PlacedSecret):
    """An explorer, during set-up."""

    kind: Literal["placed"]
    seat: int
    piece: str
    at: str


class ShipPut(TypedDict):
    """A ship, during set-up."""

    kind: Literal["ship_put"]
    seat: int
    at: str


class TurnBegan(TypedDict):
    kind: Literal["turn"]
    seat: int
    turn: int  # the number of the seat's turn


class Moved(Way):
    """An explorer."""

    kind: Literal["moved"]
    piece: str
    how: str  # `how.<word>` says it
    path: NotRequired[list[str]]  # if longer than a step; both ends included


Landed = TypedDict("Landed", {"kind": Literal["landed"], "piece": str, "from": str, "isle": str})


class ShipMoved(Way):
    kind: Literal["ship_moved"]
    how: str  # `how.<word>` says it
    path: list[str]  # both ends included
    id: int
    crew: list[str]


class Wrecked(TypedDict):
    """A ship is removed, its passengers become swimmers."""

    kind: Literal["wrecked"]
    at: str
    by: Literal["serpent", "whale"]
    crew: list[str]


class Swallowed(TypedDict):
    """A ship goes down with all aboard."""

    kind: Literal["swallowed"]
    at: str
    id: int


class Removed(TypedDict):
    """An explorer is lost."""

    kind: Literal["removed"]
    piece: str
    at: str
    by: str  # `by.<word>` says it


class Sunk(TypedDict):
    """A tile is removed."""

    kind: Literal["sunk"]
    seat: int
    at: str
    terrain: TerrainName
    fell: list[str]  # explorers who stood on it


class KeptSecret(TypedDict, total=False):
    back: BackName  # for those who may read it


class Kept(KeptSecret):
    """The removed tile goes to the hand."""

    kind: Literal["kept"]
    seat: int
    terrain: TerrainName


class Revealed(TypedDict):
    """The back of the removed tile."""

    kind: Literal["revealed"]
    back: BackName
    at: str


class Arrived(TypedDict):
    """A creature from the supply."""

    kind: Literal["arrived"]
    creature: CreatureName
    id: int
    at: str


class ShipCame(TypedDict):
    """A ship from the supply."""

    kind: Literal["ship_came"]
    at: str
    id: int


class TakenAboard(TypedDict):
    kind: Literal["taken_aboard"]
    piece: str
    at: str


class Whirlpool(TypedDict):
    kind: Literal["whirlpool"]
    at: str


class CreatureMoved(Way):
    kind: Literal["creature_moved"]
    creature: CreatureName
    id: int
    seat: int
    path: list[str]  # both ends included


class CreatureRemoved(TypedDict):
    kind: Literal["creature_removed"]
    creature: CreatureName
    id: int
    at: str
    by: str  # `by.<word>` says it


class Rolled(TypedDict):
    kind: Literal["rolled"]
    seat: int
    faces: list[str]


class Guarded(TypedDict):
    """A dolphin has a ward."""

    kind: Literal["guarded"]
    piece: str
    at: str


class TilePlayed(TypedDict):
    kind: Literal["tile_played"]
    seat: int
    tile: BackName
    terrain: TerrainName


class Defended(TypedDict):
    kind: Literal["defended"]
    seat: int
    creature: CreatureName


class Passed(TypedDict):
    kind: Literal["passed"]
    seat: int
    phase: str  # `pass.<phase>` says what was passed


class Over(TypedDict):
    kind: Literal["over"]
    reason: str  # `reason.<word>` says it


class Ranked(core.Rank):
    kind: Literal["ranked"]


Event = (
    Placed
    | ShipPut
    | TurnBegan
    | Moved
    | Landed
    | ShipMoved
    | Wrecked
    | Swallowed
    | Removed
    | Sunk
    | Kept
    | Revealed
    | Arrived
    | ShipCame
    | TakenAboard
    | Whirlpool
    | CreatureMoved
    | CreatureRemoved
    | Rolled
    | Guarded
    | TilePlayed
    | Defended
    | Passed
    | Over
    | Ranked
)

# --- choices and chance outcomes ----------------------------------------------------------------------------------


class Place(TypedDict):
    """An explorer, during set-up."""

    verb: Literal["place"]
    colour: str
    value: int
    to: str


class Put(TypedDict):
    """A ship, during set-up, or the squid."""

    verb: Literal["put_ship", "put_squid"]
    to: str


class Step(Explorer):
    """An explorer to the next space."""

    verb: Literal["walk", "swim", "enter_water", "embark", "swim_with_dolphin"]
    to: str
    direction: str  # a compass direction


class StepHere(Explorer):
    """An explorer between ship and water, or onto the isle beside it."""

    verb: Literal["dive", "board", "land"]
    to: str


class SwimByDolphin(Explorer):
    """An explorer carried by a dolphin tile."""

    verb: Literal["swim_by_dolphin"]
    to: str
    terrain: TerrainName | Literal[""]  # of the tile


class MoveShip(Way):
    """A ship: sailed, driven by a tile, drifting by the dice, or fetched."""

    verb: Literal["sail", "wind", "drift", "fetch"]
    piece: str  # `ship D4`


class MoveCreature(Way):
    """A creature, by the dice."""

    verb: Literal["move"]
    piece: str  # `shark D4`
    creature: CreatureName
    id: int


class SendCreature(Way):
    """A creature sent by a tile."""

    verb: Literal["send"]
    piece: str  # `shark D4`
    creature: CreatureName
    id: int
    terrain: TerrainName | Literal[""]  # of the tile


class Sink(TypedDict):
    """A tile to remove."""

    verb: Literal["sink"]
    to: str
    terrain: TerrainName | Literal["sea"]


class Pick(TypedDict):
    """One of several explorers."""

    verb: Literal["pick_ward", "pick_prey", "pick_boarding"]
    piece: str
    to: str  # its place


class Guard(TypedDict):
    """Another ward for a dolphin."""

    verb: Literal["guard"]
    piece: str  # `dolphin D4`
    ward: str
    to: str  # the place of both


class Defend(TypedDict):
    verb: Literal["defend"]
    creature: CreatureName | Literal[""]
    terrain: TerrainName | Literal[""]  # of the tile


class Pass(TypedDict):
    """End the movement, or choose nothing."""

    verb: Literal["end", "pass"]


Choice = (
    Place
    | Put
    | Step
    | StepHere
    | SwimByDolphin
    | MoveShip
    | MoveCreature
    | SendCreature
    | Sink
    | Pick
    | Guard
    | Defend
    | Pass
)


class Chance(TypedDict):
    verb: Literal["chance"]
    phase: str
    outcome: str


Outcome = Chance

# --- the preview --------------------------------------------------------------------------------------------------


class Preview(core.BasePreview):
    """Empty: the choices show everything."""
