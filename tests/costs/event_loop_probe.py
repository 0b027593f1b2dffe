"""Times the event loop: how long each of its steps takes, in processor time, so that a busy machine changes little."""

from __future__ import annotations

import asyncio
import gc
import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any
from urllib.parse import unquote

from landfall.web.connection import TRANSPORT_EXTENSION

CALIBRATION_MS = 10.0  # what the work of `measure_machine_slowness` takes where budgets are as they are declared
COLLECT_EVERY = 50  # requests
QUIET_S = 0.03  # after an answer, until what it set off counts as done


@dataclass
class Steps:
    """What the loop did while something was asked."""

    longest: float = 0.0
    total: float = 0.0


class LoopProbe:
    """Measures every callback of asyncio's loop, since all work of a request is done in such."""

    def __init__(self) -> None:
        self.steps = Steps()
        self.settled = 0

    @contextmanager
    def measure_loop(self) -> Iterator[LoopProbe]:
        run = asyncio.events.Handle._run

        def timed(handle: asyncio.Handle) -> None:
            begin = time.thread_time()
            run(handle)
            took = time.thread_time() - begin
            self.steps.total += took
            self.steps.longest = max(self.steps.longest, took)

        asyncio.events.Handle._run = timed  # type: ignore[method-assign, assignment]
        try:
            yield self
        finally:
            asyncio.events.Handle._run = run  # type: ignore[method-assign]

    async def settle(self) -> None:
        """Begin to count in a new step. Garbage is collected between requests: whose it is cannot be told."""
        self.settled += 1
        if self.settled % COLLECT_EVERY == 0:
            gc.collect()
        await asyncio.sleep(0)
        self.restart()

    def restart(self) -> Steps:
        """Count from here on; what was counted until now is given."""
        done, self.steps = self.steps, Steps()
        return done


def measure_machine_slowness() -> float:
    """How many times as slow as declared this machine is now; never below 1, so that a fast one is no excuse."""

    def work() -> float:
        begin = time.thread_time()
        found: dict[str, int] = {}
        for number in range(40_000):
            found[str(number % 997)] = found.get(str(number % 991), 0) + number
        json.dumps(found)
        return (time.thread_time() - begin) * 1000

    return max(1.0, median(work() for _ in range(5)) / CALIBRATION_MS)


@dataclass
class Answer:
    """What came back, and what the loop did for it."""

    status: int = 0
    body: bytes = b""
    steps: Steps = field(default_factory=Steps)


class Asker:
    """Asks an application as a server would, with nothing in between."""

    def __init__(self, app: Any, probe: LoopProbe) -> None:
        self.app = app
        self.probe = probe
        self.asked = 0

    def address(self) -> tuple[str, int]:
        """A new one each time: rates are not what is measured here."""
        self.asked += 1
        return f"10.{self.asked >> 16 & 255}.{self.asked >> 8 & 255}.{self.asked & 255}", 1

    async def request(self, method: str, url: str, body: bytes | None, cookie: str, packed: bool = False) -> Answer:
        """One request, with its body in one piece."""
        path, _, query = url.partition("?")
        headers = [(b"host", b"127.0.0.1"), (b"cookie", cookie.encode())]
        if body is not None:
            headers += [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if packed:
            headers.append((b"accept-encoding", b"gzip"))
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": unquote(path), "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": headers, "client": self.address(), "server": ("127.0.0.1", 80), "state": {},
        }  # fmt: skip
        answer = Answer()
        ended = asyncio.Event()
        messages: list[dict[str, Any]] = [{"type": "http.request", "body": body or b"", "more_body": False}]

        async def receive() -> dict[str, Any]:
            if messages:
                return messages.pop()
            await ended.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
            elif message["type"] == "http.response.body":
                answer.body += message.get("body", b"")
                if not message.get("more_body"):
                    ended.set()

        await self.probe.settle()
        task = asyncio.create_task(self.app(scope, receive, send))
        await asyncio.wait({task})
        answer.steps = self.probe.restart()
        await task
        return answer


class AskedSocket:
    """A WebSocket, driven by its messages alone: its own transport, as `web.connection.Transport` has it."""

    on_message: Callable[[bytes], bool] | None = None

    def __init__(self, asker: Asker, path: str, headers: dict[str, str]) -> None:
        self.probe = asker.probe
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.got: list[str] = []
        self.received = asyncio.Event()
        sent = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {
            "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws", "path": path,
            "raw_path": path.encode(), "query_string": b"", "root_path": "", "subprotocols": [],
            "extensions": {TRANSPORT_EXTENSION: self}, "client": asker.address(), "server": ("127.0.0.1", 80),
            "headers": [(b"host", b"127.0.0.1"), *sent], "state": {},
        }  # fmt: skip
        self.inbox.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(asker.app(scope, self.inbox.get, self.send))

    async def send(self, message: dict[str, Any]) -> None:
        """ASGI's own messages: only that the socket is accepted comes this way."""

    def write(self, text: str) -> bool:
        self.got.append(text)
        self.received.set()
        return True

    async def wait_writable(self) -> None:
        """It always is."""

    def close(self, code: int, reason: str = "") -> None:
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": code})

    def abort(self) -> None:
        self.close(1006)

    def receive(self, text: str) -> None:
        """What the client sends: taken at once, or kept until the application asks."""
        data = text.encode()
        if self.on_message is None or not self.on_message(data):
            self.inbox.put_nowait({"type": "websocket.receive", "bytes": data})

    async def until(self, kind: str, seconds: float = 30.0) -> None:
        """Wait for a message of that kind."""
        async with asyncio.timeout(seconds):
            while not any(text.startswith(f'{{"t":"{kind}"') for text in self.got):
                self.received.clear()
                await self.received.wait()

    async def ask(self, text: str) -> Answer:
        """Send a message; what the loop does until a ping after it is answered, and a moment longer."""
        await asyncio.sleep(QUIET_S)
        self.got.clear()
        await self.probe.settle()
        for one in (text, '{"t":"ping"}'):
            self.receive(one)
        await self.until("pong")
        await asyncio.sleep(QUIET_S)
        steps = self.probe.restart()
        return Answer(200, "".join(self.got).encode(), steps)

    async def disconnect(self) -> None:
        self.close(1000)
        await asyncio.wait({self.task}, timeout=5)


@contextmanager
def append_peak_memory(found: list[int]) -> Iterator[None]:
    """How many bytes were held at most, above what was held before; tracing makes everything slower."""
    tracemalloc.start()
    try:
        yield
        found.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
