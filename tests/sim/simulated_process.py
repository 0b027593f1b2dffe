"""One server process of a world: a real house, the means it gets from outside, and its death."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from landfall.analysis.review import review_log_lines
from landfall.api.message_codec import encode_message
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.tables.bots.bot_pool import BotRequest, ProcessBotPool, choose_random_action
from landfall.tables.bots.worker_pool import WorkerPool
from landfall.tables.jobs.reviews import Reviews
from landfall.tables.live.hub import Hub
from landfall.tables.matchmaking.matchmaker import Matchmaker
from landfall.tables.notifications.sender import NotificationSender
from landfall.tables.runtime_dependencies import Runtime, SystemClock
from landfall.tables.teaching.hints import find_alternatives
from landfall.tables.tournaments.director import Director
from landfall.web.server import Server
from landfall.worker_process import WorkerDied
from tests.sim.simulated_notifications import SimPhones
from tests.sim.simulated_store import Alone, Shared, SimStore

if TYPE_CHECKING:
    from landfall.store.store import Store
    from tests.sim.simulated_connection import Line
    from tests.sim.simulated_world import World

WHERE: contextvars.ContextVar[Process | None] = contextvars.ContextVar("process", default=None)  # where code runs
EPOCH = 1_700_000_000_000
RECHECK_S = 3.0  # until it is looked up again who was signed out or deleted elsewhere


class Died(BaseException):
    """What is left of a dead process is swept away."""


def make_task_of_process(
    loop: asyncio.AbstractEventLoop, coro: Coroutine[Any, Any, Any], **more: Any
) -> asyncio.Task[Any]:
    """Tasks belong to the process that made them."""
    task = asyncio.Task(coro, loop=loop, **more)
    context = more.get("context")
    process = WHERE.get() if context is None else context.get(WHERE)
    if process is not None:
        process.tasks.append(task)
    return task


class SimTime(SystemClock):
    """Virtual time, and a wall clock that can be set."""

    def __init__(self, process: Process) -> None:
        self.process = process

    def wall_time_ms(self) -> int:
        return EPOCH + self.monotonic_ms() + self.process.world.wall + self.process.skew

    def monotonic_ms(self) -> int:
        """Milliseconds that only go forward."""
        return round(self.process.world.loop.time() * 1000)

    async def sleep_ms(self, ms: int) -> None:
        if ms == self.process.env.empty_table_grace_ms:
            self.process.world.blows.left_alone(self.process)
        await self.process.wait(max(0, ms) / 1000)


def answer_of_worker(asked: tuple[Any, ...]) -> Any:
    """What a worker says: a bot's choice, that there are no other ideas beside a hint, what an errand found, or that it
    is there."""
    if not asked:
        return 1
    if isinstance(asked[0], BotRequest):
        return choose_random_action(asked[0])
    task, args, _ = asked
    if task is review_log_lines:  # a net's judgement of each choice: seconds, and nothing here depends on it
        return {"lines": len(args[1]), "judgements": [], "endings": []}
    return ([], False) if task is find_alternatives else task(*args)


class SimWorker:
    """A worker process as the pool sees it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.ready = True
        self.process = self
        self.alive = True
        self.answer: asyncio.Future[Any] | None = None

    def is_alive(self) -> bool:
        return self.alive

    def kill(self) -> None:
        """Whoever waits for its answer hears of it."""
        self.alive = False
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(WorkerDied())


