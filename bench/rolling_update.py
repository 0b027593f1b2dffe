"""A rolling update under load on PostgreSQL: `python -m bench.rolling_update [--kill-seconds 300]`.

Two people at each table, two workers. First `landfall host reload` replaces the workers while everybody plays. Then the
workers are killed (SIGKILL) in turn, every ten seconds, with another reload in the middle. An independent check reads
the logs: every acknowledged choice must be there once, under the number that was acknowledged. A silence is the time
that somebody had no connection or waited for an answer.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.postgres_cluster import run_temporary_cluster
from tests.server.worker_replacement import PatientLoad, Service

KILL_INTERVAL_S: Final = 10.0
RELOAD_TIMEOUT_S: Final = 120.0


def percentile(values: list[float], share: float) -> float:
    found = sorted(values) or [0.0]
    return found[min(len(found) - 1, int(share * len(found)))]


class Phase:
    """What people saw from here on."""

    def __init__(self, load: PatientLoad) -> None:
        self.load = load
        self.begun = time.monotonic()
        self.before = len(load.silences), len(load.answer_times), load.choices, load.failed_attempts

    def report(self, name: str) -> None:
        load, (silences, answers, choices, failed) = self.load, self.before
        lost, waited = load.silences[silences:], load.answer_times[answers:]
        print(f"{name}: {time.monotonic() - self.begun:.0f} s, {load.choices - choices} choices acknowledged")
        for what, found in (("without a connection", lost), ("from a choice to its answer", waited)):
            figures = ", ".join(f"{label} {percentile(found, share):.2f} s" for label, share in SHARES)
            print(f"  {what}, {len(found)} times: {figures}")
        print(f"  attempts to connect that failed: {load.failed_attempts - failed}", flush=True)


SHARES: Final = (("median", 0.5), ("p99", 0.99), ("longest", 1.0))


async def reload_workers(service: Service) -> None:
    """Replace the workers one by one, and wait for it."""
    done = service.log().count("reload: done")
    os.kill(service.pid, signal.SIGHUP)
    async with asyncio.timeout(RELOAD_TIMEOUT_S):
        while service.log().count("reload: done") == done:
            await asyncio.sleep(0.1)


async def kill_workers_in_turn(service: Service, seconds: float) -> int:
    """The oldest worker, every ten seconds; and one reload in the middle. How many were killed."""
    until, killed, updating = time.monotonic() + seconds, 0, None
    while time.monotonic() < until:
        workers = sorted(service.workers(), key=lambda pid: os.stat(f"/proc/{pid}").st_ctime)
        if workers:
            os.kill(workers[0], signal.SIGKILL)
            killed += 1
        if updating is None and until - time.monotonic() < seconds / 2:
            updating = asyncio.create_task(reload_workers(service))
        await asyncio.sleep(KILL_INTERVAL_S)
    if updating is not None:
        await updating
    return killed


async def measure(service: Service, database: str, tables: int, think_s: float, kill_s: float) -> None:
    load = PatientLoad(service, tables, seed=5, think_s=think_s)
    await load.begin()
    playing = asyncio.create_task(load.run())
    await load.goes_on(tables, playing)
    phase = Phase(load)
    await asyncio.sleep(10)
    phase.report("before")
    phase = Phase(load)
    await reload_workers(service)
    await load.goes_on(tables, playing)
    phase.report("reload")
    if kill_s:
        phase = Phase(load)
        killed = await kill_workers_in_turn(service, kill_s)
        await load.goes_on(tables, playing)
        phase.report(f"{killed} workers killed, one reload")
    load.stopping = True
    await playing
    checked = await load.check(database)
    print(f"{load.choices} choices acknowledged, {checked} in the log once: lost {load.choices - checked}, twice 0")
    await load.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--think-seconds", type=float, default=10.0, help="mean, of a person before a choice")
    parser.add_argument("--kill-seconds", type=float, default=0.0, help="how long workers are killed; 0: not at all")
    given = parser.parse_args()
    print(f"{given.tables} tables of two, two workers; load average of this machine: {os.getloadavg()[0]:.1f}")
    with (
        tempfile.TemporaryDirectory() as folder,
        run_temporary_cluster() as database,
        Service(Path(folder), database, 2) as service,
    ):
        asyncio.run(measure(service, database, given.tables, given.think_seconds, given.kill_seconds))


if __name__ == "__main__":
    main()
