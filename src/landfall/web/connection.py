"""One connection's way out: what is sent goes straight to the connection, or waits its turn."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from landfall.web.identity import AuthSession
from landfall.web.settings import Limits

CLOSE_PROTOCOL_ERRORS, CLOSE_NO_TABLE, CLOSE_RESTARTING, CLOSE_SIGNED_OUT = 4429, 4404, 1012, 4401
TRANSPORT_EXTENSION: Final = "landfall.wire"  # the connection itself, where the server gives it away


class Transport(Protocol):
    """A connection, as far as it can be used without ASGI in between."""

    on_message: Callable[[bytes], bool] | None  # takes a message at once; False: it shall wait until asked for

    def write(self, text: str) -> bool:
        """Send at once; False: it cannot be done now."""

    async def wait_writable(self) -> None:
        """Wait until something can be sent, or it is over."""

    def close(self, code: int, reason: str = "") -> None:
        """End it with a close frame."""

    def abort(self) -> None:
        """End it without a word."""


class Connection:
    """One connection's way out: a message goes at once if it can, else it waits its turn; but what waits is not much.

    A client too far behind is told everything anew (`make_resync`) once it reads again, and cut off if it does not.
    """

    def __init__(self, direct_transport: Transport, limits: Limits) -> None:
        self.direct_transport = direct_transport
        self.limits = limits
        self.queue: deque[str] = deque()
        self.queued_bytes = 0  # of what waits
        self.is_lagging = False
        self.make_resync: Callable[[], Awaitable[str]] | None = None
        self.drain_task: asyncio.Task[None] | None = None
        self.is_dead = False
        self.auth: AuthSession | None = None  # who is at the other end

    def send(self, text: str) -> None:
        """Send, never wait."""
        if self.is_dead:
            return
        if self.drain_task is None:
            if self.direct_transport.write(text):
                return
            self.drain_task = asyncio.get_running_loop().create_task(self.drain())
        if not self.is_lagging:
            self.enqueue(text)

    def close(self, code: int, reason: str = "") -> None:
        """End it; nothing is sent any more."""
        self.is_dead = True
        self.direct_transport.close(code, reason)

    def enqueue(self, text: str) -> None:
        """Let a message wait; or, if there are too many, none."""
        self.queue.append(text)
        self.queued_bytes += sys.getsizeof(text)
        if len(self.queue) > self.limits.queued_messages or (
            self.queued_bytes > self.limits.queued_bytes and len(self.queue) > 1
        ):
            self.queue.clear()
            self.queued_bytes = 0
            self.is_lagging = True

    async def drain(self) -> None:
        """Send what waits, as fast as the client takes it."""
        try:
            while not self.is_dead:
                # what is told anew is told as it is when it can be read
                await asyncio.wait_for(self.direct_transport.wait_writable(), self.limits.send_timeout_s)
                text = await self.next_message()
                if text is None:
                    return
                if not self.direct_transport.write(text):
                    self.is_dead = True
        except Exception:  # it takes nothing
            self.is_dead = True
            self.direct_transport.abort()
        finally:
            self.drain_task = None

    async def next_message(self) -> str | None:
        """What is to be sent now; None: it has caught up."""
        if self.queue:
            text = self.queue.popleft()
            self.queued_bytes -= sys.getsizeof(text)
            return text
        if not self.is_lagging:
            return None
        text = await self.make_resync() if self.make_resync is not None else ""
        self.is_lagging = False  # from here on it hears again what happens
        return text or None
