"""The immediate losses of a choice, for a warning."""

from __future__ import annotations

from landfall.games.atlandice.rules.action_encoding import GIVE, action_family
from landfall.games.atlandice.rules.components import RESOURCE_NAMES


def list_immediate_losses(action: int) -> list[str]:
    """A donated piece is the only possible loss."""
    return [RESOURCE_NAMES[action - GIVE]] if action_family(action) == GIVE else []
