"""The entry point in a browser's Python: it patches what is missing there, before anything else is imported."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if not hasattr(time, "thread_time"):  # there is one thread, so the monotonic clock is equivalent
    time.thread_time = time.perf_counter

if TYPE_CHECKING:
    from landfall.offline.browser_nets import NetMaker
    from landfall.offline.rest import OfflineApi
    from landfall.offline.storage import Storage


async def start_offline_api(storage: Storage | None, name: str, make_net: NetMaker | None = None) -> OfflineApi:
    """A running offline server; without storage, nothing outlives the page. `make` creates nets."""
    from landfall.offline import browser_nets
    from landfall.offline.rest import OfflineApi
    from landfall.offline.storage import MemoryStorage

    if make_net is not None:
        browser_nets.register_browser_net_loader(make_net)
    server = OfflineApi(storage or MemoryStorage(), name)
    await server.start_server()
    return server
