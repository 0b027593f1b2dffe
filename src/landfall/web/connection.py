"""One connection's way out: what is sent goes straight to the connection, or waits its turn."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from landfall.web.identity import Proof
from landfall.web.settings import Limits

RUDE, NO_TABLE, GOING, SIGNED_OUT = 4429, 4404, 1012, 4401
WIRE: Final = "landfall.wire"  # the connection itself, where the server gives it away


class Wire(Protocol):
    """A connection, as far as it can be used without ASGI in between."""

    on_message: Callable[[bytes], bool] | None  # takes a message at once; False: it shall wait until asked for

    def write(self, text: str) -> bool:
        """Send at once; False: it cannot be done now."""

    async def ready(self) -> None:
        """Wait until something can be sent, or it is over."""

    def close(self, code: int, reason: str = "") -> None:
        """End it with a close frame."""

    def cut(self) -> None:
        """End it without a word."""


class Socket:
    """One connection's way out: a message goes at once if it can, else it waits its turn; but what waits is not much.

    A client too far behind is told everything anew (`fresh`) once it reads again, and cut off if it does not.
    """

    def __init__(self, wire: Wire, limits: Limits) -> None:
        self.wire = wire
        self.limits = limits
        self.waiting: deque[str] = deque()
        self.bytes = 0  # of what waits
        self.behind = False
        self.fresh: Callable[[], Awaitable[str]] | None = None
        self.draining: asyncio.Task[None] | None = None
        self.dead = False
        self.proof: Proof | None = None  # who is at the other end

    def send(self, text: str) -> None:
        """Send, never wait."""
        if self.dead:
            return
        if self.draining is None:
            if self.wire.write(text):
                return
            self.draining = asyncio.get_running_loop().create_task(self.drain())
        if not self.behind:
            self.wait(text)

    def close(self, code: int, reason: str = "") -> None:
        """End it; nothing is sent any more."""
        self.dead = True
        self.wire.close(code, reason)

    def wait(self, text: str) -> None:
        """Let a message wait; or, if there are too many, none."""
        self.waiting.append(text)
        self.bytes += sys.getsizeof(text)
        if len(self.waiting) > self.limits.queue or (self.bytes > self.limits.queue_bytes and len(self.waiting) > 1):
            self.waiting.clear()
            self.bytes = 0
            self.behind = True

    async def drain(self) -> None:
        """Send what waits, as fast as the client takes it."""
        try:
            while not self.dead:
                # what is told anew is told as it is when it can be read
                await asyncio.wait_for(self.wire.ready(), self.limits.patience)
                text = await self.next()
                if text is None:
                    return
                if not self.wire.write(text):
                    self.dead = True
        except Exception:  # it takes nothing
            self.dead = True
            self.wire.cut()
        finally:
            self.draining = None

    async def next(self) -> str | None:
        """What is to be sent now; None: it has caught up."""
        if self.waiting:
            text = self.waiting.popleft()
            self.bytes -= sys.getsizeof(text)
            return text
        if not self.behind:
            return None
        text = await self.fresh() if self.fresh is not None else ""
        self.behind = False  # from here on it hears again what happens
        return text or None
