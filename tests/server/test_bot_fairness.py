"""Strong bots of one address, and how long a stranger of another waits for a quick one."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from landfall.core.rng import Rng
from tests.conftest import LONG
from tests.server.real_server import Line, Player, ServerProcess, play_on

pytestmark = [pytest.mark.once, pytest.mark.skipif(sys.platform != "linux", reason="one loopback address there")]
GUESTS = 8
STRONG_S = 1.0  # that each choice of a strong bot takes


async def crowd_of(url: str) -> list[Line]:
    """Guests of one address, each at a table of strong bots."""
    lines = []
    for n in range(GUESTS):
        guest = await Player(url, f"Guest {n}").come()
        bots = [f"mcts:ms={int(1000 * STRONG_S)}"] * 3
        table = await guest.post("/api/tables/quick", game="atlantis", players=4, bots=bots)
        lines.append(await Line(guest, table["table"]).open())
    return lines


async def waits_of(line: Line, rng: Rng, seconds: float) -> list[float]:
    """How long it took each time until something happened, while a bot was to choose."""
    found, until = [], time.monotonic() + seconds
    while time.monotonic() < until and not line.over:
        if line.choices:
            choice = line.choices[int(rng.randbelow(len(line.choices)))]
            line.choices = []
            await line.send(t="play", version=line.version, id=f"p{next(line.ids)}", action=choice["action"])
            await line.until("update")
            continue
        began = time.monotonic()
        await line.until("update")
        found.append(time.monotonic() - began)
    return found


def test_strong_bots_of_one_address_do_not_delay_a_strangers_quick_one(tmp_path: Path) -> None:
    async def story() -> list[float]:
        with ServerProcess(str(tmp_path / "landfall.db"), bot_workers=1) as server:
            stranger = await Player(server.url, "Ana", "127.0.0.2").come()
            table = await stranger.post("/api/tables/quick", game="atlantis", players=2, bots=["mackerel"])
            line = await Line(stranger, table["table"]).open()
            crowd = await crowd_of(server.url)
            playing = [asyncio.create_task(play_on(one, Rng(n))) for n, one in enumerate(crowd)]
            await asyncio.sleep(2 * STRONG_S)
            found = await waits_of(line, Rng(1), 12 * STRONG_S)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for one in [*crowd, line]:
                await one.close()
                await one.player.close()
            return found

    waits = asyncio.run(asyncio.wait_for(story(), 4 * LONG))
    assert len(waits) >= 4
    assert max(waits) < GUESTS * STRONG_S / 2, "it waited for several guests' bots, not only for the one that ran"
