"""The immediate losses of an action, for a warning."""

from __future__ import annotations

from landfall.games.atlantis.rules.actions import BUY, PAY_CARD, PAY_TILE, sort_of
from landfall.games.atlantis.rules.components import KINDS, Face, face_text


def immediate_losses(action: int) -> list[str]:
    """The tile or card that a purchase or payment costs."""
    sort = int(sort_of(action))
    if sort == PAY_CARD:
        return [KINDS[action - sort]]
    return [face_text(Face(action - sort))] if sort in (PAY_TILE, BUY) else []
