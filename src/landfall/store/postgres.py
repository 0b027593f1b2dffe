"""PostgreSQL: several processes on one database. The key of the log decides who was first; NOTIFY carries the news."""

from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from landfall.store import connections
from landfall.store.connections import HEARTBEAT_S, MAINTENANCE, SERVING, Connection, Limits
from landfall.store.faults import LOST, RAISED, away
from landfall.store.migrate import DatabaseError, upgrade
from landfall.store.rows import Entry, Head, MissingLog
from landfall.store.sqlite import MOST, Waiting, entry_values, head_values, resolve
from landfall.store.store import News, Store

T = TypeVar("T")
CHANNEL: Final = "landfall"
ENTRIES: Final = (
    "insert into entries (table_id, seq, at, kind, data) "
    "select * from unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::text[]) as new (t, n, at, kind, data) "
    "where not $6 or n = 1 or exists (select from entries where table_id = t and seq = n - 1) "
    "on conflict (table_id, seq) do nothing returning table_id, seq"
)
HAS_ENTRIES: Final = (
    "select table_id, seq from entries join unnest($1::text[], $2::int[]) as old (t, n) on table_id = t and seq = n"
)
HEAD: Final = (
    "insert into tables (id, game, rules, status, public, owner, created, updated, deadline, info) "
    "values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (id) do update set status = excluded.status, "
    "public = excluded.public, owner = excluded.owner, updated = excluded.updated, deadline = excluded.deadline, "
    "info = excluded.info"
)
MEMBER: Final = "insert into members (person, table_id) values ($1, $2) on conflict do nothing"
AWAY: Final = (0.1, 2.0)  # seconds before the first try to listen again, and between tries at most: people wait
CLOSE_TIMEOUT_S: Final = 2.0


