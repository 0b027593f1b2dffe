"""Backup and restore, of a SQLite file and of a PostgreSQL database."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from landfall.cli.database_access import Database, exit_with_error, make_store_or_exit, now_epoch_ms
from landfall.core.errors import LandfallError

if TYPE_CHECKING:
    from landfall.store.postgres import PostgresDatabase
    from landfall.store.sqlite import SqliteDatabase
    from landfall.store.store import Store

NAME_PATTERN = "landfall-????????-??????"  # of backups in a folder, before the ending
HOUR_S = 3600.0
RETRY_S = HOUR_S  # after a backup that failed, with --every


@dataclass(frozen=True)
class LogCount:
    """What was read while every log of a copy was checked."""

    tables: int
    entries: int
    damage: str = ""  # of the first damaged log


def back_up_database(
    file: Annotated[Path, typer.Argument(help="Where the copy goes; in a folder it is named by date and time (UTC).")],
    keep: Annotated[int | None, typer.Option(min=1, help="Of the copies in that folder, keep so many.")] = None,
    every: Annotated[
        float | None, typer.Option(min=0.001, help="Do not end: make a copy whenever the newest is so many hours old.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing if it went well.")] = False,
    database: Database = None,
) -> None:
    """Copy the database while the server runs: a SQLite file, or PostgreSQL by pg_dump, tried in a scratch database."""
    from landfall.store.sqlite import SqliteDatabase

    store = make_store_or_exit(database)
    used = store.database
    if isinstance(used, SqliteDatabase) and not used.path.exists():
        exit_with_error(f"there is no database at {used.path}")
    folder = file if file.is_dir() else None
    if (keep is not None or every is not None) and folder is None:
        exit_with_error(f"--keep and --every need a folder, and {file} is none")
    ending = ".db" if isinstance(used, SqliteDatabase) else ".dump"

    def make_one() -> None:
        target = folder / time.strftime(f"landfall-%Y%m%d-%H%M%S{ending}", time.gmtime()) if folder else file
        if target.exists():
            exit_with_error(f"{target} exists already")
        try:
            seen = copy_to_file(store, target)
        except LandfallError as error:
            record_backup(store, str(error))
            exit_with_error(str(error))
        record_backup(store)
        if folder is not None and keep is not None:
            for old in sorted(folder.glob(NAME_PATTERN + ending))[:-keep]:
                old.unlink()
        if not quiet:
            typer.echo(f"{target}: {target.stat().st_size:,} bytes{seen}")

    if every is None:
        make_one()
    else:
        repeat(make_one, every * HOUR_S, lambda: newest_time(folder or file, ending))


def repeat(make_one: Callable[[], None], interval_s: float, newest: Callable[[], float]) -> None:
    """Until the process is stopped. A container that is started again does not begin anew: the files say when."""
    while True:
        delay = newest() + interval_s - time.time()
        if delay > 0:
            time.sleep(delay)
        try:
            make_one()
        except typer.Exit:  # it said why
            time.sleep(min(RETRY_S, interval_s))


def newest_time(folder: Path, ending: str) -> float:
    return max((file.stat().st_mtime for file in folder.glob(NAME_PATTERN + ending)), default=0.0)


def copy_to_file(store: Store, target: Path) -> str:
    """Copy the database to a file that is complete and was checked; returns what is worth saying of it."""
    from landfall.store.backup import copy_database
    from landfall.store.sqlite import SqliteDatabase

    used = store.database
    if isinstance(used, SqliteDatabase):
        used.refuse_foreign_wal()
        copy_database(used.path, target)
        return ""
    from landfall.store.postgres import PostgresDatabase

    assert isinstance(used, PostgresDatabase)
    count = dump_and_try(used, target)
    if count.damage:  # what is there is saved all the same
        typer.echo(f"landfall: {count.damage}; `landfall host check` says more", err=True)
    return f", restored on trial: {count.tables} tables, {count.entries} entries"


def dump_and_try(used: PostgresDatabase, target: Path) -> LogCount:
    """Dump a database and read every log of the dump; a dump that cannot be restored is deleted."""
    from landfall.store.postgres_backup import dump_database, restored_beside

    dump_database(used.url, target)
    try:
        with restored_beside(used.url, target) as name:
            return asyncio.run(check_copy(store_of_postgres(used, name)))
    except LandfallError:
        target.unlink(missing_ok=True)
        raise


def store_of_postgres(used: PostgresDatabase, name: str) -> Store:
    """The store of another database on the same server."""
    return make_store_or_exit(used.url.set(database=name).render_as_string(hide_password=False))


def record_backup(store: Store, failure: str = "") -> None:
    """The host's page says when the last backup was made. A database that cannot be written is a good backup, too."""
    from landfall.store.database_errors import DATABASE_ERRORS
    from landfall.store.sqlite import SqliteDatabase

    async def write() -> None:
        if isinstance(store.database, SqliteDatabase):
            store.database.refuse_foreign_wal()  # to open it would mix the two
        try:
            await store.moderation.record_backup(now_epoch_ms(), failure)
        finally:
            await store.database.engine.dispose()

    with suppress(*DATABASE_ERRORS, LandfallError):
        asyncio.run(write())


