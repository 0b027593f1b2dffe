"""Where bots think: nobody's questions keep others' waiting, and what must be answered in time is."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from landfall.bots.greedy_bot import GreedyBot
from landfall.core.rng import Rng
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.match import Match
from landfall.tables.bots import bot_pool, worker_pool
from landfall.tables.bots.allowed_bots import LEVELS
from landfall.tables.bots.bot_pool import BotRequest, ProcessBotPool, choose_bot_action, make_bot_request
from landfall.tables.bots.fair_queue import FairQueue
from landfall.tables.bots.worker_pool import (
    FREE_LOSSES,
    WorkerPool,
    _raise_worker_timeout,
    initialise_worker_process,
    worker_restart_delay_s,
)
from landfall.tables.jobs.replay import record_to_replay_json
from landfall.tables.protocol.errors import Refused
from landfall.tables.runtime_dependencies import Runtime
from landfall.worker_process import JobError, WorkerDied
from tests.conftest import LONG

pytestmark = pytest.mark.once


def positions(game: str, players: int = 3, count: int = 3) -> Iterator[Match]:
    """A few positions of a match in which there is something to think about."""
    match, rng = Match(game, players=players, seed=5), Rng(5)
    while count and match.legal_actions():
        if len(match.legal_actions()) > 3 and len(match.log) > 60 and not match.state.is_setup():
            count -= 1
            yield match
        legal = match.legal_actions()
        match.play(legal[int(rng.randbelow(len(legal)))])


def request(code: str, game: str = "atlantis", budget: float = 2.0, hard: bool = False) -> BotRequest:
    match = next(positions(game))
    found = make_bot_request(match, match.actor, code, Runtime(rng=Rng(1)))
    return BotRequest(found.game, found.world, found.seat, found.code, found.seed, budget, found.events, hard)


def legal(found: int, of: BotRequest) -> bool:
    return found in find_game(of.game).from_bytes(of.world).legal_actions()


@asynccontextmanager
async def workers(count: int = 1) -> AsyncIterator[ProcessBotPool]:
    found = ProcessBotPool(count)
    try:
        yield found
    finally:
        found.close_pool()


async def in_order(turns: FairQueue, *askers: str) -> list[str]:
    """Who is served in which order, when all ask at once and one place is there."""
    served: list[str] = []

    async def ask(who: str) -> None:
        await turns.take_slot(who)
        served.append(who)
        await asyncio.sleep(0)
        turns.release_slot(who)

    await asyncio.gather(*map(ask, askers))
    return served


def test_people_take_turns_and_so_do_ones_tables() -> None:
    async def story() -> None:
        many = [f"ana t{i % 3}" for i in range(6)]
        order = await in_order(FairQueue(1, 1), *many, "boris t9", "boris t9")
        assert order == ["ana t0", "boris t9", "ana t1", "boris t9", "ana t2", "ana t0", "ana t1", "ana t2"]

    asyncio.run(story())


def test_who_was_served_long_ago_goes_before_who_is_served_all_the_time() -> None:
    async def story() -> None:
        turns = FairQueue(1, 1)
        served = []

        async def ask(who: str) -> None:
            await turns.take_slot(who)
            served.append(who)

        tasks = [asyncio.create_task(ask(f"ana t{i}")) for i in range(4)]
        await asyncio.sleep(0)
        for who in ("boris t", "boris t"):  # comes again and again, each time while Ana has many waiting
            tasks.append(asyncio.create_task(ask(who)))
            await asyncio.sleep(0)
            turns.release_slot(served[-1])
            await asyncio.sleep(0)
            assert served[-1] == who
            turns.release_slot(who)
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()

    asyncio.run(story())


def test_one_person_does_not_get_all_places() -> None:
    async def story() -> None:
        turns = FairQueue(3, 2)
        waiting = [asyncio.create_task(turns.take_slot("ana t")) for _ in range(5)]
        await asyncio.sleep(0)
        assert sum(task.done() for task in waiting) == 2
        await asyncio.wait_for(turns.take_slot("boris t"), 5)
        for task in waiting:
            task.cancel()

    asyncio.run(story())


def test_who_goes_leaves_the_queue_and_takes_no_place_along() -> None:
    async def story() -> None:
        turns = FairQueue(1, 1)
        await turns.take_slot("ana t")
        gone = asyncio.create_task(turns.take_slot("boris t"))
        late = asyncio.create_task(turns.take_slot("chen t"))
        await asyncio.sleep(0)
        gone.cancel()
        turns.release_slot("ana t")
        await asyncio.wait_for(late, 5)
        served = asyncio.create_task(turns.take_slot("dora t"))
        await asyncio.sleep(0)
        turns.release_slot("chen t")
        served.cancel()  # in the moment it is her turn
        await asyncio.wait_for(turns.take_slot("emil t"), 5)

    asyncio.run(story())


class VirtualServer:
    """A queue and workers in virtual time: when each request was asked, and when it was answered."""

    def __init__(self, places: int) -> None:
        self.queue = FairQueue(places, max(1, places - 1))
        self.now = 0.0
        self.ends: list[tuple[float, str]] = []  # of what is being done
        self.took: dict[str, list[float]] = {}

    async def ask(self, who: str, seconds: float) -> None:
        asked_at = self.now
        await self.queue.take_slot(who)
        self.ends.append((self.now + seconds, who))
        self.took.setdefault(who, []).append(self.now + seconds - asked_at)

    async def play(self, who: str, seconds: float, times: int) -> None:
        """A table whose bots choose one after the other."""
        for _ in range(times):
            asked_at = len(self.took.get(who, []))
            await self.ask(who, seconds)
            while any(other == who for _, other in self.ends) or len(self.took[who]) == asked_at:
                await asyncio.sleep(0)

    async def run_until(self, done: asyncio.Task[None]) -> None:
        """Let what is done end, the earliest first."""
        while not done.done():
            for _ in range(5):
                await asyncio.sleep(0)
            if not self.ends:
                continue
            self.ends.sort()
            self.now, who = self.ends.pop(0)
            self.queue.release_slot(who)


@pytest.mark.parametrize("places", [1, 2, 4])
def test_twenty_guests_of_one_address_delay_a_stranger_by_one_running_choice(places: int) -> None:
    strong, weak = 3.0, 0.1

    async def story() -> None:
        server = VirtualServer(places)
        crowd = [asyncio.create_task(server.play(f"203.0.113.9 guest{i} t{i}", strong, 50)) for i in range(20)]
        for _ in range(5):
            await asyncio.sleep(0)
        stranger = asyncio.create_task(server.play("198.51.100.7 ana t", weak, 10))
        await server.run_until(stranger)
        took = server.took["198.51.100.7 ana t"]
        assert len(took) == 10
        assert max(took) <= 2 * weak + (strong if places == 1 else 0.0), "a place is left for who comes"
        for task in crowd:
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_two_crowds_share_the_places_evenly_however_many_each_has() -> None:
    async def story() -> None:
        server = VirtualServer(4)
        few = [asyncio.create_task(server.play(f"b p{i} t", 1.0, 30)) for i in range(3)]
        many = [asyncio.create_task(server.play(f"a p{i} t", 1.0, 30)) for i in range(40)]
        await server.run_until(few[0])
        answered: Counter[str] = Counter()
        for who, took in server.took.items():
            answered[who[0]] += len(took)
        assert 0.8 < answered["a"] / answered["b"] < 1.25
        for task in [*few, *many]:
            task.cancel()
        await asyncio.gather(*few, *many, return_exceptions=True)

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_an_address_may_wait_beside_its_people() -> None:
    async def story() -> None:
        order = await in_order(FairQueue(1, 1), "a", "a p t", "a p t", "a", "b q t")
        assert sorted(order) == ["a", "a", "a p t", "a p t", "b q t"]
        assert order[1] == "b q t"

    asyncio.run(story())


def test_a_crowd_of_questions_keeps_a_strangers_waiting_for_one_of_them() -> None:
    async def story() -> None:
        async with workers() as crew:
            await crew.warm_up_workers()
            crowd = request("mcts:ms=150", budget=0.5)
            before = [asyncio.create_task(crew.choose_action(crowd, f"ana t{i}")) for i in range(40)]
            await asyncio.sleep(0)
            mine = request("mackerel")
            assert legal(await crew.choose_action(mine, "boris t"), mine)
            assert sum(task.done() for task in before) <= 2
            for task in before:
                task.cancel()

    asyncio.run(story())


def never_begin() -> None:
    time.sleep(2 * LONG)


def test_bots_play_though_their_workers_are_long_in_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a busy machine, when all were killed: one after the other, and several tables at once."""

    async def story() -> None:
        async with workers() as found:
            mine = request("mcts:ms=300")
            monkeypatch.setattr(worker_pool, "MAX_RESTART_S", 0)
            await found.choose_action(mine, "ana t")
            assert [worker.ready for worker in found.bot_workers.idle] == [True], "the first workers are waited for"
            found.bot_workers.prepare = never_begin
            monkeypatch.setattr(worker_pool, "MAX_RESTART_S", 0.2)
            found.kill_all_workers()
            asking = [found.choose_action(mine, f"ana t{i}") for i in range(4)]
            expected = [bot_pool.choose_fallback_action(mine)] * 4
            assert await asyncio.wait_for(asyncio.gather(*asking), LONG) == expected
            assert await asyncio.wait_for(found.choose_action(mine, "boris t"), LONG) == expected[0]
            assert not found.bot_workers.queue.waiting, "nobody is left in the queue"

    asyncio.run(story())