class PostgresStore(Store):
    """Three connections of its own: one writes, one listens, one holds the wheels (advisory locks) of tables.

    A connection that does not answer in time is given up. The server may not know: its side may still hold locks, or
    commit later what it had received. So before a log is read again, and whenever a new connection is made, the
    server's side of each that was given up is ended (`fence`): what is then absent stays absent.
    """

    shared = True

    def __init__(self, url: URL, limits: Limits = SERVING) -> None:
        self.limits = limits
        engine = create_async_engine(url, async_creator=self.connect, pool_pre_ping=True, pool_timeout=limits.connect_s)
        super().__init__(engine)
        event.listen(engine.sync_engine, "handle_error", connections.discard_late)
        event.listen(engine.sync_engine.pool, "invalidate", self.invalidated)
        self.url = url
        self.parameters = connections.parameters_of(engine, url)
        self.name = f"{CHANNEL} {secrets.token_hex(6)}"  # what the database's own list of connections says
        self.queue: asyncio.Queue[Waiting] = asyncio.Queue()
        self.heard: News | None = None
        self.tasks: list[asyncio.Task[None]] = []
        self.writer: Connection | None = None
        self.ear: Connection | None = None
        self.wheels: Connection | None = None
        self.pids: WeakKeyDictionary[Connection, int] = WeakKeyDictionary()  # a closed connection does not tell
        self.abandoned: set[int] = set()  # the server's processes of connections that were given up
        self.fencing: asyncio.Task[None] | None = None
        self.wheel_lock = asyncio.Lock()
        self.driven: set[str] = set()
        self.asking: set[asyncio.Future[Any]] = set()
        self.closing = False

    async def connect(self) -> Connection:
        """A connection for the pool or for ourselves."""
        db = await connections.connect(self.parameters, self.limits, self.name)
        self.pids[db] = db.get_server_pid()
        if self.abandoned:
            try:
                await self.end_abandoned(db)
            except BaseException:
                db.terminate()
                raise
        return db

    def abandon(self, db: Connection) -> None:
        """Give a connection up; nothing is known of what was sent on it last."""
        self.abandoned.add(self.pids[db])
        db.terminate()
        self.discard_idle()

    def invalidated(self, _: object, __: object, error: BaseException | None) -> None:
        """The pool gave a connection up."""
        if isinstance(error, TimeoutError):
            self.discard_idle()

    def discard_idle(self) -> None:
        """Where one connection went silent, others may have: the pool finds these closed, and makes new ones."""
        own = {self.writer, self.ear, self.wheels}
        for db in list(self.pids):
            if db not in own and not db.is_closed() and not db.is_in_transaction():
                db.terminate()

    async def end_abandoned(self, db: Connection) -> None:
        pids = set(self.abandoned)
        await connections.end_backends(db, self.name, pids, self.limits.command_s)
        self.abandoned -= pids

    async def fence(self) -> None:
        """Return when nothing that was sent on a connection given up can be written any more. Many wait for one try."""
        if self.fencing is None or self.fencing.done():
            self.fencing = asyncio.create_task(self.reconnect_once())
        await asyncio.shield(self.fencing)

    async def reconnect_once(self) -> None:
        (await self.connect()).terminate()

    async def open(self) -> None:
        try:
            await self.migrate()
            self.writer, self.wheels, self.ear = [await self.connect() for _ in range(3)]
        except RAISED as error:
            await self.close()
            raise DatabaseError((str(error) or type(error).__name__).splitlines()[0]) from None
        work = (self.run(), self.hear(), self.check_wheels())
        self.tasks = [asyncio.create_task(coroutine) for coroutine in work]

    async def migrate(self) -> None:
        """On a connection of its own: a large database may take long, and another process may be at it."""
        patient = create_async_engine(
            self.url,
            async_creator=lambda: connections.connect(self.parameters, MAINTENANCE, self.name),
            poolclass=NullPool,
        )
        async with patient.begin() as connection:
            await connection.run_sync(upgrade)
        await patient.dispose()

    async def close(self) -> None:
        self.closing = True
        while not self.queue.empty():
            await asyncio.sleep(0.01)
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for db in (self.writer, self.ear, self.wheels):
            if db is not None:
                with suppress(*LOST):  # then it was terminated
                    await db.close(timeout=CLOSE_TIMEOUT_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await super().close()

    async def alone(self) -> bool:
        listed = "select application_name from pg_stat_activity where datname = current_database()"
        async with self.engine.connect() as connection:
            names = {str(row[0]) for row in await connection.exec_driver_sql(listed)}
        return not any(name.startswith(f"{CHANNEL} ") for name in names - {self.name})

    async def lock_logs(self, connection: AsyncConnection) -> None:
        locked = "entries, chat, members, lookbacks"
        await connection.exec_driver_sql(f"lock table {locked} in share row exclusive mode")

    # --- writing and reading ----------------------------------------------------------------------------------

    async def append(self, entries: list[Entry], head: Head | None = None) -> bool:
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.queue.put_nowait((entries, head, done))
        return await done

    async def run(self) -> None:
        """Write what is queued, all there is to one commit; connect again when the server was away."""
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    batch = [await self.queue.get()]
            except TimeoutError:  # found out now that it is dead, the next entry need not wait for that
                await self.check_writer()
                continue
            self.take_queued(batch)
            try:
                if self.writer is None or self.writer.is_closed():
                    self.writer = await self.connect()
                results = await self.results_in_time(self.writer, batch)
            except asyncio.CancelledError:
                raise
            except Exception as error:  # nothing of it is known to be on disk: each must hear it
                if away(error):
                    if self.writer is not None:
                        self.abandon(self.writer)
                    self.take_queued(batch, all_of_them=True)  # what came meanwhile would wait as long again
                results = [error] * len(batch)
            resolve([done for _, _, done in batch], results)

    def take_queued(self, batch: list[Waiting], all_of_them: bool = False) -> None:
        """Add what waits already."""
        while (all_of_them or len(batch) < MOST) and not self.queue.empty():
            batch.append(self.queue.get_nowait())

    async def check_writer(self) -> None:
        """Give the writing connection up if it does not answer."""
        if self.writer is not None and not self.writer.is_closed():
            try:
                await self.writer.execute("select 1")
            except LOST:
                self.abandon(self.writer)

    async def results_in_time(self, db: Connection, batch: list[Waiting]) -> list[bool | Exception]:
        """All of a commit within the limit of one command. Terminated, a connection fails at once; a task that is
        cancelled would first try to roll back, and wait for that as long again."""
        timer = asyncio.get_running_loop().call_later(self.limits.command_s, db.terminate)
        try:
            return await self.results(db, batch)
        finally:
            timer.cancel()

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        if self.abandoned:
            await self.fence()
        return await super().entries(table, after)

    async def results(self, db: Connection, batch: list[Waiting]) -> list[bool | Exception]:
        """What became of each: of a batch in which something cannot be written, only that is refused."""
        try:
            return await self.commit(db, batch)
        except Exception as error:
            if away(error):
                raise
        results: list[bool | Exception] = []
        async with db.transaction():
            for item in batch:
                try:
                    results += await self.commit(db, [item])  # a savepoint, inside the transaction
                except Exception as error:
                    if away(error):
                        raise
                    results.append(error)
        return results

    async def commit(self, db: Connection, batch: list[Waiting]) -> list[bool | Exception]:
        """One transaction: entries, the heads of those that won, and the news of them."""
        async with db.transaction():
            new = await self.put(db, [entries[0] for entries, _, _ in batch])
            lost = [entries[0] for entries, _, _ in batch if (entries[0].table, entries[0].seq) not in new]
            before = await self.find_predecessors(db, lost) if lost else set()
            won: list[Waiting] = []
            for item in batch:  # of two with one number in one batch the first was written
                first = item[0][0]
                if (first.table, first.seq) in new:
                    new.discard((first.table, first.seq))
                    won.append(item)
            more = [entry for entries, _, _ in won for entry in entries[1:]]
            if more:  # where the first of them is free, all after it are
                await self.put(db, more, must_follow=False)
            heads = [head for _, head, _ in won if head is not None]
            if heads:
                await db.executemany(HEAD, [head_values(head) for head in heads])
                await db.executemany(MEMBER, [(p, head.table) for head in heads for p in head.people])
            news = [f"entry {entries[-1].table} {entries[-1].seq}" for entries, _, _ in won]
            await db.execute("select pg_notify($1, words) from unnest($2::text[]) as words", CHANNEL, news)
        orphans = {(entry.table, entry.seq) for entry in lost if entry.seq > 1} - {(t, n + 1) for t, n in before}
        return [
            MissingLog(entries[0].table)
            if (entries[0].table, entries[0].seq) in orphans
            else (entries, head, done) in won
            for entries, head, done in batch
        ]

    async def put(self, db: Connection, entries: list[Entry], must_follow: bool = True) -> set[tuple[str, int]]:
        """Insert rows; the keys of those that were free. `must_follow`: and whose predecessor was there before."""
        columns = [list(column) for column in zip(*(entry_values(entry) for entry in entries))]
        return {(row[0], row[1]) for row in await db.fetch(ENTRIES, *columns, must_follow)}

    async def find_predecessors(self, db: Connection, entries: list[Entry]) -> set[tuple[str, int]]:
        """The keys of the entries before these, as far as they are there."""
        tables, numbers = [entry.table for entry in entries], [entry.seq - 1 for entry in entries]
        return {(row[0], row[1]) for row in await db.fetch(HAS_ENTRIES, tables, numbers)}

    # --- several processes ------------------------------------------------------------------------------------

    def listen(self, heard: News) -> None:
        self.heard = heard

    async def hear(self) -> None:
        """Listen, and listen again after the server was away; what was said meanwhile is to be looked up."""

        def on_news(_: object, __: int, ___: str, payload: object) -> None:
            kind, _, words = str(payload).partition(" ")
            self.tell(kind, words)

        wait = AWAY[0]
        while True:
            try:
                if self.ear is None or self.ear.is_closed():
                    self.ear = await self.connect()
                gone = asyncio.Event()
                self.ear.add_termination_listener(lambda _, gone=gone: gone.set())
                await self.ear.add_listener(CHANNEL, on_news)
                self.tell("missed", "")
                wait = AWAY[0]
                await self.stay(self.ear, gone)
            except LOST:
                pass
            if self.ear is not None:
                self.abandon(self.ear)
            await asyncio.sleep(wait * random.uniform(0.5, 1))  # not all processes at once
            wait = min(wait * 2, AWAY[1])

    async def stay(self, ear: Connection, gone: asyncio.Event) -> None:
        """Until the connection is lost: closed, or so silent that it does not even answer."""
        while not gone.is_set():
            try:
                await asyncio.wait_for(gone.wait(), HEARTBEAT_S)
            except TimeoutError:
                await ear.execute("select 1")

    def tell(self, kind: str, words: str) -> None:
        if self.heard is not None and not self.closing:
            self.heard(kind, words)

    async def notify(self, kind: str, words: str) -> None:
        async with self.engine.begin() as connection:
            await connection.exec_driver_sql("select pg_notify($1, $2)", (CHANNEL, f"{kind} {words}"[:7900]))

    async def take_the_wheel(self, table: str) -> bool:
        """An advisory lock: gone by itself when this process is."""
        if table in self.driven and self.wheels is not None and not self.wheels.is_closed():
            return True
        return await self.finish(self.take(table))

    async def leave_the_wheel(self, table: str) -> None:
        await self.finish(self.leave(table))

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Let a question to the server come to its end even if who asked goes, so that `driven` is what it holds."""
        task = asyncio.ensure_future(work)
        self.asking.add(task)
        task.add_done_callback(self.asking.discard)
        return await asyncio.shield(task)

    async def take(self, table: str) -> bool:
        async with self.wheel_lock:
            try:
                if self.wheels is None or self.wheels.is_closed():
                    self.driven.clear()
                    self.wheels = await self.connect()
                if table not in self.driven and await self.wheels.fetchval(
                    "select pg_try_advisory_lock($1)", number(table)
                ):
                    self.driven.add(table)
            except LOST:
                self.drop_wheels()
                return False
            return table in self.driven

    async def leave(self, table: str) -> None:
        async with self.wheel_lock:
            if table in self.driven and self.wheels is not None:
                self.driven.discard(table)
                try:
                    await self.wheels.execute("select pg_advisory_unlock($1)", number(table))
                except LOST:
                    self.drop_wheels()

    def drop_wheels(self) -> None:
        """The server no longer answers who drives what: all is taken anew, on another connection."""
        self.driven.clear()
        if self.wheels is not None:
            self.abandon(self.wheels)

    async def check_wheels(self) -> None:
        """Now and then: whether the connection that holds the wheels still stands."""
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            async with self.wheel_lock:
                if self.wheels is not None and not self.wheels.is_closed():
                    try:
                        await self.wheels.execute("select 1")
                    except LOST:
                        self.drop_wheels()


def number(table: str) -> int:
    """A table's key among the advisory locks."""
    return int.from_bytes(hashlib.blake2b(table.encode(), digest_size=8).digest(), signed=True)
