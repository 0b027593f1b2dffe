"""A disk that is slow or fails, workers that vanish, people who come and go meanwhile: tables go on."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from landfall.tables.house import Wish
from landfall.tables.table import folded
from landfall.tables.thinkers import Crew, ProcessThinkers, Question
from tests.conftest import LONG
from tests.tables.people import Guest, Scene, scene

pytestmark = pytest.mark.once
Append = Callable[..., Awaitable[bool]]


async def at_a_bots_turn(s: Scene) -> tuple[Guest, str]:
    """Ana at a table with a bot whose turn it is; what is written from now on is the bot's."""
    ana = s.guest("Ana")
    assert ana.visitor is not None
    table = await s.house.quick(ana.visitor, Wish("atlandice", 2, seating="as_sat"), ["random"])
    await ana.come(table)
    while s.house.rooms[table].table.actor == 0:
        await ana.play(ana.choices[0]["action"])
    return ana, table


async def the_table_goes_on(s: Scene, ana: Guest, table: str) -> None:
    """By itself to Ana's next choice, and its log is that of a match."""
    await s.time.go_on_until(lambda: bool(ana.choices) or ana.table["status"] == "over")
    found = folded(table, await s.house.store.entries(table), s.means.rng)
    kept = s.house.rooms[table].table
    assert (found.seq, found.version) == (kept.seq, kept.version) == (ana.n, ana.version)
    assert found.match is not None
    assert kept.match is not None
    assert found.match.state.digest() == kept.match.state.digest()


@pytest.mark.parametrize("when", range(0, 40, 2))
def test_people_who_leave_while_a_bots_entry_is_on_its_way_to_the_disk(tmp_path: Path, when: int) -> None:
    async def story(s: Scene) -> None:
        ana, table = await at_a_bots_turn(s)
        crowd = [s.guest(f"Onlooker {n}") for n in range(30)]
        for guest in crowd:
            await guest.come(table)
        append: Append = s.house.store.append
        gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def go() -> None:
            for guest in crowd:
                await guest.go()
                await asyncio.sleep(when / 20_000)
            gone.set_result(None)

        async def noticed(*args: Any) -> bool:
            s.house.store.append = append  # type: ignore[method-assign, assignment]
            going.append(asyncio.ensure_future(go()))
            return await append(*args)

        going: list[asyncio.Future[None]] = []
        s.house.store.append = noticed  # type: ignore[method-assign, assignment]
        await s.time.go_on(1000)
        await asyncio.wait_for(gone, LONG)
        await the_table_goes_on(s, ana, table)

    scene(story, tmp_path, pace=700)


@pytest.mark.parametrize("times", [1, 3])
def test_a_bots_turn_whose_entry_could_not_be_written(tmp_path: Path, times: int) -> None:
    async def story(s: Scene) -> None:
        ana, table = await at_a_bots_turn(s)
        append: Append = s.house.store.append
        left = times

        async def failing(*args: Any) -> bool:
            nonlocal left
            if left:
                left -= 1
                raise OSError("no space left on the device")
            return await append(*args)

        s.house.store.append = failing  # type: ignore[method-assign, assignment]
        await the_table_goes_on(s, ana, table)
        assert left == 0

    scene(story, tmp_path, pace=700)


def test_workers_thrown_away_cost_a_bot_its_thought_and_not_the_table_its_match() -> None:
    class Pool:
        def submit(self, *_: object) -> "Future[int]":
            thrown: Future[int] = Future()
            thrown.cancel()
            return thrown

    class Thrown(Crew):
        def started(self) -> Any:
            return Pool()

    async def story() -> int:
        import landfall

        match = landfall.Match("atlandice", players=2, seed=1)
        world = match.state.resample(match.actor, match.rng)
        thinkers = ProcessThinkers()
        thinkers.bots = Thrown(1)
        return await thinkers.choose(Question("atlandice", world.to_bytes(), match.actor, "random", 1, 0.1))

    assert asyncio.run(story()) >= 0
