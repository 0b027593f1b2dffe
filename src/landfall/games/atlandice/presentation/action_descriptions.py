"""Actions and chance outcomes as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.games.atlandice.rules.action_encoding import (
    CHANGE,
    GIVE,
    NEUTRAL_DIE,
    OWN_DIE,
    PASS,
    PICK,
    ROLLED,
    TAKE,
    TO,
    action_family,
)
from landfall.games.atlandice.rules.board import SECTOR_NAMES
from landfall.games.atlandice.rules.components import (
    LETTERS,
    RESOURCE_NAMES,
    Place,
    resource_of_place,
    sector_of_place,
    tile_name,
)
from landfall.games.atlandice.rules.phases import DIE_TO, GATES, SUBMARINE_TO, SWAP

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.message_types import Choice, Outcome, Piece, Sector, Way
    from landfall.games.atlandice.rules.position import AtlandicePosition


def describe_action(s: AtlandicePosition, action: int) -> Choice | Outcome:
    """An action or outcome as data: `act.<verb>` is its sentence."""
    sort = int(action_family(action))
    part = action - sort
    if sort == OWN_DIE:
        return {"verb": "die", "sector": SECTOR_NAMES[part]}
    elif sort == NEUTRAL_DIE:
        return {"verb": "die_neutral", "sector": SECTOR_NAMES[part]}
    elif sort == TAKE:
        return {"verb": "take" if s.holder == s.turn else "take_neutral", **resource_and_sector_names(part)}
    elif sort == PICK:
        return {"verb": "swap" if s.phase == SWAP else "pick", **resource_and_sector_names(part)}
    elif sort == TO:
        return describe_destination(s, SECTOR_NAMES[part])
    elif sort == CHANGE:
        return {"verb": "change", "sector": SECTOR_NAMES[part]}
    elif sort == GIVE:
        return {"verb": "give", "resource": RESOURCE_NAMES[part]}
    elif sort == PASS:
        return {"verb": "pass"}
    elif sort == ROLLED:
        return {"verb": "gate" if s.phase == GATES else "roll", "face": part + 1}
    return {"verb": "reveal", "tile": tile_name(int(s.reveal) * LETTERS + part)}


def resource_and_sector_names(place: int) -> Piece:
    return {
        "resource": RESOURCE_NAMES[resource_of_place(Place(place))],
        "sector": SECTOR_NAMES[sector_of_place(Place(place))],
    }


def describe_destination(s: AtlandicePosition, sector: Sector) -> Choice:
    """The destination of the submarine, a die or a piece."""
    if s.phase == SUBMARINE_TO:
        return {"verb": "submarine", "from": SECTOR_NAMES[s.submarine], "to": sector}
    if s.phase == DIE_TO:
        return {"verb": "die_to", "from": SECTOR_NAMES[s.picked], "to": sector}
    place = int(s.picked)
    where: Way = {"from": SECTOR_NAMES[sector_of_place(Place(place))], "to": sector}
    return {"verb": "move", "resource": RESOURCE_NAMES[resource_of_place(Place(place))], **where}
