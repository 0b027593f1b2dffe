"""Real servers and real clients: processes, sockets, cookies."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from landfall.core.rng import Rng
from landfall.tables.patch import patched
from tests.tree import REPO


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class ServerProcess:
    """A server that can be killed and started again on the same database."""

    def __init__(self, database: str, **told: Any) -> None:
        self.told = {"database": database, "port": free_port(), **told}
        self.url = f"http://127.0.0.1:{self.told['port']}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, wait: bool = True) -> ServerProcess:
        command = [sys.executable, "-m", "tests.server.child", json.dumps(self.told)]
        with Path(os.environ.get("LANDFALL_SERVER_LOG", os.devnull)).open("a") as log:
            self.process = subprocess.Popen(command, cwd=REPO, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        if wait:
            self.ready()
        return self

    def ready(self, seconds: float = 90) -> None:
        """Until it answers."""
        assert self.process is not None
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            assert self.process.poll() is None, "the server ended by itself"
            try:
                if httpx.get(f"{self.url}/healthz", timeout=2).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.05)
        raise AssertionError("the server did not begin to answer")

    def kill(self) -> None:
        """As a power cut would, as far as a process can tell."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Cleanly."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def __enter__(self) -> ServerProcess:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Player:
    """Somebody with a cookie: REST, and sockets at tables."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name
        self.http = httpx.AsyncClient(base_url=url, timeout=60)
        self.cookie = ""

    async def come(self) -> Player:
        answer = await self.http.post("/api/me", json={"name": self.name})
        answer.raise_for_status()
        self.cookie = f"landfall={answer.cookies['landfall']}"
        return self

    async def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = await self.http.post(path, json=body)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    async def close(self) -> None:
        await self.http.aclose()


class Line:
    """One socket, and what a client knows through it."""

    def __init__(self, player: Player, table: str, url: str | None = None) -> None:
        self.player = player
        self.table = table
        self.url = (url or player.url).replace("http", "ws", 1)
        self.socket: ClientConnection | None = None
        self.view: dict[str, Any] = {}
        self.choices: list[dict[str, Any]] = []
        self.news: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.base = 0
        self.n: int | None = None
        self.version = 0
        self.seat: int | None = None
        self.acks: dict[str, int] = {}
        self.sizes: list[int] = []  # of updates
        self.ids = itertools.count()

    async def open(self) -> Line:
        if self.socket is not None:
            await self.close()
        after = "" if self.n is None else f"?after={self.n}"
        headers = {"Cookie": self.player.cookie} if self.player.cookie else {}
        self.socket = await connect(
            f"{self.url}/ws/tables/{self.table}{after}",
            additional_headers=headers,
            compression=None,
            open_timeout=60,
            ping_interval=None,
            max_size=None,
            max_queue=None,  # else a line nobody reads stops reading, and waits in vain for the answer to its close
            close_timeout=5,
        )
        await self.receive()
        return self

    async def receive(self, seconds: float = 60) -> dict[str, Any]:
        """The next message, taken in."""
        assert self.socket is not None
        text = await asyncio.wait_for(self.socket.recv(), seconds)
        return self.take(str(text))

    def take(self, text: str) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(text)
        kind = message["t"]
        if kind == "welcome":
            self.view, self.seat, self.news = message.get("view") or {}, message.get("seat"), message["table"]
        elif kind == "update":
            self.view = patched(self.view, message.get("patch", {}))
            self.sizes.append(len(text.encode()))
        elif kind == "table":
            self.news, self.n = message, message["n"]
        elif kind == "ack":
            self.acks[message["id"]] = message["n"]
        if kind in ("welcome", "update"):
            first = message.get("first", 0)
            if kind == "welcome" and not self.base <= first <= self.base + len(self.events):
                self.base, self.events = first, []
            self.events = self.events[: first - self.base] + message.get("events", [])
            self.n, self.version = message["n"], message["version"]
            groups = message.get("choices", [])
            self.choices = [{"verb": g["verb"], **dict(zip(g["keys"], row))} for g in groups for row in g["rows"]]
        return message

    async def send(self, **message: Any) -> None:
        assert self.socket is not None
        await self.socket.send(json.dumps(message))

    async def until(self, *kinds: str, seconds: float = 60) -> dict[str, Any]:
        """The next message of some kind; others are taken in on the way."""
        while True:
            message = await self.receive(seconds)
            if message["t"] in kinds:
                return message

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Send, and wait for the answer."""
        await self.send(**message)
        return await self.until("ack", "refused", "done", "why", "events", "pong", "held")

    async def play(self, action: int, id_: str | None = None) -> dict[str, Any]:
        return await self.ask(t="play", version=self.version, id=id_ or f"p{next(self.ids)}", action=action)

    def drop(self) -> None:
        """Cut the connection without a word."""
        assert self.socket is not None
        self.socket.transport.abort()

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()

    @property
    def over(self) -> bool:
        return bool(self.news.get("status") == "over")


async def play_on(line: Line, rng: Rng, most: int = 100_000) -> None:
    """Choose at random whenever asked, until the match is over or so many choices were made."""
    while not line.over and most > 0:
        if line.choices:
            choice = line.choices[int(rng.below(len(line.choices)))]
            line.choices = []
            await line.send(t="play", version=line.version, id=f"p{next(line.ids)}", action=choice["action"])
            most -= 1
        await line.receive()


__all__ = ["ConnectionClosed", "Line", "Player", "ServerProcess", "free_port", "play_on"]
