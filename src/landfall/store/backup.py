"""Copies a SQLite database in use, and replaces a database with a copy, atomically."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
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
        keep_under_another_name(path, kept)
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


def keep_under_another_name(path: Path, kept: Path) -> None:
    """The same file, with its owner and mode: nothing is copied where the disk allows two names for a file."""
    try:
        os.link(path, kept)
    except OSError:
        os.close(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        shutil.copy2(path, kept)
        fsync_path(kept)


@contextmanager
def owner_kept(path: Path) -> Iterator[None]:
    """What root makes beside a database meanwhile belongs to the database's owner afterwards, or, where there is none,
    to the owner of its folder: else the server, which is not root, could not open it."""
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    existed = path.exists()
    model = (path if existed else folder).stat()
    new_folders = [parent for parent in path.absolute().parents if not parent.exists()]
    try:
        yield
    finally:
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            beside = path.parent.glob(f"*{path.name}*") if path.parent.exists() else ()
            for made in (*new_folders, *beside):
                if made.exists() and made.stat().st_uid == 0:
                    os.chown(made, model.st_uid, model.st_gid)
            if existed and path.exists():
                path.chmod(stat.S_IMODE(model.st_mode))


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
