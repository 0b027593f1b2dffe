"""What a number of players needs: `python -m bench.capacity` prints the table of docs/scaling.md.

The model is a queueing simulation. A process is one event loop: it decides a choice, hands it to the disk, and encodes
and sends the answers when it is there. Commits are made in groups, one after the other: what arrives during one is in
the next. `--measure` takes the costs from a real server with few tables, predicts the same server with many, and
compares the prediction with a run.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import math
import os
import random
import tempfile
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from landfall.store.events import Played
from landfall.store.factory import make_store
from landfall.store.rows import LogEntry
from landfall.store.store import Store
from landfall.web.bench.load_test import (
    SEATS_PER_TABLE,
    LoadGenerator,
    LoadResult,
    serve_tables,
    start_server,
    wait_until_answering,
)
from tests.postgres import cluster

MESSAGES_PER_CHOICE: Final = SEATS_PER_TABLE + 2  # the choice, its acknowledgement, an update for each seat
DECIDE_SHARE: Final = 0.35  # of the processor time of a choice: before its commit
MAX_UTILISATION: Final = 0.6  # of an event loop: above it, waiting grows quickly
WRITERS: Final = 64  # tables that append at the same time, for the rate of a database
TABLES: Final = 40, 120, 240  # of the measured runs: the first two give the costs, the last one checks the model


@dataclass(frozen=True)
class Costs:
    """What one choice at a table of four costs."""

    cpu_per_message_us: float = 115.0
    fixed_utilisation: float = 0.01  # of an event loop without messages
    commit_ms: float = 3.0  # a group, on this machine's disk
    bytes_per_message: float = 700.0
    memory_per_table_kib: float = 250.0  # with its four sockets
    process_mib: float = 150.0  # a process without tables
    bot_ms: float = 40.0  # processor time of a bot's choice
    entries_per_s: float = 5_000.0  # that two processes append to one PostgreSQL server, with NOTIFY

    @property
    def cpu_per_choice_s(self) -> float:
        return self.cpu_per_message_us * MESSAGES_PER_CHOICE / 1e6


@dataclass(frozen=True)
class Outcome:
    """What people would see."""

    p50_ms: float
    p99_ms: float
    utilisation: float  # of an event loop
    choices_per_group: float


class Simulation:
    """One process and its disk."""

    def __init__(
        self, costs: Costs, choices_per_s: float, seconds: float, seed: int = 1, regular: bool = False
    ) -> None:
        self.costs = costs
        self.random = random.Random(1)
        self.events: list[tuple[float, int, Callable[[float, float], None], float]] = []
        self.loop_free_at = 0.0
        self.disk_busy = False
        self.waiting: deque[float] = deque()  # for the disk: when each was sent
        self.latencies: list[float] = []
        self.busy_s = 0.0
        self.groups = 0
        self.seconds = seconds
        self.number = 0
        at = 0.0
        while at < seconds:
            at += 1 / choices_per_s if regular else self.random.expovariate(choices_per_s)
            self.schedule(at, self.decide, at)

    def schedule(self, at: float, work: Callable[[float, float], None], sent: float) -> None:
        self.number += 1
        heapq.heappush(self.events, (at, self.number, work, sent))

    def use_loop(self, now: float, share: float, then: Callable[[float, float], None], sent: float) -> None:
        """The event loop does one thing after the other. Its work varies: small and large positions."""
        took = self.random.gammavariate(4.0, self.costs.cpu_per_choice_s * share / 4.0)
        self.loop_free_at = max(self.loop_free_at, now) + took
        self.busy_s += took
        self.schedule(self.loop_free_at, then, sent)

    def decide(self, now: float, sent: float) -> None:
        self.use_loop(now, DECIDE_SHARE, self.submit, sent)

    def submit(self, now: float, sent: float) -> None:
        self.waiting.append(sent)
        if not self.disk_busy:
            self.commit(now)

    def commit(self, now: float) -> None:
        """All that waits, as one group."""
        group, self.waiting = self.waiting, deque()
        self.disk_busy, self.groups = True, self.groups + 1
        done = now + self.random.gammavariate(4.0, self.costs.commit_ms / 1000 / 4.0)
        for sent in group:
            self.schedule(done, self.broadcast, sent)
        self.schedule(done, self.committed, 0.0)

    def committed(self, now: float, _: float) -> None:
        self.disk_busy = False
        if self.waiting:
            self.commit(now)

    def broadcast(self, now: float, sent: float) -> None:
        self.use_loop(now, 1 - DECIDE_SHARE, self.finish, sent)

    def finish(self, now: float, sent: float) -> None:
        self.latencies.append((now - sent) * 1000)

    def run(self) -> Outcome:
        while self.events:
            now, _, work, sent = heapq.heappop(self.events)
            work(now, sent)
        found = sorted(self.latencies)
        p50, p99 = (found[int(share * len(found))] for share in (0.5, 0.99))
        return Outcome(
            p50, p99, self.costs.fixed_utilisation + self.busy_s / self.seconds, len(found) / max(1, self.groups)
        )


@dataclass(frozen=True)
class Plan:
    """What so many players need."""

    players: int
    choices_per_s: float
    processes: int
    memory_gib: float
    mbit_per_s: float
    groups_per_s: float
    database_share: float  # of the entries a second that one PostgreSQL server takes
    bot_cores: int
    outcome: Outcome


def plan(costs: Costs, players: int, think_s: float, bot_share: float) -> Plan:
    """Tables of four, a choice every `think_s` seconds at each; `bot_share` of the choices are a bot's."""
    tables = players / SEATS_PER_TABLE
    choices = tables / think_s
    processes = max(1, math.ceil(choices * costs.cpu_per_choice_s / MAX_UTILISATION))
    outcome = Simulation(costs, choices / processes, 30).run()
    groups = choices / outcome.choices_per_group
    memory = processes * costs.process_mib / 1024 + tables * costs.memory_per_table_kib / 2**20
    mbit = choices * MESSAGES_PER_CHOICE * costs.bytes_per_message * 8 / 1e6
    bots = math.ceil(choices * bot_share * costs.bot_ms / 1000 / MAX_UTILISATION)
    return Plan(players, choices, processes, memory, mbit, groups, choices / costs.entries_per_s, bots, outcome)


