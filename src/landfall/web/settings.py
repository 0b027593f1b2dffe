"""The settings of one server process: a host's options, and what tests and the supervisor set besides."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from landfall.api.limits import Limits
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.opening_gate import MAX_OPENING
from landfall.web.server_options import ServerOptions


@dataclass(frozen=True, kw_only=True)
class Settings(ServerOptions):
    """All settings. `bot_workers=0` lets bots think in this process, for tests."""

    request_timeout_s: float = 30.0  # that a request may take to arrive
    max_opening: int = MAX_OPENING  # sockets that are opening at once
    recheck_s: float = 3.0  # interval of checks for sign-outs and deletions elsewhere
    limits: Limits = field(default_factory=Limits)
    make_runtime: Callable[[], Runtime] = Runtime  # tests inject time, randomness and ids
    metrics_folder: Path | None = None  # where the workers of one server exchange their metrics; `serve` makes it
    static: Path | None = None  # the browser client's build; None: the default place

    @property
    def bot_worker_count(self) -> int:
        """Bot workers of this process: by default one core is left for the servers."""
        if self.bot_workers is not None:
            return self.bot_workers
        return max(1, ((os.cpu_count() or 1) - 1) // self.workers)

    @property
    def public_base_url(self) -> str:
        """The public URL of this server."""
        if self.public_url:
            return self.public_url.rstrip("/")
        return f"http://{local_network_address() if self.host in ('0.0.0.0', '::') else self.host}:{self.port}"


def local_network_address() -> str:
    """This machine's address in the local network, as far as it can be known offline."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only selects a route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
