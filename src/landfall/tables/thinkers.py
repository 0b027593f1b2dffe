"""Where bots think: in processes of their own, with a time limit, on a position resampled for their seat."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from landfall.bots.contract import Seat
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.tables.errors import Refused
from landfall.tables.levels import bot_of

if TYPE_CHECKING:
    from landfall.match import Match
    from landfall.tables.means import Means

T = TypeVar("T")


@dataclass(frozen=True)
class Question:
    """What a bot is asked. `world` are the bytes of a position in which all its seat cannot know was drawn anew."""

    game: str
    world: bytes
    seat: int
    code: str
    seed: int
    budget: float
    events: list[dict[str, Any]] | None = None


def asked(match: Match, seat: int, code: str, means: Means) -> Question:
    """The question put to a bot on a seat: the true position stays here."""
    world = match.state.resample(seat, means.rng)
    events = match.events(seat=seat) if bot_of(code).uses_events else None
    seed = int(means.rng.below(1 << 30))
    return Question(match.game.name, world.to_bytes(), seat, code, seed, means.thinking, events)


@dataclass(frozen=True)
class Fault:
    """What an error said. The errors themselves do not travel between processes."""

    text: str
    key: str
    args: dict[str, Any]


def sheltered(task: Callable[..., T], args: tuple[object, ...]) -> T | Fault:
    """In a worker: some task; what is wrong with its input comes back as a value."""
    try:
        return task(*args)
    except LandfallError as error:
        return Fault(str(error), error.key, error.arguments)


class OutOfTime(BaseException):
    """No Exception, so that a bot's code does not swallow it by accident."""


def think(question: Question) -> int:
    """A bot's choice."""
    world = find_game(question.game).from_bytes(question.world)
    seat = Seat(question.seat, question.game, world, Rng(question.seed), question.budget, question.events)
    return int(bot_of(question.code).choose(seat))


def anything(question: Question) -> int:
    """Some choice, when the bot gave none."""
    world = find_game(question.game).from_bytes(question.world)
    return int(world.random_action(Rng(question.seed)))


def think_in_time(question: Question) -> int:
    """In a worker: think, but not longer than twice the budget and half a second."""
    signal.setitimer(signal.ITIMER_REAL, 2 * question.budget + 0.5)
    try:
        return think(question)
    except OutOfTime:
        return anything(question)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


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
    os.nice(10)
    threading.Thread(target=_watch, daemon=True).start()


class Thinkers:
    """Bots in this process: for tests, and where nobody waits."""

    async def choose(self, question: Question) -> int:
        """One bot's choice; anything legal if it fails."""
        return think(question)

    async def work(self, task: Callable[..., T], *args: object) -> T:
        """Something long that is no bot's: done where it keeps nobody waiting."""
        return task(*args)

    async def warm_up(self) -> None:
        """Be ready, so that the first question is not answered late."""

    def close(self) -> None:
        """No more questions."""


class ProcessThinkers(Thinkers):
    """Bots in worker processes, started when first asked; a worker that hangs is killed and replaced."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self.pool: ProcessPoolExecutor | None = None

    def started(self) -> ProcessPoolExecutor:
        if self.pool is None:
            spawn = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.workers, spawn, initializer=_begin)
        return self.pool

    async def warm_up(self) -> None:
        with suppress(BrokenProcessPool):
            await asyncio.get_running_loop().run_in_executor(self.started(), os.getpid)

    async def work(self, task: Callable[..., T], *args: object) -> T:
        try:
            done = await asyncio.get_running_loop().run_in_executor(self.started(), sheltered, task, args)
        except BrokenProcessPool:
            self.discard()
            raise Refused("busy") from None
        if isinstance(done, Fault):
            raise LandfallError(done.text, done.key, done.args)
        return done

    async def choose(self, question: Question) -> int:
        pool = self.started()
        loop = asyncio.get_running_loop()
        try:
            asked = loop.run_in_executor(pool, think_in_time, question)
            return await asyncio.wait_for(asked, 2 * question.budget + 30)
        except (BrokenProcessPool, TimeoutError):
            if self.pool is pool:
                self.discard()
            return anything(question)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return anything(question)  # the question was thrown away with its workers; who asked still waits
        except Exception:  # whatever a bot's code raises costs it its choice, not the table its match
            return anything(question)

    def discard(self) -> None:
        """Kill all workers; the next question starts new ones."""
        if self.pool is not None:
            for process in list((self.pool._processes or {}).values()):
                process.kill()
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None

    def close(self) -> None:
        self.discard()
