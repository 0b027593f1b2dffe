"""A disk that is slow or fails, workers that vanish, people who come and go meanwhile: tables go on."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from landfall.store.row_types import LogEntry
from landfall.tables.bots.bot_pool import BotRequest, ProcessBotPool
from landfall.tables.bots.worker_pool import WorkerPool
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.log.table import fold_table_from_log
from landfall.worker_process import WorkerDied, WorkerHandle
from tests.conftest import LONG
from tests.tables.fake_users import Guest, Scene, guest_to_choose, run_scene

pytestmark = pytest.mark.once
Append = Callable[..., Awaitable[bool]]


async def at_a_bots_turn(s: Scene) -> tuple[Guest, str]:
    """Ana at a table with a bot whose turn it is; what is written from now on is the bot's."""
    ana = s.guest("Ana")
    assert ana.user is not None
    table = await s.hub.create_table_with_bots(ana.user, TableConfig("atlandice", 2, seating="as_sat"), ["random"])
    await ana.come(table)
    while s.hub.live_tables[table].table.actor == 0:
        await ana.play(ana.choices[0]["action"])
    return ana, table


async def the_table_goes_on(s: Scene, ana: Guest, table: str) -> None:
    """By itself to Ana's next choice, and its log is that of a match."""
    await s.time.advance_until(lambda: bool(ana.choices) or ana.table["status"] == "over")
    found = fold_table_from_log(table, await s.store.tables.read_log_entries(table), s.env.rng)
    kept = s.hub.live_tables[table].table
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
        append: Append = s.store.tables.append_entries
        gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def go() -> None:
            for guest in crowd:
                await guest.go()
                await asyncio.sleep(when / 20_000)
            gone.set_result(None)

        async def noticed(*args: Any) -> bool:
            s.store.tables.append_entries = append  # type: ignore[method-assign]
            going.append(asyncio.ensure_future(go()))
            return await append(*args)

        going: list[asyncio.Future[None]] = []
        s.store.tables.append_entries = noticed  # type: ignore[method-assign, assignment]
        await s.time.go_on(1000)
        await asyncio.wait_for(gone, LONG)
        await the_table_goes_on(s, ana, table)

    run_scene(story, tmp_path, pace=700)


@pytest.mark.parametrize("times", [1, 3])
def test_a_bots_turn_whose_entry_could_not_be_written(tmp_path: Path, times: int) -> None:
    async def story(s: Scene) -> None:
        ana, table = await at_a_bots_turn(s)
        append: Append = s.store.tables.append_entries
        left = times

        async def failing(*args: Any) -> bool:
            nonlocal left
            if left:
                left -= 1
                raise OSError("no space left on the device")
            return await append(*args)

        s.store.tables.append_entries = failing  # type: ignore[method-assign, assignment]
        await the_table_goes_on(s, ana, table)
        assert left == 0

    run_scene(story, tmp_path, pace=700)


def test_workers_thrown_away_cost_a_bot_its_thought_and_not_the_table_its_match() -> None:
    class Thrown(WorkerPool):
        async def run_job_without_limit(self, *_: object) -> Any:
            raise WorkerDied

        async def start_worker(self) -> Any:
            return WorkerHandle()

    async def story() -> int:
        import landfall

        match = landfall.Match("atlandice", players=2, seed=1)
        world = match.state.resample(match.actor, match.rng)
        bot_pool = ProcessBotPool()
        bot_pool.bot_workers = Thrown(1)
        return await bot_pool.choose_action(BotRequest("atlandice", world.to_bytes(), match.actor, "random", 1, 0.1))

    assert asyncio.run(story()) >= 0


def test_workers_killed_while_nobody_asks_them_anything_are_replaced() -> None:
    async def story() -> None:
        bot_pool = ProcessBotPool()
        await bot_pool.warm_up_workers()
        (worker,) = bot_pool.bot_workers.idle
        first = await bot_pool.bot_workers.run_job("", LONG, os.getpid)
        os.kill(first, signal.SIGKILL)
        await asyncio.to_thread(worker.process.join, LONG)
        assert await bot_pool.bot_workers.run_job("", LONG, os.getpid) != first
        bot_pool.close_pool()

    asyncio.run(story())


@pytest.mark.proof
def test_a_pool_thrown_away_gives_all_places_back() -> None:
    async def story() -> None:
        pool = WorkerPool(1)
        await pool.run_job("a b", LONG, os.getpid)
        asked = asyncio.ensure_future(pool.run_job("a b", LONG, time.sleep, 10 * LONG))
        while not pool.busy:
            await asyncio.sleep(0)
        pool.kill_all_workers()  # another question has found out that the workers are gone
        with pytest.raises(WorkerDied):
            await asked
        assert pool.queue.free == 1
        pool.close_pool()

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_who_comes_back_to_a_process_that_knows_less_and_cannot_read(tmp_path: Path) -> None:
    """They are told all that is known there, from the beginning, and the rest by itself as soon as it can be read."""

    async def story(s: Scene) -> None:
        ana, bea = await s.table("Ana", "Bea")
        (table,) = s.hub.live_tables
        elsewhere = Hub(s.store, runtime=s.env)
        there = Guest(elsewhere, "Ana" if guest_to_choose([ana, bea]) is ana else "Bea")
        await there.come(table)
        assert (await there.play(there.choices[0]["action"]))["t"] == "ack"
        known, events, entries = there.n, there.base + len(there.events), s.store.tables.read_log_entries
        last = there.events[-1]
        assert known > s.hub.live_tables[table].table.seq

        async def away(*_: object) -> list[LogEntry]:
            raise OSError("the disk is away")

        s.store.tables.read_log_entries = away  # type: ignore[assignment,method-assign]
        await there.go()
        there.hub = s.hub
        await there.come(table, since=known)
        s.store.tables.read_log_entries = entries  # type: ignore[method-assign]
        welcome = [message for message in there.inbox if message["t"] == "welcome"][-1]
        kept = list(there.events)
        await s.time.advance_until(lambda: there.n >= known)
        await elsewhere.shut_down()
        assert welcome["n"] < known
        assert welcome["first"] == 0  # what they know may be more than this: nothing of it is kept
        assert welcome["events"] == kept
        assert len(kept) < events
        assert (there.base, there.events[events - 1]) == (0, last)
        assert s.hub.live_tables[table].table.seq == there.n

    run_scene(story, tmp_path)
