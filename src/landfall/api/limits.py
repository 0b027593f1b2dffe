"""Rate and size limits of a server, and of a device that is one for its friends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass
class Limits:
    """Rate and size limits. Rates are (per second, burst)."""

    body_bytes: int = 16_384  # of a request
    record: int = 128_000  # bytes of a request with a record
    message_bytes: int = 8_192  # of a socket message
    messages: tuple[float, float] = (20, 60)  # per socket
    frames: tuple[float, float] = (30, 400)  # WebSocket frames of any kind per socket; more disconnect it
    requests: tuple[float, float] = (20, 100)  # per address
    newcomers: tuple[float, float] = (0.5, 20)  # new guests, log-ins and registrations, per address
    tries: tuple[float, float] = (1 / 60, 10)  # wrong passwords per account and address
    mails: tuple[float, float] = (1 / 600, 3)  # to confirm an address: per user, address and sender
    trials: tuple[float, float] = (1 / 60, 5)  # messages to one's own devices, to try: per user and address
    notes: tuple[float, float] = (1, 30)  # left for other pages, per address
    renamings: tuple[float, float] = (0.1, 10)  # per user
    chat: tuple[float, float] = (1, 10)  # lines per user
    changes: tuple[float, float] = (2, 30)  # of a table's seats and settings, per user
    tables: tuple[float, float] = (0.5, 20)  # created per user
    tables_per_address: tuple[float, float] = (1, 40)  # created per address
    unfinished: int = 50  # running tables per user, of the last week
    public: int = 3  # lobby tables per user
    public_per_address: int = 6  # lobby tables per address
    tournament_share: int = 4  # players of one address in a tournament, or an eighth of its places
    bots: int = 10  # online bots per account
    bot_tables: int = 8  # unfinished tables per online bot
    bot_sockets: int = 16  # per online bot
    bot_choices: tuple[float, float] = (10, 40)  # of all online bots of one author
    questions: tuple[float, float] = (5, 30)  # explain and preview, per socket
    expensive: tuple[float, float] = (1, 10)  # viewpoint, events and hint, per socket
    header: int = 32_768  # bytes of a request line with its headers
    header_timeout: float = 10  # seconds for a request's headers to arrive
    write_timeout: float = 30  # seconds within which a client must read part of a response
    connections: int = 8_000  # in total, including sockets; at most half the process's file limit
    connections_here: int = 256  # per address, including sockets
    new_connections: tuple[float, float] = (20, 200)  # per address
    new_sockets: tuple[float, float] = (10, 200)  # per address
    requests_at_once: int = 100  # concurrent, per address
    sockets: int = 200  # per address
    queued_messages: int = 256  # queue limit of a slow client
    queued_bytes: int = 128 * 1024  # the same in bytes; beyond, it gets a full snapshot instead
    send_timeout_s: float = 20  # seconds a client may read nothing while messages are queued

    @classmethod
    def wide_for_tests(cls) -> Limits:
        """For measurements and tests, which send more than people do."""
        rates = (
            "messages", "frames", "requests", "newcomers", "tries", "mails", "trials", "notes", "renamings", "chat",
            "changes", "tables", "tables_per_address", "questions", "expensive", "new_connections", "new_sockets",
            "bot_choices",
        )  # fmt: skip
        counts = dict.fromkeys(
            (
                "unfinished",
                "public",
                "public_per_address",
                "tournament_share",
                "sockets",
                "connections",
                "connections_here",
                "bots",
                "bot_tables",
                "bot_sockets",
                "requests_at_once",
            ),
            100_000,
        )
        return cls(**dict.fromkeys(rates, (1e6, 1e6)), **counts)  # type: ignore[arg-type]


@dataclass(frozen=True)
class RateLimit:
    """How often something may be asked: a rate of `Limits`, and by what it is counted."""

    rate: str
    per: Literal["address", "person", "author"]  # author: of an online bot, for all of theirs
    scale: int = 1


SOCKETS_PER_USER: Final = 3  # expected: together they may send this multiple of one socket's limit
SIGN_IN: Final = RateLimit("newcomers", "address")  # new names and attempts to sign in
JOB: Final = RateLimit("tables_per_address", "address")  # expensive requests
QUERY: Final = RateLimit("questions", "address", SOCKETS_PER_USER)  # cheap ones, which a thinking player sends often
NOTE: Final = RateLimit("notes", "address")
CHANGE: Final = RateLimit("changes", "person")
RENAMING: Final = RateLimit("renamings", "person")
TRIALS_PER_ADDRESS: Final = RateLimit("trials", "address")
TRIALS_PER_PERSON: Final = RateLimit("trials", "person")
RESAMPLING: Final = RateLimit("bot_choices", "author")
