"""Everybody comes back at once, to servers that are held to a share of a core: how long until every table is played.

`python -m tests.server.returns [--tables N] [--sockets N] [--share S] [--processes N] [--sqlite]` prints what it took.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

import msgspec

from landfall.core.rng import Rng
from landfall.match import Match
from landfall.store.events import InitialChair
from landfall.store.row_types import UserRecord
from landfall.store.store import make_store_for_setting
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.log.clocks import ClockRule
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.bench.websocket_client import WebSocketClient
from landfall.web.identity import Identities
from landfall.web.opening_gate import MAX_OPENING
from tests.postgres_cluster import run_temporary_cluster
from tests.server.real_server import ServerProcess
from tests.server.whole_games import read_stored_log

GAME: Final = "survive"
CHOICES_BEFORE: Final = 60  # of each match, before everything was killed
PAGE_WAITS_S: Final = (0.2, 0.5, 1, 2, 4, 8)  # of a browser's page, which adds or takes a half by chance
SILENCE_S: Final = 25.0  # after which a page gives a socket up
SLICE_S: Final = 0.1  # in which a process that is held to a share runs for that share


# --- the tables -----------------------------------------------------------------------------------------------


async def make_running_tables(database: str, count: int, seats: int) -> list[tuple[str, list[str]]]:
    """Tables in the middle of a match, whose clocks run: as when their server was killed. Each with its cookies."""
    store = make_store_for_setting(database)
    await store.database.open_and_migrate()
    hub = Hub(store, runtime=Runtime())
    identities = Identities(store, hub.runtime)
    found = []
    for number in range(count):
        match, rng = Match(GAME, seats, seed=number), Rng(number)
        while len(match.log) < CHOICES_BEFORE and match.actor >= 0:
            match.apply_and_log(int(match.state.random_action(rng)))
            match.resolve_chance()
        people = [UserRecord(f"p{number} {seat}", f"P{number} {seat}", 1, 1) for seat in range(seats)]
        for person in people:
            await store.users.add_user(person)
        cookies = [f"landfall={await identities.create_session_cookie(person)}" for person in people]
        chairs = [InitialChair(person.id, person.name) for person in people]
        owner = User(people[0].id, people[0].name)
        terms = TableConfig(GAME, seats, clock=ClockRule("live", turn=3600, bank=36_000), seating="as_sat")
        table = await hub.append_created_event(owner, terms, chairs, lines=match.log_lines())
        await hub.execute_command(table, owner, cmd.Start())
        found.append((table, cookies))
    for task in hub.tasks:  # no clean shutdown: the clocks go on
        task.cancel()
    await asyncio.gather(*hub.tasks, return_exceptions=True)
    await store.database.close()
    return found


# --- a slow machine -------------------------------------------------------------------------------------------


@contextmanager
def hold_to_share(servers: list[ServerProcess], share: float) -> Iterator[None]:
    """Each process runs for that share of every tenth of a second."""
    over = threading.Event()

    def signal_all(what: signal.Signals) -> None:
        for server in servers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(server.process.pid, what)  # type: ignore[union-attr, arg-type]

    def alternate() -> None:
        while not over.is_set():
            signal_all(signal.SIGSTOP)
            over.wait(SLICE_S * (1 - share))
            signal_all(signal.SIGCONT)
            over.wait(SLICE_S * share)

    thread = threading.Thread(target=alternate)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        signal_all(signal.SIGCONT)


# --- pages ----------------------------------------------------------------------------------------------------


class News(msgspec.Struct):
    """What a page reads of a message."""

    t: str
    version: int = 0
    code: str = ""
    id: str = ""
    n: int = 0
    choices: list[dict[str, Any]] = []


decode_news = msgspec.json.Decoder(News).decode


class Page:
    """A browser's page at a table: it comes back as `connection.svelte.ts` does, and chooses once when it may."""

    def __init__(self, crowd: Crowd, table: str, cookie: str) -> None:
        self.crowd = crowd
        self.table = table
        self.cookie = cookie
        self.socket: WebSocketClient | None = None
        self.tries = 0
        self.version = 0
        self.heard_at = 0.0
        self.closed = asyncio.Event()

    async def stay(self) -> None:
        """Until cancelled."""
        while True:
            self.closed.clear()
            self.crowd.counts["openings"] += 1
            self.socket = WebSocketClient()
            self.socket.connection_lost = lambda _: self.closed.set()  # type: ignore[method-assign, assignment]
            self.heard_at = time.monotonic()
            try:
                port = random.choice(self.crowd.ports)
                async with asyncio.timeout(SILENCE_S):
                    await self.socket.open_websocket(port, f"/ws/tables/{self.table}", self.cookie, self.on_message)
                while not self.closed.is_set() and time.monotonic() < self.heard_at + SILENCE_S:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self.closed.wait(), 1.0)
            except (OSError, TimeoutError):
                pass
            if self.socket.transport is not None:
                self.socket.transport.close()
            wait_s = PAGE_WAITS_S[min(self.tries, len(PAGE_WAITS_S) - 1)]
            self.tries += 1
            await asyncio.sleep(wait_s * random.uniform(0.5, 1.5))

    def on_message(self, data: bytes) -> None:
        news = decode_news(data)
        self.heard_at = time.monotonic()
        if news.t == "welcome":
            self.tries = 0
            self.crowd.welcome(self)
        if news.t == "refused":
            self.crowd.counts[f"refused {news.code}"] += 1
            if not news.id:
                self.closed.set()
        if news.t == "ack":
            self.crowd.acknowledge(self.table, news.id, news.n)
        if news.t in ("welcome", "update"):
            self.version = news.version
            if news.choices and self.table not in self.crowd.played and self.socket is not None:
                action = news.choices[0]["rows"][0][news.choices[0]["keys"].index("action")]
                ask = {"t": "play", "version": self.version, "id": f"{self.table[:8]} {self.version}", "action": action}
                self.socket.send_text(json.dumps(ask))


