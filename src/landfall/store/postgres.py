"""PostgreSQL: several processes on one database. The log's primary key resolves conflicts; NOTIFY, or a bus, informs
others."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import secrets
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias, TypeVar, cast
from weakref import WeakKeyDictionary, WeakSet

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from landfall.store import postgres_connections as connections
from landfall.store import schema
from landfall.store.database import Database, OnNotification, entry_to_row_values, summary_to_row_values
from landfall.store.database_errors import CONNECTION_ERRORS, DATABASE_ERRORS, is_database_unavailable
from landfall.store.event_codec import decode_event
from landfall.store.migrate import DatabaseError, upgrade_schema
from landfall.store.nats_bus import BusMessage, NatsBus
from landfall.store.notices import TURN, notice_to_row_values
from landfall.store.postgres_batches import BatchedConnection
from landfall.store.postgres_connections import (
    FENCE_RETRY_S,
    HEARTBEAT_S,
    MAINTENANCE,
    SERVING,
    Connection,
    ConnectionTimeouts,
)
from landfall.store.row_types import LogEntry, MissingLog, TableSummary

T = TypeVar("T")
Write: TypeAlias = tuple[list[LogEntry], TableSummary | None]
Read: TypeAlias = tuple[str, int]  # a table, and the number of the last known entry
log = logging.getLogger("landfall")
NOTIFY_CHANNEL: Final = "landfall"
NEWS_SUBJECT: Final = "landfall.news"  # on the bus: a notification to a line
UNSENT_NEWS: Final = "landfall news"  # of a transaction, at its connection
# between looks at the logs for what the bus may have lost: while it is there, and while it is not
MISSED_NEWS_S: Final = (5.0, 0.5)
RATINGS_LOCK: Final = 7240012  # the key of the lock under which matches are rated
INSERT_ENTRIES: Final = (
    "insert into entries (table_id, seq, at, kind, data) "
    "select * from unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::text[]) as new (t, n, at, kind, data) "
    "where not $6 or n = 1 or exists (select from entries where table_id = t and seq = n - 1) "
    "on conflict (table_id, seq) do nothing returning table_id, seq"
)
HAS_ENTRIES: Final = (
    "select table_id, seq from entries join unnest($1::text[], $2::int[]) as old (t, n) on table_id = t and seq = n"
)
UPSERT_TABLE: Final = (
    "insert into tables (id, game, rules, status, public, owner, created, updated, deadline, info) "
    "values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (id) do update set status = excluded.status, "
    "public = excluded.public, owner = excluded.owner, updated = excluded.updated, deadline = excluded.deadline, "
    "info = excluded.info"
)
READ_ENTRIES: Final = (
    "select i, seq, at, kind, data from unnest($1::text[], $2::int[]) with ordinality as known (t, n, i) "
    "cross join lateral (select * from entries where table_id = t and seq > n order by seq) as new order by i, seq"
)
DELETE_TURNS: Final = f"delete from notifications where topic = any($1::text[]) and kind = '{TURN}'"
INSERT_NOTICE: Final = (
    "insert into notifications (key, person, kind, topic, other, at, due, data, seen) "
    "values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing"
)
INSERT_MEMBER: Final = "insert into members (person, table_id) values ($1, $2) on conflict do nothing"
RECONNECT_DELAYS_S: Final = (
    0.1,
    2.0,
)  # before the first retry to listen, and at most between retries: users wait
CLOSE_TIMEOUT_S: Final = 2.0
POOL_SIZE: Final = 14  # connections kept once made: a new one costs more than most statements


class PostgresDatabase(Database):
    """Four connections of its own: one writes logs, one reads them, one listens, one holds the bot leases (advisory
    locks) of tables.

    A connection that times out is abandoned. The server may not notice: its side may still hold leases that another
    process waits for, or commit later what it received. So before a log is read again, whenever a new connection is
    made, and soon in any case, the server's side of each abandoned one is terminated (`end_abandoned_connections`):
    what is absent then stays absent.
    """

    is_shared = True

    def __init__(self, url: URL, limits: ConnectionTimeouts = SERVING, bus: NatsBus | None = None) -> None:
        self.limits = limits
        self.bus = bus  # in place of NOTIFY
        engine = create_async_engine(
            url,
            async_creator=self.open_connection,
            poolclass=connections.PatientPool,
            pool_pre_ping=True,
            pool_timeout=limits.connect_s,
            pool_size=POOL_SIZE,
            max_overflow=0,
        )
        super().__init__(engine)
        # A single statement needs no transaction, and is spared two round trips.
        self.autocommit = engine.execution_options(isolation_level="AUTOCOMMIT")
        event.listen(engine.sync_engine, "handle_error", connections.discard_pool_after_timeout)
        event.listen(engine.sync_engine.pool, "invalidate", self.on_pool_invalidated)
        event.listen(engine.sync_engine.pool, "checkout", self.on_pool_checkout)
        event.listen(engine.sync_engine.pool, "checkin", self.on_pool_checkin)
        self.url = url
        self.parameters = connections.asyncpg_parameters(engine, url)
        self.name = f"{NOTIFY_CHANNEL} {secrets.token_hex(6)}"  # the application name in the database's list
        self.writer: BatchedConnection[Write, bool] = BatchedConnection(self, self.commit_batch_or_one_by_one)
        self.reader: BatchedConnection[Read, list[LogEntry]] = BatchedConnection(self, self.read_requested_entries)
        self.on_notification: OnNotification | None = None
        self.tasks: list[asyncio.Task[None]] = []
        self.listen_connection: Connection | None = None
        self.lease_connection: Connection | None = None
        self.pids: WeakKeyDictionary[Connection, int] = WeakKeyDictionary()  # a closed connection no longer has it
        self.in_use: WeakSet[Connection] = WeakSet()  # of the pool's
        self.abandoned: set[int] = set()  # the server's processes of abandoned connections
        self.has_abandoned = asyncio.Event()
        self.fencing: asyncio.Task[None] | None = None
        self.lease_lock = asyncio.Lock()
        self.leased_tables: set[str] = set()
        self.pending_requests: set[asyncio.Future[Any]] = set()
        self.closing = False

    async def open_connection(self) -> Connection:
        """A connection for the pool or for ourselves."""
        db = await connections.connect_with_timeouts(self.parameters, self.limits, self.name)
        self.pids[db] = db.get_server_pid()
        if self.abandoned:
            try:
                await self.end_abandoned_backends(db)
            except BaseException:
                db.terminate()
                raise
        return db

    def abandon_connection(self, db: Connection) -> None:
        """Abandon a connection; the outcome of its last statement is unknown."""
        self.abandoned.add(self.pids[db])
        db.terminate()
        self.close_idle_connections()
        self.has_abandoned.set()

    def on_pool_invalidated(self, _: object, __: object, error: BaseException | None) -> None:
        """The pool abandoned a connection."""
        if isinstance(error, TimeoutError):
            self.close_idle_connections()

    def on_pool_checkout(self, _: object, record: ConnectionPoolEntry, __: object) -> None:
        """The pool gave a connection away."""
        self.in_use.add(cast("Connection", record.driver_connection))

    def on_pool_checkin(self, _: object, record: ConnectionPoolEntry) -> None:
        """The pool has a connection again; one that it gave up is none. What a transaction had to say is said now."""
        if record.driver_connection is not None:
            self.in_use.discard(record.driver_connection)
        if news := record.info.pop(UNSENT_NEWS, None):
            self.publish_notifications_on_bus(news)

    def close_idle_connections(self) -> None:
        """If one connection went silent, others may have: close the idle ones, so that the pool makes new ones.

        A read without a transaction is work in progress, too. A connection that the pool is about to give away is in a
        transaction, while the pool tries it.
        """
        own = {self.writer.db, self.listen_connection, self.lease_connection}
        if self.reader.is_busy:
            own.add(self.reader.db)
        for db in list(self.pids):
            if db not in own and db not in self.in_use and not db.is_closed() and not db.is_in_transaction():
                db.terminate()

    async def end_abandoned_backends(self, db: Connection) -> None:
        pids = set(self.abandoned)
        await connections.terminate_abandoned_backends(db, self.name, pids, self.limits.command_s)
        self.abandoned -= pids

    async def end_abandoned_connections(self) -> None:
        """Return when nothing sent on an abandoned connection can be committed any more. Callers share one attempt."""
        if self.fencing is None or self.fencing.done():
            self.fencing = asyncio.create_task(self.open_connection_to_end_abandoned())
        await asyncio.shield(self.fencing)

    async def open_connection_to_end_abandoned(self) -> None:
        """Open a connection and drop it: `open_connection` ends the abandoned ones on the server."""
        (await self.open_connection()).terminate()

    async def keep_ending_abandoned_connections(self) -> None:
        """Fence until it succeeds, even if nothing here needs a new connection: other processes wait for the leases."""
        while True:
            await self.has_abandoned.wait()
            with suppress(*CONNECTION_ERRORS):
                await self.end_abandoned_connections()
            if not self.abandoned:
                self.has_abandoned.clear()
            await asyncio.sleep(FENCE_RETRY_S)

    async def open_and_migrate(self) -> None:
        try:
            await self.refuse_connection_pooler()
            await self.migrate_schema()
            self.writer.db, self.reader.db, self.lease_connection = [await self.open_connection() for _ in range(3)]
            if self.bus is None:
                self.listen_connection = await self.open_connection()
        except DATABASE_ERRORS as error:
            await self.close()
            raise DatabaseError((str(error) or type(error).__name__).splitlines()[0]) from None
        self.writer.start_answering()
        self.reader.start_answering()
        work = [self.watch_lease_connection(), self.keep_ending_abandoned_connections()]
        if self.bus is None:
            work.append(self.run_listener())
        else:
            self.bus.on_connected.append(lambda: self.forward_notification("missed", ""))
            await self.bus.make_subscription(NEWS_SUBJECT, self.on_bus_notifications).subscribe_to_bus()
        self.tasks = [asyncio.create_task(coroutine) for coroutine in work]

    async def refuse_connection_pooler(self) -> None:
        """DatabaseError: between us and PostgreSQL is a pooler. Leases are locks of a session, and
        `end_abandoned_connections` ends sessions by their process ids: both need sessions of our own."""
        db = await self.open_connection()
        try:
            if await db.fetchval("select pg_backend_pid()") != db.get_server_pid():
                raise DatabaseError("this address is a connection pooler's; name PostgreSQL itself (docs/scaling.md)")
        finally:
            db.terminate()

    async def migrate_schema(self) -> None:
        """On a connection of its own: a large database may take long, and another process may be migrating."""
        patient = create_async_engine(
            self.url,
            async_creator=lambda: connections.connect_with_timeouts(self.parameters, MAINTENANCE, self.name),
            poolclass=NullPool,
        )
        async with patient.begin() as connection:
            await connection.run_sync(upgrade_schema)
        await patient.dispose()

    async def close(self) -> None:
        self.closing = True
        await asyncio.gather(self.writer.finish_queue_and_stop(), self.reader.finish_queue_and_stop())
        await connections.cancel_tasks_until_done(self.tasks)
        own = (self.writer.db, self.reader.db, self.listen_connection, self.lease_connection)
        await asyncio.gather(*(self.close_or_abandon(db) for db in own if db is not None))
        if self.abandoned:
            with suppress(*CONNECTION_ERRORS):
                async with asyncio.timeout(CLOSE_TIMEOUT_S):
                    await self.end_abandoned_connections()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await super().close()

    async def close_or_abandon(self, db: Connection) -> None:
        """What closed a connection earlier, or keeps it from being closed now, may not have reached the server."""
        if not db.is_closed():
            with suppress(*CONNECTION_ERRORS):
                await db.close(timeout=CLOSE_TIMEOUT_S)
                return
        self.abandon_connection(db)

    async def is_only_server_on_database(self) -> bool:
        listed = "select application_name from pg_stat_activity where datname = current_database()"
        async with self.engine.connect() as connection:
            names = {str(row[0]) for row in await connection.exec_driver_sql(listed)}
        return not any(name.startswith(f"{NOTIFY_CHANNEL} ") for name in names - {self.name})

    async def lock_table_logs_and_rows(self, connection: AsyncConnection) -> None:
        locked = "entries, chat, members, lookbacks"
        await connection.exec_driver_sql(f"lock table {locked} in share row exclusive mode")

    async def lock_ratings_and_deletions(self, connection: AsyncConnection) -> None:
        await connection.exec_driver_sql(f"select pg_advisory_xact_lock({RATINGS_LOCK})")

    async def database_size_bytes(self) -> int | None:
        async with self.autocommit.connect() as connection:
            asked = "select pg_database_size(current_database())"
            return int((await connection.exec_driver_sql(asked)).scalar() or 0)

    async def vacuum_database(self) -> bool:
        """Rewrite every table: a plain vacuum leaves deleted rows' bytes in the files. The write-ahead log is recycled
        by the database itself. Nobody reads or writes a table meanwhile.
        """
        async with self.autocommit.connect() as connection:
            for table in schema.METADATA.sorted_tables:
                await connection.exec_driver_sql(f'vacuum full "{table.name}"')
        return True

    async def notify_at_commit(self, connection: AsyncConnection, news: str) -> None:
        """Notify other processes when a transaction is over. On the bus, also if it is rolled back: they then look in
        vain."""
        if self.bus is None:
            await connection.exec_driver_sql("select pg_notify($1, $2)", (NOTIFY_CHANNEL, news))
        else:
            connection.info.setdefault(UNSENT_NEWS, []).append(news)

    # --- writing and reading ----------------------------------------------------------------------------------

    async def append_entries(self, entries: list[LogEntry], summary: TableSummary | None = None) -> bool:
        return await self.writer.submit_request((entries, summary))

    async def read_log_entries(self, table: str, after: int = 0) -> list[LogEntry]:
        while self.abandoned:  # also by others, while we waited for an earlier one
            await self.end_abandoned_connections()
        if after == 0:  # whole logs are long: each by itself
            return await super().read_log_entries(table)
        return await self.reader.submit_request((table, after))

    async def read_requested_entries(self, db: Connection, batch: list[Read]) -> list[list[LogEntry]]:
        """The entries that each asks for."""
        if self.abandoned:  # since they asked
            await self.end_abandoned_backends(db)
        found: list[list[LogEntry]] = [[] for _ in batch]
        for i, seq, at, kind, data in await db.fetch(READ_ENTRIES, *zip(*batch)):
            found[i - 1].append(LogEntry(batch[i - 1][0], seq, at, decode_event(kind, data)))
        return found

    async def commit_batch_or_one_by_one(self, db: Connection, batch: list[Write]) -> list[bool | Exception]:
        """The result of each: in a batch with an item that cannot be written, only that is refused."""
        news: list[str] = []
        try:
            results = await self.commit_batch(db, batch, news)
        except Exception as error:
            if is_database_unavailable(error):
                raise
            results = await self.commit_one_by_one(db, batch, news)
        if self.bus is not None and news:
            self.publish_notifications_on_bus(news)
        return results

    async def commit_one_by_one(self, db: Connection, batch: list[Write], news: list[str]) -> list[bool | Exception]:
        """One transaction with a savepoint for each."""
        results: list[bool | Exception] = []
        async with db.transaction():
            for item in batch:
                try:
                    results += await self.commit_batch(db, [item], news)
                except Exception as error:
                    if is_database_unavailable(error):
                        raise
                    results.append(error)
        return results

    async def commit_batch(self, db: Connection, batch: list[Write], news: list[str]) -> list[bool | Exception]:
        """One transaction: events, the heads of those that won, and their notifications; adds to `news`."""
        async with db.transaction():
            new = await self.insert_entries_skipping_conflicts(db, [entries[0] for entries, _ in batch])
            lost = [entries[0] for entries, _ in batch if (entries[0].table, entries[0].seq) not in new]
            before = await self.find_existing_predecessors(db, lost) if lost else set()
            has_won: list[bool] = []
            for (first, *_), _ in batch:  # of two with one number in one batch, the first was written
                has_won.append((first.table, first.seq) in new)
                new.discard((first.table, first.seq))
            won = [write for write, is_first in zip(batch, has_won) if is_first]
            more = [entry for entries, _ in won for entry in entries[1:]]
            if more:  # if the first of them is free, all after it are
                await self.insert_entries_skipping_conflicts(db, more, must_follow=False)
            summaries = [summary for _, summary in won if summary is not None]
            if summaries:
                await db.executemany(UPSERT_TABLE, [summary_to_row_values(summary) for summary in summaries])
                await db.executemany(
                    INSERT_MEMBER, [(p, summary.table) for summary in summaries for p in summary.people]
                )
                notified = [summary for summary in summaries if summary.notices is not None]
                if notified:
                    await db.execute(DELETE_TURNS, [summary.table for summary in notified])
                    rows = [notice_to_row_values(notice) for summary in notified for notice in summary.notices or []]
                    await db.executemany(INSERT_NOTICE, rows)
            written = [f"entry {entries[-1].table} {entries[-1].seq}" for entries, _ in won]
            if self.bus is None:
                await db.execute(
                    "select pg_notify($1, words) from unnest($2::text[]) as words", NOTIFY_CHANNEL, written
                )
        news += written
        orphans = {(entry.table, entry.seq) for entry in lost if entry.seq > 1} - {(t, n + 1) for t, n in before}
        return [
            MissingLog(first.table) if (first.table, first.seq) in orphans else is_first
            for ((first, *_), _), is_first in zip(batch, has_won)
        ]

    async def insert_entries_skipping_conflicts(
        self, db: Connection, entries: list[LogEntry], must_follow: bool = True
    ) -> set[tuple[str, int]]:
        """Insert the events whose numbers are free; with `must_follow` only those with a predecessor. Returns their
        keys."""
        columns = [list(column) for column in zip(*(entry_to_row_values(entry) for entry in entries))]
        return {(row[0], row[1]) for row in await db.fetch(INSERT_ENTRIES, *columns, must_follow)}

    async def find_existing_predecessors(self, db: Connection, entries: list[LogEntry]) -> set[tuple[str, int]]:
        """The existing keys of the events before these."""
        tables, numbers = [entry.table for entry in entries], [entry.seq - 1 for entry in entries]
        return {(row[0], row[1]) for row in await db.fetch(HAS_ENTRIES, tables, numbers)}

    # --- several processes ------------------------------------------------------------------------------------

    def listen_for_notifications(self, on_notification: OnNotification) -> None:
        self.on_notification = on_notification

    async def run_listener(self) -> None:
        """Listen, and again after the server was unavailable; callers then look up what they missed."""

        def on_notify(_: object, __: int, ___: str, payload: object) -> None:
            self.forward_notification(*split_notification(str(payload)))

        wait = RECONNECT_DELAYS_S[0]
        while True:
            try:
                if self.listen_connection is None or self.listen_connection.is_closed():
                    self.listen_connection = await self.open_connection()
                lost = asyncio.Event()
                self.listen_connection.add_termination_listener(lambda _, lost=lost: lost.set())
                await self.listen_connection.add_listener(NOTIFY_CHANNEL, on_notify)
                self.forward_notification("missed", "")
                wait = RECONNECT_DELAYS_S[0]
                await self.wait_until_connection_is_lost(self.listen_connection, lost)
            except CONNECTION_ERRORS:
                pass
            # One that the server closed was no silent link: the pool's other connections are as good as before.
            if self.listen_connection is not None and not self.listen_connection.is_closed():
                self.abandon_connection(self.listen_connection)
            await asyncio.sleep(wait * random.uniform(0.5, 1))  # jitter, so that not all processes retry at once
            wait = min(wait * 2, RECONNECT_DELAYS_S[1])

    async def wait_until_connection_is_lost(self, connection: Connection, lost: asyncio.Event) -> None:
        """Until the connection is lost: closed, or so silent that it does not even answer. To listen twice changes
        nothing, and in the database's list of connections this one is still known by its last statement."""
        while not lost.is_set():
            try:
                await asyncio.wait_for(lost.wait(), HEARTBEAT_S)
            except TimeoutError:
                await connection.execute(f"listen {NOTIFY_CHANNEL}")

    def forward_notification(self, kind: str, words: str) -> None:
        if self.on_notification is not None and not self.closing:
            self.on_notification(kind, words)

    def on_bus_notifications(self, message: BusMessage) -> None:
        for news in message.data.decode().splitlines():
            try:
                self.forward_notification(*split_notification(news))
            except Exception as error:  # the lines after it are news all the same
                log.warning("news that cannot be read: %s", type(error).__name__)

    def publish_notifications_on_bus(self, news: list[str]) -> None:
        """What is on disk, to other processes. What is lost here they find in the logs."""
        if self.bus is not None:
            self.bus.publish_without_waiting(NEWS_SUBJECT, "\n".join(news).encode())

    @property
    def missed_event_poll_interval_s(self) -> float | None:
        return None if self.bus is None else MISSED_NEWS_S[not self.bus.is_connected]

    async def notify_processes(self, kind: str, words: str) -> None:
        if self.bus is not None:
            await self.bus.try_publish(NEWS_SUBJECT, f"{kind} {words}".encode())  # what is lost is found by looking
            return
        async with self.autocommit.connect() as connection:
            await connection.exec_driver_sql("select pg_notify($1, $2)", (NOTIFY_CHANNEL, f"{kind} {words}"[:7900]))

    async def fetch_rows(self, asked: sa.Select[*tuple[Any, ...]]) -> Sequence[Any]:
        async with self.autocommit.connect() as connection:
            found: Sequence[Any] = (await connection.execute(asked)).fetchall()
            return found

    async def try_acquire_bot_lease(self, table: str) -> bool:
        """An advisory lock: released automatically when this process ends."""
        if table in self.leased_tables and self.lease_connection is not None and not self.lease_connection.is_closed():
            return True
        return await self.finish_even_if_cancelled(self.acquire_table_lock(table))

    async def release_bot_lease(self, table: str) -> None:
        await self.finish_even_if_cancelled(self.release_table_lock(table))

    async def finish_even_if_cancelled(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish a query even if the caller is cancelled, so that `leased_tables` equals what the server holds."""
        task = asyncio.ensure_future(work)
        self.pending_requests.add(task)
        task.add_done_callback(self.pending_requests.discard)
        return await asyncio.shield(task)

    async def acquire_table_lock(self, table: str) -> bool:
        async with self.lease_lock:
            try:
                if self.lease_connection is not None and self.lease_connection.is_closed():
                    self.forget_leases_and_abandon_connection()
                if self.lease_connection is None:
                    self.lease_connection = await self.open_connection()
                if table not in self.leased_tables and await self.lease_connection.fetchval(
                    "select pg_try_advisory_lock($1)", advisory_lock_key(table)
                ):
                    self.leased_tables.add(table)
            except CONNECTION_ERRORS:
                self.forget_leases_and_abandon_connection()
                return False
            return table in self.leased_tables

    async def release_table_lock(self, table: str) -> None:
        async with self.lease_lock:
            if table in self.leased_tables and self.lease_connection is not None:
                self.leased_tables.discard(table)
                try:
                    await self.lease_connection.execute("select pg_advisory_unlock($1)", advisory_lock_key(table))
                except CONNECTION_ERRORS:
                    self.forget_leases_and_abandon_connection()

    def forget_leases_and_abandon_connection(self) -> None:
        """The lease connection is lost: all leases must be acquired again, on another connection. Also if it is closed:
        what closed this side may not have reached the server."""
        self.leased_tables.clear()
        if self.lease_connection is not None:
            self.abandon_connection(self.lease_connection)
            self.lease_connection = None

    async def watch_lease_connection(self) -> None:
        """Periodically: check that the lease connection is alive."""
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            async with self.lease_lock:
                if self.lease_connection is not None:
                    try:
                        await self.lease_connection.execute("select 1")
                    except CONNECTION_ERRORS:  # also that it is closed
                        self.forget_leases_and_abandon_connection()


def split_notification(news: str) -> tuple[str, str]:
    """A notification: its kind and its words."""
    kind, _, words = news.partition(" ")
    return kind, words


def advisory_lock_key(table: str) -> int:
    """A table's advisory lock key."""
    return int.from_bytes(hashlib.blake2b(table.encode(), digest_size=8).digest(), signed=True)
