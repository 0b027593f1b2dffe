"""What many players need, from measured costs: `python -m bench.capacity` (docs/scaling.md shows its tables).

`--check` simulates the machine of `bench.processes` and prints, beside each measured rate, the rate that the simulation
predicts. Without it, the plan for 10,000, 100,000 and 1,000,000 players is printed. The costs are in
`bench/results/capacity.txt`; `python -m bench.processes --write` measures them again.

The simulation: choices come at random times. Each passes through single-threaded processes, which work off their
requests in order and share the machine's cores evenly: the load generator, the server where the player is connected,
the database, the other servers with players of that table, and the generator again, when all four are informed.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

RESULTS: Final = Path(__file__).parent / "results" / "capacity.txt"
MAX_P99_MS: Final = 100.0
SEATS: Final = 4
CORES: Final = 2  # of the machine that was measured
COMMIT_S: Final = 0.0005  # until a commit is on its disk
SECONDS_PER_CHOICE: Final = 10  # of a player: people think, and wait for others
PEOPLE: Final = 2  # at a table; bots have the other seats
FOLLOWED: Final = 0.5  # other processes with people of a table, where a proxy sends most of them to one
BUSY: Final = 0.6  # of a core, so that nobody queues long
BOT_CHOICES: Final = 1.0  # for each choice of a person: most play against bots
BOT_MS: Final = 5.0  # mackerel, with its way over the bus (`bench.remote_bots`)
TABLE_KB: Final = 500.0  # with its four sockets (`landfall bench server`, 2,000 tables)
MESSAGES: Final = 5.9  # of a choice, to four people
MESSAGE_BYTES: Final = 670


class Measured(msgspec.Struct):
    """One number of processes."""

    processes: int
    rate: float  # choices a second, with p99 below the limit
    generator_us: float  # processor time of a choice
    server_us: float  # of all server processes together
    database_us: float


# --- the simulation -------------------------------------------------------------------------------------------


@dataclass
class Job:
    """A piece of work for one process; then `done` is called."""

    seconds: float
    done: Callable[[], None]


@dataclass
class Process:
    """It works off its queue in order, one job at a time."""

    queue: deque[Job] = field(default_factory=deque)


class Machine:
    """Cores that processes share evenly, and a clock."""

    def __init__(self, cores: int, processes: int) -> None:
        self.cores = cores
        self.processes = [Process() for _ in range(processes)]
        self.now = 0.0
        self.later: list[tuple[float, int, Callable[[], None]]] = []
        self.count = 0

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        """Call `act` then, whatever the processes do."""
        self.count += 1
        heapq.heappush(self.later, (self.now + seconds, self.count, act))

    def run(self, until: float) -> None:
        """Until nothing is left, or this time."""
        while self.now < until:
            busy = [process for process in self.processes if process.queue]
            speed = min(1.0, self.cores / len(busy)) if busy else 0.0
            finish = min((process.queue[0].seconds for process in busy), default=math.inf)
            wait = self.later[0][0] - self.now if self.later else math.inf
            step = min(wait, finish / speed if busy else math.inf)
            if step == math.inf:
                return
            self.now += step
            for process in busy:
                process.queue[0].seconds -= step * speed
            for process in busy:
                if process.queue[0].seconds <= 1e-12:
                    process.queue.popleft().done()
            while self.later and self.later[0][0] <= self.now:
                heapq.heappop(self.later)[2]()


@dataclass
class ChoiceCosts:
    """Seconds of processor time of one choice."""

    generator: float
    writer: float  # the server of the player who chooses
    follower: float  # every other server with players of the table
    database: float
    reader: float  # the database, for each follower


def simulate_p99_ms(costs: ChoiceCosts, cores: int, servers: int, rate: float, seconds: float, seed: int) -> float:
    """The 99th percentile, from a choice sent to the last of four informed."""
    rng = random.Random(seed)
    machine = Machine(cores, 2 + servers)
    generator, database, *others = machine.processes
    times: list[float] = []

    def spread(mean: float) -> float:
        """Work is uneven: half of it always, the rest exponentially."""
        return mean / 2 + rng.expovariate(2 / mean) if mean else 0.0

    def choose() -> None:
        if machine.now < seconds:
            machine.after(rng.expovariate(rate), choose)
        begun, awaited = machine.now, [0]
        home = rng.randrange(servers)
        rest = [server for n, server in enumerate(others) if n != home]
        followers = rng.sample(rest, min(SEATS - 1, len(rest)))

        def informed() -> None:
            awaited[0] -= 1
            if not awaited[0]:
                times.append(machine.now - begun)

        def deliver() -> None:
            generator.queue.append(Job(spread(costs.generator / (1 + len(followers)) / 2), informed))

        def written() -> None:
            awaited[0] = 1 + len(followers)
            others[home].queue.append(Job(spread(costs.writer / 2), deliver))
            for server in followers:
                follow(server)

        def follow(server: Process) -> None:
            job = Job(spread(costs.follower), deliver)
            database.queue.append(Job(spread(costs.reader), lambda: server.queue.append(job)))

        def decided() -> None:
            database.queue.append(Job(spread(costs.database), lambda: machine.after(COMMIT_S, written)))

        def sent() -> None:
            others[home].queue.append(Job(spread(costs.writer / 2), decided))

        generator.queue.append(Job(spread(costs.generator / 2), sent))

    machine.after(0.0, choose)
    machine.run(seconds + 5.0)
    times.sort()
    return 1000 * times[int(0.99 * len(times))] if times else math.inf


def find_highest_rate(costs: ChoiceCosts, cores: int, servers: int) -> float:
    """The highest rate with p99 below the limit, by halving."""
    low, high = 10.0, 4000.0
    while high / low > 1.03:
        rate = math.sqrt(low * high)
        if simulate_p99_ms(costs, cores, servers, rate, max(6.0, 3000 / rate), 1) < MAX_P99_MS:
            low = rate
        else:
            high = rate
    return low


def costs_from_measurements(measured: list[Measured]) -> ChoiceCosts:
    """Of one process all is the writer's; each further one adds a follower."""
    one, *more = measured
    extra = [(found.server_us - one.server_us) / (min(found.processes, SEATS) - 1) for found in more]
    read = [(found.database_us - one.database_us) / (min(found.processes, SEATS) - 1) for found in more]
    return ChoiceCosts(
        one.generator_us / 1e6,
        one.server_us / 1e6,
        sum(extra) / len(extra) / 1e6,
        one.database_us / 1e6,
        sum(read) / len(read) / 1e6,
    )