def test_replays_do_not_keep_bots_waiting() -> None:
    async def story() -> None:
        async with workers() as crew:
            await crew.warm_up_workers()
            record = whole("survive")
            replays = [
                asyncio.create_task(crew.run_task(record_to_replay_json, record, 0, who="ana")) for _ in range(30)
            ]
            await asyncio.sleep(0)
            mine = request("sprat")
            assert legal(await crew.choose_action(mine, "boris t"), mine)
            assert not all(task.done() for task in replays)
            for task in replays:
                task.cancel()
            with pytest.raises(Exception, match="record"):
                await crew.run_task(record_to_replay_json, "nonsense", 0, who="ana")

    asyncio.run(story())


def whole(game: str) -> str:
    match, rng = Match(game, players=4, seed=2), Rng(2)
    while choices := match.legal_actions():
        match.play(choices[int(rng.randbelow(len(choices)))])
    return match.record()


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("level", [*LEVELS, "mcts:ms=2000", "mcts"])
@pytest.mark.compiled_only
def test_every_bot_thinks_no_longer_than_its_budget(level: str, game: str) -> None:
    """By processor time, which others on this machine cannot stretch; a machine that itself stands still can, now and
    then, so one of three tries counts."""
    for match in positions(game, count=1):
        found = make_bot_request(match, match.actor, level, Runtime(rng=Rng(1)))
        short = BotRequest(found.game, found.world, found.seat, found.code, found.seed, 0.1, None)

        def think(short: BotRequest = short) -> float:
            began = time.thread_time()
            assert legal(choose_bot_action(short), short)
            return time.thread_time() - began

        assert any(think() < 0.2 for _ in range(3))


