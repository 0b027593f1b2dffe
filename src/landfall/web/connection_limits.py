"""Limits the connections per address and in total, and the rate of new ones.

At the limit, a connection that has long been waiting for its client is closed in favour of a new one; if there is none,
the new one is refused.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
import sys
import time
from collections import Counter
from itertools import islice
from typing import Final, Protocol

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from landfall.api.limits import Limits
from landfall.api.rate_limits import RateLimiter, rate_limit_key_of_client

LOG: Final = logging.getLogger("landfall")
STALE_AFTER_S: Final = 2.0  # without progress, until a connection may be closed in favour of a new one
SILENT_AFTER_S: Final = 0.25  # the same for one that has never sent a complete request
MAX_EXAMINED: Final = 64  # connections examined to find one to close
LOG_INTERVAL_S: Final = 60.0
NO_LINGER: Final = struct.pack("HH" if sys.platform == "win32" else "ii", 1, 0)


class CountedConnection(Protocol):
    """An HTTP connection, as far as it is counted."""

    def has_received_request(self) -> bool:
        """Whether a complete request has arrived."""

    def is_waiting_for_client(self) -> bool:
        """Whether the client must act: send a request, or read a response."""

    def abort(self) -> None:
        """Close it at once."""


class RepeatedWarning:
    """A log line about a frequent event: logged at once, then with a count once a minute."""

    def __init__(self, template: str) -> None:
        self.template = template  # with a %d
        self.count = 0
        self.logged_at = -LOG_INTERVAL_S

    def log_now_or_count(self) -> None:
        self.count += 1
        now = time.monotonic()
        if now - self.logged_at >= LOG_INTERVAL_S:
            LOG.warning(self.template, self.count)
            self.logged_at, self.count = now, 0


def reset_connection(transport: asyncio.Transport) -> None:
    """Close a connection at once, and let the system drop unsent data."""
    found = transport.get_extra_info("socket")
    if found is not None and not transport.is_closing():
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
    transport.abort()


def raise_open_file_limit() -> int:
    """Raise this process's file limit as far as the system allows. Returns the limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 1 << 20
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError):  # macOS reports a limit that it does not grant
            return soft
    return hard if hard != resource.RLIM_INFINITY else 1 << 20


class ConnectionRegistry:
    """All HTTP connections of a process, and the WebSockets that some of them have become.

    Trusted proxies hold connections for many people, so only the total limit applies to them. The client's address is
    known later, from the request's headers.
    """

    def __init__(self, limits: Limits, proxies: str) -> None:
        self.limits = limits
        self.most = min(limits.connections, raise_open_file_limit() // 2)  # the rest is for files and the database
        self.proxies = ProxyHeadersMiddleware(None, proxies).trusted_hosts  # type: ignore[arg-type]
        self.rate = RateLimiter(limits.new_connections)
        self.held: dict[CountedConnection, str] = {}  # by address
        self.is_leaving = False  # the process stops
        self.by_address: Counter[str] = Counter()
        self.progressed_at: dict[
            CountedConnection, float
        ] = {}  # those that may be closed; longest without progress first
        self.refused = RepeatedWarning("refused %d connections in a minute: too many, or too fast, from an address")
        self.closed = RepeatedWarning("closed %d connections in a minute that waited for their client, for new ones")

    def try_count_connection(self, connection: CountedConnection, client: tuple[str, int] | None) -> bool:
        """Count a new connection; False: the limit is reached."""
        host = client[0] if client else ""
        address = "" if host in self.proxies else rate_limit_key_of_client(client)
        admitted = not address or (self.rate.try_take_token(address) and self.make_room_for_address(address))
        if not admitted or (len(self.held) >= self.most and not self.close_longest_waiting("")):
            self.refused.log_now_or_count()
            return False
        self.held[connection] = address
        self.by_address[address] += 1
        self.progressed_at[connection] = time.monotonic()
        return True

    def make_room_for_address(self, address: str) -> bool:
        """Close a waiting connection of an address that has as many as it may. False: it has none such."""
        return self.by_address[address] < self.limits.connections_here or self.close_longest_waiting(address)

    def close_longest_waiting(self, address: str) -> bool:
        """Close the connection that has waited longest for its client: of this address, if one is given."""
        now = time.monotonic()
        own = (c for c in self.progressed_at if not address or self.held[c] == address)
        for connection in islice(own, MAX_EXAMINED):
            seconds = now - self.progressed_at[connection]
            stale = seconds > (STALE_AFTER_S if connection.has_received_request() else SILENT_AFTER_S)
            if stale and connection.is_waiting_for_client():
                self.closed.log_now_or_count()
                self.uncount_connection(connection)
                connection.abort()
                return True
        return False

    def record_client_progress(self, connection: CountedConnection) -> None:
        """The client has sent or read something."""
        if self.progressed_at.pop(connection, None) is not None:
            self.progressed_at[connection] = time.monotonic()

    def exempt_websocket(self, connection: CountedConnection) -> None:
        """It has become a WebSocket, which has its own limits and is never closed for others."""
        self.progressed_at.pop(connection, None)

    def uncount_connection(self, connection: CountedConnection) -> None:
        """It is closed."""
        self.progressed_at.pop(connection, None)
        address = self.held.pop(connection, None)
        if address is not None:
            self.by_address[address] -= 1
            if not self.by_address[address]:
                del self.by_address[address]