def print_plans(costs: Costs, think_s: float, bot_share: float) -> None:
    heads = (
        "players",
        "choices/s",
        "processes",
        "memory",
        "network",
        "commits/s",
        "databases",
        "cores for bots",
        "p99",
    )
    print(f"| {' | '.join(heads)} |\n|{'---:|' * len(heads)}")
    for players in (10_000, 100_000, 1_000_000):
        p = plan(costs, players, think_s, bot_share)
        print(
            f"| {p.players:,} | {p.choices_per_s:,.0f} | {p.processes} | {p.memory_gib:.1f} GiB"
            f" | {p.mbit_per_s:,.0f} Mbit/s | {p.groups_per_s:,.0f} | {p.database_share:.0%} | {p.bot_cores}"
            f" | {p.outcome.p99_ms:.0f} ms |"
        )


# --- against a real server ------------------------------------------------------------------------------------


async def measure(sizes: tuple[int, ...], seconds: float, rounds: int) -> tuple[list[LoadResult], float]:
    """Servers with so many tables, a choice a second at each, in windows that alternate; and the bytes of a message."""
    with ExitStack() as cleanup:
        loads: list[tuple[LoadGenerator, int]] = []
        for tables in sizes:
            process, port = start_server(serve_tables, cleanup.enter_context(tempfile.TemporaryDirectory()))
            cleanup.callback(process.join)
            cleanup.callback(process.kill)
            await wait_until_answering(port)
            load = LoadGenerator(port, tables, 1)
            await load.connect_seats()
            await load.run(1, process.pid or 0)
            loads.append((load, process.pid or 0))
        windows = [[await load.run(seconds, pid) for load, pid in loads] for _ in range(rounds)]
    kept = [len(text) for load, _ in loads for texts in load.keep for text in texts]
    return [merge(list(runs)) for runs in zip(*windows, strict=True)], sum(kept) / max(1, len(kept))


