"""Processor time per message of two checkouts' servers: `python -m bench.server_cpu OTHER`.

OTHER is the folder of another checkout, compiled like this one. Both servers run at once, each with its own tables,
sockets and SQLite file. The load goes to one after the other, in windows that alternate. Each pair of windows gives one
ratio, so that a machine that gets slower or busier disturbs both alike.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Final

from landfall.web.bench.load_test import LoadGenerator, LoadResult, wait_until_port_answers

HERE: Final = Path(__file__).resolve().parents[1]
SERVE: Final = """
import sys
from landfall.web.bench.load_test import run_landfall_server
run_landfall_server(int(sys.argv[1]), sys.argv[2])
"""


def start_server(checkout: Path, folder: str) -> tuple[subprocess.Popen[bytes], int]:
    """The server of a checkout, and its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    paths = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    return subprocess.Popen([sys.executable, "-P", "-c", SERVE, str(port), folder], cwd=checkout, env=paths), port


async def measure(checkouts: list[Path], tables: int, seconds: float, pairs: int) -> list[list[LoadResult]]:
    """The windows of each checkout."""
    found: list[list[LoadResult]] = [[] for _ in checkouts]
    with ExitStack() as cleanup:
        loads = []
        for number, checkout in enumerate(checkouts):
            folder = cleanup.enter_context(tempfile.TemporaryDirectory())
            process, port = start_server(checkout, folder)
            cleanup.callback(process.wait)
            cleanup.callback(process.kill)
            await wait_until_port_answers(port)
            load = LoadGenerator(port, tables, 1)
            await load.connect_seats()
            await load.run_load(1, process.pid)  # warm-up
            loads.append((number, load, process.pid))
        for pair in range(pairs):
            for number, load, pid in loads if pair % 2 else loads[::-1]:
                found[number].append(await load.run_load(seconds, pid))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="the folder of another checkout")
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=5.0, help="of a window")
    parser.add_argument("--pairs", type=int, default=8)
    given = parser.parse_args()
    here, other = asyncio.run(measure([HERE, given.other.resolve()], given.tables, given.seconds, given.pairs))
    for ours, theirs in zip(here, other, strict=True):
        ratio = ours.cpu_per_message / theirs.cpu_per_message
        print(f"here {ours.cpu_per_message:6.1f} µs   other {theirs.cpu_per_message:6.1f} µs   ratio {ratio:.3f}")
    ratios = sorted(a.cpu_per_message / b.cpu_per_message for a, b in zip(here, other, strict=True))
    total = [sum(run.cpu for run in runs) / sum(run.messages for run in runs) * 1e6 for runs in (here, other)]
    print(f"all windows: here {total[0]:.1f} µs, other {total[1]:.1f} µs, ratio {total[0] / total[1]:.3f}")
    print(f"ratio of pairs: median {median(ratios):.3f}, from {ratios[0]:.3f} to {ratios[-1]:.3f}")


if __name__ == "__main__":
    main()
