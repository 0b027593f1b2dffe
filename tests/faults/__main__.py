"""Inject faults from outside, and check what people saw: `python -m tests.faults [--seconds 5] [--only NAME ...]`.

Two servers, PostgreSQL and its standby, NATS and two bot processes, each in a network namespace of its own, with people
who play. One fault after the other, each for some seconds, then a pause. At the end the checker (`history_checker.py`)
compares what everybody was told with the rows of the database. It needs root, on Linux, and touches nothing outside its
namespaces.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import asyncpg

from tests.faults import namespace_network
from tests.faults.history_checker import Row, find_log_faults, find_long_waits
from tests.faults.persistent_players import Crowd
from tests.faults.skewed_clock_server import write_clock_offset
from tests.postgres_cluster import postgres_programs_folder, run_as_postgres_user

HOSTS: Final = ("database", "standby", "bus", "one", "other", "bots", "bots2")
DATABASES: Final = ("database", "standby")
REMOTE_WORKERS: Final = re.compile(rb'^landfall_job_workers\{pool="remote".*\} 2\.0$', re.MULTILINE)
WARMED_UP: Final = re.compile(rb'^landfall_job_seconds_count\{job="warm_up".*\} [1-9]', re.MULTILINE)
SERVERS: Final = ("one", "other")
BOTS: Final = ("bots", "bots2")
WAIT_LIMIT_S: Final = 10.0  # that anybody may wait after the end of a fault
START_S: Final = 240.0
DISK_MB: Final = 160
LOSS: Final = 0.05
HOUR: Final = 3600


def wait_for_bots(url: str) -> None:
    """Until a server knows both bot processes, and its own worker has started: a loaded machine is slow."""
    until = time.monotonic() + START_S
    while True:
        with urllib.request.urlopen(f"{url}/metrics", timeout=30) as answer:
            text = answer.read()
        if REMOTE_WORKERS.search(text) and WARMED_UP.search(text):
            return
        assert time.monotonic() < until, "the bots do not start"
        time.sleep(0.3)


def answers_with_200(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


class Installation:
    """All parts, each on its host."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.net = namespace_network.Network(HOSTS)
        at = self.net.addresses
        hosts = "&".join(f"host={at[name]}:5432" for name in DATABASES)
        self.database = f"postgresql+asyncpg://postgres@/postgres?{hosts}"
        self.bus = f"nats://{at['bus']}:4222"
        self.urls = [f"http://{at[name]}:8000" for name in SERVERS]
        self.primary = "database"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.disk = folder / "disk"
        self.disk.mkdir()
        namespace_network.run_command("mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", str(self.disk))
        self.as_postgres = run_as_postgres_user(self.disk)
        self.make_database()
        self.start_database()
        self.start_bus()
        for name in SERVERS:
            write_clock_offset(folder / f"{name}.clock", 0)
            self.start_server(name)
            self.wait_for_server(name)
        for name in BOTS:
            self.start_bots(name)
        for url in self.urls:
            wait_for_bots(url)

    # --- the database -----------------------------------------------------------------------------------------

    def make_database(self) -> None:
        words = ("-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C", "--wal-segsize=1")
        self.postgres("database", "initdb", *words)
        with (self.disk / "database" / "pg_hba.conf").open("a") as rules:
            rules.writelines(
                f"host {name} all {namespace_network.PREFIX}0/24 trust\n" for name in ("all", "replication")
            )

    def postgres(self, host: str, program: str, *words: str) -> None:
        """One of PostgreSQL's programs, on a host, for the data of that host."""
        command = [*self.as_postgres, str(postgres_programs_folder() / program), "-D", str(self.disk / host), *words]
        subprocess.run(
            ["ip", "netns", "exec", host, *command],
            check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/",
        )  # fmt: skip

    def control(self, *words: str, host: str = "database") -> None:
        self.postgres(host, "pg_ctl", "-w", "-s", *words)

    def start_database(self, host: str = "database") -> None:
        """Start it, as a supervisor would, until it answers."""
        sizes = "-c max_wal_size=24MB -c min_wal_size=4MB -c shared_buffers=16MB -c max_connections=80"
        settings = f"-c listen_addresses={self.net.addresses[host]} -c unix_socket_directories='' -p 5432 {sizes}"
        until = time.monotonic() + START_S
        while True:
            try:
                self.control("-l", "/dev/null", "-o", settings, "start", host=host)
            except subprocess.CalledProcessError:
                assert time.monotonic() < until, "PostgreSQL does not start"
                time.sleep(0.3)
            else:
                return

    def start_standby(self) -> None:
        """A second PostgreSQL follows the first, which from now on waits for it before it acknowledges."""
        source = f"host={self.net.addresses['database']} user=postgres application_name=standby"
        self.postgres("standby", "pg_basebackup", "-d", source, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        self.start_database("standby")
        change = "alter system set synchronous_standby_names = 'standby'"
        words = ["-h", self.net.addresses["database"], "-U", "postgres", "-c", change, "-c", "select pg_reload_conf()"]
        namespace_network.run_command(
            "ip", "netns", "exec", "standby", str(postgres_programs_folder() / "psql"), *words
        )

    def is_database_running(self) -> bool:
        try:
            self.control("status")
        except subprocess.CalledProcessError:
            return False
        return True

    # --- the others -------------------------------------------------------------------------------------------

    def start_bus(self) -> None:
        words = [shutil.which("nats-server") or "", "-a", self.net.addresses["bus"], "-p", "4222"]
        self.processes["bus"] = self.net.start("bus", words, self.folder / "bus.log")

    def start_server(self, name: str) -> None:
        given = {
            "host": self.net.addresses[name], "port": 8000, "database": self.database, "bus": self.bus,
            "clock": str(self.folder / f"{name}.clock"),
        }  # fmt: skip
        words = [sys.executable, "-m", "tests.faults.skewed_clock_server", json.dumps(given)]
        self.processes[name] = self.net.start(name, words, self.folder / f"{name}.log")

    def wait_for_server(self, name: str) -> None:
        until = time.monotonic() + START_S
        while not answers_with_200(f"{self.urls[SERVERS.index(name)]}/readyz"):
            assert self.processes[name].poll() is None, (self.folder / f"{name}.log").read_text()
            assert time.monotonic() < until, (self.folder / f"{name}.log").read_text()
            time.sleep(0.2)

    def start_bots(self, name: str) -> None:
        words = [sys.executable, "-c", "from landfall.cli import main; main()", "bots", "--bus", self.bus]
        self.processes[name] = self.net.start(name, [*words, "--bot-workers", "1"], self.folder / f"{name}.log")

    # --- faults -----------------------------------------------------------------------------------------------

    @contextmanager
    def stopped(self, host: str) -> Iterator[None]:
        """All processes of a host stand still."""
        self.net.signal(host, signal.SIGSTOP)
        try:
            yield
        finally:
            self.net.signal(host, signal.SIGCONT)

    @contextmanager
    def cut(self, *pairs: tuple[str, str]) -> Iterator[None]:
        self.net.cut(*pairs)
        try:
            yield
        finally:
            self.net.heal_all()

    @contextmanager
    def links_lossy(self) -> Iterator[None]:
        self.net.lose(LOSS)
        try:
            yield
        finally:
            self.net.heal_all()

    @contextmanager
    def killed(self, host: str, start: Callable[[], None]) -> Iterator[None]:
        self.net.signal(host, signal.SIGKILL)
        try:
            yield
        finally:
            start()

    @contextmanager
    def restarted(self) -> Iterator[None]:
        """PostgreSQL is stopped as a crash would, and started again."""
        self.control("-m", "immediate", "stop")
        try:
            yield
        finally:
            self.start_database()

    @contextmanager
    def database_failed_over(self) -> Iterator[None]:
        """The database's host dies for good; after a while its standby is promoted."""
        self.start_standby()
        self.net.signal("database", signal.SIGKILL)
        self.net.cut(*(("database", host) for host in HOSTS[1:]))
        try:
            yield
        finally:
            self.control("promote", host="standby")
            self.primary = "standby"

    @contextmanager
    def disk_full(self) -> Iterator[None]:
        """Not a byte is left where the database is."""
        filler = self.disk / "filler"
        with filler.open("wb", buffering=0) as file:
            block = b"x" * (1 << 20)
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while True:
                        file.write(block[:size])
                except OSError:
                    continue
        try:
            yield
        finally:
            filler.unlink()
            if not self.is_database_running():
                self.start_database()

    @contextmanager
    def clock_wrong(self, name: str, seconds: int) -> Iterator[None]:
        write_clock_offset(self.folder / f"{name}.clock", seconds)
        try:
            yield
        finally:
            write_clock_offset(self.folder / f"{name}.clock", 0)

    def server_killed(self) -> object:
        def start() -> None:
            self.start_server("one")
            self.wait_for_server("one")

        return self.killed("one", start)

    def faults(self) -> dict[str, Callable[[], object]]:
        """By name."""
        everything = [("one", host) for host in HOSTS if host != "one"]
        return {
            "process-database": lambda: self.cut(("one", "database")),
            "process-bus": lambda: self.cut(("one", "bus")),
            "process-everything": lambda: self.cut(*everything),
            "both-bus": lambda: self.cut(("one", "bus"), ("other", "bus")),
            "bots-bus": lambda: self.cut(("bots", "bus")),
            "loss": self.links_lossy,
            "database-restart": self.restarted,
            "bus-restart": lambda: self.killed("bus", self.start_bus),
            "process-killed": self.server_killed,
            "bots-killed": lambda: self.killed("bots", lambda: self.start_bots("bots")),
            "process-stopped": lambda: self.stopped("one"),
            "database-stopped": lambda: self.stopped("database"),
            "bus-stopped": lambda: self.stopped("bus"),
            "bots-stopped": lambda: self.stopped("bots"),
            "disk-full": self.disk_full,
            "clock-ahead": lambda: self.clock_wrong("one", HOUR),
            "clock-behind": lambda: self.clock_wrong("one", -HOUR),
            "database-failover": self.database_failed_over,  # the last one: the first database never returns
        }


async def read_logs(installation: Installation) -> dict[str, list[Row]]:
    """The rows of all tables, read by SQL."""
    host = installation.net.addresses[installation.primary]
    db = await asyncpg.connect(host=host, user="postgres", database="postgres")
    rows = await db.fetch("select table_id, seq, kind, data from entries order by table_id, seq")
    await db.close()
    logs: dict[str, list[Row]] = {}
    for row in rows:
        id_ = json.loads(row["data"]).get("id") if row["kind"] == "play" else None
        logs.setdefault(row["table_id"], []).append(Row(row["seq"], str(id_ or "").partition(".")[2]))
    return logs


async def inject_all_faults(
    installation: Installation, only: list[str], seconds: float, pause: float, pairs: int
) -> list[str]:
    """All faults in turn; what is wrong."""
    crowd = Crowd(installation.urls, pairs, pairs, seed=1, think_s=0.5)
    playing = asyncio.create_task(crowd.run())
    until = time.monotonic() + START_S
    while not crowd.is_lively:
        assert time.monotonic() < until, "nobody can play"
        await asyncio.sleep(0.1)
    crowd.waits.clear()  # for cold servers
    faults: list[tuple[float, float]] = []
    for name, make in installation.faults().items():
        if only and name not in only:
            continue
        before, begun = crowd.acknowledged, time.monotonic()
        fault = make()
        await asyncio.to_thread(fault.__enter__)  # type: ignore[attr-defined]
        await asyncio.sleep(seconds)
        await asyncio.to_thread(fault.__exit__, None, None, None)  # type: ignore[attr-defined]
        ended = time.monotonic()
        faults.append((begun, ended))
        during = crowd.acknowledged - before
        await asyncio.sleep(pause)
        waits = [w.until - max(ended, w.since) for w in crowd.waits if w.until > ended]
        waits += [time.monotonic() - max(ended, since) for since in crowd.waiting.values()]
        print(
            f"{name}: {ended - begun:.1f} s, {during} choices meanwhile, {crowd.acknowledged - before - during} in the "
            f"{pause:.0f} s after it, longest wait after its end {max(waits, default=0.0):.1f} s",
            flush=True,
        )
    crowd.stopping = True
    await asyncio.wait_for(playing, 60)
    crowd.end_waits()
    logs = await read_logs(installation)
    wrong = find_log_faults(logs, crowd.seen) + find_long_waits(crowd.waits, faults, WAIT_LIMIT_S)
    lost = installation.net.counts
    print(
        f"{crowd.tables} tables, {crowd.acknowledged} choices acknowledged, {sum(map(len, logs.values()))} rows, "
        f"{len(crowd.seen)} things seen; frames {lost}; wrong: {len(wrong)}"
    )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each fault")
    parser.add_argument("--pause", type=float, default=12.0, help="after each fault")
    parser.add_argument("--pairs", type=int, default=3, help="tables of two people, and as many with a bot")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these faults")
    given = parser.parse_args()
    if not os.environ.get(namespace_network.INSIDE):
        if missing := namespace_network.missing_requirements():
            print(f"not run: this needs {missing}")
            return 2
        namespace_network.enter_namespaces(["tests.faults", *sys.argv[1:]])
    with tempfile.TemporaryDirectory(prefix="landfall-faults-") as folder:
        Path(folder).chmod(0o755)
        try:
            installation = Installation(Path(folder))
            wrong = asyncio.run(inject_all_faults(installation, given.only, given.seconds, given.pause, given.pairs))
        finally:
            namespace_network.run_command("umount", "--lazy", f"{folder}/disk")
            if kept := os.environ.get("LANDFALL_FAULTS_LOGS"):
                for log in Path(folder).glob("*.log"):
                    shutil.copy(log, kept)
        for line in wrong[:50]:
            print(f"WRONG {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