@pytest.mark.parametrize("level", [*LEVELS, "mcts:ms=60000"])
def test_a_hard_budget_is_kept_by_the_wall_clock_whatever_the_bot_does(level: str) -> None:
    async def story() -> None:
        async with workers() as crew:
            await crew.warm_up_workers()
            mine = request(level, budget=0.3, hard=True)
            began = time.monotonic()
            assert legal(await crew.choose_action(mine, "ana t"), mine)
            assert time.monotonic() - began < 10

    asyncio.run(story())


def test_a_hard_budget_counts_the_time_in_the_queue() -> None:
    async def story() -> None:
        async with workers() as crew:
            await crew.warm_up_workers()
            slow = asyncio.create_task(crew.choose_action(request("mcts:ms=8000", budget=8.0), "ana t"))
            await asyncio.sleep(0)
            mine = request("leviathan", budget=0.2, hard=True)
            found = await crew.choose_action(mine, "boris t")
            assert not slow.done()
            world = find_game(mine.game).from_bytes(mine.world)
            assert found in world.legal_actions()
            slow.cancel()

    asyncio.run(story())


def test_what_had_no_time_is_answered_as_greedy_would() -> None:
    from landfall.bots.contract import Seat
    from landfall.tables.bots.bot_pool import choose_fallback_action

    mine = request("leviathan")
    world = find_game(mine.game).from_bytes(mine.world)
    assert choose_fallback_action(mine) == GreedyBot().choose(Seat(mine.seat, mine.game, world, Rng(mine.seed), 0.0))


