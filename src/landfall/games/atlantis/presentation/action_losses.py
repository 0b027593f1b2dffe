"""The immediate losses of an action, for a warning."""

from __future__ import annotations

from landfall.games.atlantis.rules.action_encoding import BUY, PAY_CARD, PAY_TILE, action_family
from landfall.games.atlantis.rules.components import KINDS, Face, format_face


def list_immediate_losses(action: int) -> list[str]:
    """The tile or card that a purchase or payment costs."""
    sort = int(action_family(action))
    if sort == PAY_CARD:
        return [KINDS[action - sort]]
    return [format_face(Face(action - sort))] if sort in (PAY_TILE, BUY) else []
