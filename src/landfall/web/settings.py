"""Server settings. Tests inject time, randomness and ids with `make_runtime`; these are no command-line flags."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from landfall.api.limits import Limits
from landfall.tables.bots.worker_pool import DEFAULT_MEMORY_MB
from landfall.tables.runtime_dependencies import Runtime


@dataclass
class Settings:
    """All settings."""

    database: str | None = None
    bus: str | None = None  # how processes notify each other, and reach bots on other machines; None: NOTIFY, and none
    public_url: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    bot_workers: int = field(default_factory=lambda: default_bot_workers())  # 0: bots in this process, for tests
    bot_memory_mb: int = DEFAULT_MEMORY_MB  # that each bot worker may allocate
    closed_registration: bool = False  # nobody can make an account
    invite_only: bool = False  # only accounts make tables and see the lobby
    organisers: str = ""  # accounts, separated by commas, who alone open tournaments; empty: everybody with an account
    bot_codes: bool = False  # whether bot codes, such as mcts:ms=300, are allowed, or only levels
    exhibition: bool = True  # whether bots play for spectators while nobody plays in public
    recheck_s: float = 3.0  # interval of checks for sign-outs and deletions elsewhere
    limits: Limits = field(default_factory=Limits)
    smtp: str | None = None  # where e-mail is handed over: smtp://user:password@host:port
    mail_from: str = ""  # the address that e-mails come from
    private_push: bool = False  # for tests: push services at private addresses, also without TLS
    make_runtime: Callable[[], Runtime] = Runtime
    metrics_folder: Path | None = None  # where the workers of one server exchange their metrics
    static: Path | None = None  # the browser client's build; None: the default place

    @property
    def public_base_url(self) -> str:
        """The public URL of this server."""
        if self.public_url:
            return self.public_url.rstrip("/")
        return f"http://{local_network_address() if self.host in ('0.0.0.0', '::') else self.host}:{self.port}"


def default_bot_workers(processes: int = 1) -> int:
    """Bot workers for each of so many server processes: one core is left for the servers."""
    return max(1, ((os.cpu_count() or 1) - 1) // processes)


def local_network_address() -> str:
    """This machine's address in the local network, as far as it can be known offline."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only selects a route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
