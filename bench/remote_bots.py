"""Bots in processes of their own, over NATS: `python -m bench.remote_bots [--apart] [--level mackerel] [--seconds 20]`.

Two `landfall bots` processes answer the requests of one server's side, as many at a time as they have workers. Then one
of them is killed. Printed: choices a second before and after, how many requests were sent again, and the longest wait.
Every request must be answered with a legal choice. With `--apart`, NATS and each of the two processes are in a network
namespace of their own, joined by the switch of `tests.faults`; that needs root, on Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

from tests.faults import namespace_network
from tests.nats_server import NatsServer
from tests.server.test_bus import BOTS_SCRIPT, asking, bot_process, eventually
from tests.tables.test_bot_pool import legal, request

KillOne = Callable[[], None]


@asynccontextmanager
async def bots_beside_this_process(workers: int) -> AsyncIterator[tuple[str, KillOne]]:
    """NATS and two processes beside this one: the bus's address, and what kills one process."""
    with NatsServer() as bus:
        async with bot_process(bus, workers) as victim, bot_process(bus, workers):
            yield bus.url, partial(os.kill, victim.pid, signal.SIGKILL)


@asynccontextmanager
async def bots_in_network_namespaces(workers: int) -> AsyncIterator[tuple[str, KillOne]]:
    """The same, each on a host of its own."""
    net = namespace_network.Network(["bus", "bots1", "bots2"])
    url = f"nats://{net.addresses['bus']}:4222"
    log = Path(tempfile.mkdtemp()) / "log"
    net.start("bus", [shutil.which("nats-server") or "", "-a", net.addresses["bus"], "-p", "4222"], log)
    words = [sys.executable, "-c", BOTS_SCRIPT, "bots", "--bus", url, "--bot-workers", str(workers)]
    for host in ("bots1", "bots2"):
        net.start(host, words, log)
    yield url, partial(net.signal, "bots1", signal.SIGKILL)  # what still runs ends with the namespace


async def measure(given: argparse.Namespace) -> None:
    asked, seconds, workers = request(given.level), given.seconds, given.workers
    async with (
        (bots_in_network_namespaces if given.apart else bots_beside_this_process)(workers) as (url, kill_one),
        asking(url) as pool,
    ):
        await eventually(lambda: pool.remote.update_live_worker_count() == 2 * workers)
        numbers = count()
        for phase in ("two processes", "one killed meanwhile"):
            begun = time.monotonic()
            waits: list[float] = []

            async def ask_again(begun: float = begun, waits: list[float] = waits) -> None:
                while time.monotonic() < begun + seconds:
                    number, sent = next(numbers), time.monotonic()
                    choice = await pool.choose_action(replace(asked, seed=number), f"a{number % 7} p{number % 50} t")
                    assert legal(choice, asked), number
                    waits.append(time.monotonic() - sent)

            asking_people = asyncio.gather(*(ask_again() for _ in range(given.at_once)))
            if phase != "two processes":
                await asyncio.sleep(seconds / 2)
                kill_one()
            await asking_people
            waits.sort()
            print(
                f"{phase}: {len(waits) / (time.monotonic() - begun):.0f} choices/s, all {len(waits)} answered; "
                f"p50 {1000 * waits[len(waits) // 2]:.1f} ms, p99 {1000 * waits[int(0.99 * len(waits))]:.1f} ms, "
                f"longest {1000 * waits[-1]:.0f} ms; sent again {pool.remote.repeated}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="mackerel")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each phase")
    parser.add_argument("--workers", type=int, default=1, help="of each process")
    parser.add_argument("--at-once", type=int, default=8, help="requests that wait at a time")
    parser.add_argument("--apart", action="store_true", help="each in a network namespace of its own")
    given = parser.parse_args()
    if given.apart and not os.environ.get(namespace_network.INSIDE):
        if missing := namespace_network.missing_requirements():
            sys.exit(f"This machine lacks: {missing}.")
        namespace_network.enter_namespaces(["bench.remote_bots", *sys.argv[1:]])
    place = ", in network namespaces of their own" if given.apart else ""
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, {given.level}, 2 processes{place}")
    asyncio.run(measure(given))


if __name__ == "__main__":
    main()
