"""Events are recorded as `messages.py` declares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from landfall.core.state import State
    from landfall.games.survive.rules.messages import Event, Kept, KeptSecret, Placed, PlacedSecret


def record_event(s: State, event: Event) -> None:
    """Ask `s.events is not None` first, so that unasked events cost nothing."""
    s.record_event(event, {}, 0)


def record_placed(s: State, event: Placed, private: PlacedSecret, secret: int) -> None:
    """The value is for those who may read `secret`."""
    s.record_event(event, private, secret)


def record_kept(s: State, event: Kept, private: KeptSecret, secret: int) -> None:
    """The back is for those who may read `secret`."""
    s.record_event(event, private, secret)
