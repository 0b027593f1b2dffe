"""Backups of a PostgreSQL database with PostgreSQL's own programs: pg_dump, pg_restore, createdb, dropdb, psql.

A dump is restored into a database of its own, beside the one in use, and only a name changes when it takes its place.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL

from landfall.store.backup import PARTIAL, fsync_path
from landfall.store.migrate import DatabaseError

SCRATCH: Final = "_scratch_"  # between a database's name and a random suffix: its dump is tried there
LOCK_WAIT_MS: Final = 60_000  # for a migration that holds a table
PSQL: Final = ("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c")
LIBPQ_OPTIONS: Final = {"ssl": "PGSSLMODE", "sslmode": "PGSSLMODE"}  # options of an address, besides host and port


def connection_environment(url: URL, database: str | None = None) -> dict[str, str]:
    """A database's address as libpq reads it: not on the command line, which everybody on the machine may read."""
    found = {"PGDATABASE": database or url.database or "", "PGCONNECT_TIMEOUT": "10"}
    if url.username:
        found["PGUSER"] = url.username
    if url.password:
        found["PGPASSWORD"] = str(url.password)
    if url.host:
        found["PGHOST"], found["PGPORT"] = url.host, str(url.port or 5432)
    hosts, ports = url.query.get("host"), url.query.get("port")
    if isinstance(hosts, tuple):  # each may bring its port
        places = [host.rpartition(":") if ":" in host else (host, "", "5432") for host in hosts]
        found["PGHOST"], found["PGPORT"] = ",".join(p[0] for p in places), ",".join(p[2] for p in places)
        found["PGTARGETSESSIONATTRS"] = "read-write"
    elif hosts:
        found["PGHOST"] = hosts
    if isinstance(ports, str):
        found["PGPORT"] = ports
    for key, value in url.query.items():
        if key in LIBPQ_OPTIONS and isinstance(value, str):
            found[LIBPQ_OPTIONS[key]] = value
    return found


def run_program(url: URL, *words: str | Path, database: str | None = None) -> str:
    """Run one of PostgreSQL's programs. Returns what it printed; DatabaseError with its last complaint."""
    environment = {**os.environ, **connection_environment(url, database), "LC_ALL": "C"}
    try:
        done = subprocess.run(
            list(map(str, words)), env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise DatabaseError(f"{words[0]} is not installed (Debian: apt install postgresql-client)") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit status {done.returncode}"]
        told = next((line for line in lines if "error" in line.lower() or "fatal" in line.lower()), lines[-1])
        raise DatabaseError(f"{words[0]}: {told.removeprefix(f'{words[0]}: ')}")
    return done.stdout


def run_statement(url: URL, statement: str) -> str:
    """Run SQL outside the database itself, as an administrator does: in `postgres`, which every server has."""
    return run_program(
        url, "psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", statement, database="postgres"
    )


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def quote_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def dump_database(url: URL, target: Path) -> None:
    """Dump a database in use; `target` appears only when the dump is complete and on disk."""
    partial = target.with_name(f".{target.name}{PARTIAL}")
    try:
        partial.unlink(missing_ok=True)
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        run_program(
            url, "pg_dump", "--format=custom", "--no-owner", "--no-privileges",
            f"--lock-wait-timeout={LOCK_WAIT_MS}", "--file", partial,
        )  # fmt: skip
        fsync_path(partial)
        partial.replace(target)
        fsync_path(target.parent)
    except OSError as error:
        raise DatabaseError(f"{error.filename or target}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def list_databases(url: URL) -> list[str]:
    return run_statement(url, "select datname from pg_database").split("\n")[:-1]


@contextmanager
def restored_beside(url: URL, dump: Path) -> Iterator[str]:
    """The name of a new database that a dump was restored into; dropped at the end unless it was renamed meanwhile."""
    prefix = f"{url.database}{SCRATCH}"
    for left in list_databases(url):
        if left.startswith(prefix):
            with suppress(DatabaseError):  # another backup is at it
                run_program(url, "dropdb", "--if-exists", left, database="postgres")
    name = prefix + secrets.token_hex(4)
    run_program(url, "createdb", "--template=template0", "--encoding=UTF8", name, database="postgres")
    try:
        run_program(
            url, "pg_restore", "--exit-on-error", "--no-owner", "--no-privileges", f"--dbname={name}", dump,
            database=name,
        )  # fmt: skip
        if (
            run_program(url, "psql", "-XAtq", "-c", "select to_regclass('alembic_version')", database=name).strip()
            == ""
        ):
            raise DatabaseError(f"{dump} holds no database of Landfall")
        yield name
    finally:
        with suppress(DatabaseError):
            run_program(url, "dropdb", "--if-exists", "--force", name, database="postgres")


def count_sessions(url: URL) -> int:
    """How many connections a database has."""
    name = quote_text(url.database or "")
    return int(run_statement(url, f"select count(*) from pg_stat_activity where datname = {name}"))


def swap_database(url: URL, restored: str) -> str | None:
    """Give a database's name to another one, in one transaction. Returns the new name of the old one, if there was
    one. Refused while anybody is connected to either."""
    name, kept = url.database or "", None
    statements = []
    if name in list_databases(url):
        kept = f"{name}_before_{time.strftime('%Y%m%d_%H%M%S', time.gmtime())}"
        statements.append(f"alter database {quote_name(name)} rename to {quote_name(kept)}")
    statements.append(f"alter database {quote_name(restored)} rename to {quote_name(name)}")
    run_statement(url, "; ".join(statements))
    return kept
