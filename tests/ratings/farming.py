"""The attack on ratings: two accounts play private rated matches, and the second resigns each.

`python -m tests.ratings.farming [MATCHES]` prints the first one's rating after each: from one address, and from two.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from typing import Any

from tests.server.real_server import Line, Player, ServerProcess

GAME = "atlandice"
CLOCK = {"mode": "live", "turn": 60, "bank": 60}
OWN, OTHER = "127.0.0.1", "127.0.0.2"


async def new_account(url: str, name: str, address: str) -> Player:
    player = await Player(url, name, address).come()
    await player.post("/api/account", name=name, password="a long sentence to sign in")
    return player


async def sit_down(winner: Player, loser: Player) -> list[Line]:
    table = (await winner.post("/api/tables", game=GAME, players=2, rated=True, clock=CLOCK))["table"]
    lines = [await Line(player, table).open() for player in (winner, loser)]
    await lines[1].ask(t="sit", chair=1)
    await lines[0].send(t="start")
    return lines


async def receive_from_any(lines: list[Line]) -> None:
    hearing = [asyncio.create_task(line.receive()) for line in lines]
    _, still = await asyncio.wait(hearing, return_when=asyncio.FIRST_COMPLETED)
    for task in still:
        task.cancel()
    await asyncio.wait(hearing)


async def play_until_it_counts(lines: list[Line]) -> None:
    """Each has chosen twice."""
    chosen = [0, 0]
    while min(chosen) < 2:
        while not any(line.choices for line in lines):
            await receive_from_any(lines)
        [line] = [line for line in lines if line.choices]
        action, line.choices = line.choices[0]["action"], []
        answer = await line.play(action)
        assert answer["t"] == "ack", answer
        chosen[lines.index(line)] += 1
        for one in lines:
            while (one.n or 0) < answer["n"]:
                await one.receive()


async def farm_one_match(winner: Player, loser: Player) -> dict[str, Any]:
    """What the table says in the end, when it is known whether the match counts."""
    lines = await sit_down(winner, loser)
    await play_until_it_counts(lines)
    await lines[1].send(t="resign")
    while not (lines[0].over and ("ratings" in lines[0].news or lines[0].news.get("unrated"))):
        await lines[0].receive()
    for line in lines:
        await line.close()
    return lines[0].news


async def farm(url: str, matches: int, addresses: tuple[str, str]) -> tuple[list[int], list[str]]:
    """The winner's rating after each match that counted, and why the others did not."""
    winner, loser = [await new_account(url, f"{who} {addresses[1]}", at) for who, at in zip(("Ana", "Bo"), addresses)]
    ratings, reasons = [], []
    for _ in range(matches):
        news = await farm_one_match(winner, loser)
        if "ratings" in news:
            ratings.append(max(change["after"]["rating"] for change in news["ratings"]))
        else:
            reasons.append(news["unrated"])
    for player in (winner, loser):
        await player.close()
    return ratings, reasons


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    with tempfile.TemporaryDirectory() as folder, ServerProcess(f"{folder}/landfall.db", limited=True) as server:
        for addresses in ((OWN, OWN), (OWN, OTHER)):
            ratings, reasons = asyncio.run(farm(server.url, matches, addresses))
            sys.stdout.write(f"from {' and '.join(sorted(set(addresses)))}: {ratings}, not counted: {reasons}\n")


if __name__ == "__main__":
    main()
