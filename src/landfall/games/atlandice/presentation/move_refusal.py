"""Explains why a click is no choice: its meaning in this phase, and the rule that forbids it."""

from __future__ import annotations

from landfall.core.state import NOT_A_CHOICE
from landfall.games.atlandice.rules import action_dispatch, board, codes, components, phases
from landfall.games.atlandice.rules.position import AtlandicePosition


def rule_forbidding_move_of_piece(s: AtlandicePosition, piece: str, place: str) -> str | None:
    """Why a `piece` (a resource, `die`, `neutral_die` or `submarine`) cannot go to, or be taken from, a sector."""
    action = action_meant_by_click(s, piece, place)
    return NOT_A_CHOICE if action < 0 else action_dispatch.rule_forbidding_action(s, action) or None


def action_meant_by_click(s: AtlandicePosition, piece: str, place: str) -> int:
    """The action that a click on a piece and a sector means in this phase; -1 if none."""
    if place not in board.SECTOR_NAMES:
        return -1
    sector = board.SECTOR_NAMES.index(place)
    phase = s.phase
    if piece == "submarine":
        return codes.TO + sector if phase == phases.SUBMARINE_TO else -1
    if piece in ("die", "neutral_die"):
        if phase == phases.DIE:
            return (codes.OWN_DIE if piece == "die" else codes.NEUTRAL_DIE) + sector
        if phase == phases.CHANGE_DIE:
            return codes.CHANGE + sector
        return codes.TO + sector if phase == phases.DIE_TO else -1
    if piece not in components.RESOURCE_NAMES:
        return -1
    return action_meant_by_click_on_resource(s, components.RESOURCE_NAMES.index(piece), sector)


def action_meant_by_click_on_resource(s: AtlandicePosition, resource: int, sector: int) -> int:
    """The action that a click on a resource means: take, pick, put down there, or give."""
    phase = s.phase
    if phase in (phases.PIECE, phases.SUBMARINE_PIECE, phases.BONUS):
        return codes.TAKE + int(components.place_of_resource(board.Sector(sector), components.Resource(resource)))
    if phase in (phases.MOVE, phases.SWAP):
        return codes.PICK + int(components.place_of_resource(board.Sector(sector), components.Resource(resource)))
    if phase == phases.PIECE_TO:
        return codes.TO + sector if resource == components.resource_of_place(components.Place(s.picked)) else -1
    if phase in (phases.DONATE, phases.DONATE_SECOND):
        return codes.GIVE + resource if sector == resource else -1
    return -1
