"""Rate and size limits of a server, and of a device that is one for its friends."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final


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
    guesses: tuple[float, float] = (1 / 600, 50)  # wrong passwords per account, from places it never signed in from
    mails: tuple[float, float] = (1 / 600, 3)  # to confirm an address: per user, address and sender
    trials: tuple[float, float] = (1 / 60, 5)  # messages to one's own devices, to try: per user and address
    notes: tuple[float, float] = (1, 30)  # left for other pages, per address
    chat: tuple[float, float] = (1, 10)  # lines per user
    changes: tuple[float, float] = (2, 30)  # of a table's seats and settings, per user
    choices: tuple[float, float] = (20, 60)  # made and taken back, per socket
    tables: tuple[float, float] = (0.5, 20)  # created per user
    jobs: tuple[float, float] = (0.5, 20)  # reviews, replays and exports
    unfinished: int = 50  # running tables per user, of the last week
    public: int = 3  # lobby tables per user
    public_per_address: int = 6  # lobby tables per address
    tournament_share: int = 4  # players of one address in a tournament, or an eighth of its places
    same_place_counts: bool = False  # whether matches between accounts of one address or device change ratings
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
    sockets_of_user: int = 50
    queued_messages: int = 256  # queue limit of a slow client
    queued_bytes: int = 128 * 1024  # the same in bytes; beyond, it gets a full snapshot instead
    send_timeout_s: float = 20  # seconds a client may read nothing while messages are queued

    @classmethod
    def wide_for_tests(cls) -> Limits:
        """For measurements and tests, which send more than people do."""
        counts = dict.fromkeys(
            (
                "unfinished",
                "public",
                "public_per_address",
                "tournament_share",
                "sockets",
                "sockets_of_user",
                "connections",
                "connections_here",
                "bots",
                "bot_tables",
                "bot_sockets",
                "requests_at_once",
            ),
            100_000,
        )
        rates = [one.name for one in fields(cls) if isinstance(one.default, tuple)]
        return cls(**dict.fromkeys(rates, (1e6, 1e6)), **counts, same_place_counts=True)  # type: ignore[arg-type]


@dataclass(frozen=True)
class RateLimit:
    """How often something may be asked: a rate of `Limits`, so many times for a person and for an address.

    An online bot counts as its author.
    """

    rate: str
    person: float = 1
    address: float = 5  # people who share one go on beside somebody who uses up their own share


SIGN_IN: Final = RateLimit("newcomers", address=1)  # attempts to sign in, and what follows from a proof
NAME: Final = RateLimit("newcomers", person=0.5, address=1)  # a first name, or another
JOB: Final = RateLimit("jobs", person=2, address=2)  # expensive requests
TABLE: Final = RateLimit("tables", address=2)  # a new table, or a search for one
QUERY: Final = RateLimit("questions", person=2, address=4)  # cheap ones, which a thinking player sends often
EXPENSIVE: Final = RateLimit("expensive", person=3, address=12)
NOTE: Final = RateLimit("notes", address=1)
CHANGE: Final = RateLimit("changes")
CHAT: Final = RateLimit("chat")
CHOICE: Final = RateLimit("choices", person=2)
PING: Final = RateLimit("messages", person=3, address=10)
TRIAL_MESSAGE: Final = RateLimit("trials", address=1)
RESAMPLING: Final = RateLimit("bot_choices")
SOCKET: Final = RateLimit("new_sockets", person=0.5, address=1)  # to open one
