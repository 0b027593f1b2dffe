"""Where a browser's Python begins: what it lacks is made up for here, before anything else is imported."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if not hasattr(time, "thread_time"):  # there is one thread, and its steady clock is the same
    time.thread_time = time.perf_counter

if TYPE_CHECKING:
    from landfall.local.answers import Here
    from landfall.local.nets import Maker
    from landfall.local.store import Shelf


async def begin(shelf: Shelf | None, name: str, make: Maker | None = None) -> Here:
    """A device that is ready; without a shelf it keeps nothing beyond the page. `make` works out nets."""
    from landfall.local import nets
    from landfall.local.answers import Here
    from landfall.local.store import Memory

    if make is not None:
        nets.use(make)
    device = Here(shelf or Memory(), name)
    await device.begin()
    return device
