"""How far several processes on one PostgreSQL go: `python -m bench.processes [--processes 1 2 4] [--news notify nats]`.

Four people at each table, each connected to the next process in turn, so that every choice crosses between processes.
The rate of choices grows until the 99th percentile, from a choice sent to the last seat informed, passes 100 ms.
Printed for each number of processes: the highest rate below that, and the processor time of a choice by who spends it.
NOTIFY and NATS take turns. The load runs on the same machine, so compare ratios of one run only.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from landfall.tables.runtime import Runtime
from landfall.web.bench.load_test import WIDE_LIMITS, LoadGenerator, LoadResult, cpu_of, wait_until_answering
from landfall.web.serve import ServeOptions, open_listener, run_process
from landfall.web.settings import Settings
from tests.nats import NatsServer
from tests.postgres import cluster
from tests.server.real_server import free_port

MAX_P99_MS: Final = 100.0
RATES: Final = (25, 50, 75, 100, 150, 200, 300, 400, 600, 800)
NEWS: Final = ("notify", "nats")


def serve(port: int, database: str, bus: str | None) -> None:
    """One server process."""
    serving = ServeOptions(port=port, database=database, log_level="error")
    settings = Settings(
        database=database,
        bus=bus,
        port=port,
        limits=WIDE_LIMITS,
        bot_workers=0 if bus is None else 1,
        exhibition=False,
        make_runtime=lambda: Runtime(answer_hold_ms=0, bot_pace_ms=0),
    )
    run_process(serving, open_listener(serving), settings)


class SpreadLoad(LoadGenerator):
    """People of one table are at several processes."""

    def __init__(self, ports: list[int], tables: int, seed: int) -> None:
        super().__init__(ports[0], tables, seed)
        self.ports = ports

    def port_of(self, table: int, seat: int) -> int:
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
    server_us: float = 0.0  # processor time of a choice
    database_us: float = 0.0
    bus_us: float = 0.0
    steps: list[str] = field(default_factory=list)


async def climb(load: SpreadLoad, pids: list[int], database: str, bus: NatsServer | None, seconds: float) -> Found:
    """Raise the rate until answers are late."""
    found, moves, spent = Found(), 0, [0.0, 0.0, 0.0]
    for rate in RATES:
        others = [database_processes(database), [bus.process.pid] if bus is not None and bus.process else []]
        before = [sum(cpu_of(pid)[0] for pid in some) for some in others]
        result: LoadResult = await load.run(seconds, *pids, rate=float(rate))
        after = [sum(cpu_of(pid)[0] for pid in some if Path(f"/proc/{pid}").exists()) for some in others]
        p99, reached = result.percentile(0.99), result.moves / seconds
        found.steps.append(f"{rate}/s: {reached:.0f} done, p50 {result.percentile(0.5):.1f} ms, p99 {p99:.1f} ms")
        moves += result.moves
        for n, cpu in enumerate((result.cpu, *(b - a for a, b in zip(before, after, strict=True)))):
            spent[n] += cpu
        if p99 > MAX_P99_MS or reached < 0.9 * rate:
            break
        found.best, found.p99 = reached, p99
    found.server_us, found.database_us, found.bus_us = (cpu / max(1, moves) * 1e6 for cpu in spent)
    return found


async def measure(database: str, news: str, processes: int, tables: int, seconds: float) -> Found:
    """Start the processes, let people sit down, and climb."""
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
            await wait_until_answering(port)
        load = SpreadLoad(ports, tables, 1)
        await load.connect_seats()
        await load.run(2, *pids)  # warm-up
        gc.collect()
        gc.freeze()
        return await climb(load, pids, database, bus, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--news", choices=NEWS, nargs="+", default=list(NEWS))
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=5.0, help="of a window")
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, {given.tables} tables of four")
    first: Found | None = None
    for processes in given.processes:
        for news in given.news:
            begun = time.monotonic()
            with cluster() as database:
                found = asyncio.run(measure(database, news, processes, given.tables, given.seconds))
            first = first or found
            ratio = found.best / first.best if first.best else 0.0
            print(
                f"{processes} processes, {news}: {found.best:.0f} choices/s at p99 {found.p99:.0f} ms "
                f"(ratio {ratio:.2f}); a choice costs {found.server_us:.0f} µs in servers, "
                f"{found.database_us:.0f} in the database, "
                f"{found.bus_us:.0f} in the bus; {time.monotonic() - begun:.0f} s, load {os.getloadavg()[0]:.1f}"
            )
            for step in found.steps:
                print(f"    {step}", flush=True)


if __name__ == "__main__":
    main()
