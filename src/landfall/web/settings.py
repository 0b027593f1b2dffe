"""How a server is set up. Time, chance and ids come with `make_runtime`, for tests; they are no command-line flags."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from landfall.tables.runtime import Runtime


@dataclass
class Limits:
    """How much one may ask for. Rates are (a second, at once)."""

    body_bytes: int = 16_384  # bytes of a request
    record: int = 128_000  # bytes of a request that brings a record
    message_bytes: int = 8_192  # bytes of a socket message
    messages: tuple[float, float] = (20, 60)  # of one socket
    frames: tuple[float, float] = (30, 400)  # WebSocket frames of any kind of one socket; one who sends more is cut off
    requests: tuple[float, float] = (20, 100)  # of one address
    newcomers: tuple[float, float] = (0.5, 20)  # guests made, log-ins and accounts tried, of one address
    tries: tuple[float, float] = (1 / 60, 10)  # wrong passwords for one account from one address
    renamings: tuple[float, float] = (0.1, 10)  # of one person
    chat: tuple[float, float] = (1, 10)  # lines of one person
    changes: tuple[float, float] = (2, 30)  # of a table's seats and settings, by one person
    tables: tuple[float, float] = (0.5, 20)  # tables made by one person
    tables_per_address: tuple[float, float] = (1, 40)  # tables made from one address
    unfinished: int = 50  # tables of one person that are not over, of the last week
    public: int = 3  # tables of one person in the lobby
    public_per_address: int = 6  # those of all people of one address
    questions: tuple[float, float] = (5, 30)  # of one socket: explain, preview
    expensive: tuple[float, float] = (1, 10)  # of one socket: look, events, hint
    header: int = 32_768  # bytes of a request's line and headers
    header_timeout: float = 10  # seconds until a request's headers have come
    write_timeout: float = 30  # seconds in which a client must read something of an answer
    connections: int = 8_000  # of all, sockets included; no more than half the files the system lets a process open
    connections_here: int = 256  # of one address, sockets included
    new_connections: tuple[float, float] = (20, 200)  # of one address
    new_sockets: tuple[float, float] = (10, 200)  # of one address
    requests_at_once: int = 100  # of one address
    sockets: int = 200  # of one address
    queued_messages: int = 256  # messages a slow client may be behind
    queued_bytes: int = 128 * 1024  # and bytes; one who is further behind is told everything anew instead
    send_timeout_s: float = 20  # seconds a client may take nothing while something waits for it

    @classmethod
    def wide(cls) -> Limits:
        """For measurements and tests, which ask for more at once than people do."""
        rates = (
            "messages", "frames", "requests", "newcomers", "tries", "renamings", "chat", "changes", "tables",
            "tables_per_address", "questions", "expensive", "new_connections", "new_sockets",
        )  # fmt: skip
        counts = dict.fromkeys(
            (
                "unfinished",
                "public",
                "public_per_address",
                "sockets",
                "connections",
                "connections_here",
                "requests_at_once",
            ),
            100_000,
        )
        return cls(**dict.fromkeys(rates, (1e6, 1e6)), **counts)  # type: ignore[arg-type]


@dataclass
class Settings:
    """All of it."""

    database: str | None = None
    public_url: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    bot_workers: int = field(default_factory=lambda: default_bot_workers())  # 0: bots in this process, for tests
    bot_codes: bool = False  # whether codes of bots, such as mcts:ms=300, may be played, or only the levels
    recheck_s: float = 3.0  # seconds until it is looked up again who was signed out or forgotten elsewhere
    limits: Limits = field(default_factory=Limits)
    make_runtime: Callable[[], Runtime] = Runtime
    static: Path | None = None  # the browser client's build; its own place if not said

    @property
    def base(self) -> str:
        """Where people reach this server."""
        if self.public_url:
            return self.public_url.rstrip("/")
        return f"http://{lan_address() if self.host in ('0.0.0.0', '::') else self.host}:{self.port}"


def default_bot_workers(processes: int = 1) -> int:
    """Bots' workers for each of so many server processes: one core is left to these."""
    return max(1, ((os.cpu_count() or 1) - 1) // processes)


def lan_address() -> str:
    """This machine's address among its neighbours, as far as it can tell without asking anybody."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only chooses a way out
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