class SimWorkers(WorkerPool):
    """The real pool and its queue; only the processes are simulated."""

    def __init__(self, process: Process, size: int) -> None:
        super().__init__(size)
        self.process = process
        self.world = process.world
        self.chance = process.chance
        self.started = 0

    async def start_worker(self) -> Any:
        if self.world.active and self.world.faults.workers:
            await self.process.wait(self.chance.choice([0.01, 0.3, 3]))
        self.started += 1
        return SimWorker(self.started)

    async def run_job_without_limit(self, worker: Any, job: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        worker.answer = done = self.world.loop.create_future()
        fate, wait = self.fate(args)
        self.world.loop.call_later(wait, self.end, worker, fate, args)
        return await done

    def fate(self, args: tuple[Any, ...]) -> tuple[str, float]:
        """What becomes of a question, and after how many seconds."""
        chance, faults = self.chance, self.world.faults
        if not args or not isinstance(args[0], BotRequest):
            return "fine", 0.001
        quick = chance.uniform(0.002, 0.06) if self.world.active else 0.02
        if chance.random() >= faults.workers:
            return "fine", quick
        fate = chance.choice(["late", "late", "never", "never", "wrong", "wrong", "error", "broken", "cancelled"])
        return fate, chance.uniform(0.2, 4) if fate == "late" else quick

    def end(self, worker: SimWorker, fate: str, args: tuple[Any, ...]) -> None:
        if fate == "never" or self.process.deferred(self.end, worker, fate, args):
            return
        done = worker.answer
        if done is None or done.done():
            return
        if fate != "fine":
            self.world.note(self.process.name, f"a worker's answer: {fate}")
        if fate == "broken":
            worker.kill()
        elif fate == "cancelled":
            self.kill_all_workers()
        elif fate == "error":
            done.set_exception(ZeroDivisionError("a bot's mistake"))
        elif fate == "wrong":
            done.set_result(self.chance.choice([-1, 0, 3, 10**6, self.chance.randrange(10_000)]))
        else:
            self.give(done, args)

    def give(self, done: asyncio.Future[Any], args: tuple[Any, ...]) -> None:
        """An answer that was worked out."""
        try:
            done.set_result(answer_of_worker(args))
        except LandfallError as error:  # of an errand: what it was given is wrong
            done.set_exception(error)


class SimThinkers(ProcessBotPool):
    """The real way to the workers."""

    def __init__(self, process: Process, workers: int) -> None:
        super().__init__(workers)
        self.bot_workers, self.task_workers = SimWorkers(process, workers), SimWorkers(process, 1)


class SimServer(Server):
    """The real server's care for people: who was signed out or deleted is so in this process, too."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.log = logging.getLogger("landfall")
        self.hub, self.store = process.hub, cast("Store", process.store)
        self.matchmaker = Matchmaker(self.hub, self.store)
        self.hub.on_searches = self.matchmaker.on_search_notification
        self.director = Director(self.hub, self.store)
        self.settings: Any = SimpleNamespace(recheck_s=RECHECK_S)
        self.identities: Any = SimpleNamespace(cache={})
        self.quotas: Any = SimpleNamespace(reload_mutes=self.read_mutes)
        self.parting: dict[str, int] = {}
        self.forgotten: set[str] = set()
        self.sweep_lock = asyncio.Lock()
        self.replacing: Counter[str] = Counter()
        self.hub.on_users_changed = lambda: self.spawn_background_task(self.try_apply_sign_outs_and_deletions())

    async def read_mutes(self) -> None:
        """Nobody is a host here."""

    @property
    def connections(self) -> Any:  # type: ignore[override]
        """The sockets here, in an order that is the same in the same world."""
        return sorted(self.process.lines, key=lambda line: line.page.name)


class Process:
    """A house that lives until it is closed or killed."""

    def __init__(self, world: World, number: int, life: int) -> None:
        self.world = world
        self.number = number
        self.name = f"process {number}" + (f".{life}" if life else "")
        self.alive = True
        self.buried = False
        self.closing = False
        self.tasks: list[asyncio.Task[Any]] = []
        self.lines: set[Line] = set()
        self.chance = world.stream(self.name)
        self.skew = world.skews[number]  # milliseconds that this machine's wall clock is wrong by
        self.began = world.loop.time()
        self.is_frozen = False
        self.held_back: list[tuple[Callable[..., None], tuple[Any, ...]]] = []  # what came to it meanwhile
        self.context = contextvars.copy_context()
        self.context.run(WHERE.set, self)
        self.store: SimStore = Shared(self) if world.shared else Alone(self)
        s = world.setting
        self.env = Runtime(
            clock=SimTime(self),
            rng=Rng(world.seed * 1009 + number * 101 + life),
            new_id=world.fresh_id,
            encode=encode_message,
            bot_pace_ms=s.pace,
            answer_hold_ms=s.hold,
            forced_choice_ms=s.forced,
            empty_table_grace_ms=s.grace,
            housekeeping_ms=s.tick,
            bot_time_s=s.thinking,
        )
        self.hub = Hub(self.store, SimThinkers(self, s.workers), self.env)
        self.reviews = Reviews(self.hub)
        self.server = SimServer(self)

    async def open(self) -> None:
        """Begin."""
        await self.store.database.open_and_migrate()
        await self.hub.start_background_tasks()
        self.server.spawn_background_task(self.server.watch_sign_outs())
        if self.world.cup.users:
            self.server.director.start_tick_loop()
        if self.world.days:
            sender = NotificationSender(
                self.server.store, self.env, SimPhones(self), None, self.hub.is_user_connected_to_table
            )
            self.server.spawn_background_task(sender.send_until_cancelled())

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Let something run in this process."""
        return self.world.loop.create_task(work, context=self.context.copy())

    async def wait(self, seconds: float) -> None:
        """Wait; for ever, if the process dies meanwhile."""
        await self.world.later(seconds, self)

    def deferred(self, call: Callable[..., None], *args: Any) -> bool:
        """Whether something does not reach this process: not now, since it is frozen, or never, since it is dead."""
        if self.alive and self.is_frozen:
            self.held_back.append((call, args))
        return not self.alive or self.is_frozen

    def freeze(self, seconds: float) -> None:
        """It stands still, as under SIGSTOP or in a machine that is moved; connections stay."""
        self.world.note(self.name, f"stands still for {seconds:.1f} s")
        self.is_frozen = True
        self.world.loop.call_later(seconds, self.resume)

    def resume(self) -> None:
        """It goes on where it was."""
        if self.is_frozen:
            self.world.note(self.name, "goes on")
            self.is_frozen = False
            held, self.held_back = self.held_back, []
            for call, args in held:
                self.world.loop.call_soon(call, *args, context=self.context.copy())

    def lose_workers(self, chance: random.Random) -> None:
        """Some of its workers die, idle or busy."""
        assert isinstance(self.hub.bot_pool, SimThinkers)
        for pool in (self.hub.bot_pool.bot_workers, self.hub.bot_pool.task_workers):
            some: list[Any] = [*pool.idle, *pool.busy]
            for worker in sorted(some, key=lambda one: one.number):
                if chance.random() < 0.6:
                    worker.kill()

    def living(self) -> list[asyncio.Task[Any]]:
        """Tasks that are not done."""
        self.tasks = [task for task in self.tasks if not task.done()]
        return self.tasks

    def workers_hang(self) -> bool:
        """Whether somebody waits for a worker that will not answer."""
        return isinstance(self.hub.bot_pool, SimThinkers) and bool(self.hub.bot_pool.bot_workers.busy)

    def kill(self) -> None:
        """Its memory is gone; what it still does reaches nobody."""
        self.world.note(self.name, "killed")
        self.alive = False
        self.store.cut()
        for line in list(self.lines):
            line.fall()

    async def close(self) -> None:
        """End cleanly: hang up, stop the house, write what is queued."""
        self.world.note(self.name, "closes")
        self.closing = True
        for line in list(self.lines):
            line.fall()
        await self.wait(self.chance.uniform(0, 0.02))
        try:
            await self.hub.shut_down()
        finally:
            await self.store.flushed()
            self.alive = False
            self.store.cut()
            self.world.note(self.name, "closed")
