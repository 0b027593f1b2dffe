"""Where bots think: in processes of their own, with a time limit, on a position resampled for their seat.

Whoever asks says for whom, as "person table", so that nobody's questions keep others' waiting.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeVar

from landfall.bots.contract import Seat
from landfall.bots.greedy import GreedyBot
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.tables.errors import Refused
from landfall.tables.levels import bot_of
from landfall.tables.turns import Turns

if TYPE_CHECKING:
    from landfall.core.messages import GameEvent
    from landfall.match import Match
    from landfall.tables.environment import Environment

T = TypeVar("T")
log = logging.getLogger(__name__)
OF_HOLD: Final = 0.6  # of the time an answer is held so much may be thought: the rest is for the way there and back
OF_HARD: Final = 0.8  # of a hard budget so much is told to the bot: it ends by itself, with a choice of its own
LONGEST: Final = 30.0  # seconds that work which is no bot's may take: of processor time, or if it is short by the clock
STARVED: Final = 120.0  # seconds by the clock after which such work is given up: a busy machine is slow, not wrong
HANGS: Final = 30.0  # seconds beyond its time after which one of the bots' workers is given up
STARTS: Final = 2.0  # seconds in which new workers begin where some were lost; a busy machine may need more


@dataclass(frozen=True)
class Question:
    """What a bot is asked. `world` are the bytes of a position in which all its seat cannot know was drawn anew.

    `hard`: the answer is there when the budget is over, by the wall clock and with the wait for a worker.
    """

    game: str
    world: bytes
    seat: int
    code: str
    seed: int
    budget: float
    events: list[GameEvent] | None = None
    hard: bool = False


def asked(match: Match, seat: int, code: str, env: Environment, timing_tells: bool = False) -> Question:
    """The question put to a bot on a seat: the true position stays here. `timing_tells`: its time must tell nothing."""
    world = match.state.resample(seat, env.rng)
    events = match.events(seat=seat) if bot_of(code).uses_events else None
    seed = int(env.rng.below(1 << 30))
    hard = timing_tells and env.hold > 0
    budget = min(env.thinking, OF_HOLD * env.hold / 1000) if hard else env.thinking
    return Question(match.game.name, world.to_bytes(), seat, code, seed, budget, events, hard)


@dataclass(frozen=True)
class Fault:
    """What an error said. The errors themselves do not travel between processes."""

    text: str
    key: str
    args: dict[str, Any]


UNDONE: Final = Fault("", "", {})  # there was no time for it


class OutOfTime(BaseException):
    """No Exception, so that a bot's code does not swallow it by accident."""


def sheltered(task: Callable[..., T], args: tuple[object, ...], soon: bool = False) -> T | Fault:
    """In a worker: some task; what is wrong with its input comes back as a value."""
    clock = signal.ITIMER_REAL if soon else signal.ITIMER_PROF
    signal.setitimer(clock, LONGEST)
    try:
        return task(*args)
    except LandfallError as error:
        return Fault(str(error), error.key, error.arguments)
    except OutOfTime:
        return UNDONE
    finally:
        signal.setitimer(clock, 0)


def seat_of(question: Question, budget: float) -> Seat:
    """The seat as its bot gets it."""
    world = find_game(question.game).from_bytes(question.world)
    return Seat(question.seat, question.game, world, Rng(question.seed), budget, question.events, strict=True)


def think(question: Question) -> int:
    """A bot's choice."""
    budget = OF_HARD * question.budget if question.hard else question.budget
    return int(bot_of(question.code).choose(seat_of(question, budget)))


def quick(question: Question) -> int:
    """A sensible choice at once, when the bot gave none in time."""
    try:
        return GreedyBot().choose(seat_of(question, 0.0))
    except Exception:  # whatever is wrong, the match goes on
        return anything(question)


def anything(question: Question) -> int:
    """Some choice."""
    world = find_game(question.game).from_bytes(question.world)
    return int(world.random_action(Rng(question.seed)))


