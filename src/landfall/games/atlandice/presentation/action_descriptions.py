"""Actions and chance outcomes as data."""

from __future__ import annotations

from landfall.games.atlandice.rules import board, codes, components, message_types, phases
from landfall.games.atlandice.rules.position import AtlandicePosition


def describe_action(s: AtlandicePosition, action: int) -> message_types.Choice | message_types.Outcome:
    """An action or outcome as data: `act.<verb>` is its sentence."""
    sort = int(codes.action_family(action))
    part = action - sort
    if sort == codes.OWN_DIE:
        return {"verb": "die", "sector": board.SECTOR_NAMES[part]}
    elif sort == codes.NEUTRAL_DIE:
        return {"verb": "die_neutral", "sector": board.SECTOR_NAMES[part]}
    elif sort == codes.TAKE:
        return {"verb": "take" if s.holder == s.turn else "take_neutral", **resource_and_sector_names(part)}
    elif sort == codes.PICK:
        return {"verb": "swap" if s.phase == phases.SWAP else "pick", **resource_and_sector_names(part)}
    elif sort == codes.TO:
        return describe_destination(s, board.SECTOR_NAMES[part])
    elif sort == codes.CHANGE:
        return {"verb": "change", "sector": board.SECTOR_NAMES[part]}
    elif sort == codes.GIVE:
        return {"verb": "give", "resource": components.RESOURCE_NAMES[part]}
    elif sort == codes.PASS:
        return {"verb": "pass"}
    elif sort == codes.ROLLED:
        return {"verb": "gate" if s.phase == phases.GATES else "roll", "face": part + 1}
    return {"verb": "reveal", "tile": components.tile_name(int(s.reveal) * components.LETTERS + part)}


def resource_and_sector_names(place: int) -> message_types.Piece:
    return {
        "resource": components.RESOURCE_NAMES[components.resource_of_place(components.Place(place))],
        "sector": board.SECTOR_NAMES[components.sector_of_place(components.Place(place))],
    }


def describe_destination(s: AtlandicePosition, sector: message_types.Sector) -> message_types.Choice:
    """The destination of the submarine, a die or a piece."""
    if s.phase == phases.SUBMARINE_TO:
        return {"verb": "submarine", "from": board.SECTOR_NAMES[s.submarine], "to": sector}
    if s.phase == phases.DIE_TO:
        return {"verb": "die_to", "from": board.SECTOR_NAMES[s.picked], "to": sector}
    place = int(s.picked)
    where: message_types.Way = {
        "from": board.SECTOR_NAMES[components.sector_of_place(components.Place(place))],
        "to": sector,
    }
    return {
        "verb": "move",
        "resource": components.RESOURCE_NAMES[components.resource_of_place(components.Place(place))],
        **where,
    }
