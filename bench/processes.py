"""How far several processes on one PostgreSQL go: `python -m bench.processes [--processes 1 2 4] [--news notify nats]`.

Four people at each table, each connected to the next process in turn, so that every choice crosses between processes.
The rate of choices grows until the 99th percentile, from a choice sent to the last seat informed, passes 100 ms.
Printed for each number of processes: the highest rate below that, and there the processor time of a choice by who
spends it.
NOTIFY and NATS take turns. The load runs on the same machine, so compare ratios of one run only. `--write` notes the
figures with NOTIFY for `bench.capacity`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec

from bench.capacity import RESULTS, Measured
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.bench.load_test import (
    WIDE_LIMITS,
    LoadGenerator,
    LoadResult,
    process_cpu_and_memory,
    wait_until_port_answers,
)
from landfall.web.serve import open_listening_socket, run_server_process
from landfall.web.settings import Settings
from tests.nats_server import NatsServer
from tests.postgres_cluster import run_temporary_cluster
from tests.server.real_server import free_port

MAX_P99_MS: Final = 100.0
RATES: Final = tuple(round(50 * 1.12**n) for n in range(30))  # up to 1,300
NEWS: Final = ("notify", "nats")


def serve(port: int, database: str, bus: str | None) -> None:
    """One server process."""
    settings = Settings(
        database=database,
        bus=bus,
        port=port,
        log_level="error",
        limits=WIDE_LIMITS,
        bot_workers=0 if bus is None else 1,
        exhibition=False,
        make_runtime=lambda: Runtime(answer_hold_ms=0, bot_pace_ms=0),
    )
    run_server_process(settings, open_listening_socket(settings))


class SpreadLoad(LoadGenerator):
    """People of one table are at several processes."""

    def __init__(self, ports: list[int], tables: int, seed: int) -> None:
        super().__init__(ports[0], tables, seed)
        self.ports = ports

    def server_port_of_seat(self, table: int, seat: int) -> int:
        return self.ports[(table + seat) % len(self.ports)]


def database_processes(database: str) -> list[int]:
    """The processes of a cluster."""
    folder = Path(database.partition("host=")[2].partition("&")[0])
    parent = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    found = [parent]
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == parent:
            found.append(int(path.parent.name))
    return found


@dataclass
class Found:
    """One number of processes with one kind of news."""

    best: float = 0.0  # choices per second below the limit
    p99: float = 0.0
    generator_us: float = 0.0  # processor time of a choice
    server_us: float = 0.0
    database_us: float = 0.0
    bus_us: float = 0.0
    steps: list[str] = field(default_factory=list)


async def raise_rate_until_late(
    load: SpreadLoad, pids: list[int], database: str, bus: NatsServer | None, seconds: float, start: float
) -> Found:
    """Raise the rate until answers are late."""
    found = Found()
    for rate in (rate for rate in RATES if rate >= start):
        others = [database_processes(database), [bus.process.pid] if bus is not None and bus.process else []]
        before = [sum(process_cpu_and_memory(pid)[0] for pid in some) for some in others]
        own = time.process_time()
        result: LoadResult = await load.run_load(seconds, *pids, rate=float(rate))
        after = [
            sum(process_cpu_and_memory(pid)[0] for pid in some if Path(f"/proc/{pid}").exists()) for some in others
        ]
        p99, reached = result.latency_percentile_ms(0.99), result.moves / seconds
        found.steps.append(
            f"{rate}/s: {reached:.0f} done, p50 {result.latency_percentile_ms(0.5):.1f} ms, p99 {p99:.1f} ms"
        )
        own = time.process_time() - own
        if p99 > MAX_P99_MS or reached < 0.9 * rate:
            break
        found.best, found.p99 = reached, p99
        parts = (own, result.cpu, *(b - a for a, b in zip(before, after, strict=True)))
        by_part = (cpu / result.moves * 1e6 for cpu in parts)
        found.generator_us, found.server_us, found.database_us, found.bus_us = by_part
    return found


async def measure(database: str, news: str, processes: int, tables: int, seconds: float, start: float) -> Found:
    """Start the processes, let people sit down, and raise the rate until answers are late."""
    with ExitStack() as cleanup:
        bus = cleanup.enter_context(NatsServer()) if news == "nats" else None
        pids, ports = [], []
        for _ in range(processes):
            port = free_port()
            process = get_context("spawn").Process(target=serve, args=(port, database, bus.url if bus else None))
            process.start()
            cleanup.callback(process.join)
            cleanup.callback(process.kill)
            assert process.pid is not None
            pids.append(process.pid)
            ports.append(port)
        for port in ports:
            await wait_until_port_answers(port)
        load = SpreadLoad(ports, tables, 1)
        await load.connect_seats()
        await load.run_load(2, *pids)  # warm-up
        gc.collect()
        gc.freeze()
        return await raise_rate_until_late(load, pids, database, bus, seconds, start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--news", choices=NEWS, nargs="+", default=list(NEWS))
    parser.add_argument("--tables", type=int, default=240)
    parser.add_argument("--start", type=float, default=100.0, help="the first rate, in choices a second")
    parser.add_argument("--seconds", type=float, default=5.0, help="of a window")
    parser.add_argument("--write", action="store_true", help="note the figures for bench.capacity")
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, {given.tables} tables of four")
    first: Found | None = None
    measured: list[Measured] = []
    for processes in given.processes:
        for news in given.news:
            begun = time.monotonic()
            with run_temporary_cluster() as database:
                found = asyncio.run(measure(database, news, processes, given.tables, given.seconds, given.start))
            first = first or found
            if news == "notify":
                measured.append(Measured(processes, found.best, found.generator_us, found.server_us, found.database_us))
            ratio = found.best / first.best if first.best else 0.0
            print(
                f"{processes} processes, {news}: {found.best:.0f} choices/s at p99 {found.p99:.0f} ms "
                f"(ratio {ratio:.2f}); a choice costs {found.server_us:.0f} µs in servers, "
                f"{found.database_us:.0f} in the database, "
                f"{found.bus_us:.0f} in the bus; {time.monotonic() - begun:.0f} s, load {os.getloadavg()[0]:.1f}"
            )
            for step in found.steps:
                print(f"    {step}", flush=True)
    if given.write and len(measured) > 1 and all(found.rate for found in measured):
        commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        said = f"command: python -m bench.processes {' '.join(sys.argv[1:])}\ncommit: {commit}\ndate: {date.today()}\n"
        RESULTS.write_text(said + msgspec.json.format(msgspec.json.encode(measured), indent=1).decode() + "\n")


if __name__ == "__main__":
    main()
