"""Events are recorded as `messages.py` declares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from landfall.core.state import State
    from landfall.games.atlandice.messages import Event


def tell(s: State, event: Event) -> None:
    """Ask `s.events is not None` first, so that unasked events cost nothing."""
    s.record(event, {}, 0)
