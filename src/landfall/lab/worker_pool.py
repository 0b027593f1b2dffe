"""Parallel jobs, one interface with two implementations: local processes, or Ray on other machines (docs/cluster.md).

A job contains everything its result depends on, seeds included. So results depend neither on the number of workers nor
on their order, and another worker can repeat the job of one that died.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any, Final, Generic, Self, TypeVar, cast

from landfall import native
from landfall.core.errors import LandfallError
from landfall.optional_dependencies import require_extra
from landfall.worker_process import Answer, WorkerHandle, exception_of_failure, run_job

MAX_JOB_ATTEMPTS: Final = 3  # a job whose workers die that often fails
MAX_JOBS_AHEAD_PER_WORKER: Final = 8  # jobs per worker ahead of the first unfinished one: bounds the results held back
RAY_REFRESH_INTERVAL_S: Final = 2.0  # interval at which Ray's capacity is read
AUTO_ADDRESS: Final = "auto"  # as an address: the cluster that RAY_ADDRESS names or that runs here

J = TypeVar("J")
R = TypeVar("R")


class PoolError(LandfallError):
    """The jobs failed, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.pool", {"reason": reason})


@dataclass(frozen=True)
class JobResult(Generic[R]):
    """The result of the job of that number."""

    number: int
    answer: R | None
    error: Exception | None = None

    def result(self) -> R:
        """The value, or raise its error."""
        if self.error is not None:
            raise self.error
        return cast("R", self.answer)


def job_result_from_answer(number: int, answer: Answer) -> JobResult[Any]:
    """Parse a worker's reply."""
    found, failure = answer
    return JobResult(number, found) if failure is None else JobResult(number, None, exception_of_failure(failure))


class WorkerPool:
    """Runs jobs. An implementation reports free slots, accepts jobs, and returns those that finished or were lost."""

    workers: int = 1

    def free_slots(self) -> int:
        """The number of jobs it accepts now."""
        raise NotImplementedError

    def submit(self, number: int, do: Callable[[J], R], job: J) -> None:
        """Start a job."""
        raise NotImplementedError

    def wait(self) -> tuple[list[JobResult[Any]], list[int]]:
        """Wait for progress: the finished jobs, and those whose workers died."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Cancel the running jobs."""

    def close(self) -> None:
        """Kill all workers."""
        self.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- shared by all implementations --------------------------------------------------------------------------

    def as_completed(self, do: Callable[[J], R], jobs: Sequence[J], ahead: int = 0) -> Iterator[JobResult[R]]:
        """Yield all jobs as they finish; with `ahead`, start none that is further (per worker) beyond the first
        unfinished one."""
        waiting = list(range(len(jobs)))[::-1]
        open_jobs = set(range(len(jobs)))
        first = 0
        deaths: dict[int, int] = {}
        try:
            while open_jobs:
                while first not in open_jobs:
                    first += 1
                while waiting and self.free_slots() > 0 and (not ahead or waiting[-1] < first + ahead * self.workers):
                    number = waiting.pop()
                    self.submit(number, do, jobs[number])
                done, lost = self.wait()
                for number in lost:
                    deaths[number] = deaths.get(number, 0) + 1
                    if deaths[number] < MAX_JOB_ATTEMPTS:
                        waiting.append(number)
                    else:
                        died = PoolError(f"{MAX_JOB_ATTEMPTS} workers died of job {jobs[number]!r:.200}")
                        done.append(JobResult(number, None, died))
                waiting.sort(reverse=True)
                open_jobs -= {one.number for one in done}
                yield from done
        finally:
            if open_jobs:
                self.cancel()

    def results(self, do: Callable[[J], R], jobs: Sequence[J]) -> Iterator[tuple[int, R]]:
        """The number and the result of each job as it finishes; the first error ends all."""
        for one in self.as_completed(do, jobs):
            yield one.number, one.result()

    def in_order(self, do: Callable[[J], R], jobs: Sequence[J]) -> Iterator[R]:
        """Stream the results in the order of the jobs; only a bounded number is held back."""
        early: dict[int, R] = {}
        next_one = 0
        for one in self.as_completed(do, jobs, ahead=MAX_JOBS_AHEAD_PER_WORKER):
            early[one.number] = one.result()
            while next_one in early:
                yield early.pop(next_one)
                next_one += 1


class InlinePool(WorkerPool):
    """No other process: each job runs when its result is requested."""

    def __init__(self) -> None:
        self.given: list[tuple[int, Callable[[Any], Any], Any]] = []

    def free_slots(self) -> int:
        return 1 - len(self.given)

    def submit(self, number: int, do: Callable[[J], R], job: J) -> None:
        self.given.append((number, do, job))

    def wait(self) -> tuple[list[JobResult[Any]], list[int]]:
        number, do, job = self.given.pop()
        try:
            return [JobResult(number, do(job))], []
        except Exception as error:
            return [JobResult(number, None, error)], []