@pytest.mark.proof
def test_a_pool_that_was_thrown_away_answers_what_was_asked_of_it() -> None:
    async def story() -> None:
        async with workers() as crew:
            await crew.warm_up_workers()
            questions = [request("mcts:ms=5000", budget=5.0) for _ in range(3)]
            waiting = [asyncio.create_task(crew.choose_action(one, f"p{i} t")) for i, one in enumerate(questions)]
            await asyncio.sleep(0.2)
            crew.kill_all_workers()
            first = await asyncio.wait_for(waiting[0], 20)
            assert legal(first, questions[0])
            crew.kill_all_workers()
            for task in waiting[1:]:
                task.cancel()
            assert await asyncio.wait_for(crew.choose_action(request("sprat"), "q t"), 60) >= 0

    asyncio.run(story())


def test_work_that_takes_too_long_is_refused_as_busy_as_all_that_cannot_be_done_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_long() -> None:
        raise worker_pool.WorkerTimeout

    async def at_once(self: WorkerPool, who: str, limit: float, task: Any, *args: Any, kind: str) -> Any:
        return task(*args)

    monkeypatch.setattr(WorkerPool, "run_job", at_once)
    with pytest.raises(Refused) as refused:
        asyncio.run(ProcessBotPool().run_task(too_long))
    assert refused.value.code == "busy"


def test_work_is_given_so_much_processor_time_however_long_that_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that gets little of a busy machine goes on; one that works on without end is stopped."""
    monkeypatch.setattr(bot_pool, "TASK_TIMEOUT_S", 0.2)
    before = signal.signal(signal.SIGPROF, _raise_worker_timeout)
    try:
        assert bot_pool.run_task_with_time_limit(waits, (1.0,)) == "done"
        assert bot_pool.run_task_with_time_limit(works_for, (LONG,)) == bot_pool.TIMED_OUT
        assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
    finally:
        signal.signal(signal.SIGPROF, before)


def test_what_is_short_and_among_the_bots_questions_has_no_longer_than_the_clock_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot_pool, "TASK_TIMEOUT_S", 0.2)
    before = signal.signal(signal.SIGALRM, _raise_worker_timeout)
    try:
        assert bot_pool.run_task_with_time_limit(waits, (float(LONG),), True) == bot_pool.TIMED_OUT
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    finally:
        signal.signal(signal.SIGALRM, before)


def waits(seconds: float) -> str:
    """Little of the processor for so long."""
    time.sleep(seconds)
    return "done"


def works_for(seconds: float) -> str:
    """All of it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass
    return "done"


