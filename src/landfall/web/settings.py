"""How a server is set up. Time, chance and ids come with `env`, for tests; they are no command-line flags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from landfall.tables.environment import Environment


@dataclass
class Limits:
    """How much one may ask for. Rates are (a second, at once)."""

    body: int = 16_384  # bytes of a request
    record: int = 128_000  # bytes of a request that brings a record
    message: int = 8_192  # bytes of a socket message
    messages: tuple[float, float] = (20, 60)  # of one socket
    requests: tuple[float, float] = (20, 100)  # of one address
    newcomers: tuple[float, float] = (0.5, 20)  # guests made, log-ins and accounts tried, of one address
    tries: tuple[float, float] = (1 / 60, 10)  # wrong passwords for one account from one address
    renamings: tuple[float, float] = (0.1, 10)  # of one person
    chat: tuple[float, float] = (1, 10)  # lines of one person
    changes: tuple[float, float] = (2, 30)  # of a table's seats and settings, by one person
    tables: tuple[float, float] = (0.5, 20)  # tables made by one person
    tables_here: tuple[float, float] = (1, 40)  # tables made from one address
    unfinished: int = 50  # tables of one person that are not over, of the last week
    public: int = 3  # tables of one person in the lobby
    public_here: int = 6  # those of all people of one address
    questions: tuple[float, float] = (5, 30)  # of one socket: explain, preview
    tellings: tuple[float, float] = (1, 10)  # of one socket: look, events, hint
    sockets: int = 200  # of one address
    queue: int = 256  # messages a slow client may be behind
    queue_bytes: int = 128 * 1024  # and bytes; one who is further behind is told everything anew instead
    patience: float = 20  # seconds a client may take nothing while something waits for it

    @classmethod
    def wide(cls) -> Limits:
        """For measurements and tests, which ask for more at once than people do."""
        rates = (
            "messages", "requests", "newcomers", "tries", "renamings", "chat", "changes", "tables", "tables_here",
            "questions", "tellings",
        )  # fmt: skip
        counts = dict.fromkeys(("unfinished", "public", "public_here", "sockets"), 100_000)
        return cls(**dict.fromkeys(rates, (1e6, 1e6)), **counts)  # type: ignore[arg-type]


@dataclass
class Settings:
    """All of it."""

    database: str | None = None
    public_url: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    thinkers: int = 1  # processes in which bots think; 0: in the server's own, for tests
    bot_codes: bool = False  # whether codes of bots, such as mcts:ms=300, may be played, or only the levels
    recheck: float = 3.0  # seconds until it is looked up again who was signed out or forgotten elsewhere
    limits: Limits = field(default_factory=Limits)
    env: Callable[[], Environment] = Environment
    static: Path | None = None  # the browser client's build; its own place if not said

    @property
    def base(self) -> str:
        """Where people reach this server."""
        if self.public_url:
            return self.public_url.rstrip("/")
        return f"http://{lan_address() if self.host in ('0.0.0.0', '::') else self.host}:{self.port}"


def lan_address() -> str:
    """This machine's address among its neighbours, as far as it can tell without asking anybody."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only chooses a way out
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
