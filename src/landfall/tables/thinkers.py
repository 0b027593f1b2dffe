"""Where bots think: in processes of their own, with a time limit, on a position resampled for their seat.

Whoever asks says for whom, as "address person table", so that nobody's questions keep others' waiting.
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
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeVar

from landfall.bots.contract import Seat
from landfall.bots.greedy import GreedyBot
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.tables.errors import Refused
from landfall.tables.levels import bot_of
from landfall.tables.worker_pool import OutOfTime, WorkerPool
from landfall.worker import WorkerDied

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
class Undone:
    """What a worker says of work for which there was no time."""


UNDONE: Final = Undone()


def sheltered(task: Callable[..., T], args: tuple[object, ...], soon: bool = False) -> T | Undone:
    """In a worker: some task, for so long."""
    clock = signal.ITIMER_REAL if soon else signal.ITIMER_PROF
    signal.setitimer(clock, LONGEST)
    try:
        return task(*args)
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


class ProcessThinkers(Thinkers):
    """Bots in worker processes; one that hangs is killed and replaced. What is no bot's has a worker of its own."""

    def __init__(self, workers: int = 1) -> None:
        self.bots = WorkerPool(workers)
        self.errands = WorkerPool(1)

    async def warm_up(self) -> None:
        with suppress(WorkerDied):
            await self.bots.run("", HANGS, os.getpid)

    async def work(self, task: Callable[..., T], *args: object, who: str = "", soon: bool = False) -> T:
        pool = self.bots if soon else self.errands
        try:
            limit = LONGEST + HANGS if soon else STARVED
            done: T | Undone = await pool.run(who, limit, sheltered, task, args, soon)
        except WorkerDied:
            raise Refused("busy") from None
        if isinstance(done, Undone):
            raise Refused("busy")
        return done

    async def choose(self, question: Question, who: str = "") -> int:
        try:
            if question.hard:
                until = time.monotonic() + question.budget
                return await asyncio.wait_for(self.bots.run(who, HANGS, think_until, question, until), question.budget)
            return await self.unless_late(self.bots.run(who, 2 * question.budget + HANGS, think_in_time, question))
        except (TimeoutError, WorkerDied):
            return quick(question)
        except Exception:  # whatever a bot's code raises costs it its choice, not the table its match
            log.warning("%s gave no choice in %s", question.code, question.game, exc_info=True)
            return quick(question)

    async def unless_late(self, thinking: Coroutine[Any, Any, int]) -> int:
        """What is thought; WorkerDied, if the workers that should do it are too long in coming."""
        if self.bots.restart_time_left() == inf:
            return await thinking
        task = asyncio.get_running_loop().create_task(thinking)
        try:
            while not task.done() and (left := self.bots.restart_time_left()) < inf:
                if left <= 0:
                    raise WorkerDied("not there yet")
                await asyncio.wait({task}, timeout=left)
            return await task
        finally:
            task.cancel()

    def discard(self) -> None:
        """Kill all workers; the next question starts new ones."""
        self.bots.discard()
        self.errands.discard()

    def close(self) -> None:
        self.bots.close()
        self.errands.close()
