"""A smaller world in real time, on the real SQL stores: `python -m tests.sim.real_store_world SEED [--count N]
[--sqlite]`.

People play at the tables of one server on SQLite, or of two on PostgreSQL, each behind a proxy of its own. Links are
cut, delayed and half-open, the disk is full, the file is locked; an account is deleted, and retention runs.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from landfall.api.message_codec import encode_message
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.store.database_errors import DATABASE_ERRORS
from landfall.store.sqlite import BUSY_TIMEOUT_S, SqliteDatabase
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import Subscriber, User
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.table import OVER, Table
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.server import Server
from landfall.web.settings import Settings
from tests.postgres_cluster import run_temporary_cluster
from tests.sim.log_checker import find_table_difference, waits_for_deleted_user
from tests.sim.simulated_connection import action_numbers
from tests.store.fault_proxy import FaultProxy

ANSWER_S = 12.0  # within which whoever asks is answered, whatever is wrong
RETENTION_MS = 1000  # tables without an entry for so long are deleted, unless they are open
ACTIVE_S = {"sqlite": 4.0, "postgresql": 6.0}
LEAST_ACKNOWLEDGED = 5  # choices, however long that takes
SETTLED_S = 15.0  # after the faults, until everything is as it should be
TROUBLE: tuple[type[Exception], ...] = (LandfallError, *DATABASE_ERRORS)
FAULTS = {
    "sqlite": ("full", "lock", "lock"),
    "postgresql": ("cut", "delay", "half_open", "half_open"),
}


class Broken(Exception):
    """Something that must hold does not."""


class FillableDatabase(SqliteDatabase):
    """A file whose disk can be full: SQLite may not make it larger than it is."""

    writing: sqlite3.Connection | None = None

    def open_writing_connection(self) -> sqlite3.Connection:
        self.writing = super().open_writing_connection()
        return self.writing

    def fill(self, is_full: bool) -> None:
        assert self.writing is not None
        pages = self.writing.execute("pragma page_count").fetchone()[0] if is_full else 1 << 30
        self.writing.execute(f"pragma max_page_count = {pages}")


class Player:
    """Somebody at a table, who chooses whenever they are asked."""

    def __init__(self, world: RealWorld, name: str, table: str, server: Server) -> None:
        self.world, self.name, self.table, self.server = world, name, table, server
        self.user = User(f"id-{name}", name)
        self.random = random.Random(f"{world.seed} {name}")
        self.subscriber: Subscriber | None = None
        self.version = 0
        self.choices: list[Any] = []
        self.answers: dict[str, asyncio.Future[str]] = {}
        self.acknowledged: list[str] = []
        self.is_deleted = False

    def receive(self, text: str) -> None:
        message = msgspec.json.decode(text)
        if message["t"] in ("welcome", "update"):
            self.version, self.choices = message["version"], message.get("choices", [])
        elif message["t"] in ("ack", "refused"):
            answer = self.answers.get(message.get("id") or "")
            if answer is not None and not answer.done():
                answer.set_result(message["t"] if message["t"] == "ack" else str(message["code"]))
            if message["t"] == "refused" and message["code"] in ("no_table", "damaged"):
                self.world.wrong("vanished", f"{self.name} is told that {self.table} is {message['code']}")

    async def live(self) -> None:
        while self.world.active and not self.is_deleted:
            if self.subscriber is None:
                await self.come()
            elif self.choices:
                await self.choose()
            await asyncio.sleep(self.random.uniform(0.005, 0.05))

    async def come(self) -> None:
        try:
            async with asyncio.timeout(ANSWER_S):
                self.subscriber = await self.server.hub.subscribe_to_table(self.table, self.user, self.receive)
        except TimeoutError as error:
            if isinstance(error.__cause__, asyncio.CancelledError):
                self.world.wrong("no answer", f"{self.name} waits for the table")
        except TROUBLE:
            await asyncio.sleep(0.1)

    async def choose(self) -> None:
        assert self.subscriber is not None
        id_ = f"{self.name}-{len(self.answers)}"
        answer = self.answers[id_] = asyncio.get_running_loop().create_future()
        action = self.random.choice(action_numbers(self.choices))
        try:
            async with asyncio.timeout(ANSWER_S):
                await self.server.hub.command_handler.handle_command_and_wait(
                    self.subscriber, cmd.Play(self.version, id_, action)
                )
                found = await answer
        except TimeoutError:
            self.world.wrong("no answer", f"{self.name} chose {ANSWER_S} s ago")
            return
        self.world.counts[found] += 1
        if found == "ack":
            self.acknowledged.append(id_)


class RealWorld:
    """Servers on one database, those who play there, and what goes wrong."""

    def __init__(self, seed: int, database: str, proxies: list[FaultProxy]) -> None:
        self.seed, self.database, self.proxies = seed, database, proxies
        self.kind = "postgresql" if proxies else "sqlite"
        self.random = random.Random(f"{seed} {self.kind}")
        self.active = True
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.host = make_store_for_setting(database, beside=True)
        self.servers: list[Server] = []
        self.players: list[Player] = []
        self.idle = ""

    def wrong(self, kind: str, what: str) -> None:
        self.active = False
        self.faults.append(f"{kind}: {what}")

    async def live(self) -> None:
        """From the first table to the last question; Broken says what does not hold."""
        async with self.running():
            await self.are_healthy()
            await self.set_tables()
            lives = [asyncio.create_task(player.live()) for player in self.players]
            trouble = [asyncio.create_task(work()) for work in (self.strike, self.delete_old, self.delete_somebody)]
            until = time.monotonic() + ACTIVE_S[self.kind]
            while self.active and (time.monotonic() < until or self.counts["ack"] <= LEAST_ACKNOWLEDGED):
                await asyncio.sleep(0.05)
            self.active = False
            await asyncio.gather(*lives, *trouble)
            self.calm()
            if not self.faults:
                await self.settles()
        if self.faults:
            raise Broken(f"seed {self.seed} {self.kind}: {self.faults[0]}")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """All servers, opened as their lifespan does it, and closed."""
        addresses = [proxy.postgres_address(self.database) for proxy in self.proxies] or [self.database]
        for address in addresses:
            env = Runtime(
                bot_pace_ms=10,
                answer_hold_ms=0,
                forced_choice_ms=50,
                empty_table_grace_ms=200,
                housekeeping_ms=400,
                encode=encode_message,
            )
            settings = Settings(database=address, bot_workers=0, recheck_s=0.5, make_runtime=lambda env=env: env)  # type: ignore[misc]
            store = Store(FillableDatabase(Path(self.database))) if self.kind == "sqlite" else None
            self.servers.append(Server(settings, store))
        opened_: list[Server] = []
        try:
            for server in self.servers:
                await server.store.database.open_and_migrate()
                opened_.append(server)
                await server.identities.load_cookie_key_and_end_idle_sessions()
                await server.hub.start_background_tasks()
                server.spawn_background_task(server.watch_sign_outs())
            await self.host.database.open_and_migrate()
            yield
        finally:
            self.active = False
            self.calm()
            for server in opened_:
                await server.hub.shut_down()
                await server.store.database.close()
            await self.host.database.close()

    async def set_tables(self) -> None:
        """Two tables with people, who may be at different servers, and one that everybody left."""
        for number in range(2):
            game = self.random.choice(tuple(BUILT_IN_GAMES))
            players = min(find_game(game).player_counts)
            names = [f"{name}{number}" for name in ("Ana", "Boris", "Chen")[:players]]
            config = TableConfig(game, players, public=True, seating="as_sat")
            hub = self.servers[0].hub
            owner = User(f"id-{names[0]}", names[0])
            table = await hub.create_table(owner, config)
            for chair, name in enumerate(names[1:], 1):
                await hub.execute_command(table, User(f"id-{name}", name), cmd.Sit(chair=chair))
            await hub.execute_command(table, owner, cmd.Start())
            self.players += [Player(self, name, table, self.random.choice(self.servers)) for name in names]
        self.idle = await self.servers[0].hub.create_table(User("id-Dora", "Dora"), TableConfig("survive", 2))

    # --- trouble ----------------------------------------------------------------------------------------------

    async def strike(self) -> None:
        """One fault after the other."""
        while self.active:
            await self.pause(0.2, 1.0)
            if self.active:
                fault = self.random.choice(FAULTS[self.kind])
                self.counts[fault] += 1
                await getattr(self, f"strike_{fault}")()

    async def pause(self, least: float, most: float) -> None:
        until = time.monotonic() + self.random.uniform(least, most)
        while self.active and time.monotonic() < until:
            await asyncio.sleep(0.02)

    async def strike_full(self) -> None:
        database = self.servers[0].store.database
        assert isinstance(database, FillableDatabase)
        database.fill(True)
        await self.pause(0.2, 1.0)
        database.fill(False)

    async def strike_lock(self) -> None:
        """Another program holds the file."""
        await self.lock_file(self.random.uniform(0.3, 2.0))

    async def lock_file(self, seconds: float) -> None:
        db = sqlite3.connect(self.database, isolation_level=None, check_same_thread=False, timeout=1)
        with suppress(sqlite3.OperationalError):
            await asyncio.to_thread(db.execute, "begin immediate")
            await asyncio.sleep(seconds)
        await asyncio.to_thread(db.close)

    async def strike_cut(self) -> None:
        self.random.choice(self.proxies).cut()

    async def strike_delay(self) -> None:
        proxy = self.random.choice(self.proxies)
        proxy.delay(0.05)
        await self.pause(0.3, 1.0)
        proxy.delay(0)

    async def strike_half_open(self) -> None:
        """In the end what was held back arrives, or is lost; or only new connections are of use."""
        proxy = self.random.choice(self.proxies)
        proxy.freeze(new=self.random.random() < 0.5)
        await self.pause(0.5, 5.0)
        end = self.random.choice(["arrives", "is lost", "stays"])
        if end == "is lost":
            proxy.cut()
        proxy.thaw(existing=end != "stays")

    def calm(self) -> None:
        for proxy in self.proxies:
            proxy.delay(0)
            proxy.thaw()
        for server in self.servers:
            database = server.store.database
            if isinstance(database, FillableDatabase) and database.writing is not None:
                with suppress(sqlite3.Error):  # closed
                    database.fill(False)

    async def delete_old(self) -> None:
        """Retention, now and then, as a host runs it."""
        while self.active:
            await self.pause(0.5, 1.5)
            await self.run_retention()

    async def run_retention(self) -> None:
        with suppress(*DATABASE_ERRORS):
            now = time.time_ns() // 1_000_000
            self.counts["deleted tables"] += (
                await self.host.retention.delete_expired_tables_and_guests(now - RETENTION_MS, None)
            )["tables"]

    async def delete_somebody(self) -> None:
        """An account is deleted, as the endpoint does it."""
        await self.pause(0.5, 2.0)
        player = self.random.choice(self.players)
        while self.active:
            try:
                await player.server.store.personal_data.erase_user(player.user.id)
            except DATABASE_ERRORS:
                await asyncio.sleep(0.1)
                continue
            player.is_deleted = True
            if player.subscriber is not None:
                await player.server.hub.unsubscribe_from_table(player.subscriber)
            player.server.spawn_background_task(player.server.hub.notify_processes_until_sent("people", ""))
            if not self.proxies and self.random.random() < 0.5:  # longer than anybody waits, and just now
                await asyncio.gather(
                    self.lock_file(BUSY_TIMEOUT_S + 1), player.server.try_apply_sign_outs_and_deletions()
                )
            else:
                await player.server.try_apply_sign_outs_and_deletions()
            return

    # --- what must hold ---------------------------------------------------------------------------------------

    async def are_healthy(self) -> None:
        """Servers that find out at the same time whether the database can be written are not in each other's way."""
        for _ in range(8):
            await asyncio.gather(*(server.probe_database_write() for server in self.servers))
            if not all(server.last_probe[1] for server in self.servers):
                self.wrong("unhealthy", "a server cannot write, and nothing is wrong")
                return

    async def settles(self) -> None:
        """Within a while all logs are whole, nothing waits for somebody deleted, and memory is what the logs say."""
        until = time.monotonic() + SETTLED_S
        found: list[str] = ["not asked"]
        while found and time.monotonic() < until:
            await asyncio.sleep(0.2)
            await self.run_retention()
            found = [fault async for fault in self.look_for_faults()]
        if found:
            kind, _, what = found[0].partition(": ")
            self.wrong(kind, what)

    async def look_for_faults(self) -> AsyncIterator[str]:
        tables = {player.table for player in self.players}
        for name in sorted(tables):
            entries = await self.host.tables.read_log_entries(name)
            if not entries:
                yield f"lost: the table {name} at which people are"
                return
            try:
                table = load_table_from_entries(name, entries, Rng(0))
            except LandfallError as error:
                yield f"log: {name}: {error}"
                return
            ids = Counter(str(getattr(entry.event, "id", None) or "").partition(".")[2] for entry in entries)
            for player in self.players:
                for id_ in player.acknowledged if player.table == name else ():
                    if ids[id_] != 1:
                        yield f"lost: {id_} was acknowledged and is in the log {ids[id_]} times"
            if waits_for_deleted_user(table):
                yield f"waits for nobody: {name}, {table.status}, at {table.seq}"
            for fault in self.memory_faults(name, table):
                yield fault
        if await self.host.tables.read_log_entries(self.idle):
            yield f"retention: the table {self.idle} that everybody left stays"

    def memory_faults(self, name: str, table: Table) -> list[str]:
        """What live tables think that the log does not say; a match that goes on changes while it is read."""
        lives = [live for server in self.servers if (live := server.hub.live_tables.get(name)) is not None]
        found = [
            f"memory: {name}: {find_table_difference(live.table, table)}"
            for live in lives
            if live.table.seq == table.seq
        ]
        behind = [
            f"memory: {name} is at {live.table.seq} of {table.seq}" for live in lives if live.table.seq < table.seq
        ]
        return [fault for fault in found if not fault.endswith(": ")] + (behind if table.status == OVER else [])


def live_through_real_world(seed: int, postgres: str | None) -> Counter[str]:
    """One world, on SQLite or on a new database of a PostgreSQL cluster; Broken says what does not hold."""
    with ExitStack() as stack:
        if postgres is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="landfall-world-"))
            world = RealWorld(seed, f"{folder}/landfall.db", [])
        else:
            proxies = [stack.enter_context(FaultProxy.before_postgres(postgres)) for _ in range(2)]
            world = RealWorld(seed, postgres, proxies)
        asyncio.run(world.live())
        return world.counts


def with_database(is_sqlite: bool, work: Callable[[str | None], None]) -> None:
    """Do something with an address of PostgreSQL, or with None for SQLite."""
    if is_sqlite:
        work(None)
    else:
        with run_temporary_cluster() as address:
            work(address)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--sqlite", action="store_true")
    args = parser.parse_args()

    def work(address: str | None) -> None:
        sums: Counter[str] = Counter()
        for seed in range(args.seed, args.seed + args.count):
            try:
                sums.update(live_through_real_world(seed, address))
                sums["sound"] += 1
            except Broken as broken:
                sums["broken"] += 1
                print(broken, flush=True)
        print(dict(sums))

    with_database(args.sqlite, work)


if __name__ == "__main__":
    main()
