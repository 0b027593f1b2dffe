"""Connections on which no packet arrives any more: every operation ends in bounded time, and no outcome is guessed."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa

from landfall.store import postgres_batches, sqlite
from landfall.store.postgres import PostgresDatabase
from landfall.store.postgres_batches import BatchedConnection
from landfall.store.postgres_connections import SERVING
from landfall.store.row_types import ChatLine
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import Store, make_store_for_setting
from tests.store.fault_proxy import FaultProxy
from tests.store.test_store import entry, head
from tests.tables.fake_users import wait_until_true

pytestmark = pytest.mark.once
LEASE_BOUND_S = 8.0  # for another process to get the lease: one timeout, at most one heartbeat, and the fence
BOUND_S = 8.0  # for one operation of a store; a client's answer may need two of them, and most take half of it


class PostgresStore(Store):
    """A store on PostgreSQL."""

    database: PostgresDatabase

    def __init__(self, address: str) -> None:
        database = make_store_for_setting(address).database
        assert isinstance(database, PostgresDatabase)
        super().__init__(database)


@asynccontextmanager
async def store_behind(proxy: FaultProxy, postgres: str) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(proxy.postgres_address(postgres))
    await store.database.open_and_migrate()
    try:
        yield store
    finally:
        proxy.thaw()
        proxy.cut()
        await store.database.close()


def behind_proxy(postgres: str, story: Callable[[FaultProxy, PostgresStore], Awaitable[None]]) -> None:
    async def run(proxy: FaultProxy) -> None:
        async with store_behind(proxy, postgres) as store:
            await asyncio.wait_for(story(proxy, store), 30)

    with FaultProxy.before_postgres(postgres) as proxy:
        asyncio.run(run(proxy))


OPERATIONS: dict[str, Callable[[Store], Awaitable[object]]] = {
    "append": lambda s: s.tables.append_entries([entry("frozen", 1)], head("frozen")),
    "entries": lambda s: s.tables.read_log_entries("frozen"),
    "lobby": lambda s: s.tables.list_unfinished_public_tables(),
    "say": lambda s: s.chat.append_chat_line(ChatLine("frozen", 0, 9, "me", "Ana", None, "hi")),
    "probe": lambda s: s.database.write_probe_row(),
    "notify": lambda s: s.database.notify_processes("chat", "frozen"),
}


def test_every_operation_of_a_half_open_store_fails_in_bounded_time(postgres: str) -> None:
    """Each on a store of its own, all at the same time: they share nothing but the frozen link."""

    async def fails(name: str, proxy: FaultProxy) -> None:
        async with store_behind(proxy, postgres) as store:
            await store.database.write_probe_row()
            await store.tables.read_log_entries("frozen")
            await opened.wait()
            begun = time.monotonic()
            for _ in range(2):  # also the one after, on whatever connection that gets
                with pytest.raises(Exception):  # noqa: B017, PT011 - a database says in many ways that it is away
                    await OPERATIONS[name](store)
                assert time.monotonic() - begun < BOUND_S, name
                begun = time.monotonic()
            await ended.wait()

    opened, ended = asyncio.Barrier(len(OPERATIONS) + 1), asyncio.Barrier(len(OPERATIONS))

    async def story(proxy: FaultProxy) -> None:
        async with asyncio.TaskGroup() as stores:
            for name in OPERATIONS:
                stores.create_task(fails(name, proxy))
            while opened.n_waiting < len(OPERATIONS):
                await asyncio.sleep(0.01)
            proxy.freeze()
            await opened.wait()

    with FaultProxy.before_postgres(postgres) as proxy:
        asyncio.run(asyncio.wait_for(story(proxy), 60))


def test_a_silent_host_does_not_keep_the_store_from_the_one_that_answers(postgres: str) -> None:
    """As when a database has failed over: its name is still among the hosts, and accepts connections without a word."""

    async def run(address: str) -> None:
        store = make_store_for_setting(address)
        await store.database.open_and_migrate()
        try:
            assert await store.tables.append_entries([entry("failed-over", 1)], head("failed-over"))
        finally:
            await store.database.close()

    with FaultProxy.before_postgres(postgres) as proxy, socket.create_server(("127.0.0.1", 0)) as silent:
        hosts = [f"host=127.0.0.1:{port}" for port in (silent.getsockname()[1], proxy.port)]
        asyncio.run(run("postgresql+asyncpg://postgres@/postgres?" + "&".join(hosts)))
        with pytest.raises(Exception, match="no host of the database accepts writes"):
            asyncio.run(run("postgresql+asyncpg://postgres@/postgres?host=127.0.0.1:1&host=127.0.0.1:2"))


@pytest.mark.proof
def test_many_operations_at_once_are_bounded_alike(postgres: str) -> None:
    async def story(proxy: FaultProxy, store: PostgresStore) -> None:
        proxy.freeze()
        begun = time.monotonic()
        asked = [store.tables.read_log_entries(f"many{n}") for n in range(60)]
        asked += [store.tables.append_entries([entry(f"many{n}", 1)], head(f"many{n}")) for n in range(60)]  # type: ignore[misc]
        done = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(found, Exception) for found in done)
        assert time.monotonic() - begun < BOUND_S

    behind_proxy(postgres, story)


def test_a_store_works_on_new_connections_while_the_old_ones_stay_half_open(postgres: str) -> None:
    async def story(proxy: FaultProxy, store: PostgresStore) -> None:
        assert await store.tables.append_entries([entry("new", 1)], head("new"))
        assert await store.database.try_acquire_bot_lease("new")
        proxy.freeze(new=False)
        with pytest.raises(Exception):  # noqa: B017, PT011
            await store.tables.append_entries([entry("new", 2)])
        assert [e.seq for e in await store.tables.read_log_entries("new")] == [1]
        assert await store.tables.append_entries([entry("new", 2)])
        assert [e.seq for e in await store.tables.read_log_entries("new")] == [1, 2]
        await comes_true_soon(store)

    async def comes_true_soon(store: PostgresStore) -> None:
        """The lock of the table is taken anew, though the server thinks that the dead connection holds it."""
        until = time.monotonic() + 15
        while not (
            store.database.lease_connection is not None
            and not store.database.lease_connection.is_closed()
            and await store.database.try_acquire_bot_lease("new")
        ):
            assert time.monotonic() < until
            await asyncio.sleep(0.2)
        assert store.database.lease_connection is not None
        assert "new" in store.database.leased_tables

    behind_proxy(postgres, story)


@asynccontextmanager
async def neighbour(postgres: str) -> AsyncIterator[PostgresStore]:
    """Another process's store, on a link of its own."""
    store = PostgresStore(postgres)
    await store.database.open_and_migrate()
    try:
        yield store
    finally:
        await store.database.close()


