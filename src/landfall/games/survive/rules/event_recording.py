"""Records events as `message_types.py` declares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from landfall.core.state import State
    from landfall.games.survive.rules.message_types import Event, Kept, KeptSecret, Placed, PlacedSecret


def record_event(s: State, event: Event) -> None:
    """Check `s.events is not None` first, so that unrecorded events cost nothing."""
    s.record_event(event, {}, 0)


def record_explorer_placed(s: State, event: Placed, private: PlacedSecret, secret: int) -> None:
    """Only those who can read `secret` see the value."""
    s.record_event(event, private, secret)


def record_tile_kept(s: State, event: Kept, private: KeptSecret, secret: int) -> None:
    """Only those who can read `secret` see the back."""
    s.record_event(event, private, secret)
