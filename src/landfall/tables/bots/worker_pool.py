"""Worker processes behind a fair queue. A worker that dies or takes too long is killed and replaced; others go on."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from math import inf
from multiprocessing import parent_process
from typing import Any, Final, TypeVar

from landfall.tables.bots.fair_queue import FairQueue
from landfall.worker_process import DEFAULT_MEMORY_MB, WorkerDied, WorkerHandle

T = TypeVar("T")
log = logging.getLogger("landfall")
NICENESS: Final = 10
MAX_RESTART_S: Final = 2.0  # for a replaced worker to start; a busy machine may need more
FREE_LOSSES: Final = 3  # workers lost in a row that are replaced at once
BACK_OFF_S: Final = (0.5, 30.0)  # before the next one, doubled each time, and at most


class WorkerTimeout(BaseException):
    """In a worker: its time is over. A BaseException, so that a bot's code does not swallow it by accident."""


def _raise_worker_timeout(*_: object) -> None:
    raise WorkerTimeout


def _exit_when_parent_ends() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def limit_process_memory(megabytes: int) -> None:
    """In a worker: what it may allocate. Beyond it a job raises MemoryError, which ends the worker."""
    try:
        import resource  # not on Windows
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = megabytes << 20
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def initialise_worker_process(memory_mb: int = DEFAULT_MEMORY_MB) -> None:
    """Initialise a worker: low priority, limited memory, ignore Ctrl-C, exit with the server."""
    limit_process_memory(memory_mb)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, _raise_worker_timeout)
    signal.signal(signal.SIGPROF, _raise_worker_timeout)
    os.nice(NICENESS)
    if find_spec("numpy"):
        import_module("numpy")  # for nets, before anything is timed: an interrupted import cannot be repeated
    threading.Thread(target=_exit_when_parent_ends, daemon=True).start()