class Crowd:
    """All pages, and what became of them."""

    def __init__(self, ports: list[int], tables: list[tuple[str, list[str]]]) -> None:
        self.ports = ports
        self.pages = [Page(self, table, cookie) for table, cookies in tables for cookie in cookies]
        self.tables = len(tables)
        self.counts: Counter[str] = Counter()
        self.welcomed: set[Page] = set()
        self.played: dict[str, tuple[str, int]] = {}  # by table: a choice that was acknowledged, and its entry
        self.begun = time.monotonic()
        self.times: dict[str, float] = {}

    def welcome(self, page: Page) -> None:
        self.welcomed.add(page)
        if len(self.welcomed) == len(self.pages):
            self.note("all pages welcome")

    def acknowledge(self, table: str, id_: str, entry: int) -> None:
        self.played.setdefault(table, (id_, entry))
        if len(self.played) * 2 >= self.tables:
            self.note("half of the tables played")
        if len(self.played) == self.tables:
            self.note("all tables played")

    def note(self, what: str) -> None:
        self.times.setdefault(what, time.monotonic() - self.begun)

    async def come_back(self, limit_s: float) -> None:
        """Until every table was played, or the time is over."""
        staying = [asyncio.create_task(page.stay()) for page in self.pages]
        try:
            async with asyncio.timeout(limit_s):
                while len(self.played) < self.tables:
                    await asyncio.sleep(0.1)
        except TimeoutError:
            pass
        finally:
            for task in staying:
                task.cancel()
            await asyncio.gather(*staying, return_exceptions=True)


async def measure_return(
    database: str, tables: int, sockets: int, share: float, processes: int, limit_s: float, log: Path, **settings: int
) -> dict[str, Any]:
    """What it took, and what was lost: choices that were acknowledged and are not on disk."""
    made = await make_running_tables(database, tables, sockets)
    servers = [ServerProcess(database, bot_workers=0, log=str(log), **settings) for _ in range(processes)]
    try:
        for server in servers:
            server.start(wait=False)
        with hold_to_share(servers, share):
            for server in servers:
                await asyncio.to_thread(server.ready)
            crowd = Crowd([server.settings["port"] for server in servers], made)
            await crowd.come_back(limit_s)
    finally:
        for server in servers:
            server.__exit__()
    lost = 0
    for table, (_, entry) in crowd.played.items():
        lost += len(await read_stored_log(database, table)) < entry
    said = log.read_text().count("the database is away") if log.exists() else 0
    found = {"tables": tables, "played": len(crowd.played), "lost": lost, "database away, said": said, **crowd.counts}
    return {**found, **{what: round(seconds, 1) for what, seconds in crowd.times.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--sockets", type=int, default=4)
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--limit", type=float, default=180)
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--max-opening", type=int, default=MAX_OPENING, help="very many: without a gate")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sqlite = nullcontext(f"{folder}/landfall.db")
        with sqlite if args.sqlite else run_temporary_cluster() as database:
            found = asyncio.run(
                measure_return(
                    database,
                    args.tables,
                    args.sockets,
                    args.share,
                    args.processes,
                    args.limit,
                    Path(folder) / "log",
                    max_opening=args.max_opening,
                )
            )
    sys.stdout.write(f"{found}\n")


if __name__ == "__main__":
    main()
