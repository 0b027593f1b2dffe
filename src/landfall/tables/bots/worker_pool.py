"""Worker processes behind a fair queue. One that dies or takes too long is killed and replaced, and no other."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from math import inf
from multiprocessing import parent_process
from typing import Any, Final, TypeVar

from landfall.tables.bots.fair_queue import FairQueue
from landfall.worker import Worker, WorkerDied

T = TypeVar("T")
NICENESS: Final = 10
MAX_RESTART_S: Final = 2.0  # until a replaced worker has started; a busy machine may need more


class WorkerTimeout(BaseException):
    """In a worker: its time is over. No Exception, so that a bot's code does not swallow it by accident."""


def _raise_out_of_time(*_: object) -> None:
    raise WorkerTimeout


def _exit_after_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def prepare_worker() -> None:
    """A worker's start: low priority, deaf to Ctrl-C, and gone when the server is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, _raise_out_of_time)
    signal.signal(signal.SIGPROF, _raise_out_of_time)
    os.nice(NICENESS)
    if find_spec("numpy"):
        import_module("numpy")  # for nets, before anything is timed: an import that is cut off cannot be made up for
    threading.Thread(target=_exit_after_parent, daemon=True).start()


class WorkerPool:
    """At most so many workers, each started when it is first needed. A thread waits for each that is busy."""

    def __init__(self, size: int, prepare: Callable[[], None] = prepare_worker) -> None:
        self.size = size
        self.prepare = prepare
        self.queue = FairQueue(size, max(1, size - 1))  # one address leaves a worker to the others
        self.idle: list[Worker] = []
        self.busy: set[Worker] = set()
        self.jobs: set[asyncio.Task[Any]] = set()
        self.threads: ThreadPoolExecutor | None = None
        self.lost = False  # a worker was lost at some time
        self.restarted = 0.0  # when the first worker since then was started, by the loop's clock; 0: none was

    async def run(self, who: str, limit: float, job: Callable[..., T], *args: object) -> T:
        """Wait for a worker, then have a job done. WorkerDied: it died, or needed more than `limit` seconds.

        Whoever stops waiting leaves the worker to finish: it is busy until then.
        """
        await self.queue.take(who)
        task: asyncio.Task[T] = asyncio.get_running_loop().create_task(self.work(who, limit, job, args))
        self.jobs.add(task)
        task.add_done_callback(self.finish)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled() and not is_cancelled():
                raise WorkerDied from None  # the pool was closed
            raise

    def finish(self, task: asyncio.Task[Any]) -> None:
        self.jobs.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked may not wait for it any more

    async def work(self, who: str, limit: float, job: Callable[..., T], args: tuple[object, ...]) -> T:
        """Have a job done by some worker; the place in the queue is given back after it."""
        try:
            return await self.call(limit, job, args)
        finally:
            self.queue.give_back(who)

    async def call(self, limit: float, job: Callable[..., T], args: tuple[object, ...]) -> T:
        worker = self.take_idle() or await self.start()
        self.busy.add(worker)
        try:
            found: T = await asyncio.wait_for(self.ask(worker, job, args), limit)
        except (WorkerDied, TimeoutError, asyncio.CancelledError) as error:
            self.lose(worker)
            if isinstance(error, TimeoutError):
                raise WorkerDied from None
            raise
        except Exception:  # the job's own; the worker is well
            self.keep(worker)
            raise
        self.keep(worker)
        return found

    async def start(self) -> Worker:
        """A new worker; it need not be ready."""
        if self.threads is None:
            self.threads = ThreadPoolExecutor(self.size, "landfall-worker")
        return await asyncio.get_running_loop().run_in_executor(self.threads, Worker, self.prepare, True)

    async def ask(self, worker: Worker, job: Callable[..., T], args: tuple[object, ...]) -> T:
        """Have a worker do a job, however long it takes."""
        found: T = await asyncio.get_running_loop().run_in_executor(self.threads, worker.call, job, *args)
        return found

    def take_idle(self) -> Worker | None:
        """One that has nothing to do, and has not died of it."""
        while self.idle:
            worker = self.idle.pop()
            if worker.process.is_alive():
                return worker
            self.lose(worker)
        if self.lost and not self.restarted:
            self.restarted = asyncio.get_running_loop().time()
        return None

    def keep(self, worker: Worker) -> None:
        """It is done, and may be asked again, unless it was thrown away meanwhile."""
        if worker in self.busy:
            self.busy.discard(worker)
            self.idle.append(worker)

    def lose(self, worker: Worker) -> None:
        """It is dead, or shall be."""
        worker.kill()
        self.busy.discard(worker)
        self.lost = True
        self.restarted = 0.0

    def restart_time_left(self) -> float:
        """Seconds until nobody need wait for workers that replace lost ones; endless, if there is no such need.

        The first ones are waited for: else every bot would begin weaker than it is, on a slow machine.
        """
        if not self.lost or any(worker.ready for worker in [*self.idle, *self.busy]):
            return inf
        if not self.restarted:
            return MAX_RESTART_S
        return self.restarted + MAX_RESTART_S - asyncio.get_running_loop().time()

    def discard(self) -> None:
        """Kill all workers; the next job starts new ones."""
        for worker in [*self.idle, *self.busy]:
            self.lose(worker)
        self.idle = []

    def close(self) -> None:
        """Kill all workers, for good."""
        for task in self.jobs:
            task.cancel()
        self.discard()
        if self.threads is not None:
            self.threads.shutdown(wait=False, cancel_futures=True)
            self.threads = None


def is_cancelled() -> bool:
    """Whether the task that runs now was cancelled itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
