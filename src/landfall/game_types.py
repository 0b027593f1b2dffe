"""The views, choices and options of our games as types. `Match` has them by itself for a game's name.

Made by `landfall types --write`; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from landfall.games.atlandice.rules import message_types as atlandice_messages
from landfall.games.atlandice.state import AtlandiceState
from landfall.games.atlantis.rules import message_types as atlantis_messages
from landfall.games.atlantis.state import AtlantisState
from landfall.games.survive.rules import message_types as survive_messages
from landfall.games.survive.state import SurviveState

if TYPE_CHECKING:
    from typing_extensions import ReadOnly
else:  # which Python has from 3.13 on
    from typing import Required as ReadOnly

__all__ = [
    "AtlandiceChoice",
    "AtlandiceOptions",
    "AtlandiceState",
    "AtlandiceView",
    "AtlantisChoice",
    "AtlantisOptions",
    "AtlantisState",
    "AtlantisView",
    "Choice",
    "Offered",
    "SurviveChoice",
    "SurviveOptions",
    "SurviveState",
    "SurviveView",
]


class Offered(TypedDict):
    """What every choice of `Match.choices` has beside its words."""

    action: int  # given to `Match.play` to choose it
    text: str  # the action in notation
    loses: list[str]  # own pieces that this choice loses at once
    hits: list[str]  # others' pieces that it hits at once, unless somebody prevents it


class Choice(Offered):
    """A choice of any game; it has arguments, too."""

    verb: ReadOnly[str]


class SurviveOptions(TypedDict, total=False):
    """The options of Survive."""

    two_colours: bool
    ships_per_colour: bool
    overpopulated: bool
    to_the_last: bool
    all_equal: bool
    submerged: bool
    crowded: bool
    dolphins: bool
    squid: Literal["off", "with_whales", "instead_of_whales"]
    squid_spares_on_arrival: bool
    bounty: bool
    isle_hopper: bool
    open_values: bool


class SurvivePlace(survive_messages.Place, Offered):
    """A choice of Survive."""


class SurvivePut(survive_messages.Put, Offered):
    """A choice of Survive."""


class SurviveStep(survive_messages.Step, Offered):
    """A choice of Survive."""


class SurviveStepHere(survive_messages.StepHere, Offered):
    """A choice of Survive."""


class SurviveSwimByDolphin(survive_messages.SwimByDolphin, Offered):
    """A choice of Survive."""


class SurviveMoveShip(survive_messages.MoveShip, Offered):
    """A choice of Survive."""


class SurviveMoveCreature(survive_messages.MoveCreature, Offered):
    """A choice of Survive."""


class SurviveSendCreature(survive_messages.SendCreature, Offered):
    """A choice of Survive."""


class SurviveSink(survive_messages.Sink, Offered):
    """A choice of Survive."""


class SurvivePick(survive_messages.Pick, Offered):
    """A choice of Survive."""


class SurviveGuard(survive_messages.Guard, Offered):
    """A choice of Survive."""


class SurviveDefend(survive_messages.Defend, Offered):
    """A choice of Survive."""


class SurvivePass(survive_messages.Pass, Offered):
    """A choice of Survive."""


SurviveChoice = (
    SurvivePlace
    | SurvivePut
    | SurviveStep
    | SurviveStepHere
    | SurviveSwimByDolphin
    | SurviveMoveShip
    | SurviveMoveCreature
    | SurviveSendCreature
    | SurviveSink
    | SurvivePick
    | SurviveGuard
    | SurviveDefend
    | SurvivePass
)
SurviveView = survive_messages.View


class AtlantisOptions(TypedDict, total=False):
    """The options of Atlantis."""


class AtlantisPlayCard(atlantis_messages.PlayCard, Offered):
    """A choice of Atlantis."""


class AtlantisPayCard(atlantis_messages.PayCard, Offered):
    """A choice of Atlantis."""


class AtlantisPayTile(atlantis_messages.PayTile, Offered):
    """A choice of Atlantis."""


class AtlantisBuy(atlantis_messages.Buy, Offered):
    """A choice of Atlantis."""


class AtlantisLayBridge(atlantis_messages.LayBridge, Offered):
    """A choice of Atlantis."""


class AtlantisShowHand(atlantis_messages.ShowHand, Offered):
    """A choice of Atlantis."""


class AtlantisKeepBridge(atlantis_messages.KeepBridge, Offered):
    """A choice of Atlantis."""


AtlantisChoice = (
    AtlantisPlayCard
    | AtlantisPayCard
    | AtlantisPayTile
    | AtlantisBuy
    | AtlantisLayBridge
    | AtlantisShowHand
    | AtlantisKeepBridge
)
AtlantisView = atlantis_messages.View


class AtlandiceOptions(TypedDict, total=False):
    """The options of Atlandice."""

    clock: object


class AtlandiceTakeDie(atlandice_messages.TakeDie, Offered):
    """A choice of Atlandice."""


class AtlandiceTakePiece(atlandice_messages.TakePiece, Offered):
    """A choice of Atlandice."""


class AtlandicePickPiece(atlandice_messages.PickPiece, Offered):
    """A choice of Atlandice."""


class AtlandiceMovePiece(atlandice_messages.MovePiece, Offered):
    """A choice of Atlandice."""


class AtlandiceChangeDie(atlandice_messages.ChangeDie, Offered):
    """A choice of Atlandice."""


class AtlandiceMoveDie(atlandice_messages.MoveDie, Offered):
    """A choice of Atlandice."""


class AtlandiceMoveSubmarine(atlandice_messages.MoveSubmarine, Offered):
    """A choice of Atlandice."""


class AtlandiceGivePiece(atlandice_messages.GivePiece, Offered):
    """A choice of Atlandice."""


class AtlandicePass(atlandice_messages.Pass, Offered):
    """A choice of Atlandice."""


AtlandiceChoice = (
    AtlandiceTakeDie
    | AtlandiceTakePiece
    | AtlandicePickPiece
    | AtlandiceMovePiece
    | AtlandiceChangeDie
    | AtlandiceMoveDie
    | AtlandiceMoveSubmarine
    | AtlandiceGivePiece
    | AtlandicePass
)
AtlandiceView = atlandice_messages.View
