"""The immediate losses of an action, for a warning."""

from __future__ import annotations

from landfall.games.atlantis.rules import codes, components


def list_immediate_losses(action: int) -> list[str]:
    """The tile or card that a purchase or payment costs."""
    sort = int(codes.action_family(action))
    if sort == codes.PAY_CARD:
        return [components.KINDS[action - sort]]
    return [components.format_face(components.Face(action - sort))] if sort in (codes.PAY_TILE, codes.BUY) else []
