"""The immediate losses of a choice, for a warning."""

from __future__ import annotations

from landfall.games.atlandice.rules.actions import GIVE, sort_of
from landfall.games.atlandice.rules.components import RESOURCE_NAMES


def immediate_losses(action: int) -> list[str]:
    """A donated piece is the only possible loss."""
    return [RESOURCE_NAMES[action - GIVE]] if sort_of(action) == GIVE else []
