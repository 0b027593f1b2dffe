"""One connection's way out. Speaks ASGI itself: each message is one call, with nothing in between."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from starlette.types import Send

from landfall.web.identity import Proof
from landfall.web.settings import Limits

RUDE, NO_TABLE, GOING, SIGNED_OUT = 4429, 4404, 1012, 4401
WIRE: Final = "landfall.wire"  # the connection itself, where the server gives it away


class Wire(Protocol):
    """A connection, as far as it can be used without the framework in between."""

    heard: Callable[[bytes], bool] | None  # takes a message at once; False: the framework shall keep it until asked

    def write(self, text: str) -> bool:
        """Send at once; False: it cannot be done now."""

    async def ready(self) -> None:
        """Wait until something can be sent."""

    def cut(self) -> None:
        """End it without a word."""


class Socket:
    """One connection's way out: a message goes at once if it can, else it waits its turn; but what waits is not much.

    A client too far behind is told everything anew (`fresh`) once it reads again, and cut off if it does not.
    """

    def __init__(self, send: Send, limits: Limits, wire: Wire | None = None) -> None:
        self.raw = send
        self.limits = limits
        self.wire = wire
        self.waiting: deque[str] = deque()
        self.bytes = 0  # of what waits
        self.behind = False
        self.fresh: Callable[[], Awaitable[str]] | None = None
        self.draining: asyncio.Task[None] | None = None
        self.dead = False
        self.proof: Proof | None = None  # who is at the other end

    def send(self, text: str) -> None:
        """Send, never wait. The server's `send` waits before it writes, and only while its buffer is full; so one step
        of it either has sent all or has done nothing."""
        if self.dead:
            return
        if self.draining is None:
            if self.wire is not None and self.wire.write(text):
                return
            step = self.raw({"type": "websocket.send", "text": text})
            try:
                step.send(None)  # type: ignore[attr-defined]
            except StopIteration:
                return
            except Exception:  # the client has gone; the receiving side will hear of it
                self.dead = True
                return
            step.close()  # type: ignore[attr-defined]
            self.draining = asyncio.get_running_loop().create_task(self.drain())
        if not self.behind:
            self.wait(text)

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
                if self.wire is not None:  # what is told anew is told as it is when it can be read
                    await asyncio.wait_for(self.wire.ready(), self.limits.patience)
                text = await self.next()
                if text is None:
                    return
                await asyncio.wait_for(self.raw({"type": "websocket.send", "text": text}), self.limits.patience)
        except Exception:  # gone, or it takes nothing
            self.dead = True
            if self.wire is not None:
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
