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


def programs() -> Path:
    """Where initdb and pg_ctl are; the newest there is."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: float(p.parent.parent.name))
    if found:
        return found[-1].parent
    path = shutil.which("initdb")
    return Path(path).parent if path else lacking("PostgreSQL (initdb)")


def prefix(folder: Path) -> list[str]:
    """initdb refuses root: then the user `postgres`, whom Debian's package makes, runs it."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("runuser") or subprocess.run(["id", "postgres"], capture_output=True).returncode:
        lacking("a user `postgres` to run PostgreSQL as")
    shutil.chown(folder, "postgres")
    return ["runuser", "-u", "postgres", "--"]


def call(folder: Path, *words: str | Path) -> None:
    """A command as the owner of a cluster."""
    subprocess.run([*prefix(folder), *map(str, words)], check=True, capture_output=True, cwd="/")


@cache
def template() -> Path:
    """The data of a cluster that was never started: to copy them is quicker than to make them again."""
    folder = Path(tempfile.mkdtemp(prefix="landfall-pg-"))
    kept = gone_afterwards(folder, ["true"])
    kept.__enter__()
    atexit.register(kept.__exit__, None, None, None)
    new = ("-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C")
    call(folder, programs() / "initdb", "-D", folder / "data", *new)
    return folder / "data"


@contextmanager
def cluster() -> Iterator[str]:
    """The address of an empty database, for `--database`; all of it is gone afterwards."""
    tools = programs()
    folder = Path(tempfile.mkdtemp(prefix="landfall-pg-"))
    run = prefix(folder)
    data = folder / "data"
    stop = [*run, str(tools / "pg_ctl"), "-D", str(data), "-w", "-s", "-m", "immediate", "stop"]
    with gone_afterwards(folder, stop):
        call(folder, "cp", "-R", "-p", template(), data)
        address = f"postgresql+asyncpg://postgres@/postgres?host={folder}&port=54329"
        start(address)
        yield address


def control(address: str, *words: str) -> None:
    """Tell pg_ctl something about a cluster."""
    folder = Path(address.partition("host=")[2].partition("&")[0])
    command = [*prefix(folder), str(programs() / "pg_ctl"), "-D", str(folder / "data"), "-w", "-s", *words]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd="/")


def start(address: str) -> None:
    """Begin, or begin again after `stop`."""
    folder = address.partition("host=")[2].partition("&")[0]
    # A cluster that does not outlive the machine need not wait for its disk.
    settings = f"-k {folder} -c listen_addresses='' -c max_connections=200 -c fsync=off -p 54329"
    control(address, "-l", f"{folder}/log", "-o", settings, "start")


def stop(address: str) -> None:
    """As a crash would: what is not on disk is lost, connections are cut."""
    control(address, "-m", "immediate", "stop")


@contextmanager
def gone_afterwards(folder: Path, stop: list[str]) -> Iterator[None]:
    """A process of its own waits for this one's end, however that comes, then stops the cluster and clears away."""
    script = 'folder=$1; shift; cat >&2; "$@"; rm -rf "$folder"'
    command = ["sh", "-c", script, "sh", str(folder), *stop]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, cwd="/", start_new_session=True):
        yield
