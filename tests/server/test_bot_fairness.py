"""Strong bots of one address, and how long a stranger of another waits for a quick one."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from landfall.core.rng import Rng
from tests.conftest import LONG
from tests.server.real_server import Line, Player, ServerProcess

pytestmark = [pytest.mark.once, pytest.mark.skipif(sys.platform != "linux", reason="one loopback address there")]
GUESTS = 8
STRONG_S = 1.0  # that each choice of a strong bot takes
QUICK_CHOICES = 6


async def crowd_of(url: str) -> list[Line]:
    """Guests of one address, each at a table of strong bots."""
    lines = []
    for n in range(GUESTS):
        guest = await Player(url, f"Guest {n}").come()
        bots = [f"mcts:ms={int(1000 * STRONG_S)}"] * 3
        table = await guest.post("/api/tables/quick", game="atlantis", players=4, bots=bots)
        lines.append(await Line(guest, table["table"]).open())
    return lines


async def play_on(line: Line, rng: Rng, thoughts: list[str]) -> None:
    """Choose at random whenever asked; note each choice of a strong bot: one that took as long as these think."""
    last, mine = time.monotonic(), False
    while not line.over:
        if line.choices:
            mine = True
            await choose(line, rng)
        entry = line.n
        await line.receive()
        if line.n == entry:
            continue
        if not mine and time.monotonic() - last > 0.9 * STRONG_S:
            thoughts.append(line.table)
        last, mine = time.monotonic(), False


async def choose(line: Line, rng: Rng) -> None:
    choice = line.choices[int(rng.randbelow(len(line.choices)))]
    line.choices = []
    await line.send(t="play", version=line.version, id=f"p{next(line.ids)}", action=choice["action"])


async def strong_choices_before_quick_ones(line: Line, rng: Rng, thoughts: list[str]) -> list[int]:
    """Each time that a quick bot was to choose: how many strong ones of others chose until it had."""
    found: list[int] = []
    while len(found) < QUICK_CHOICES and not line.over:
        if line.choices:
            await choose(line, rng)
            await line.until("update")
            continue
        before = len(thoughts)
        await line.until("update")
        found.append(len(thoughts) - before)
    return found


@pytest.mark.proof
def test_strong_bots_of_one_address_do_not_delay_a_strangers_quick_one(tmp_path: Path) -> None:
    async def story() -> list[int]:
        with ServerProcess(str(tmp_path / "landfall.db"), bot_workers=1) as server:
            stranger = await Player(server.url, "Ana", "127.0.0.2").come()
            table = await stranger.post("/api/tables/quick", game="atlantis", players=2, bots=["mackerel"])
            line = await Line(stranger, table["table"]).open()
            crowd = await crowd_of(server.url)
            thoughts: list[str] = []
            playing = [asyncio.create_task(play_on(one, Rng(n), thoughts)) for n, one in enumerate(crowd)]
            while len(set(thoughts)) < GUESTS / 2:
                await asyncio.sleep(0.1)
            found = await strong_choices_before_quick_ones(line, Rng(1), thoughts)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for one in [*crowd, line]:
                await one.close()
                await one.player.close()
            return found

    found = asyncio.run(asyncio.wait_for(story(), 4 * LONG))
    assert len(found) == QUICK_CHOICES
    assert max(found) < GUESTS / 2, "it waited for several guests' bots, not only for the one that ran"
