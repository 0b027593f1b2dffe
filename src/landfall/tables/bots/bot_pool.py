"""Runs bots in worker processes, with a time limit, on a position resampled for their seat.

Callers name the requester as "address person table", so that nobody's requests block others'.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeVar

from landfall.bots.contract import Seat
from landfall.bots.greedy_bot import GreedyBot
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.tables.bots.allowed_bots import make_bot
from landfall.tables.bots.worker_pool import WorkerPool, WorkerTimeout, initialise_worker_process
from landfall.tables.protocol.errors import Refused
from landfall.worker_process import DEFAULT_MEMORY_MB, WorkerDied

if TYPE_CHECKING:
    from landfall.core.message_types import GameEvent
    from landfall.match import Match
    from landfall.tables.runtime_dependencies import Runtime

T = TypeVar("T")
log = logging.getLogger(__name__)
HOLD_SHARE: Final = 0.6  # share of the answer delay that a bot may think; the rest covers overhead
# share of a hard budget that the bot knows of: it finishes by itself, with its own choice
HARD_BUDGET_SHARE: Final = 0.8
TASK_TIMEOUT_S: Final = 30.0  # limit for tasks other than bots': processor time, or wall time for short ones
# wall time after which such a task is abandoned: a busy machine is slow, not wrong
STARVED_TASK_TIMEOUT_S: Final = 120.0
BOT_CHOICE_KIND: Final = "bot_choice"  # of such a job, in the metrics; other tasks have their function's name
WORKER_GRACE_S: Final = 30.0  # after its limit, time until a bot worker is killed


@dataclass(frozen=True)
class BotRequest:
    """A request to a bot. `world` is a serialised position with everything hidden from its seat resampled.

    `hard`: the answer arrives within the budget, by the wall clock and including the wait for a worker.
    """

    game: str
    world: bytes
    seat: int
    code: str
    seed: int
    budget: float
    events: list[GameEvent] | None = None
    hard: bool = False


def make_bot_request(match: Match, seat: int, code: str, runtime: Runtime, timing_tells: bool = False) -> BotRequest:
    """The request to a bot on a seat; the true position stays here. `timing_tells`: its time must reveal nothing."""
    world = match.state.resample(seat, runtime.rng)
    events = match.events(seat=seat) if make_bot(code).uses_events else None
    seed = int(runtime.rng.randbelow(1 << 30))
    hard = timing_tells and runtime.answer_hold_ms > 0
    budget = min(runtime.bot_time_s, HOLD_SHARE * runtime.answer_hold_ms / 1000) if hard else runtime.bot_time_s
    return BotRequest(match.game.name, world.to_bytes(), seat, code, seed, budget, events, hard)


@dataclass(frozen=True)
class TimedOutTask:
    """A worker's result for a task that ran out of time."""


TIMED_OUT: Final = TimedOutTask()


def run_task_with_time_limit(
    task: Callable[..., T], args: tuple[object, ...], urgent: bool = False
) -> T | TimedOutTask:
    """In a worker: run a task with a time limit."""
    clock = signal.ITIMER_REAL if urgent else signal.ITIMER_PROF
    signal.setitimer(clock, TASK_TIMEOUT_S)
    try:
        return task(*args)
    except WorkerTimeout:
        return TIMED_OUT
    finally:
        signal.setitimer(clock, 0)


def seat_from_bot_request(request: BotRequest, budget: float) -> Seat:
    """What a bot receives: the position of a request as its seat."""
    world = find_game(request.game).from_bytes(request.world)
    return Seat(request.seat, request.game, world, Rng(request.seed), budget, request.events, strict=True)


def choose_bot_action(request: BotRequest) -> int:
    """A bot's choice."""
    budget = HARD_BUDGET_SHARE * request.budget if request.hard else request.budget
    return int(make_bot(request.code).choose(seat_from_bot_request(request, budget)))


def choose_fallback_action(request: BotRequest) -> int:
    """An immediate reasonable choice, if the bot gave none in time."""
    try:
        return GreedyBot().choose(seat_from_bot_request(request, 0.0))
    except Exception:  # whatever is wrong, the match continues
        return choose_random_action(request)


def choose_random_action(request: BotRequest) -> int:
    """A random choice."""
    world = find_game(request.game).from_bytes(request.world)
    return int(world.random_action(Rng(request.seed)))