# --- the plan -------------------------------------------------------------------------------------------------


@dataclass
class Need:
    """What so many players need at once."""

    players: int
    choices: float  # a second, of people and bots
    server_cores: float
    memory_gb: float
    megabits: float
    database_cores: float
    bot_cores: float

    @classmethod
    def of(cls, players: int, costs: ChoiceCosts) -> Need:
        chosen = players / SECONDS_PER_CHOICE
        choices = chosen * (1 + BOT_CHOICES)
        # a proxy that sends a table's people to one process spares three followers; half of them come otherwise
        server = costs.writer + FOLLOWED * costs.follower
        return cls(
            players,
            choices,
            choices * server / BUSY,
            players / PEOPLE * TABLE_KB / 1e6,
            choices * MESSAGES * MESSAGE_BYTES * 8 / 1e6,
            choices * (costs.database + FOLLOWED * costs.reader) / BUSY,
            chosen * BOT_CHOICES * BOT_MS / 1000 / BUSY,
        )


def print_plan(costs: ChoiceCosts) -> None:
    print("| players | choices a second | server cores | memory | network | database cores | bot cores |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for players in (10_000, 100_000, 1_000_000):
        need = Need.of(players, costs)
        print(
            f"| {players:,} | {need.choices:,.0f} | {need.server_cores:,.1f} | {need.memory_gb:,.1f} GB "
            f"| {need.megabits:,.0f} Mbit/s | {need.database_cores:,.1f} | {need.bot_cores:,.1f} |"
        )


def print_check(measured: list[Measured], costs: ChoiceCosts) -> None:
    print("| processes | measured | simulated | |")
    print("|---:|---:|---:|---:|")
    for found in measured:
        rate = find_highest_rate(costs, CORES, found.processes)
        print(f"| {found.processes} | {found.rate:.0f} | {rate:.0f} | {100 * (rate / found.rate - 1):+.0f} % |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="simulate the measured machine")
    given = parser.parse_args()
    figures = "".join(RESULTS.read_text().splitlines()[3:])  # after how they came about
    measured = msgspec.json.decode(figures, type=list[Measured])
    costs = costs_from_measurements(measured)
    print_check(measured, costs) if given.check else print_plan(costs)


if __name__ == "__main__":
    main()
