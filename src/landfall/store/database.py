"""A database: its connections, transactions and locks, and what its processes notify each other of."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from landfall.store import schema
from landfall.store.database_errors import DATABASE_ERRORS, is_database_unavailable
from landfall.store.event_codec import decode_event, encode, encode_event
from landfall.store.migrate import upgrade_schema
from landfall.store.row_types import LogEntry, TableSummary
from landfall.store.statements import select_user_row_for_update

log = logging.getLogger("landfall")
# (kind, words): "entry" "<table> <seq>", "chat" "<table>", "people" when users were signed out or deleted, "searches"
# "<seq>", "lobby" "<person, or nobody>", or a name of the caller's; "missed": notifications may have been lost
OnNotification = Callable[[str, str], None]
MAX_BATCH: Final = 512  # writes per commit
PROBE: Final = "probe "  # plus a process id: the row of a write probe
PROBE_KEPT_MS: Final = 86_400_000  # that such a row may stay without being written


class Database:
    """What the subjects of a store share. Subclasses implement appends, locks and notifications."""

    is_shared = False  # whether several processes may use it concurrently
    errors = DATABASE_ERRORS  # what its operations raise when it fails
    scrubbed = True  # whether no deleted data waits to be scrubbed

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.migrated_from: str | None = None  # the revision of a database of an earlier release
        self.probe_key = PROBE + secrets.token_hex(8)
        self.has_probed = False

    async def open_and_migrate(self) -> None:
        """Migrate the database to this release's schema, and start writing."""
        async with self.engine.begin() as connection:
            self.migrated_from = await connection.run_sync(upgrade_schema)

    async def close(self) -> None:
        """Write the rest, and close."""
        await self.engine.dispose()

    # --- logs of tables ---------------------------------------------------------------------------------------

    def append_entries(self, entries: list[LogEntry], summary: TableSummary | None = None) -> Awaitable[bool]:
        """Append consecutive events to one table's log, with the changed head, atomically.

        They are on disk when this returns. False: their numbers are taken. MissingLog: the event before them is
        missing. They are written even if the caller is cancelled.
        """
        raise NotImplementedError

    async def read_log_entries(self, table: str, after: int = 0) -> list[LogEntry]:
        """A table's log from a number on."""
        e = schema.entries.c
        asked = sa.select(e.seq, e.at, e.kind, e.data).where(e.table_id == table, e.seq > after).order_by(e.seq)
        return [
            LogEntry(table, seq, at, decode_event(kind, data)) for seq, at, kind, data in await self.fetch_rows(asked)
        ]

    # --- statements and transactions --------------------------------------------------------------------------

    async def fetch_rows(self, asked: sa.Select[*tuple[Any, ...]]) -> Sequence[Any]:
        async with self.engine.connect() as connection:
            found: Sequence[Any] = (await connection.execute(asked)).fetchall()
            return found

    async def commit_change(self, change: sa.Insert | sa.Update | sa.Delete) -> int:
        """Commit one change. Returns the number of rows."""
        async with self.engine.begin() as connection:
            return (await connection.execute(change)).rowcount

    async def try_commit_change(self, change: sa.Insert | sa.Update | sa.Delete) -> bool:
        """Commit a change that can wait: on a full disk a server starts all the same, to be read."""
        try:
            await self.commit_change(change)
        except DATABASE_ERRORS as error:
            if not is_database_unavailable(error):
                raise
            log.warning("the database can be read, but not written: %s", error)
            return False
        return True

    async def lock_table_logs_and_rows(self, connection: AsyncConnection) -> None:
        """Until the transaction ends nobody else writes to a log, or to a table's other rows."""
        raise NotImplementedError

    async def lock_user_row(self, connection: AsyncConnection, person: str) -> None:
        """Until the transaction, which begins with it, ends nobody else changes how a user signs in or whom they
        know."""
        await connection.execute(select_user_row_for_update(person))

    async def lock_ratings_and_deletions(self, connection: AsyncConnection) -> None:
        """Until the transaction ends nobody else rates a match or deletes a user."""
        raise NotImplementedError

    # --- several processes ------------------------------------------------------------------------------------

    async def notify_at_commit(self, connection: AsyncConnection, news: str) -> None:
        """Notify the other processes when a transaction is over."""

    def listen_for_notifications(self, on_notification: OnNotification) -> None:
        """Call `on_notification` with notifications from other processes on the same database."""

    async def notify_processes(self, kind: str, words: str) -> None:
        """Notify the other processes."""

    @property
    def missed_event_poll_interval_s(self) -> float | None:
        """Seconds until the next look for notifications that were lost without a word; None: there are none."""
        return None

    async def try_acquire_bot_lease(self, table: str) -> bool:
        """Whether this process is the one that runs a table's bots and clock."""
        return True

    async def release_bot_lease(self, table: str) -> None:
        """Let another process do so."""

    async def is_only_server_on_database(self) -> bool:
        """Whether no other server has this database open."""
        return True

    # --- files ------------------------------------------------------------------------------------------------

    async def scrub_deleted_data(self) -> bool:
        """Remove deleted data from the files, as far as the database allows. Returns whether it succeeded."""
        return True

    async def vacuum_database(self) -> bool:
        """Rewrite the files without deleted data. Returns whether it succeeded."""
        return True

    async def database_size_bytes(self) -> int | None:
        """The size of the database; None if it is not known."""
        return None

    # --- secrets and probes -----------------------------------------------------------------------------------

    async def get_or_create_secret(self, key: str) -> str:
        """A random secret, generated once and stored."""
        s = schema.settings.c
        for _ in range(2):
            found = await self.fetch_rows(sa.select(s.value).where(s.key == key))
            if found:
                return str(found[0][0])
            try:
                await self.commit_change(schema.settings.insert().values(key=key, value=secrets.token_hex(32)))
            except IntegrityError:
                continue
        return await self.get_or_create_secret(key)

    async def write_probe_row(self) -> None:
        """Write something as large as an event may be: it fails if events would.

        Each process has its own row, so that none waits for another, or takes that for a database error.
        """
        s, now = schema.settings, time.time_ns() // 1_000_000
        value = f"{now:015} {secrets.token_hex(4096)}"
        async with self.engine.begin() as connection:
            if not self.has_probed:  # rows of killed processes, and of older releases
                is_old = sa.and_(s.c.key.startswith(PROBE), s.c.value < f"{now - PROBE_KEPT_MS:015}")
                await connection.execute(s.delete().where(sa.or_(is_old, s.c.key == PROBE.strip())))
            changed = await connection.execute(s.update().where(s.c.key == self.probe_key).values(value=value))
            if not changed.rowcount:
                await connection.execute(s.insert().values(key=self.probe_key, value=value))
        self.has_probed = True


class Repository:
    """One subject of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.engine, self.fetch_rows, self.commit_change = database.engine, database.fetch_rows, database.commit_change


def summary_to_row_values(summary: TableSummary) -> tuple[Any, ...]:
    """In the order of the columns."""
    info = encode(summary.info).decode()
    whole = (
        summary.table,
        summary.game,
        summary.rules,
        summary.status,
        summary.public,
        summary.owner,
        summary.created,
        summary.updated,
    )
    return *whole, summary.deadline, info


def entry_to_row_values(entry: LogEntry) -> tuple[Any, ...]:
    """In the order of the columns."""
    return entry.table, entry.seq, entry.at, entry.kind, encode_event(entry.event)


def resolve_pending_futures(futures: Sequence[asyncio.Future[Any]], results: Sequence[Any]) -> None:
    """Resolve all waiting callers; some may be gone."""
    for done, result in zip(futures, results):
        if done.done():
            continue
        if isinstance(result, Exception):
            done.set_exception(result)
        else:
            done.set_result(result)