def think_in_time(question: Question) -> int:
    """In a worker: think, but not longer than a hard budget, or twice another one and half a second."""
    longest = max(0.001, question.budget if question.hard else 2 * question.budget + 0.5)
    signal.setitimer(signal.ITIMER_REAL, longest)
    try:
        return think(question)
    except OutOfTime:
        return quick(question)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def think_until(question: Question, until: float) -> int:
    """In a worker: think with what waiting for it has left of a hard budget. The clock is one for all processes."""
    left = until - time.monotonic()
    return think_in_time(replace(question, budget=left)) if left > 0.01 else quick(question)


def _alarm(*_: object) -> None:
    raise OutOfTime


def _watch() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _begin() -> None:
    """A worker's start: gentle, deaf to Ctrl-C, and gone when the server is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, _alarm)
    signal.signal(signal.SIGPROF, _alarm)
    os.nice(10)
    if find_spec("numpy"):
        import_module("numpy")  # for nets, before anything is timed: an import that is cut off cannot be made up for
    threading.Thread(target=_watch, daemon=True).start()


class Thinkers:
    """Bots in this process: for tests, and where nobody waits."""

    async def choose(self, question: Question, who: str = "") -> int:
        """One bot's choice; something sensible if it fails."""
        return think(question)

    async def work(self, task: Callable[..., T], *args: object, who: str = "", soon: bool = False) -> T:
        """Something that is no bot's: where it keeps nobody waiting; `soon`: short, and among what bots are asked."""
        return task(*args)

    async def warm_up(self) -> None:
        """Be ready, so that the first question is not answered late."""

    def close(self) -> None:
        """No more questions."""


