"""SQLite with a write-ahead log: one thread appends, with many events per commit; one process at a time."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from landfall.store import schema
from landfall.store.database import (
    MAX_BATCH,
    Database,
    entry_to_row_values,
    resolve_pending_futures,
    summary_to_row_values,
)
from landfall.store.database_errors import is_database_unavailable
from landfall.store.migrate import DatabaseError
from landfall.store.notices import TURN, notice_to_row_values
from landfall.store.row_types import LogEntry, MissingLog, TableSummary

try:
    import fcntl
except ImportError:  # Windows: no locks, so a second process is not prevented
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger("landfall")
BUSY_INTERVAL_S: Final = 0.012  # since the last commit, within which more are likely
BUSY_TIMEOUT_S: Final = 3.0  # for another connection's lock
COMMIT_TIMEOUT_S: Final = 5.0  # after which callers stop waiting for the disk
GATHER_DELAY_S: Final = 0.010  # to wait for more then: a commit costs the same for one as for many
INSERT_ENTRY: Final = (
    "insert into entries (table_id, seq, at, kind, data) values (?, ?, ?, ?, ?) on conflict (table_id, seq) do nothing"
)
HAS_ENTRY: Final = "select 1 from entries where table_id = ? and seq = ?"
UPSERT_TABLE: Final = (
    "insert into tables (id, game, rules, status, public, owner, created, updated, deadline, info) "
    "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do update set status = excluded.status, "
    "public = excluded.public, owner = excluded.owner, updated = excluded.updated, deadline = excluded.deadline, "
    "info = excluded.info"
)
DELETE_TURNS: Final = f"delete from notifications where topic = ? and kind = '{TURN}'"
INSERT_NOTICE: Final = (
    "insert into notifications (key, person, kind, topic, other, at, due, data, seen) "
    "values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
)
INSERT_MEMBER: Final = "insert into members (person, table_id) values (?, ?) on conflict do nothing"
SCRUB_TIMEOUT_S: Final = 0.2  # writers wait as long
VACUUM_TIMEOUT_S: Final = 10.0
FIRST_WITHOUT_REMAINS: Final = "0006"  # revisions before it left deleted names in free space
RESTORE_HINT: Final = "stop the server, then use `landfall host restore FILE` instead of copying"
PRAGMAS: Final = (
    "journal_mode = wal",
    "synchronous = full",  # a commit survives a power failure
    f"busy_timeout = {int(BUSY_TIMEOUT_S * 1000)}",
    "foreign_keys = on",
    "secure_delete = on",  # deleted data is overwritten, not only unlinked
)
PendingWrite = tuple[list[LogEntry], TableSummary | None, "asyncio.Future[bool]"]


class RollingBackConnection(sqlite3.Connection):
    """A connection that ends its transaction when it is closed. SQLite itself does so only when the last cursor is
    gone, and the exception of a cancelled task may keep one: meanwhile nobody could write.
    """

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self.rollback()
        super().close()


def set_sqlite_pragmas(db: Any, *_: object) -> None:
    """Settings of every connection."""
    for pragma in PRAGMAS:
        db.execute(f"pragma {pragma}")


class SqliteDatabase(Database):
    """A database in one file."""

    def __init__(
        self, path: Path, beside: bool = False, gather: float = GATHER_DELAY_S, own_folder: bool = False
    ) -> None:
        super().__init__(
            create_async_engine(f"sqlite+aiosqlite:///{path}", connect_args={"factory": RollingBackConnection})
        )
        event.listen(self.engine.sync_engine, "connect", set_sqlite_pragmas)
        self.path = path
        self.beside = beside  # a server may be using the file as well: write no events, lock nobody out
        self.gather = gather
        self.own_folder = own_folder  # nothing else is in it, so only its owner may read it
        self.lock: int | None = None
        self.waiting: list[PendingWrite] = []  # for the next commit
        self.under_way = False  # a commit is scheduled or in progress
        self.committed = 0.0  # time of the last one
        self.is_late = False  # the thread is late: its data may be on disk, or will be
        self.late_timer: asyncio.TimerHandle | None = None
        self.queue: SimpleQueue[list[PendingWrite] | None] = SimpleQueue()
        self.thread: threading.Thread | None = None

    async def open_and_migrate(self) -> None:
        try:
            self.restrict_file_permissions()
            self.refuse_foreign_wal()
            if not self.beside:
                self.take_exclusive_file_lock()
            await super().open_and_migrate()
            if not self.beside:  # the process that had tables open is gone
                await self.try_commit_change(schema.open_tables.delete())
            if self.migrated_from is not None and self.migrated_from < FIRST_WITHOUT_REMAINS:
                await self.vacuum_database()
            db = self.open_writing_connection()
        except (sqlite3.DatabaseError, SQLAlchemyError, OSError) as error:
            await self.close()
            reason = error.strerror if isinstance(error, OSError) else str(error).splitlines()[0]
            raise DatabaseError(f"{self.path}: {reason}") from None
        except DatabaseError:
            await self.close()
            raise
        if self.beside:
            db.close()
        else:
            loop = asyncio.get_running_loop()
            self.thread = threading.Thread(target=self.run_writer_thread, args=(loop, db), name="writer", daemon=True)
            self.thread.start()

    def restrict_file_permissions(self) -> None:
        """These files contain table keys and sessions: only their owner may read them."""
        self.make_private_folders()
        if self.own_folder:
            self.path.parent.chmod(0o700)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        for kept in ("", "-wal", "-shm", ".lock"):
            with suppress(FileNotFoundError, PermissionError):  # missing yet; or another user's, who let us in
                self.path.with_name(self.path.name + kept).chmod(0o600)

    def make_private_folders(self) -> None:
        """Create missing folders, each for its owner only; `mkdir(parents=True)` would create parents as 0755."""
        for folder in reversed([self.path.parent, *self.path.parent.parents]):
            if not folder.exists():
                folder.mkdir(mode=0o700, exist_ok=True)

    def refuse_foreign_wal(self) -> None:
        if has_write_ahead_log_of_another_database(self.path):
            raise DatabaseError(f"{self.path}-wal belongs to another database: {RESTORE_HINT}")

    def open_writing_connection(self) -> sqlite3.Connection:
        """A writing connection, for one thread."""
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        set_sqlite_pragmas(db)
        db.execute("begin immediate")
        db.execute("rollback")
        return db

    def take_exclusive_file_lock(self) -> None:
        """A second server on the same file would miss the first one's events: refuse it."""
        if fcntl is None:
            return
        self.lock = os.open(self.path.with_name(self.path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self.lock)
            self.lock = None
            reason = f"another process is using {self.path}; several processes need PostgreSQL"
            raise DatabaseError(reason) from None

    # --- scrubbing deleted data -------------------------------------------------------------------------------

    async def lock_table_logs_and_rows(self, connection: AsyncConnection) -> None:
        await connection.exec_driver_sql("begin immediate")

    async def lock_user_row(self, connection: AsyncConnection, person: str) -> None:
        await connection.exec_driver_sql("begin immediate")

    async def lock_ratings_and_deletions(self, connection: AsyncConnection) -> None:
        await connection.exec_driver_sql("begin immediate")

    async def scrub_deleted_data(self) -> bool:
        """Truncate the write-ahead log: it still holds pages from before a deletion."""
        self.scrubbed = await asyncio.to_thread(
            self.run_exclusive_statement, "pragma wal_checkpoint(truncate)", SCRUB_TIMEOUT_S
        )
        return self.scrubbed

    async def vacuum_database(self) -> bool:
        """Rewrite the whole file without deleted data. Nobody writes meanwhile."""
        done = await asyncio.to_thread(self.run_exclusive_statement, "vacuum", VACUUM_TIMEOUT_S)
        return await self.scrub_deleted_data() and done

    async def database_size_bytes(self) -> int | None:
        files = (self.path.with_name(self.path.name + ending) for ending in ("", "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def run_exclusive_statement(self, statement: str, timeout: float) -> bool:
        """Run a statement that other connections can block. Returns whether it succeeded."""
        db = sqlite3.connect(self.path, timeout=timeout, isolation_level=None)
        try:
            answer = db.execute(statement).fetchone()
            return answer is None or answer[0] == 0
        except sqlite3.OperationalError as error:
            log.warning("deleted rows may still be in the database's free space: %s", error)
            return False
        finally:
            db.close()

    async def close(self) -> None:
        if self.thread is not None:
            while self.waiting or self.under_way:
                await asyncio.sleep(self.gather)
            self.queue.put(None)
            await asyncio.to_thread(self.thread.join)
            self.thread = None
        await super().close()
        self.release_exclusive_lock()

    def release_exclusive_lock(self) -> None:
        """Undo `take_exclusive_file_lock`."""
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    # --- queueing for the writer's thread -------------------------------------------------------------------------

    def append_entries(self, entries: list[LogEntry], summary: TableSummary | None = None) -> Awaitable[bool]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[bool] = loop.create_future()
        if self.is_late:
            done.set_exception(TimeoutError("the disk does not answer"))
            return done
        self.waiting.append((entries, summary, done))
        if not self.under_way:
            self.schedule_commit(loop)
        return done

    def schedule_commit(self, loop: asyncio.AbstractEventLoop) -> None:
        """Commit the queue: at once, or if more is likely to come, after a short delay."""
        self.under_way = True
        if time.monotonic() - self.committed < BUSY_INTERVAL_S:
            loop.call_later(self.gather, self.start_commit)
        else:
            loop.call_soon(self.start_commit)

    def start_commit(self) -> None:
        batch, self.waiting = self.waiting[:MAX_BATCH], self.waiting[MAX_BATCH:]
        self.late_timer = asyncio.get_running_loop().call_later(COMMIT_TIMEOUT_S, self.time_out_pending_writes, batch)
        self.queue.put(batch)

    def time_out_pending_writes(self, batch: list[PendingWrite]) -> None:
        """Stop waiting for a commit that does not end, and for those behind it. Until it ends, no log is read: what is
        absent now may be written later.
        """
        self.is_late = True
        waiting, self.waiting = [*batch, *self.waiting], []
        resolve_pending_futures(
            [done for _, _, done in waiting], [TimeoutError("the disk does not answer") for _ in waiting]
        )

    async def read_log_entries(self, table: str, after: int = 0) -> list[LogEntry]:
        if self.is_late:
            raise TimeoutError("the disk does not answer")
        return await super().read_log_entries(table, after)

    def on_batch_committed(
        self, loop: asyncio.AbstractEventLoop, batch: list[PendingWrite], results: list[bool | Exception]
    ) -> None:
        """A batch was written, or failed."""
        self.committed = time.monotonic()
        self.under_way = self.is_late = False
        if self.late_timer is not None:
            self.late_timer.cancel()
        if self.waiting:
            self.schedule_commit(loop)
        resolve_pending_futures([done for _, _, done in batch], results)

    # --- the writer's thread ----------------------------------------------------------------------------------

    def run_writer_thread(self, loop: asyncio.AbstractEventLoop, db: sqlite3.Connection) -> None:
        """Write batches until None comes."""
        try:
            while (batch := self.queue.get()) is not None:
                loop.call_soon_threadsafe(self.on_batch_committed, loop, batch, self.commit_batch(db, batch))
        finally:
            db.close()

    def commit_batch(self, db: sqlite3.Connection, batch: list[PendingWrite]) -> list[bool | Exception]:
        """One transaction; if an item cannot be written, a second one for all others."""
        try:
            try:
                return self.commit_in_one_transaction(db, batch, self.insert_entries_and_summary)
            except Exception as error:
                if is_database_unavailable(error):
                    raise
                return self.commit_in_one_transaction(db, batch, self.insert_in_savepoint)
        except Exception as error:  # a full disk, a lost file: nothing was written, and every caller gets the error
            return [error] * len(batch)

    def commit_in_one_transaction(
        self, db: sqlite3.Connection, batch: list[PendingWrite], put: Callable[..., bool | Exception]
    ) -> list[bool | Exception]:
        """All or nothing."""
        try:
            db.execute("begin immediate")
            results = [put(db, entries, summary) for entries, summary, _ in batch]
            db.execute("commit")
        except Exception:
            if db.in_transaction:
                db.execute("rollback")
            raise
        return results

    def insert_in_savepoint(
        self, db: sqlite3.Connection, entries: list[LogEntry], summary: TableSummary | None
    ) -> bool | Exception:
        """One item of a batch in isolation: its error affects its caller only."""
        db.execute("savepoint one")
        try:
            return self.insert_entries_and_summary(db, entries, summary)
        except Exception as error:
            if is_database_unavailable(error):
                raise
            db.execute("rollback to one")
            return error
        finally:
            if db.in_transaction:
                db.execute("release one")

    def insert_entries_and_summary(
        self, db: sqlite3.Connection, entries: list[LogEntry], summary: TableSummary | None
    ) -> bool | Exception:
        table, seq = entries[0].table, entries[0].seq
        if seq > 1 and db.execute(HAS_ENTRY, (table, seq - 1)).fetchone() is None:
            return MissingLog(table)
        if db.execute(INSERT_ENTRY, entry_to_row_values(entries[0])).rowcount == 0:
            return False
        for entry in entries[1:]:  # if one is free, all after it are
            db.execute(INSERT_ENTRY, entry_to_row_values(entry))
        if summary is not None:
            db.execute(UPSERT_TABLE, summary_to_row_values(summary))
            db.executemany(INSERT_MEMBER, [(person, summary.table) for person in summary.people])
            if summary.notices is not None:
                db.execute(DELETE_TURNS, (summary.table,))
                db.executemany(INSERT_NOTICE, [notice_to_row_values(notice) for notice in summary.notices])
        return True


def has_write_ahead_log_of_another_database(path: Path) -> bool:
    """Whether a write-ahead log lies beside a file that never had one: a backup was copied over a database in use.

    Backups have none (see `backup`); SQLite would silently mix the two.
    """
    try:
        with path.open("rb") as file:
            versions = file.read(20)[18:]
        return versions == b"\1\1" and path.with_name(path.name + "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False
