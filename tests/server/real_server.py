"""Real servers and real clients: processes, sockets, cookies."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import itertools
import json
import multiprocessing
import secrets
import socket
import ssl
import time
from http.client import HTTPConnection, HTTPException
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from landfall.core.json_patch import apply_patch
from landfall.core.rng import Rng
from tests.conftest import LONG
from tests.migrated_databases import create_migrated_database
from tests.server import server_process

# A connection that is kept may be closed by the server just when it is used again: on a loaded machine it is.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # to read the system's costs 0.1 s of processor time
UNKEPT = httpx.Limits(max_keepalive_connections=0)


def free_port() -> int:
    """One that nobody's outgoing connection is given, so that a server that was killed gets it again."""
    while True:
        port = secrets.choice(range(18_000, 32_000))
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


# Forked from a process that has imported everything: a server that is killed a hundred times need not do so each time.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    [
        "__main__",
        "tests.server.server_process",
        "aiosqlite",
        "asyncpg",
        "uvloop",
        "sqlalchemy.dialects.sqlite.aiosqlite",
        "sqlalchemy.dialects.postgresql.asyncpg",
        "uvicorn.lifespan.on",
        "uvicorn.protocols.http.httptools_impl",
        "uvicorn.protocols.websockets.websockets_sansio_impl",
    ]
)


class ServerProcess:
    """A server that can be killed and started again on the same database."""

    def __init__(self, database: str, **settings: Any) -> None:
        self.settings = {"database": database, "port": free_port(), **settings}
        self.url = f"http://127.0.0.1:{self.settings['port']}"
        self.process: BaseProcess | None = None
        atexit.register(self.__exit__)

    def start(self, wait: bool = True) -> ServerProcess:
        if "://" not in self.settings["database"]:
            create_migrated_database(Path(self.settings["database"]))
        self.process = PROCESSES.Process(target=server_process.run_with_output_to_log, args=(self.settings,))
        self.process.start()
        if wait:
            self.ready()
        return self

    def ready(self, seconds: float = LONG, path: str = "/readyz") -> None:
        """Until it answers."""
        assert self.process is not None
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            assert self.process.exitcode is None, "the server ended by itself"
            asking = HTTPConnection("127.0.0.1", self.settings["port"], timeout=30)
            try:
                asking.request("GET", path)
                if asking.getresponse().status == 200:
                    return
            except (OSError, HTTPException):
                time.sleep(0.05)
            finally:
                asking.close()
        raise AssertionError("the server did not begin to answer")

    def kill(self) -> None:
        """As a power cut would, as far as a process can tell."""
        assert self.process is not None
        self.process.kill()
        self.process.join()

    def stop(self) -> int | None:
        """Cleanly."""
        assert self.process is not None
        self.process.terminate()
        self.process.join(LONG)
        return self.process.exitcode

    def __enter__(self) -> ServerProcess:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.exitcode is None:
            self.kill()


class Player:
    """Somebody with a cookie: REST, and sockets at tables."""

    def __init__(self, url: str, name: str, address: str | None = None) -> None:
        self.url = url
        self.name = name
        self.address = address  # of this machine, to connect from
        verify = NO_CERTIFICATES if url.startswith("http:") else True
        transport = httpx.AsyncHTTPTransport(limits=UNKEPT, local_address=address, verify=verify)
        self.http = httpx.AsyncClient(base_url=url, timeout=LONG, transport=transport)
        self.cookie = ""

    async def come(self) -> Player:
        answer = await self.http.post("/api/me", json={"name": self.name})
        answer.raise_for_status()
        self.cookie = f"landfall={answer.cookies['landfall']}"
        return self

    async def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = await self.http.post(path, json=body)
        answer.raise_for_status()
        if "landfall" in answer.cookies:
            self.cookie = f"landfall={answer.cookies['landfall']}"
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
        where: dict[str, Any] = {"local_addr": (self.player.address, 0)} if self.player.address else {}
        self.socket = await connect(
            f"{self.url}/ws/tables/{self.table}{after}",
            additional_headers=self.headers(),
            compression=None,
            open_timeout=LONG,
            ping_interval=None,
            max_size=None,
            max_queue=None,  # else a line nobody reads stops reading, and waits in vain for the answer to its close
            close_timeout=5,
            **where,
        )
        await self.receive()
        return self

    def headers(self) -> dict[str, str]:
        return {"Cookie": self.player.cookie} if self.player.cookie else {}

    async def receive(self, seconds: float = LONG) -> dict[str, Any]:
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
            self.view = apply_patch(self.view, message.get("patch", {}))
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
            for event in message.get("again", []):
                if event["n"] >= self.base:
                    self.events[event["n"] - self.base] = {k: v for k, v in event.items() if k != "n"}
            self.n, self.version = message["n"], message["version"]
            groups = message.get("choices", [])
            self.choices = [{"verb": g["verb"], **dict(zip(g["keys"], row))} for g in groups for row in g["rows"]]
        return message

    async def send(self, **message: Any) -> None:
        assert self.socket is not None
        await self.socket.send(json.dumps(message))

    async def until(self, *kinds: str, seconds: float = LONG) -> dict[str, Any]:
        """The next message of some kind; others are taken in on the way."""
        while True:
            message = await self.receive(seconds)
            if message["t"] in kinds:
                return message

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Send, and wait for the answer."""
        await self.send(**message)
        return await self.until("ack", "refused", "done", "explanation", "events", "pong", "held")

    async def play(self, action: int, id_: str | None = None) -> dict[str, Any]:
        return await self.ask(t="play", version=self.version, id=id_ or f"p{next(self.ids)}", action=action)

    def cut_connection(self) -> None:
        """Cut the connection without a word."""
        assert self.socket is not None
        self.socket.transport.abort()

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()

    @property
    def over(self) -> bool:
        return bool(self.news.get("status") == "over")


async def play_at_random(line: Line, rng: Rng, most: int = 100_000) -> None:
    """Choose at random whenever asked, until the match is over or so many choices were made."""
    while not line.over and most > 0:
        if line.choices:
            choice = line.choices[int(rng.randbelow(len(line.choices)))]
            line.choices = []
            await line.send(t="play", version=line.version, id=f"p{next(line.ids)}", action=choice["action"])
            most -= 1
        await line.receive()


__all__ = ["ConnectionClosed", "Line", "Player", "ServerProcess", "free_port", "play_at_random"]
