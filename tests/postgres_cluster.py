"""A throw-away PostgreSQL cluster of this machine's own, for the tests that need one."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.conftest import lacking


def postgres_programs_folder() -> Path:
    """Where initdb and pg_ctl are; the newest there is."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: float(p.parent.parent.name))
    if found:
        return found[-1].parent
    path = shutil.which("initdb")
    return Path(path).parent if path else lacking("PostgreSQL (initdb)")


def run_as_postgres_user(folder: Path) -> list[str]:
    """initdb refuses root: then the user `postgres`, whom Debian's package makes, runs it."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("runuser") or subprocess.run(["id", "postgres"], capture_output=True).returncode:
        lacking("a user `postgres` to run PostgreSQL as")
    shutil.chown(folder, "postgres")
    return ["runuser", "-u", "postgres", "--"]


def run_as_cluster_owner(folder: Path, *words: str | Path) -> None:
    """A command as the owner of a cluster."""
    subprocess.run([*run_as_postgres_user(folder), *map(str, words)], check=True, capture_output=True, cwd="/")


@cache
def initialised_data_folder() -> Path:
    """The data of a cluster that was never started: to copy them is quicker than to make them again."""
    folder = Path(tempfile.mkdtemp(prefix="landfall-pg-"))
    kept = stop_and_delete_at_exit(folder, ["true"])
    kept.__enter__()
    atexit.register(kept.__exit__, None, None, None)
    new = ("-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C")
    run_as_cluster_owner(folder, postgres_programs_folder() / "initdb", "-D", folder / "data", *new)
    return folder / "data"


@contextmanager
def run_temporary_cluster() -> Iterator[str]:
    """The address of an empty database, for `--database`; all of it is gone afterwards."""
    tools = postgres_programs_folder()
    folder = Path(tempfile.mkdtemp(prefix="landfall-pg-"))
    run = run_as_postgres_user(folder)
    data = folder / "data"
    stop = [*run, str(tools / "pg_ctl"), "-D", str(data), "-w", "-s", "-m", "immediate", "stop"]
    with stop_and_delete_at_exit(folder, stop):
        run_as_cluster_owner(folder, "cp", "-R", "-p", initialised_data_folder(), data)
        address = f"postgresql+asyncpg://postgres@/postgres?host={folder}&port=54329"
        start_cluster(address)
        yield address


def run_pg_ctl(address: str, *words: str) -> None:
    """Tell pg_ctl something about a cluster."""
    folder = Path(address.partition("host=")[2].partition("&")[0])
    command = [
        *run_as_postgres_user(folder),
        str(postgres_programs_folder() / "pg_ctl"),
        "-D",
        str(folder / "data"),
        "-w",
        "-s",
        *words,
    ]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd="/")


def start_cluster(address: str) -> None:
    """Begin, or begin again after `stop_cluster_at_once`."""
    folder = address.partition("host=")[2].partition("&")[0]
    # A cluster that does not outlive the machine need not wait for its disk.
    settings = f"-k {folder} -c listen_addresses='' -c max_connections=200 -c fsync=off -p 54329"
    run_pg_ctl(address, "-l", f"{folder}/log", "-o", settings, "start")


def stop_cluster_at_once(address: str) -> None:
    """As a crash would: what is not on disk is lost, connections are cut."""
    run_pg_ctl(address, "-m", "immediate", "stop")


@contextmanager
def stop_and_delete_at_exit(folder: Path, stop: list[str]) -> Iterator[None]:
    """A process of its own waits for this one's end, however that comes, then stops the cluster and clears away."""
    script = 'folder=$1; shift; cat >&2; "$@"; rm -rf "$folder"'
    command = ["sh", "-c", script, "sh", str(folder), *stop]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, cwd="/", start_new_session=True):
        yield