def choose_bot_action_within_budget(request: BotRequest) -> int:
    """In a worker: think within a hard budget, or within twice a soft one plus half a second."""
    longest = max(0.001, request.budget if request.hard else 2 * request.budget + 0.5)
    signal.setitimer(signal.ITIMER_REAL, longest)
    try:
        return choose_bot_action(request)
    except WorkerTimeout:
        return choose_fallback_action(request)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def choose_bot_action_before_deadline(request: BotRequest, until: float) -> int:
    """In a worker: think with the rest of a hard budget after queueing. All processes share the clock."""
    left = until - time.monotonic()
    return (
        choose_bot_action_within_budget(replace(request, budget=left))
        if left > 0.01
        else choose_fallback_action(request)
    )


class BotPool:
    """Bots in this process: for tests, and where blocking is acceptable."""

    async def choose_action(self, request: BotRequest, who: str = "") -> int:
        """One bot's choice; a reasonable one if it fails."""
        return choose_bot_action(request)

    async def run_task(self, task: Callable[..., T], *args: object, who: str = "", urgent: bool = False) -> T:
        """Run a task other than a bot's, where it blocks nobody. `urgent`: short, and queued with bots' requests."""
        return task(*args)

    async def warm_up_workers(self) -> None:
        """Start the workers, so that the first request is not late."""

    def worker_pools_by_name(self) -> dict[str, WorkerPool]:
        """Its worker processes, by what they do."""
        return {}

    def close_pool(self) -> None:
        """Accept no more requests."""


class ProcessBotPool(BotPool):
    """Bots in worker processes; a hanging one is killed and replaced. Other tasks have a worker of their own."""

    def __init__(self, workers: int = 1, memory_mb: int = DEFAULT_MEMORY_MB) -> None:
        prepare = partial(initialise_worker_process, memory_mb)
        self.bot_workers = WorkerPool(workers, prepare)
        self.task_workers = WorkerPool(1, prepare)

    async def warm_up_workers(self) -> None:
        with suppress(WorkerDied):
            await self.bot_workers.run_job("", WORKER_GRACE_S, os.getpid, kind="warm_up")

    def worker_pools_by_name(self) -> dict[str, WorkerPool]:
        return {"bot": self.bot_workers, "task": self.task_workers}

    async def run_task(self, task: Callable[..., T], *args: object, who: str = "", urgent: bool = False) -> T:
        pool = self.bot_workers if urgent else self.task_workers
        try:
            limit = TASK_TIMEOUT_S + WORKER_GRACE_S if urgent else STARVED_TASK_TIMEOUT_S
            done: T | TimedOutTask = await pool.run_job(
                who, limit, run_task_with_time_limit, task, args, urgent, kind=task.__name__
            )
        except WorkerDied:
            raise Refused("busy") from None
        if isinstance(done, TimedOutTask):
            raise Refused("busy")
        return done

    async def choose_action(self, request: BotRequest, who: str = "") -> int:
        try:
            if request.hard:
                until = time.monotonic() + request.budget
                thinking = self.bot_workers.run_job(
                    who, WORKER_GRACE_S, choose_bot_action_before_deadline, request, until, kind=BOT_CHOICE_KIND
                )
                return await asyncio.wait_for(thinking, request.budget)
            limit = 2 * request.budget + WORKER_GRACE_S
            return await self.wait_for_choice_unless_restart_is_late(
                self.bot_workers.run_job(who, limit, choose_bot_action_within_budget, request, kind=BOT_CHOICE_KIND)
            )
        except (TimeoutError, WorkerDied):
            return choose_fallback_action(request)
        except Exception:  # an exception in a bot's code costs it its choice, not the table its match
            log.warning("%s gave no choice in %s", request.code, request.game, exc_info=True)
            return choose_fallback_action(request)

    async def wait_for_choice_unless_restart_is_late(self, thinking: Coroutine[Any, Any, int]) -> int:
        """Wait for the result; WorkerDied if replacement workers take too long to start."""
        if self.bot_workers.restart_wait_left_s() == inf:
            return await thinking
        task = asyncio.get_running_loop().create_task(thinking)
        try:
            while not task.done() and (left := self.bot_workers.restart_wait_left_s()) < inf:
                if left <= 0:
                    raise WorkerDied("not there yet")
                await asyncio.wait({task}, timeout=left)
            return await task
        finally:
            task.cancel()

    def kill_all_workers(self) -> None:
        """Kill all workers; the next request starts new ones."""
        self.bot_workers.kill_all_workers()
        self.task_workers.kill_all_workers()

    def close_pool(self) -> None:
        self.bot_workers.close_pool()
        self.task_workers.close_pool()
