"""Records events as `message_types.py` declares them."""

from __future__ import annotations

from landfall.core.state import State
from landfall.games.atlantis.rules import message_types


def record_event(s: State, event: message_types.Event) -> None:
    """Check `s.events is not None` first, so that unrecorded events cost nothing."""
    s.record_event(event, {}, 0)


def record_card_drawn(s: State, event: message_types.Drew, private: message_types.DrewSecret, secret: int) -> None:
    """Only those who can read `secret` see the card."""
    s.record_event(event, private, secret)
