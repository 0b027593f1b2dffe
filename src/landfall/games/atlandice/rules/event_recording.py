"""Records events as `message_types.py` declares them."""

from __future__ import annotations

from landfall.core.state import State
from landfall.games.atlandice.rules import message_types


def record_event(s: State, event: message_types.Event) -> None:
    """Check `s.events is not None` first, so that unrecorded events cost nothing."""
    s.record_event(event, {}, 0)
