"""PostgreSQL: several processes on one database. The key of the log decides who was first; NOTIFY carries the news."""

from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import asyncpg
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from landfall.store.faults import LOST, RAISED, away
from landfall.store.migrate import DatabaseError
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
SILENT: Final = 20.0  # seconds between looks whether a quiet connection still stands


class PostgresStore(Store):
    """Three connections of its own: one writes, one listens, one holds the wheels (advisory locks) of tables."""

    shared = True

    def __init__(self, url: URL) -> None:
        super().__init__(create_async_engine(url, pool_pre_ping=True))
        self.url = url
        self.name = f"{CHANNEL} {secrets.token_hex(6)}"  # what the database's own list of connections says
        self.queue: asyncio.Queue[Waiting] = asyncio.Queue()
        self.heard: News | None = None
        self.tasks: list[asyncio.Task[None]] = []
        self.writer: asyncpg.Connection[Any] | None = None
        self.ear: asyncpg.Connection[Any] | None = None
        self.wheels: asyncpg.Connection[Any] | None = None
        self.wheel_lock = asyncio.Lock()
        self.driven: set[str] = set()
        self.asking: set[asyncio.Future[Any]] = set()
        self.closing = False

    async def connect(self) -> asyncpg.Connection[Any]:
        """A connection outside SQLAlchemy's pool."""
        u = self.url
        host = u.host or u.query.get("host")
        return await asyncpg.connect(
            host=host if host is None or isinstance(host, str) else list(host),
            port=u.port or int(str(u.query.get("port", 5432))),
            user=u.username,
            password=u.password,
            database=u.database,
            timeout=20,
            server_settings={"application_name": self.name},
        )

    async def open(self) -> None:
        try:
            await super().open()
            self.writer, self.wheels, self.ear = [await self.connect() for _ in range(3)]
        except RAISED as error:
            await self.close()
            raise DatabaseError(str(error).splitlines()[0]) from None
        self.tasks = [asyncio.create_task(self.run()), asyncio.create_task(self.hear())]

    async def close(self) -> None:
        self.closing = True
        while not self.queue.empty():
            await asyncio.sleep(0.01)
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for db in (self.writer, self.ear, self.wheels):
            if db is not None:
                await db.close(timeout=2)
        await super().close()

    async def alone(self) -> bool:
        listed = "select application_name from pg_stat_activity where datname = current_database()"
        async with self.engine.connect() as connection:
            names = {str(row[0]) for row in await connection.exec_driver_sql(listed)}
        return not any(name.startswith(f"{CHANNEL} ") for name in names - {self.name})

    async def lock_logs(self, connection: AsyncConnection) -> None:
        locked = "entries, chat, members, lookbacks"
        await connection.exec_driver_sql(f"lock table {locked} in share row exclusive mode")

    # --- writing ----------------------------------------------------------------------------------------------

    async def append(self, entries: list[Entry], head: Head | None = None) -> bool:
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.queue.put_nowait((entries, head, done))
        return await done

    async def run(self) -> None:
        """Write what is queued, all there is to one commit; connect again when the server was away."""
        while True:
            batch = [await self.queue.get()]
            while len(batch) < MOST and not self.queue.empty():
                batch.append(self.queue.get_nowait())
            try:
                if self.writer is None or self.writer.is_closed():
                    self.writer = await self.connect()
                results = await self.results(self.writer, batch)
            except asyncio.CancelledError:
                raise
            except Exception as error:  # nothing of it is known to be on disk: each must hear it
                results = [error] * len(batch)
                if away(error) and self.writer is not None:
                    self.writer.terminate()
            resolve([done for _, _, done in batch], results)

    async def results(self, db: asyncpg.Connection[Any], batch: list[Waiting]) -> list[bool | Exception]:
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

    async def commit(self, db: asyncpg.Connection[Any], batch: list[Waiting]) -> list[bool | Exception]:
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

    async def put(
        self, db: asyncpg.Connection[Any], entries: list[Entry], must_follow: bool = True
    ) -> set[tuple[str, int]]:
        """Insert rows; the keys of those that were free. `must_follow`: and whose predecessor was there before."""
        columns = [list(column) for column in zip(*(entry_values(entry) for entry in entries))]
        return {(row[0], row[1]) for row in await db.fetch(ENTRIES, *columns, must_follow)}

    async def find_predecessors(self, db: asyncpg.Connection[Any], entries: list[Entry]) -> set[tuple[str, int]]:
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
                self.ear.terminate()
            await asyncio.sleep(wait * random.uniform(0.5, 1))  # not all processes at once
            wait = min(wait * 2, AWAY[1])

    async def stay(self, ear: asyncpg.Connection[Any], gone: asyncio.Event) -> None:
        """Until the connection is lost: closed, or so silent that it does not even answer."""
        while not gone.is_set():
            try:
                await asyncio.wait_for(gone.wait(), SILENT)
            except TimeoutError:
                await ear.execute("select 1", timeout=SILENT)

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
                return False
            return table in self.driven

    async def leave(self, table: str) -> None:
        async with self.wheel_lock:
            if table in self.driven and self.wheels is not None:
                self.driven.discard(table)
                try:
                    await self.wheels.execute("select pg_advisory_unlock($1)", number(table))
                except LOST:
                    self.driven.clear()


def number(table: str) -> int:
    """A table's key among the advisory locks."""
    return int.from_bytes(hashlib.blake2b(table.encode(), digest_size=8).digest(), signed=True)