class Crew:
    """Worker processes, started when first needed, and the queue of those who want something of them.

    The queue is here and not in the pool, which takes what comes in the order it comes.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.turns = Turns(workers, max(1, workers - 1))
        self.pool: ProcessPoolExecutor | None = None
        self.begun = 0.0  # when it was started, by the loop's clock
        self.proven: ProcessPoolExecutor | None = None  # the pool, once it has answered something
        self.lost = False  # workers were lost at some time
        self.running: dict[Future[Any], Callable[[], None]] = {}  # what the pool does, and how to give it up

    def started(self) -> ProcessPoolExecutor:
        if self.pool is None:
            self.pool = self.make()
            self.begun = asyncio.get_running_loop().time()
            if self.lost:
                self.prove(self.pool)
        return self.pool

    def prove(self, pool: ProcessPoolExecutor) -> None:
        """Note when a pool answers, whether or not whoever asked for it still waits."""

        def answered(job: Future[int]) -> None:
            if not job.cancelled() and job.exception() is None:
                self.proven = pool

        with suppress(BrokenProcessPool):
            pool.submit(os.getpid).add_done_callback(answered)

    def make(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.workers, multiprocessing.get_context("spawn"), initializer=_begin)

    def late(self) -> float:
        """Seconds until nobody need wait for workers that shall replace lost ones; endless, if there is no such need.

        The first ones are waited for: else every bot would begin weaker than it is, on a slow machine.
        """
        if not self.lost:
            return inf
        if self.pool is None:
            return STARTS
        return inf if self.proven is self.pool else self.begun + STARTS - asyncio.get_running_loop().time()

    def submit(self, task: Callable[..., T], *args: object) -> Future[T]:
        """Put something in; in a new pool, if the workers were lost while nobody asked, or are in this moment."""
        pool = self.started()
        with suppress(BrokenProcessPool):
            job = pool.submit(task, *args)
            if not getattr(pool, "_broken", False):  # what comes while a pool breaks, it may forget
                return job
        self.discard()
        return self.started().submit(task, *args)

    async def do(self, who: str, limit: float, task: Callable[..., T], *args: object) -> T:
        """Wait one's turn, then have something done, in so many seconds: a worker that needs longer hangs.

        BrokenProcessPool: the workers were thrown away meanwhile.
        """
        loop = asyncio.get_running_loop()
        await self.turns.take(who)
        try:
            job = self.submit(task, *args)
        except BaseException:
            self.turns.give_back(who)
            raise
        pool, answer = self.pool, asyncio.wrap_future(job)
        hangs = loop.call_later(limit, self.give_up, job)

        def free() -> None:
            if self.running.pop(job, None) is not None:
                hangs.cancel()
                self.turns.give_back(who)
            if job.done() and not job.cancelled() and not isinstance(job.exception(), BrokenProcessPool):
                self.proven = pool

        def lose() -> None:
            free()
            answer.cancel()

        def done(_: Future[T]) -> None:
            with suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(free)

        self.running[job] = lose
        job.add_done_callback(done)  # a worker is busy until it is done, though nobody may wait for it any more
        try:
            found = await answer
            self.proven = pool
            return found
        except BrokenProcessPool:
            if self.pool is pool:
                self.discard()
            raise
        except asyncio.CancelledError:
            me = asyncio.current_task()
            if me is not None and me.cancelling():
                raise
            raise BrokenProcessPool("thrown away") from None  # not the asker was cancelled, but what was asked

    def give_up(self, job: Future[Any]) -> None:
        """A worker has not answered for too long."""
        if job in self.running:
            self.discard()

    def discard(self) -> None:
        """Kill all workers; the next question starts new ones. Who waits for an answer need not wait for the pool's
        word: it may have none any more."""
        if self.pool is not None:
            for process in list((self.pool._processes or {}).values()):
                process.kill()
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None
            self.lost = True
        for lose in list(self.running.values()):
            lose()


class ProcessThinkers(Thinkers):
    """Bots in worker processes; one that hangs is killed and replaced. What is no bot's has a worker of its own."""

    def __init__(self, workers: int = 1) -> None:
        self.bots = Crew(workers)
        self.errands = Crew(1)

    async def warm_up(self) -> None:
        with suppress(BrokenProcessPool):
            await self.bots.do("", HANGS, os.getpid)

    async def work(self, task: Callable[..., T], *args: object, who: str = "", soon: bool = False) -> T:
        crew = self.bots if soon else self.errands
        try:
            limit = LONGEST + HANGS if soon else STARVED
            done: T | Fault = await crew.do(who, limit, sheltered, task, args, soon)
        except (BrokenProcessPool, OutOfTime):  # the second, where the time is over as the work is
            raise Refused("busy") from None
        if done == UNDONE:
            raise Refused("busy")
        if isinstance(done, Fault):
            raise LandfallError(done.text, done.key, done.args)
        return done

    async def choose(self, question: Question, who: str = "") -> int:
        try:
            if question.hard:
                until = time.monotonic() + question.budget
                return await asyncio.wait_for(self.bots.do(who, HANGS, think_until, question, until), question.budget)
            return await self.unless_late(self.bots.do(who, 2 * question.budget + HANGS, think_in_time, question))
        except (TimeoutError, BrokenProcessPool):
            return quick(question)
        except Exception:  # whatever a bot's code raises costs it its choice, not the table its match
            log.warning("%s gave no choice in %s", question.code, question.game, exc_info=True)
            return quick(question)

    async def unless_late(self, thinking: Coroutine[Any, Any, int]) -> int:
        """What is thought; BrokenProcessPool, if the workers that should do it are too long in coming."""
        if self.bots.late() == inf:
            return await thinking
        task = asyncio.get_running_loop().create_task(thinking)
        try:
            while not task.done() and (left := self.bots.late()) < inf:
                if left <= 0:
                    raise BrokenProcessPool("not there yet")
                await asyncio.wait({task}, timeout=left)
            return await task
        finally:
            task.cancel()

    def discard(self) -> None:
        """Kill all workers; the next question starts new ones."""
        self.bots.discard()
        self.errands.discard()

    def close(self) -> None:
        self.discard()