async def gets_lease(store: PostgresStore, table: str) -> None:
    until = time.monotonic() + LEASE_BOUND_S
    while not await store.database.try_acquire_bot_lease(table):
        assert time.monotonic() < until, "a connection that was abandoned keeps the lease"
        await asyncio.sleep(0.1)


def test_a_read_in_progress_survives_the_loss_of_another_connection(postgres: str) -> None:
    """It has no transaction, and is not idle."""

    async def story(store: PostgresStore) -> None:
        await asyncio.gather(*(store.database.fetch_rows(sa.select(sa.func.pg_sleep(0.2))) for _ in range(2)))
        idle = [db for db in store.database.pids if db not in store.database.in_use and not db.is_closed()]
        reading = asyncio.create_task(store.database.fetch_rows(sa.select(sa.func.pg_sleep(0.5), sa.literal(7))))
        while not store.database.in_use:
            await asyncio.sleep(0.01)
        store.database.abandon_connection(await store.database.open_connection())
        assert (await reading)[0][1] == 7
        assert any(db.is_closed() for db in idle)
        assert (await store.database.fetch_rows(sa.select(sa.literal(8))))[0][0] == 8

    async def run() -> None:
        async with neighbour(postgres) as store:
            await asyncio.wait_for(story(store), 30)

    asyncio.run(run())


