"""Records events as `message_types.py` declares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from landfall.core.state import State
    from landfall.games.atlandice.rules.message_types import Event


def record_event(s: State, event: Event) -> None:
    """Check `s.events is not None` first, so that unrecorded events cost nothing."""
    s.record_event(event, {}, 0)
