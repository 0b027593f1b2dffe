"""People for tests: they sit at tables in this process, read what they are sent, and keep the view a client would."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from landfall.core.json_patch import apply_patch
from landfall.core.rng import Rng
from landfall.store.row_types import LogEntry, TableSummary
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import Store
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import Subscriber, User
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.projections import ungroup_choices
from landfall.tables.runtime_dependencies import Runtime, SystemClock
from tests.conftest import LONG
from tests.migrated_databases import create_migrated_database

PASSES: Final = 60  # turns of the loop without work for a thread after which nothing can happen by itself


class HandTime(SystemClock):
    """A clock moved by hand: nothing waits for real."""

    def __init__(self, busy: Callable[[], bool] = lambda: False) -> None:
        self.busy = busy  # whether a thread is at work whose end something here waits for
        self.ms = 1_700_000_000_000
        self.set_by = 0  # how far the wall clock was set forward, or back
        self.waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self.order = itertools.count()

    def wall_time_ms(self) -> int:
        return self.ms + self.set_by

    def monotonic_ms(self) -> int:
        return self.ms

    async def sleep_ms(self, ms: int) -> None:
        if ms <= 0:
            await asyncio.sleep(0)
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self.waiting, (self.ms + ms, next(self.order), done))
        await done

    async def go_on(self, ms: int) -> None:
        """Let time pass, waking all whose time comes, in order."""
        until = self.ms + ms
        await self.settle()
        while self.waiting and self.waiting[0][0] <= until:
            at, _, done = heapq.heappop(self.waiting)
            self.ms = max(self.ms, at)
            if not done.done():
                done.set_result(None)
            await self.settle()
        self.ms = until

    async def settle(self) -> None:
        """Let all run that can run without the clock going on, however long the disk and the machine take for it."""
        quiet = 0
        while quiet < PASSES:
            quiet = 0 if self.busy() else quiet + 1
            await asyncio.sleep(0 if quiet else 0.0005)

    async def advance_until(self, what: Callable[[], bool]) -> None:
        """Let time pass until something is so: for what is looked after now and then, perhaps late by real time."""
        for _ in range(200):
            if what():
                return
            await self.go_on(60_000)
        raise AssertionError("it did not happen")


async def wait_until_true(what: Callable[[], bool]) -> None:
    """Wait, in real time, for something that must happen without the clock going on."""
    until = time.monotonic() + LONG
    while not what():
        assert time.monotonic() < until, "it did not happen"
        await asyncio.sleep(0.002)


class BusyDatabase(SqliteDatabase):
    """A database that knows whether it is at work for somebody."""

    at_work = 0

    async def append_entries(self, entries: list[LogEntry], head: TableSummary | None = None) -> bool:
        with self.working():
            return await super().append_entries(entries, head)

    async def fetch_rows(self, asked: sa.Select[*tuple[Any, ...]]) -> Sequence[Any]:
        with self.working():
            return await super().fetch_rows(asked)

    async def commit_change(self, change: sa.Insert | sa.Update | sa.Delete) -> int:
        with self.working():
            return await super().commit_change(change)

    @contextmanager
    def working(self) -> Iterator[None]:
        self.at_work += 1
        try:
            yield
        finally:
            self.at_work -= 1


class Guest:
    """Somebody at a table, with what a client would know."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.hub = hub
        self.user: User | None = User(f"id-{name}", name)
        self.subscriber: Subscriber | None = None
        self.inbox: list[dict[str, Any]] = []
        self.bytes: list[str] = []
        self.view: dict[str, Any] = {}
        self.choices: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.base = 0  # the number of the first event kept
        self.table: dict[str, Any] = {}
        self.n = 0
        self.version = 0
        self.seat: int | None = None
        self.ids = itertools.count()

    def receive(self, text: str) -> None:
        """What a client does with a message."""
        self.bytes.append(text)
        message = json.loads(text)
        self.inbox.append(message)
        kind = message["t"]
        if kind == "welcome":
            self.view = message.get("view") or {}
            self.seat = message.get("seat")
            self.table = message["table"]
        elif kind == "update":
            self.view = apply_patch(self.view, message.get("patch", {}))
            self.seat = message.get("seat", self.seat)
        elif kind == "table":
            self.table = message
            self.n = message["n"]
        if kind in ("welcome", "update"):
            self.n, self.version = message["n"], message["version"]
            first = message.get("first", 0)
            if kind == "welcome" and not self.base <= first <= self.base + len(self.events):
                self.base, self.events = first, []
            self.events = self.events[: first - self.base] + message.get("events", [])
            for event in message.get("again", []):
                if event["n"] >= self.base:
                    self.events[event["n"] - self.base] = {k: v for k, v in event.items() if k != "n"}
            groups = message.get("choices", [])
            self.choices = [{"verb": g["verb"], **dict(zip(g["keys"], row))} for g in groups for row in g["rows"]]

    async def come(self, table: str, since: int | None = None) -> None:
        self.subscriber = await self.hub.subscribe_to_table(table, self.user, self.receive, since)

    async def go(self) -> None:
        assert self.subscriber is not None
        await self.hub.unsubscribe_from_table(self.subscriber)
        self.subscriber = None

    async def send(self, command: cmd.AnyCommand) -> dict[str, Any]:
        """Send a command; the last message that is an answer to it."""
        assert self.subscriber is not None
        before = len(self.inbox)
        await self.hub.command_handler.handle_command_and_wait(self.subscriber, command)
        answers = [m for m in self.inbox[before:] if m["t"] not in ("update", "table", "chat")]
        return answers[-1] if answers else {}

    async def play(self, action: int, id_: str | None = None, version: int | None = None) -> dict[str, Any]:
        at = self.version if version is None else version
        return await self.send(cmd.Play(version=at, id=id_ or f"p{next(self.ids)}", action=action))

    async def refused(self, command: cmd.AnyCommand) -> str:
        """The code of a refusal, which is expected."""
        answer = await self.send(command)
        assert answer["t"] == "refused", answer
        return str(answer["code"])


