"""One guest with many tables of slow bots, and a stranger's table beside them: how long the stranger's bot takes."""

from __future__ import annotations

import asyncio
import time
from statistics import median

from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES
from tests.server.real_server import Line, Player, ServerProcess


async def measure_bot_times(line: Line, count: int, rng: Rng) -> list[float]:
    """Seconds from a bot's question to its choice, so many times; a person plays at random against it."""
    found: list[float] = []
    asked = time.monotonic()
    while len(found) < count and not line.over:
        if line.choices:
            choice = line.choices[int(rng.randbelow(len(line.choices)))]
            line.choices = []
            await line.send(t="play", version=line.version, id=f"p{next(line.ids)}", action=choice["action"])
        theirs = line.view.get("actor") not in (None, line.seat)
        if (await line.receive())["t"] != "update":
            continue
        if theirs:
            found.append(time.monotonic() - asked)
        asked = time.monotonic()
    return found


async def open_crowd_of_tables(url: str, tables: int, bots: list[str]) -> tuple[Player, list[Line]]:
    """One guest's tables, at which bots play for the guest, too."""
    guest = await Player(url, "Guest").come()
    lines = []
    for number in range(tables):
        body = {"game": list(BUILT_IN_GAMES)[number % len(BUILT_IN_GAMES)], "players": 1 + len(bots), "bots": bots}
        line = await Line(guest, (await guest.post("/api/tables/quick", **body))["table"]).open()
        await line.send(t="leave")
        lines.append(line)
    return guest, lines


async def receive_until_over(line: Line) -> None:
    """Read what comes."""
    while not line.over:
        await line.receive()


async def measure_alone_and_beside(
    server: ServerProcess, tables: int, choices: int, bot: str = "leviathan"
) -> dict[str, list[float]]:
    """How long the stranger's bot takes alone, and beside the crowd."""
    stranger = await Player(server.url, "Stranger").come()
    found: dict[str, list[float]] = {"alone": [], "beside": []}
    others: list[Line] = []
    reading: list[asyncio.Task[None]] = []
    for when, times in found.items():
        if when == "beside":
            guest, others = await open_crowd_of_tables(server.url, tables, ["kraken"] * 3)
            reading = [asyncio.create_task(receive_until_over(line)) for line in others]
            await asyncio.sleep(3)
        while len(times) < choices:
            body = {"game": "atlantis", "players": 2, "bots": [bot], "seating": "as_sat"}
            line = await Line(stranger, (await stranger.post("/api/tables/quick", **body))["table"]).open()
            times += await measure_bot_times(line, choices - len(times), Rng(1))
            await line.close()
    for task in reading:
        task.cancel()
    for line in others:
        line.cut_connection()
    await guest.close()
    await stranger.close()
    return found


def format_times(times: list[float]) -> str:
    """A line for people."""
    inorder = sorted(times)
    ninth = inorder[len(inorder) * 9 // 10]
    return f"median {median(times):.2f} s, ninth of ten {ninth:.2f} s, longest {inorder[-1]:.2f} s"
