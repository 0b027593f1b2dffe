"""Copies a SQLite database in use, and replaces a database with a copy, atomically."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from landfall.store.migrate import DatabaseError
from landfall.store.sqlite import has_write_ahead_log_of_another_database

PARTIAL: Final = ".partial"  # suffix of an incomplete copy
JOURNALS: Final = ("-wal", "-shm", "-journal")


def copy_database(source: Path, target: Path, in_use: bool = True) -> None:
    """Copy a database; `target` appears only when the copy is complete, intact and on disk.

    A copy is one file without a write-ahead log, which distinguishes it from a database in use. `in_use`: the source
    may be written to meanwhile; else it is only read.
    """
    partial = target.with_name(f".{target.name}{PARTIAL}")
    try:
        partial.unlink(missing_ok=True)  # of an interrupted copy
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with (
            closing(connect_to_existing_database(source, in_use)) as original,
            closing(sqlite3.connect(partial)) as copy,
        ):
            original.backup(copy)
            copy.execute("pragma journal_mode = delete")
            [(found,)] = copy.execute("pragma integrity_check(1)").fetchall()
            if found != "ok":
                raise DatabaseError(f"{source} is damaged: {found}")
        fsync_path(partial)
        partial.replace(target)
        fsync_path(target.parent)
    except sqlite3.Error as error:
        raise DatabaseError(f"{source}: {error}") from None
    except OSError as error:
        raise DatabaseError(f"{error.filename or target}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def connect_to_existing_database(path: Path, in_use: bool) -> sqlite3.Connection:
    """A connection to an existing database."""
    if in_use:
        mode = "mode=rw"
    elif is_nonempty_file(path.with_name(path.name + "-wal")):
        mode = "mode=ro"
    else:
        mode = "immutable=1"  # works on a read-only medium
    return sqlite3.connect(f"file:{quote(str(path.resolve()))}?{mode}", uri=True, timeout=10)


def is_database_in_use(path: Path) -> bool:
    """Whether a process has the database open: only the last one removes the write-ahead log."""
    if not is_nonempty_file(path) or has_write_ahead_log_of_another_database(path):
        return False
    try:
        with closing(sqlite3.connect(path, timeout=0)) as db:
            [(mode,)] = db.execute("pragma journal_mode = delete").fetchall()
            return bool(mode != "delete")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    except sqlite3.DatabaseError:  # damaged
        return False


def replace_database(path: Path, copy: Path) -> Path | None:
    """Replace a database that nobody uses with a copy. Returns the path of the old one, if there was one."""
    kept = None
    if is_nonempty_file(path):
        kept = path.with_name(f"{path.name}.before-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}")
        shutil.copy2(path, kept)
        fsync_path(kept)
    for ending in JOURNALS:  # SQLite would apply them to the copy
        journal = path.with_name(path.name + ending)
        if kept is not None and is_nonempty_file(journal) and ending != "-shm":
            journal.replace(kept.with_name(kept.name + ending))
        else:
            journal.unlink(missing_ok=True)
    fsync_path(path.parent)
    copy.replace(path)
    fsync_path(path.parent)
    return kept


def find_incomplete_copies(path: Path) -> list[Path]:
    """Incomplete copies beside a database."""
    return sorted(path.parent.glob(f".{path.name}*{PARTIAL}"))


def is_nonempty_file(path: Path) -> bool:
    """Whether a file exists and is not empty."""
    return path.exists() and path.stat().st_size > 0


def fsync_path(path: Path) -> None:
    """Wait until a file, or a folder's directory entries, are on disk."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