class Scene:
    """A house with a clock moved by hand, a seeded chance, and bots that think at once."""

    def __init__(self, folder: Path, seed: int = 1, *, pace: int = 0, hold: int = 0) -> None:
        self.time = HandTime(lambda: self.database.at_work > 0)
        self.folder = folder
        self.numbers = itertools.count(1)
        self.env = Runtime(
            clock=self.time,
            rng=Rng(seed),
            new_id=lambda: f"table-number-{next(self.numbers):05}",
            bot_pace_ms=pace,
            answer_hold_ms=hold,
            housekeeping_ms=1_800_000,
        )
        self.database = BusyDatabase(create_migrated_database(folder / "landfall.db"), gather=0)
        self.store = Store(self.database)
        self.hub = Hub(self.store, runtime=self.env)

    async def __aenter__(self) -> Scene:
        await self.database.open_and_migrate()
        await self.hub.start_background_tasks()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.hub.shut_down()
        await self.database.close()

    async def restart(self) -> None:
        """A new process on the same database."""
        await self.__aexit__()
        self.database = BusyDatabase(self.folder / "landfall.db", gather=0)
        self.store = Store(self.database)
        self.hub = Hub(self.store, runtime=self.env)
        await self.__aenter__()

    def guest(self, name: str) -> Guest:
        return Guest(self.hub, name)

    async def table(self, *names: str, config: TableConfig | None = None, start: bool = True) -> list[Guest]:
        """People at a new table, the first one its owner, all connected; begun unless told otherwise."""
        config = config or TableConfig("atlandice", len(names), seating="as_sat")
        people = [self.guest(name) for name in names]
        assert people[0].user is not None
        table = await self.hub.create_table(people[0].user, config)
        for chair, guest in enumerate(people):
            await guest.come(table)
            if chair:
                assert (await guest.send(cmd.Sit(chair=chair)))["t"] == "done"
        if start:
            await people[0].send(cmd.Start())
        return people


def run_scene(work: Callable[[Scene], Awaitable[None]], folder: Path, **settings: Any) -> None:
    """Run a test's story."""

    async def story() -> None:
        async with Scene(folder, **settings) as hub:
            await asyncio.wait_for(work(hub), LONG)

    asyncio.run(story())


def guest_to_choose(people: list[Guest]) -> Guest:
    """The one who is to choose."""
    return next(p for p in people if p.choices)


__all__ = ["Guest", "HandTime", "Scene", "guest_to_choose", "run_scene", "ungroup_choices"]
