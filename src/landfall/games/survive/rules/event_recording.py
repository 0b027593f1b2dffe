"""Records events as `message_types.py` declares them."""

from __future__ import annotations

from landfall.core.state import State
from landfall.games.survive.rules import message_types


def record_event(s: State, event: message_types.Event) -> None:
    """Check `s.events is not None` first, so that unrecorded events cost nothing."""
    s.record_event(event, {}, 0)


def record_explorer_placed(
    s: State, event: message_types.Placed, private: message_types.PlacedSecret, secret: int
) -> None:
    """Only those who can read `secret` see the value."""
    s.record_event(event, private, secret)


def record_tile_kept(s: State, event: message_types.Kept, private: message_types.KeptSecret, secret: int) -> None:
    """Only those who can read `secret` see the back."""
    s.record_event(event, private, secret)