# --- local processes ----------------------------------------------------------------------------------------------


class ProcessPool(WorkerPool):
    """Processes of this machine, started on demand and reused; one that dies is replaced."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.idle: list[WorkerHandle] = []
        self.busy: dict[Connection, tuple[WorkerHandle, int]] = {}

    def free_slots(self) -> int:
        return self.workers - len(self.busy)

    def submit(self, number: int, do: Callable[[J], R], job: J) -> None:
        worker = self.idle.pop() if self.idle else WorkerHandle()
        try:
            worker.send_job(do, job)
        except OSError:  # it died while idle
            worker.end(at_once=True)
            self.submit(number, do, job)
            return
        self.busy[worker.pipe] = worker, number

    def wait(self) -> tuple[list[JobResult[Any]], list[int]]:
        done: list[JobResult[Any]] = []
        lost: list[int] = []
        for pipe in wait(list(self.busy)):
            assert isinstance(pipe, Connection)
            worker, number = self.busy.pop(pipe)
            try:
                done.append(job_result_from_answer(number, worker.receive_answer()))
            except (EOFError, OSError):
                worker.end(at_once=True)
                lost.append(number)
            else:
                self.idle.append(worker)
        return done, lost

    def cancel(self) -> None:
        for worker, _ in self.busy.values():
            worker.process.terminate()
        for worker, _ in self.busy.values():
            worker.end(at_once=True)
        self.busy = {}

    def close(self) -> None:
        self.cancel()
        for worker in self.idle:
            worker.end(at_once=False)
        self.idle = []


# --- Ray ----------------------------------------------------------------------------------------------------------


@cache
def package_fingerprint() -> str:
    """A digest of all modules and nets of this package: two machines give equal results only if these are equal."""
    found = hashlib.blake2b(digest_size=16)
    for path in sorted([*native.ROOT.rglob("*.py"), *native.ROOT.rglob("*.npz")]):
        found.update(path.relative_to(native.ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def run_remote_job(do: Callable[[J], R], job: J) -> tuple[Answer, str]:
    """Run one job on another machine, and return that machine's fingerprint."""
    return run_job(do, job), package_fingerprint()


class RayPool(WorkerPool):
    """Ray's workers on all machines of a cluster; one whose node is lost is replaced."""

    def __init__(self, address: str) -> None:
        require_extra("ray")
        ray: Any = import_module("ray")  # an extra: type checks must work without it
        self.ray = ray
        self.running: dict[Any, int] = {}
        self.refreshed_at = -RAY_REFRESH_INTERVAL_S
        self.came = not ray.is_initialized()
        if self.came:
            try:
                ray.init(address, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise PoolError(f"no Ray cluster answers at {address!r}: {error}") from None
        self.far: Any = ray.remote(num_cpus=1, max_retries=0)(run_remote_job)

    def free_slots(self) -> int:
        if monotonic() - self.refreshed_at > RAY_REFRESH_INTERVAL_S:
            self.workers = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
            self.refreshed_at = monotonic()
        return 2 * self.workers - len(self.running)  # queue one more job per worker

    def submit(self, number: int, do: Callable[[J], R], job: J) -> None:
        self.running[self.far.remote(do, job)] = number

    def wait(self) -> tuple[list[JobResult[Any]], list[int]]:
        self.ray.wait(list(self.running), num_returns=1)
        ready, _ = self.ray.wait(list(self.running), num_returns=len(self.running), timeout=0)
        done: list[JobResult[Any]] = []
        lost: list[int] = []
        for ref in ready:
            number = self.running.pop(ref)
            try:
                said, theirs = self.ray.get(ref)
            except self.ray.exceptions.RayTaskError as error:  # landfall is missing there, or fails to load
                done.append(JobResult(number, None, PoolError(f"a node of the cluster cannot work: {error.cause!r}")))
            except self.ray.exceptions.RayError:
                lost.append(number)
            else:
                same = theirs == package_fingerprint()
                other = PoolError("a node of the cluster runs another Landfall than this one; install the same there")
                done.append(job_result_from_answer(number, said) if same else JobResult(number, None, other))
        return done, lost

    def cancel(self) -> None:
        for ref in self.running:
            self.ray.cancel(ref, force=True)
        self.running = {}

    def close(self) -> None:
        self.cancel()
        if self.came:
            self.ray.shutdown()


def make_pool(cores: int = 0, ray: str | None = None) -> WorkerPool:
    """Create the pool: Ray at an address, or that many local processes (0: one per core)."""
    if ray is not None:
        return RayPool(ray)
    if sys.platform == "linux":
        there = len(os.sched_getaffinity(0))
    else:
        there = os.cpu_count() or 1
    workers = cores or there
    return InlinePool() if workers == 1 else ProcessPool(workers)