class WorkerPool:
    """A limited number of workers, each started on first use. A thread waits for each busy one."""

    def __init__(self, size: int, prepare: Callable[[], None] = initialise_worker_process) -> None:
        self.size = size
        self.prepare = prepare
        self.queue = FairQueue(size, max(1, size - 1))  # one address leaves a worker to the others
        self.idle: list[WorkerHandle] = []
        self.busy: set[WorkerHandle] = set()
        self.jobs: set[asyncio.Task[Any]] = set()
        self.threads: ThreadPoolExecutor | None = None
        self.lost = False  # whether a worker was ever lost
        self.restarted = 0.0  # loop time at which the first worker since then started; 0: none
        self.losses = 0  # in a row, since a job was last completed
        self.total_losses = 0
        self.waiting: dict[object, float] = {}  # jobs without a worker, the oldest first: since when
        # called with each job's kind, the seconds it waited and ran (None: given up before), and whether it failed
        self.on_job: Callable[[str, float, float | None, bool], None] = lambda kind, waited_s, ran_s, failed: None

    async def run_job(self, who: str, limit: float, job: Callable[..., T], *args: object, kind: str = "") -> T:
        """Wait for a worker, then run a job. WorkerDied: it died, or took more than `limit` seconds.

        If the caller stops waiting, the worker still finishes the job and stays busy until then.
        """
        kind = kind or job.__name__
        waited_s = await self.wait_for_slot(who, kind)
        task: asyncio.Task[T] = asyncio.get_running_loop().create_task(
            self.run_job_and_release_slot(who, limit, job, args, kind, waited_s)
        )
        self.jobs.add(task)
        task.add_done_callback(self.forget_finished_task)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled() and not is_current_task_cancelled():
                raise WorkerDied from None  # the pool was closed
            raise

    def forget_finished_task(self, task: asyncio.Task[Any]) -> None:
        self.jobs.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as retrieved: the caller may be gone

    async def wait_for_slot(self, who: str, kind: str) -> float:
        """Wait in the queue. Returns the seconds."""
        place, joined = object(), time.perf_counter()
        self.waiting[place] = joined
        try:
            await self.queue.take_slot(who)
        except asyncio.CancelledError:
            self.on_job(kind, time.perf_counter() - joined, None, True)
            raise
        finally:
            del self.waiting[place]
        return time.perf_counter() - joined

    async def run_job_and_release_slot(
        self, who: str, limit: float, job: Callable[..., T], args: tuple[object, ...], kind: str, waited_s: float
    ) -> T:
        """Run a job on some worker, then release the slot."""
        started, failed = time.perf_counter(), True
        try:
            found = await self.run_job_on_idle_or_new_worker(limit, job, args)
            failed = False
            return found
        finally:
            self.queue.release_slot(who)
            self.on_job(kind, waited_s, time.perf_counter() - started, failed)

    def longest_wait_s(self, now: float) -> float:
        """Seconds that the oldest waiting job has waited; `now` is of time.perf_counter."""
        return now - next(iter(self.waiting.values()), now)

    async def run_job_on_idle_or_new_worker(self, limit: float, job: Callable[..., T], args: tuple[object, ...]) -> T:
        worker = self.take_idle_worker() or await self.start_worker()
        self.busy.add(worker)
        try:
            found: T = await asyncio.wait_for(self.run_job_without_limit(worker, job, args), limit)
        except (WorkerDied, TimeoutError, asyncio.CancelledError) as error:
            self.kill_worker(worker)
            if isinstance(error, TimeoutError):
                raise WorkerDied from None
            raise
        except Exception:  # the job's own error; the worker is fine
            self.return_worker_to_idle(worker)
            raise
        self.return_worker_to_idle(worker)
        return found

    async def start_worker(self) -> WorkerHandle:
        """Start a worker, without waiting until it is ready. If one after the other is lost, wait before."""
        if (delay := worker_restart_delay_s(self.losses)) > 0:
            log.warning("%d bot workers were lost in a row: the next one starts in %.1f s", self.losses, delay)
            await asyncio.sleep(delay)
        if self.threads is None:
            self.threads = ThreadPoolExecutor(self.size, "landfall-worker")
        return await asyncio.get_running_loop().run_in_executor(self.threads, WorkerHandle, self.prepare, True)

    async def run_job_without_limit(self, worker: WorkerHandle, job: Callable[..., T], args: tuple[object, ...]) -> T:
        """Run a job on a worker, without a time limit."""
        found: T = await asyncio.get_running_loop().run_in_executor(self.threads, worker.call, job, *args)
        return found

    def take_idle_worker(self) -> WorkerHandle | None:
        """An idle worker that is still alive."""
        while self.idle:
            worker = self.idle.pop()
            if worker.process.is_alive():
                return worker
            self.kill_worker(worker)
        if self.lost and not self.restarted:
            self.restarted = asyncio.get_running_loop().time()
        return None

    def return_worker_to_idle(self, worker: WorkerHandle) -> None:
        """Return a worker to the idle ones, unless it was discarded meanwhile."""
        self.losses = 0
        if worker in self.busy:
            self.busy.discard(worker)
            self.idle.append(worker)

    def kill_worker(self, worker: WorkerHandle) -> None:
        """Discard a dead or hanging worker."""
        worker.kill()
        self.busy.discard(worker)
        self.losses += 1
        self.total_losses += 1
        self.lost = True
        self.restarted = 0.0

    def restart_wait_left_s(self) -> float:
        """Seconds that callers should still wait for replaced workers; infinite if none was lost.

        The initial workers are always waited for: otherwise every bot on a slow machine would start weaker than it is.
        """
        if not self.lost or any(worker.ready for worker in [*self.idle, *self.busy]):
            return inf
        if not self.restarted:
            return MAX_RESTART_S
        return self.restarted + MAX_RESTART_S - asyncio.get_running_loop().time()

    def kill_all_workers(self) -> None:
        """Kill all workers; the next job starts new ones."""
        for worker in [*self.idle, *self.busy]:
            self.kill_worker(worker)
        self.idle = []
        self.losses = 0

    def close_pool(self) -> None:
        """Kill all workers permanently."""
        for task in self.jobs:
            task.cancel()
        self.kill_all_workers()
        if self.threads is not None:
            self.threads.shutdown(wait=False, cancel_futures=True)
            self.threads = None


def worker_restart_delay_s(losses: int) -> float:
    """Seconds before another worker starts, after so many were lost in a row."""
    return 0.0 if losses < FREE_LOSSES else min(BACK_OFF_S[1], BACK_OFF_S[0] * 2.0 ** min(losses - FREE_LOSSES, 10))


def is_current_task_cancelled() -> bool:
    """Whether the current task was cancelled itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