@pytest.mark.proof
def test_workers_are_notified_when_their_processor_time_is_over() -> None:
    async def story() -> None:
        async with workers() as crew:
            worker = await crew.run_task(os.getpid, who="ana")
            with pytest.raises(Refused) as refused:
                await crew.run_task(stopped, who="ana")
            assert refused.value.code == "busy"
            assert await crew.run_task(os.getpid, who="ana") == worker != os.getpid()  # it was told, not killed

    asyncio.run(story())


def stopped() -> None:
    """In a worker: what happens when the time is over."""
    signal.raise_signal(signal.SIGPROF)


def test_an_asker_who_is_cancelled_is_cancelled() -> None:
    async def story() -> None:
        async with workers() as crew:
            await crew.warm_up_workers()
            gone = asyncio.create_task(crew.choose_action(request("mcts:ms=1000"), "ana t"))
            await asyncio.sleep(0.1)
            gone.cancel()
            with pytest.raises(asyncio.CancelledError):
                await gone

    asyncio.run(story())


def raises() -> None:
    raise ZeroDivisionError("a bot's mistake")


def test_a_job_that_raises_costs_no_worker_and_one_that_dies_only_its_own() -> None:
    async def story() -> None:
        pool = WorkerPool(2)
        try:
            one = await pool.run_job("a", LONG, os.getpid)
            with pytest.raises(JobError, match="a bot's mistake"):
                await pool.run_job("a", LONG, raises)
            assert await pool.run_job("a", LONG, os.getpid) == one
            slow = asyncio.create_task(pool.run_job("a", LONG, waits, 1.0))
            await asyncio.sleep(0)
            with pytest.raises(WorkerDied):
                await pool.run_job("b", LONG, os._exit, 3)
            assert await slow == "done", "the other worker was left alone"
            assert pool.queue.free == 2
        finally:
            pool.close_pool()

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_a_worker_that_hangs_is_killed_alone_and_its_place_given_back() -> None:
    async def story() -> None:
        pool = WorkerPool(2)
        try:
            one = await pool.run_job("a", LONG, os.getpid)
            with pytest.raises(WorkerDied):
                await pool.run_job("a", 0.2, waits, 10 * LONG)
            assert pool.queue.free == 2
            assert not pool.busy
            assert await pool.run_job("a", LONG, os.getpid) != one
        finally:
            pool.close_pool()

    asyncio.run(asyncio.wait_for(story(), LONG))


@pytest.mark.proof
def test_who_stops_waiting_leaves_a_worker_that_is_busy_until_it_is_done() -> None:
    async def story() -> None:
        pool = WorkerPool(1)
        try:
            one = await pool.run_job("a", LONG, os.getpid)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(pool.run_job("a", LONG, waits, 1.0), 0.1)
            assert pool.queue.free == 0
            assert await pool.run_job("b", LONG, os.getpid) == one
            assert pool.queue.free == 1
        finally:
            pool.close_pool()

    asyncio.run(asyncio.wait_for(story(), LONG))


@pytest.mark.proof
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not enforce it")
def test_a_job_that_needs_too_much_memory_costs_its_worker_and_workers_lost_in_a_row_start_ever_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async def story() -> None:
        pool = WorkerPool(1, partial(initialise_worker_process, 400))
        try:
            with pytest.raises(WorkerDied):
                await pool.run_job("a", LONG, bytes, 500 << 20)
            assert pool.losses == 1
            pool.losses = FREE_LOSSES
            monkeypatch.setattr(asyncio, "sleep", sleep)
            assert await pool.run_job("a", LONG, bytes, 10) == bytes(10)
            assert waited == [worker_restart_delay_s(FREE_LOSSES)]
            assert pool.losses == 0, "one that works ends it"
        finally:
            pool.close_pool()

    asyncio.run(story())
    assert [worker_restart_delay_s(n) for n in (0, 2, 3, 4, 9, 1000)] == [0, 0, 0.5, 1, 30, 30]
