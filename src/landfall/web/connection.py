"""The outgoing side of a connection: a message is sent at once, or queued."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from landfall.api.limits import Limits
from landfall.web.identity import AuthSession

CLOSE_PROTOCOL_ERRORS, CLOSE_NO_TABLE, CLOSE_RESTARTING, CLOSE_SIGNED_OUT = 4429, 4404, 1012, 4401
CLOSE_TRY_AGAIN: Final = 1013  # the store is away: unlike without a table, the client comes back
TRANSPORT_EXTENSION: Final = "landfall.wire"  # the ASGI extension that exposes the transport


class Transport(Protocol):
    """A connection that can be used directly, without ASGI."""

    on_message: Callable[[bytes], bool] | None  # takes a message at once; False: keep it until the application asks

    def write(self, text: str) -> bool:
        """Send at once; False: impossible now."""

    async def wait_writable(self) -> None:
        """Wait until it is writable, or closed."""

    def close(self, code: int, reason: str = "") -> None:
        """Close it with a close frame."""

    def abort(self) -> None:
        """Close it without a close frame."""


class Connection:
    """The outgoing side of a connection: a message is sent at once if possible, else queued. The queue is bounded.

    A client that is too far behind gets a full snapshot (`make_resync`) once it reads again. If it does not read, it is
    disconnected.
    """

    def __init__(self, direct_transport: Transport, limits: Limits) -> None:
        self.direct_transport = direct_transport
        self.limits = limits
        self.queue: deque[str] = deque()
        self.queued_bytes = 0  # size of the queue
        self.is_lagging = False
        self.make_resync: Callable[[], Awaitable[str]] | None = None
        self.drain_task: asyncio.Task[None] | None = None
        self.is_dead = False
        self.auth: AuthSession | None = None  # the user at the other end
        self.counted_for: str | None = None  # the user among whose sockets it is counted
        self.table = ""  # the table it is subscribed to
        self.quota_check: asyncio.Task[None] | None = None  # a command that waits for the store before it is handled

    def send_or_queue(self, text: str) -> None:
        """Send without blocking."""
        if self.is_dead:
            return
        if self.drain_task is None:
            if self.direct_transport.write(text):
                return
            self.drain_task = asyncio.get_running_loop().create_task(self.send_queue())
        if not self.is_lagging:
            self.enqueue_or_mark_lagging(text)

    def close(self, code: int, reason: str = "") -> None:
        """Close it; nothing more is sent."""
        self.is_dead = True
        self.direct_transport.close(code, reason)

    def close_for_reconnect(self, after_ms: int) -> None:
        """Close it because this process stops serving its table; the client reconnects after so many milliseconds."""
        self.close(CLOSE_RESTARTING, str(after_ms))

    def enqueue_or_mark_lagging(self, text: str) -> None:
        """Queue a message; if the queue is full, drop it all and resynchronise later."""
        self.queue.append(text)
        self.queued_bytes += sys.getsizeof(text)
        if len(self.queue) > self.limits.queued_messages or (
            self.queued_bytes > self.limits.queued_bytes and len(self.queue) > 1
        ):
            self.queue.clear()
            self.queued_bytes = 0
            self.is_lagging = True

    async def send_queue(self) -> None:
        """Send the queue as fast as the client reads."""
        try:
            while not self.is_dead:
                # the snapshot is made when it can be read
                await asyncio.wait_for(self.direct_transport.wait_writable(), self.limits.send_timeout_s)
                text = await self.pop_next_message()
                if text is None:
                    return
                if not self.direct_transport.write(text):
                    self.is_dead = True
        except Exception:  # the connection is dead
            self.is_dead = True
            self.direct_transport.abort()
        finally:
            self.drain_task = None

    async def pop_next_message(self) -> str | None:
        """The next message to send; None: the queue is empty."""
        if self.queue:
            text = self.queue.popleft()
            self.queued_bytes -= sys.getsizeof(text)
            return text
        if not self.is_lagging:
            return None
        text = await self.make_resync() if self.make_resync is not None else ""
        self.is_lagging = False  # from here on it receives messages again
        return text or None
