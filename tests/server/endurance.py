"""Minutes of trouble on PostgreSQL with two servers: `python -m tests.server.endurance --minutes 10`.

Servers are killed and started again, and their links to the database are cut, delayed and frozen, while people play.
Every acknowledged choice must be in the log once. Then one long half-open link: until when has everybody an answer?
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import time
from collections import Counter
from typing import Any

import httpx

from tests.conftest import LONG
from tests.postgres_cluster import run_temporary_cluster
from tests.server.crashes import GONE, Load
from tests.server.real_server import Line, Player, ServerProcess
from tests.store.fault_proxy import FaultProxy

ROUND_S = 60.0
FAULTS = ("kill", "cut", "cut", "freeze", "delay")
ANSWERS = ("ack", "refused", "held")


class Endurance:
    """Two servers, each with a link of its own to one database."""

    def __init__(self, database: str, proxies: list[FaultProxy], seed: int) -> None:
        self.database = database
        self.proxies = proxies
        self.random = random.Random(seed)
        addresses = [proxy.postgres_address(database) for proxy in proxies]
        self.servers = [ServerProcess(address, bot_workers=0) for address in addresses]
        self.counts: Counter[str] = Counter()

    async def start(self) -> None:
        for server in self.servers:
            await asyncio.to_thread(server.start)

    async def trouble_for_seconds(self, seconds: float, tables: int) -> None:
        """Rounds of new tables, until so much time is over."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await self.round(min(ROUND_S, until - time.monotonic()), tables)
            print(time.strftime("%H:%M:%S"), dict(self.counts), flush=True)

    async def round(self, seconds: float, tables: int) -> None:
        load = Load(self.servers, tables, self.random.randrange(1 << 30))
        await load.begin()
        playing = asyncio.create_task(load.run())
        until = time.monotonic() + seconds
        while time.monotonic() < until and not playing.done():
            with contextlib.suppress(AssertionError):  # nobody's choice within a while: told by the counts
                await asyncio.wait_for(load.goes_on(self.random.randrange(5, 40), playing), 10)
            await self.strike()
        for proxy in self.proxies:
            proxy.thaw()
            proxy.delay(0)
        await load.goes_on(3, playing)
        load.stopping = True
        await asyncio.wait_for(playing, LONG)
        await load.check_all_tables_playable()
        self.counts["acknowledged"] += await load.check(self.database)
        self.counts["tables"] += tables
        await load.close()

    async def strike(self) -> None:
        """One fault, on one of the servers."""
        which = self.random.randrange(len(self.servers))
        server, proxy = self.servers[which], self.proxies[which]
        fault = self.random.choice(FAULTS)
        self.counts[fault] += 1
        if fault == "kill":
            server.kill()
            await asyncio.to_thread(server.start)
        elif fault == "cut":
            proxy.cut()
        elif fault == "freeze":
            proxy.freeze(new=self.random.random() < 0.5)
            await asyncio.sleep(self.random.choice((0.5, 2, 6)))
            if self.random.random() < 0.3:
                proxy.cut()
            proxy.thaw()
        else:
            proxy.delay(0.2)
            await asyncio.sleep(2)
            proxy.delay(0)


async def seat_with_bot(server: ServerProcess, number: int) -> Line:
    """Somebody new at a table with a bot, asked for a choice."""
    player = await Player(server.url, f"H{number}").come()
    config: dict[str, Any] = {"game": "atlandice", "players": 2, "bots": ["random"], "seating": "as_sat"}
    line = await Line(player, (await player.post("/api/tables/quick", **config))["table"]).open()
    while not line.choices:
        await line.receive()
    return line


async def freeze_links_during_choices(
    servers: list[ServerProcess], proxies: list[FaultProxy], clients: int, seconds: float
) -> Counter[str]:
    """Freeze every link while all clients choose; how long, in milliseconds, until the last of them has an answer."""
    lines = [await seat_with_bot(servers[number % len(servers)], number) for number in range(clients)]
    for proxy in proxies:
        proxy.freeze()
    begun = time.monotonic()

    async def choose(line: Line, number: int) -> tuple[str, float]:
        sent = time.monotonic()
        await line.send(t="play", version=line.version, id=f"half{number}", action=line.choices[0]["action"])
        answer = await line.until(*ANSWERS)
        return str(answer.get("code", answer["t"])), time.monotonic() - sent

    async def health(server: ServerProcess) -> tuple[str, float]:
        async with httpx.AsyncClient(timeout=LONG) as http:
            asked = time.monotonic()
            status = (await http.get(f"{server.url}/readyz")).status_code
            return f"readyz {status}", time.monotonic() - asked

    await asyncio.sleep(1.5)  # what was found out before is no news
    answers = await asyncio.gather(*map(health, servers), *(choose(line, n) for n, line in enumerate(lines)))
    found = Counter(name for name, _ in answers)
    found["slowest ms"] = round(1000 * max(took for name, took in answers if not name.startswith("readyz")))
    found["slowest readyz ms"] = round(1000 * max(took for name, took in answers if name.startswith("readyz")))
    await asyncio.sleep(max(0.0, begun + seconds - time.monotonic()))
    for proxy in proxies:
        proxy.thaw()
    thawed = time.monotonic()
    for number, line in enumerate(lines):  # sent again, under the same id: taken once
        while f"half{number}" not in line.acks:
            await send_choice_or_reconnect(line, number)
            assert time.monotonic() < thawed + LONG, "a table does not go on"
    found["acknowledged after the thaw"] = len(lines)
    found["until all were ms"] = round(1000 * (time.monotonic() - thawed))
    for line in lines:
        with contextlib.suppress(*GONE):
            await line.close()
            await line.player.close()
    return found


async def send_choice_or_reconnect(line: Line, number: int) -> None:
    choice = line.choices[0]["action"] if line.choices else 0
    try:
        await line.send(t="play", version=line.version, id=f"half{number}", action=choice)
        answer = await line.until(*ANSWERS, seconds=5)
        if answer["t"] == "refused":
            await asyncio.sleep(0.2)
    except GONE:
        with contextlib.suppress(*GONE):
            await asyncio.wait_for(line.open(), 5)


async def main(minutes: float, tables: int, seed: int, half_open_s: float) -> None:
    with (
        run_temporary_cluster() as database,
        FaultProxy.before_postgres(database) as one,
        FaultProxy.before_postgres(database) as two,
    ):
        endurance = Endurance(database, [one, two], seed)
        try:
            await endurance.start()
            if half_open_s:
                print(
                    dict(await freeze_links_during_choices(endurance.servers, endurance.proxies, 20, half_open_s)),
                    flush=True,
                )
            await endurance.trouble_for_seconds(60 * minutes, tables)
        finally:
            for server in endurance.servers:
                server.__exit__()
    print("lost 0, duplicated 0:", dict(endurance.counts))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half-open", type=float, default=30, help="seconds; 0: not at all")
    told = parser.parse_args()
    asyncio.run(main(told.minutes, told.tables, told.seed, told.half_open))
