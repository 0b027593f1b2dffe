"""The immediate losses of a choice, for a warning."""

from __future__ import annotations

from landfall.games.atlandice.rules import codes, components


def list_immediate_losses(action: int) -> list[str]:
    """A donated piece is the only possible loss."""
    return [components.RESOURCE_NAMES[action - codes.GIVE]] if codes.action_family(action) == codes.GIVE else []
