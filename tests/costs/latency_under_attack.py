"""`python -m tests.costs.latency_under_attack [NAME ...] [--seconds N]`: an honest player beside each attack, in one
run.

Each attack runs against a server of its own with the usual limits, from another address. What counts is the 99th
percentile of the honest player's moves: at most TIMES what it is on the same server before the attack, or MAX_P99_S.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from landfall.core.rng import Rng
from tests.server import attacks
from tests.server.real_server import Line, Player, ServerProcess

TIMES = 10.0
MAX_P99_S = 0.1
SECONDS = 8.0
PAUSE_S = 0.05  # between an answer and the next move
BEGIN_S = 1.5  # from an attack's begin until its effect is measured
Attack = Callable[[str, float], object]


# --- attacks on what requests may say; those on frames and connections are in tests/server/attacks.py ---------------


def send_repeatedly(url: str, seconds: float, ask: Callable[[httpx.Client, int], httpx.Response]) -> dict[str, int]:
    """The same again and again, as fast as the server answers."""
    counts: dict[str, int] = {}
    until = time.monotonic() + seconds
    with httpx.Client(base_url=url, timeout=60, transport=httpx.HTTPTransport(local_address=attacks.SOURCE)) as client:
        client.post("/api/me", json={"name": "Mallory"})
        for number in itertools.count():
            if time.monotonic() > until:
                return counts
            try:
                code = str(ask(client, number).status_code)
            except httpx.HTTPError as error:
                code = type(error).__name__
            counts[code] = counts.get(code, 0) + 1
    return counts


def post_options(url: str, seconds: float) -> dict[str, int]:
    """As many unknown options as a body takes, or took."""
    large = {"players": 4, "options": {f"option{n}": 1 for n in range(18_000)}}
    small = {"players": 4, "options": {f"option{n}": 1 for n in range(700)}}
    bodies = [json.dumps(one).encode() for one in (large, small)]
    headers = {"Content-Type": "application/json"}
    path = "/api/games/survive/options"
    return send_repeatedly(url, seconds, lambda c, n: c.post(path, content=bodies[n % 2], headers=headers))


def post_bodies(url: str, seconds: float) -> dict[str, int]:
    """Records as large as may be, that are none."""
    records = ["x" * 280_000, "landfall record 1\n" + "x\n" * 40_000, "é" * 50_000]
    paths = ["/api/tables/open", "/api/replay", "/api/reviews"]
    return send_repeatedly(url, seconds, lambda c, n: c.post(paths[n // 3 % 3], json={"record": records[n % 3]}))


def create_public_tables(url: str, seconds: float) -> dict[str, int]:
    """Public tables against bots."""
    body = {"game": "atlandice", "players": 2, "public": True, "bots": ["sprat"]}
    return send_repeatedly(url, seconds, lambda c, n: c.post("/api/tables/quick", json=body))


def try_passwords(url: str, seconds: float) -> dict[str, int]:
    """Twenty wrong ones at once, and again."""

    async def story() -> dict[str, int]:
        counts: dict[str, int] = {}
        until = time.monotonic() + seconds
        transport = httpx.AsyncHTTPTransport(local_address=attacks.SOURCE)
        async with httpx.AsyncClient(base_url=url, timeout=60, transport=transport) as client:
            while time.monotonic() < until:
                bodies = [{"name": f"Nobody {n}", "password": "a wrong password"} for n in range(20)]
                for answer in await asyncio.gather(*(client.post("/api/login", json=body) for body in bodies)):
                    counts[str(answer.status_code)] = counts.get(str(answer.status_code), 0) + 1
        return counts

    return asyncio.run(story())


def open_tables_of_strong_bots(url: str, seconds: float) -> dict[str, int]:
    """Twenty guests of one address, each with a table of strong bots, that play for the guest, too."""

    async def story() -> dict[str, int]:
        counts: dict[str, int] = {}
        lines: list[Line] = []
        for number in range(20):
            guest = Player(url, f"Guest {number}")
            guest.http = httpx.AsyncClient(
                base_url=url, timeout=60, transport=httpx.AsyncHTTPTransport(local_address=attacks.SOURCE)
            )
            await guest.come()
            body: dict[str, Any] = {"game": "survive", "players": 4, "bots": ["kraken"] * 3}
            answer = await guest.http.post("/api/tables/quick", json=body)
            counts[str(answer.status_code)] = counts.get(str(answer.status_code), 0) + 1
            if answer.status_code == 201:
                line = await Line(guest, answer.json()["table"]).open()
                await line.send(t="leave")
                lines.append(line)
        await asyncio.sleep(seconds)
        for line in lines:
            line.cut_connection()
        return counts

    return asyncio.run(story())


ATTACKS: dict[str, Attack] = {
    "options": post_options,
    "bodies": post_bodies,
    "lobby": create_public_tables,
    "passwords": try_passwords,
    "bots": open_tables_of_strong_bots,
    **attacks.ATTACKS,
}


# --- the honest player ----------------------------------------------------------------------------------------


@dataclass
class Result:
    """How long the honest player's moves took, in seconds, and what the attack came to."""

    name: str
    quiet: list[float]
    beside: list[float]
    log_in: float
    report: str
    ran: bool  # whether the attack did what it is for

    @property
    def fine(self) -> bool:
        return self.ran and percentile_99(self.beside) <= max(TIMES * percentile_99(self.quiet), MAX_P99_S)