def test_an_abandoned_connection_keeps_no_lease_though_its_process_makes_no_new_one(postgres: str) -> None:
    """Only the link with the leases is half-open, and its end reaches the server never: all other links stand."""

    async def story(proxy: FaultProxy, store: PostgresStore) -> None:
        async with neighbour(postgres) as other:
            assert await store.database.try_acquire_bot_lease("left")
            proxy.freeze_at(b"pg_advisory_unlock", everything=False)
            await store.database.release_bot_lease("left")
            await gets_lease(other, "left")

    behind_proxy(postgres, story)


def test_a_lease_ends_though_only_its_owner_learns_that_the_connection_is_closed(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something on the way resets the owner's side; the server still thinks that it stands."""

    async def story(proxy: FaultProxy, store: PostgresStore) -> None:
        async with neighbour(postgres) as other:
            assert await store.database.try_acquire_bot_lease("reset")
            proxy.freeze(new=False)
            assert store.database.lease_connection is not None
            store.database.lease_connection.terminate()
            await gets_lease(other, "reset")

    monkeypatch.setattr("landfall.store.postgres.HEARTBEAT_S", 0.5)
    behind_proxy(postgres, story)


def test_a_process_that_ends_leaves_no_lease_on_a_half_open_connection(postgres: str) -> None:
    async def story(proxy: FaultProxy, store: PostgresStore) -> None:
        async with neighbour(postgres) as other:
            assert await store.database.try_acquire_bot_lease("ended")
            proxy.freeze(new=False)
            await store.database.close()
            assert await other.database.try_acquire_bot_lease("ended")

    behind_proxy(postgres, story)


@pytest.mark.proof
def test_news_are_heard_again_after_the_listening_connection_went_silent(postgres: str) -> None:
    async def story(proxy: FaultProxy, store: PostgresStore) -> None:
        received: list[tuple[str, str]] = []
        store.database.listen_for_notifications(lambda kind, words: received.append((kind, words)))
        await store.database.notify_processes("chat", "before")
        await wait_until_true(lambda: ("chat", "before") in received)
        proxy.freeze(new=False)
        received.clear()
        begun = time.monotonic()
        await wait_until_true(lambda: ("missed", "") in received)
        assert time.monotonic() - begun < 20
        await store.database.notify_processes("chat", "after")
        await wait_until_true(lambda: ("chat", "after") in received)

    behind_proxy(postgres, story)


@asynccontextmanager
async def in_use(store: PostgresStore) -> AsyncIterator[None]:
    """A connection of the pool that somebody reads on; the pool keeps it, whatever happens to others."""
    async with store.database.engine.connect() as connection:
        await connection.exec_driver_sql("select 1")
        yield


@pytest.mark.parametrize(
    "everything", [True, pytest.param(False, marks=pytest.mark.proof)], ids=["all links", "one link"]
)
@pytest.mark.parametrize("moment", ["insert", "commit"])
def test_what_was_read_as_absent_never_lands_later(postgres: str, moment: str, everything: bool) -> None:
    """The link freezes while a commit is on its way. Once the log was read, on a new connection or on one that was
    there all the time, nothing of it may still arrive."""

    async def story(proxy: FaultProxy, store: PostgresStore) -> None:
        table = f"late-{moment}-{everything}"
        assert await store.tables.append_entries([entry(table, 1)], head(table))
        async with nullcontext() if everything else in_use(store):
            proxy.freeze_at(b"COMMIT" if moment == "commit" else table.encode(), everything)
            with pytest.raises(Exception):  # noqa: B017, PT011
                await store.tables.append_entries([entry(table, 2)])
        proxy.thaw(existing=False)  # new connections pass; what the old one sent is still held back
        assert [e.seq for e in await store.tables.read_log_entries(table)] == [1], "the commit has not arrived"
        proxy.thaw()  # now it does
        await asyncio.sleep(0.5)
        assert [e.seq for e in await store.tables.read_log_entries(table)] == [1], (
            "it landed after it was read as absent"
        )
        assert await store.tables.append_entries([entry(table, 2)])

    behind_proxy(postgres, story)


def test_a_file_on_a_disk_that_hangs_refuses_in_bounded_time_and_reads_no_log_before_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()

    class Hanging(SqliteDatabase):
        def insert_entries_and_summary(self, *words: Any) -> bool | Exception:
            goes_on.wait(30)
            return super().insert_entries_and_summary(*words)

    async def story() -> None:
        hanging = Hanging(tmp_path / "landfall.db")
        store = Store(hanging)
        await store.database.open_and_migrate()
        first = asyncio.ensure_future(store.tables.append_entries([entry("hangs", 1)], head("hangs")))
        await asyncio.sleep(0.1)
        asked = [first, *(asyncio.ensure_future(store.tables.append_entries([entry("hangs", 2)])) for _ in range(3))]
        for one in asked:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(one, 5)
        for work in (store.tables.append_entries([entry("hangs", 2)]), store.tables.read_log_entries("hangs")):
            with pytest.raises(TimeoutError, match="does not answer"):
                await asyncio.wait_for(work, 1)
        goes_on.set()
        while hanging.is_late:
            await asyncio.sleep(0.01)
        assert [e.seq for e in await store.tables.read_log_entries("hangs")] == [1], (
            "it was written, and nothing that came later"
        )
        assert await store.tables.append_entries([entry("hangs", 2)])
        await store.database.close()

    monkeypatch.setattr(sqlite, "COMMIT_TIMEOUT_S", 0.5)
    asyncio.run(story())


class BrokenConnection:
    """One whose driver fails at every statement."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.abandoned = False

    async def execute(self, _: str) -> None:
        await asyncio.sleep(0.05)
        raise self.error

    def is_closed(self) -> bool:
        return self.abandoned

    def terminate(self) -> None:
        self.abandoned = True


class BrokenConnections:
    """Gives out such connections; counts those that were abandoned."""

    limits = SERVING

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.abandoned = 0

    async def open_connection(self) -> Any:
        return BrokenConnection(self.error)

    def abandon_connection(self, db: Any) -> None:
        db.terminate()
        self.abandoned += 1


def with_broken(error: Exception, story: Callable[[BatchedConnection[int, int], BrokenConnections], Any]) -> None:
    async def answer(db: Any, requests: list[int]) -> list[int]:
        if 0 in requests:
            await db.execute("select 0")
        return requests

    async def run() -> None:
        connections = BrokenConnections(error)
        async with asyncio.timeout(10):
            await story(BatchedConnection(connections, answer), connections)

    asyncio.run(run())


@pytest.mark.parametrize("error", [asyncpg.InternalClientError("the protocol"), RuntimeError("whatever")])
def test_requests_are_answered_whatever_a_check_of_the_connection_raises(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(postgres_batches, "HEARTBEAT_S", 0.01)

    async def story(batches: BatchedConnection[int, int], connections: BrokenConnections) -> None:
        assert await batches.submit_request(1) == 1
        await asyncio.sleep(0.04)  # while it is checked
        assert await batches.submit_request(2) == 2
        assert connections.abandoned >= 1
        await batches.finish_queue_and_stop()

    with_broken(error, story)


def test_a_connection_whose_driver_lost_the_protocol_is_abandoned() -> None:
    async def story(batches: BatchedConnection[int, int], connections: BrokenConnections) -> None:
        with pytest.raises(asyncpg.InternalClientError):
            await batches.submit_request(0)
        assert connections.abandoned == 1
        assert await batches.submit_request(1) == 1
        await batches.finish_queue_and_stop()

    with_broken(asyncpg.InternalClientError("the protocol"), story)


def test_nobody_who_stops_waits_for_a_task_that_has_ended() -> None:
    async def story(batches: BatchedConnection[int, int], _: BrokenConnections) -> None:
        waiting = asyncio.create_task(batches.submit_request(1))
        await asyncio.sleep(0)
        assert batches.task is not None
        batches.task.cancel()
        await batches.finish_queue_and_stop()
        with pytest.raises(ConnectionError):
            await waiting

    with_broken(RuntimeError(), story)