def restore_database(
    file: Annotated[Path, typer.Argument(help="A copy that `backup` made.")],
    database: Database = None,
) -> None:
    """Replace the database with a backup, after checking every log in it. Stop the server first."""
    from landfall.store.sqlite import SqliteDatabase

    used = make_store_or_exit(database, beside=False).database
    kept: Path | str | None
    if not file.is_file():
        exit_with_error(f"there is no file {file}")
    try:
        if isinstance(used, SqliteDatabase):
            count, kept = restore_sqlite(file, used)
        else:
            from landfall.store.postgres import PostgresDatabase

            assert isinstance(used, PostgresDatabase)
            count, kept = restore_postgres(file, used)
    except LandfallError as error:
        exit_with_error(str(error))
    typer.echo(f"restored: {count.tables} tables, {count.entries} entries")
    if kept is not None:
        typer.echo(f"the database as it was: {kept}")


def restore_sqlite(file: Path, current: SqliteDatabase) -> tuple[LogCount, Path | None]:
    from landfall.store.backup import copy_database, is_database_in_use, owner_kept, replace_database
    from landfall.store.sqlite import SqliteDatabase
    from landfall.store.store import Store

    if file.resolve() == current.path.resolve():
        exit_with_error(f"{file} is the database itself")
    draft = current.path.with_name(f".{current.path.name}.restore.partial")
    with owner_kept(current.path):
        try:
            current.make_private_folders()
            current.take_exclusive_file_lock()
            if is_database_in_use(current.path):
                exit_with_error(f"another process is using {current.path}: stop it first")
            copy_database(file, draft, in_use=False)
            count = asyncio.run(check_copy(Store(SqliteDatabase(draft)), read_deleted_user_ids(current.path)))
            refuse_damage(count)
            if is_database_in_use(draft):  # which removes its write-ahead log
                exit_with_error(f"nothing was replaced: another process is using {draft}")
            return count, replace_database(current.path, draft)
        finally:
            for ending in ("", "-wal", "-shm", ".lock"):
                draft.with_name(draft.name + ending).unlink(missing_ok=True)
            current.release_exclusive_lock()


def restore_postgres(file: Path, current: PostgresDatabase) -> tuple[LogCount, str | None]:
    from landfall.store.postgres_backup import count_sessions, restored_beside, swap_database

    if count_sessions(current.url):
        exit_with_error(f"others are connected to {current.url.database}: stop the servers first")
    deleted = asyncio.run(list_deleted_users(current))
    with restored_beside(current.url, file) as name:
        count = asyncio.run(check_copy(store_of_postgres(current, name), deleted))
        refuse_damage(count)
        return count, swap_database(current.url, name)


def refuse_damage(count: LogCount) -> None:
    if count.damage:
        exit_with_error(f"nothing was replaced: {count.damage}")


async def check_copy(store: Store, deleted: list[str] | None = None) -> LogCount:
    """Read every log of a copy, which is migrated to this release's schema, until one is damaged; and delete from it
    users who were deleted since. A SQLite copy is a single file afterwards."""
    from landfall.tables.log.log_check import check_table_log

    await store.database.open_and_migrate()
    try:
        tables = entries = 0
        for table in await store.tables.list_all_table_ids():
            one = await check_table_log(store, table)
            if one.damaged and one.fault is not None:
                damage = f"table {table} is damaged at entry {one.fault.entry}: {one.fault.reason}"
                return LogCount(tables, entries, damage)
            tables, entries = tables + 1, entries + len(one.entries)
        for person in deleted or ():
            await store.personal_data.erase_user(person)
    finally:
        await store.database.close()
    return LogCount(tables, entries)


def read_deleted_user_ids(path: Path) -> list[str]:
    """The recently deleted users, as far as the database to be replaced still records them."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)) as db:
            return [row[0] for row in db.execute("select person from forgotten")]
    except sqlite3.Error:
        return []


async def list_deleted_users(current: PostgresDatabase) -> list[str]:
    """The same of a PostgreSQL database, which may be missing."""
    from landfall.store.database_errors import DATABASE_ERRORS

    try:
        async with current.engine.connect() as connection:
            return [str(row[0]) for row in await connection.exec_driver_sql("select person from forgotten")]
    except DATABASE_ERRORS:
        return []
    finally:
        await current.close()