def merge(runs: list[LoadResult]) -> LoadResult:
    """Several windows as one."""
    latencies = [latency for run in runs for latency in run.latencies]
    seconds, moves, messages, cpu = (
        sum(getattr(run, name) for run in runs) for name in ("seconds", "moves", "messages", "cpu")
    )
    return LoadResult(seconds, moves, messages, latencies, cpu, runs[-1].rss)


async def measure_database(seconds: float) -> float:
    """Entries a second that two stores append to one PostgreSQL server."""
    with cluster() as database:
        stores = [make_store(database) for _ in range(2)]
        for store in stores:
            await store.open()
        until, written = time.monotonic() + seconds, 0

        async def append(store: Store, table: str) -> None:
            nonlocal written
            seq = 0
            while time.monotonic() < until:
                seq += 1
                assert await store.append([LogEntry(table, seq, seq, Played(0, ["r3 NE"]))])
                written += 1

        tables = [(store, f"{n}-{i}") for n, store in enumerate(stores) for i in range(WRITERS // 2)]
        await asyncio.gather(*(append(*table) for table in tables))
        for store in stores:
            await store.close()
    return written / seconds


def calibrate(low: LoadResult, middle: LoadResult, size: float) -> Costs:
    """Processor time and memory from the difference of two runs; a commit's time from the median that is left."""
    per_message = (middle.cpu / middle.seconds - low.cpu / low.seconds) / (
        middle.messages / middle.seconds - low.messages / low.seconds
    )
    fixed = low.cpu / low.seconds - per_message * low.messages / low.seconds
    memory_kib = (middle.rss - low.rss) / 1024 / (TABLES[1] - TABLES[0])
    process_mib = low.rss / 2**20 - TABLES[0] * memory_kib / 1024
    costs = Costs(per_message * 1e6, fixed, 1.0, size, memory_kib, process_mib)
    least, most = 0.05, 500.0
    for _ in range(20):
        between = math.sqrt(least * most)
        found = Simulation(replace(costs, commit_ms=between), middle.moves / middle.seconds, 20, regular=True).run()
        least, most = (between, most) if found.p50_ms < middle.percentile(0.5) else (least, between)
    return replace(costs, commit_ms=least)


def compare(seconds: float, rounds: int) -> Costs:
    """Predict the run with many tables from those with few."""
    (low, middle, high), size = asyncio.run(measure(TABLES, seconds, rounds))
    costs = calibrate(low, middle, size)
    print(f"load average of this machine: {os.getloadavg()[0]:.1f}; from {TABLES[0]} and {TABLES[1]} tables: {costs}")
    found = Simulation(costs, high.moves / high.seconds, 60, regular=True).run()
    measured = {"utilisation": high.cpu / high.seconds, "p50 ms": high.percentile(0.5), "p99 ms": high.percentile(0.99)}
    predicted = {"utilisation": found.utilisation, "p50 ms": found.p50_ms, "p99 ms": found.p99_ms}
    for name, value in measured.items():
        print(f"  {TABLES[2]} tables, {name}: measured {value:.2f}, predicted {predicted[name]:.2f}", end="")
        print(f" ({predicted[name] / value - 1:+.0%})")
    entries = asyncio.run(measure_database(seconds))
    print(f"  two processes append {entries:,.0f} entries a second to PostgreSQL")
    return replace(costs, entries_per_s=entries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="take the costs from this machine, and check the model")
    parser.add_argument("--seconds", type=float, default=5.0, help="of a measured window")
    parser.add_argument("--rounds", type=int, default=4, help="windows of each size")
    parser.add_argument("--think-seconds", type=float, default=8.0, help="between two choices at a table")
    parser.add_argument("--bot-share", type=float, default=0.25, help="of the choices")
    given = parser.parse_args()
    print_plans(
        compare(given.seconds, given.rounds) if given.measure else Costs(), given.think_seconds, given.bot_share
    )


if __name__ == "__main__":
    main()