def percentile_99(times: list[float]) -> float:
    inorder = sorted(times)
    return inorder[min(len(inorder) - 1, len(inorder) * 99 // 100)]


class Honest:
    """Somebody who plays both seats of a table, by two people on two sockets, and notes how long each move takes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.rng = Rng(1)

    async def sit_down(self) -> None:
        self.people = [await Player(self.url, name).come() for name in ("Ana", "Boris")]
        await self.deal()

    async def deal(self) -> None:
        """A new table, begun."""
        first, second = self.people
        table = (await first.post("/api/tables", game="survive", players=2, seating="as_sat"))["table"]
        self.lines = [await Line(one, table).open() for one in (first, second)]
        await self.lines[1].ask(t="sit", chair=1)
        await self.lines[0].send(t="start")

    async def play(self, seconds: float) -> list[float]:
        """Moves for so long: from sending one to its acknowledgement."""
        found: list[float] = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            mover = await self.find_mover()
            if mover is None:
                for line in self.lines:
                    await line.close()
                await self.deal()
                continue
            choice = mover.choices[int(self.rng.randbelow(len(mover.choices)))]
            mover.choices = []
            begun = time.monotonic()
            await mover.send(t="play", version=mover.version, id=f"p{next(mover.ids)}", action=choice["action"])
            await mover.until("ack", "refused", "held")
            found.append(time.monotonic() - begun)
            await asyncio.sleep(PAUSE_S)
        return found

    async def find_mover(self) -> Line | None:
        """Whose choice it is; None: the match is over, or waits for something."""
        until = time.monotonic() + 60
        while time.monotonic() < until and not any(line.over for line in self.lines):
            for line in self.lines:
                if line.choices:
                    return line
            for line in self.lines:
                try:
                    await line.receive(0.005)
                except TimeoutError:
                    continue
        return None

    async def log_in(self) -> float:
        """Seconds that logging in takes."""
        begun = time.monotonic()
        right = {"name": "Honest", "password": "a long password"}
        async with httpx.AsyncClient(base_url=self.url, timeout=60) as client:
            (await client.post("/api/login", json=right)).raise_for_status()
        return time.monotonic() - begun


def run_attack_in_process(name: str, url: str, seconds: float, told: Any) -> None:
    """In a process of its own."""
    try:
        told.put((True, str(ATTACKS[name](url, seconds))))
    except Exception as error:
        told.put((False, f"{type(error).__name__}: {error}"[:200]))


async def measure_honest_player_beside(name: str, folder: Path, seconds: float) -> Result:
    """One attack on a new server."""
    spawn = multiprocessing.get_context("spawn")
    with ServerProcess(str(folder / f"{name}.db"), limited=True, bot_workers=1) as server:
        honest = Honest(server.url)
        await honest.sit_down()
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            await client.post("/api/account", json={"name": "Honest", "password": "a long password"})
        await honest.play(1.0)
        quiet = await honest.play(seconds / 2)
        told = spawn.Queue()
        attack = spawn.Process(target=run_attack_in_process, args=(name, server.url, BEGIN_S + seconds, told))
        attack.start()
        try:
            await asyncio.sleep(BEGIN_S)
            times = await honest.play(seconds - 1.0)
            log_in = await honest.log_in()
            ran, report = await asyncio.to_thread(told.get, True, 90)
        finally:
            attack.kill()
            attack.join()
    return Result(name, quiet, times, log_in, report, ran)


def format_result(one: Result) -> str:
    words = f"{one.name:20} {len(one.beside):5} moves; p99 quiet {percentile_99(one.quiet) * 1000:6.1f} ms, "
    words += f"beside {percentile_99(one.beside) * 1000:7.1f} ms, longest {max(one.beside) * 1000:7.1f} ms; "
    verdict = "fine" if one.fine else "TOO SLOW" if one.ran else "DID NOT RUN"
    return words + f"log-in {one.log_in:.2f} s; {verdict}; {one.report[:120]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(ATTACKS)}; all, if none is given")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names or ATTACKS:
            try:
                result = asyncio.run(measure_honest_player_beside(name, Path(folder), args.seconds))
            except (TimeoutError, AssertionError, OSError, httpx.HTTPError) as error:
                print(f"{name:20} the honest player was cut off: {type(error).__name__}: {error}"[:200], flush=True)
                failed += 1
                continue
            failed += not result.fine
            print(format_result(result), flush=True)
    print(f"{failed} of {len(args.names or ATTACKS)} attacks make the neighbour wait too long, or did not run")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
