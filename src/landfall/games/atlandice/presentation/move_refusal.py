"""Explains why a click is no choice: its meaning in this phase, and the rule that forbids it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.state import NOT_A_CHOICE
from landfall.games.atlandice.rules import action_dispatch
from landfall.games.atlandice.rules.action_encoding import CHANGE, GIVE, NEUTRAL_DIE, OWN_DIE, PICK, TAKE, TO
from landfall.games.atlandice.rules.board import SECTOR_NAMES, Sector
from landfall.games.atlandice.rules.components import (
    RESOURCE_NAMES,
    Place,
    Resource,
    place_of_resource,
    resource_of_place,
)
from landfall.games.atlandice.rules.phases import (
    BONUS,
    CHANGE_DIE,
    DIE,
    DIE_TO,
    DONATE,
    DONATE_SECOND,
    MOVE,
    PIECE,
    PIECE_TO,
    SUBMARINE_PIECE,
    SUBMARINE_TO,
    SWAP,
)

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.position import AtlandicePosition


def rule_forbidding_move_of_piece(s: AtlandicePosition, piece: str, place: str) -> str | None:
    """Why a `piece` (a resource, `die`, `neutral_die` or `submarine`) cannot go to, or be taken from, a sector."""
    action = action_meant_by_click(s, piece, place)
    return NOT_A_CHOICE if action < 0 else action_dispatch.rule_forbidding_action(s, action) or None


def action_meant_by_click(s: AtlandicePosition, piece: str, place: str) -> int:
    """The action that a click on a piece and a sector means in this phase; -1 if none."""
    if place not in SECTOR_NAMES:
        return -1
    sector = SECTOR_NAMES.index(place)
    phase = s.phase
    if piece == "submarine":
        return TO + sector if phase == SUBMARINE_TO else -1
    if piece in ("die", "neutral_die"):
        if phase == DIE:
            return (OWN_DIE if piece == "die" else NEUTRAL_DIE) + sector
        if phase == CHANGE_DIE:
            return CHANGE + sector
        return TO + sector if phase == DIE_TO else -1
    if piece not in RESOURCE_NAMES:
        return -1
    return action_meant_by_click_on_resource(s, RESOURCE_NAMES.index(piece), sector)


def action_meant_by_click_on_resource(s: AtlandicePosition, resource: int, sector: int) -> int:
    """The action that a click on a resource means: take, pick, put down there, or give."""
    phase = s.phase
    if phase in (PIECE, SUBMARINE_PIECE, BONUS):
        return TAKE + int(place_of_resource(Sector(sector), Resource(resource)))
    if phase in (MOVE, SWAP):
        return PICK + int(place_of_resource(Sector(sector), Resource(resource)))
    if phase == PIECE_TO:
        return TO + sector if resource == resource_of_place(Place(s.picked)) else -1
    if phase in (DONATE, DONATE_SECOND):
        return GIVE + resource if sector == resource else -1
    return -1
