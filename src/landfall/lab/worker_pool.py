"""Many jobs at once, one seam with two makers: processes here, or Ray on other machines (docs/cluster.md).

A job says all that its result depends on, seeds included. So results are the same whoever works, however many do and in
whatever order they are done; and the job of a worker that died is simply done again by another.
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
from landfall.extras import require_extra
from landfall.worker import Answer, Worker, error_of, run_job

MAX_JOB_ATTEMPTS: Final = 3  # a job whose worker dies so often is not tried again
# jobs a worker, that far ahead of the first that is not done: what waits for its turn is bounded
MAX_JOBS_AHEAD_PER_WORKER: Final = 8
RAY_REFRESH_INTERVAL_S: Final = 2.0  # seconds after which Ray is asked again how many it has room for
AUTO_ADDRESS: Final = "auto"  # as an address: the cluster that RAY_ADDRESS names or that runs here

J = TypeVar("J")
R = TypeVar("R")


class PoolError(LandfallError):
    """The jobs could not be done, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.pool", {"reason": reason})


@dataclass(frozen=True)
class JobResult(Generic[R]):
    """What came of the job of that number."""

    number: int
    answer: R | None
    error: Exception | None = None

    def result(self) -> R:
        """The answer, or its error raised."""
        if self.error is not None:
            raise self.error
        return cast("R", self.answer)


def parse_reply(number: int, answer: Answer) -> JobResult[Any]:
    """What a worker said of a job."""
    found, failure = answer
    return JobResult(number, found) if failure is None else JobResult(number, None, error_of(failure))


class WorkerPool:
    """Who does jobs. A maker says how many it takes, takes one, and gives back those that are done or lost."""

    workers: int = 1

    def free_slots(self) -> int:
        """How many more jobs it takes now."""
        raise NotImplementedError

    def submit(self, number: int, do: Callable[[J], R], job: J) -> None:
        """Begin a job."""
        raise NotImplementedError

    def wait(self) -> tuple[list[JobResult[Any]], list[int]]:
        """Wait until something is done: that, and the jobs whose workers died."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop what is under way: nobody asks for it any more."""

    def close(self) -> None:
        """End all workers, whatever they do."""
        self.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what every maker gets --------------------------------------------------------------------------------

    def as_completed(self, do: Callable[[J], R], jobs: Sequence[J], ahead: int = 0) -> Iterator[JobResult[R]]:
        """All jobs as they are done; with `ahead`, none that far (a worker) beyond the first that is not
        done is begun."""
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
        """The number and the result of each job as it is done; the first error ends all."""
        for one in self.as_completed(do, jobs):
            yield one.number, one.result()

    def in_order(self, do: Callable[[J], R], jobs: Sequence[J]) -> Iterator[R]:
        """The results in the order of the jobs, in a stream: only so many are kept for their turn."""
        early: dict[int, R] = {}
        next_one = 0
        for one in self.as_completed(do, jobs, ahead=MAX_JOBS_AHEAD_PER_WORKER):
            early[one.number] = one.result()
            while next_one in early:
                yield early.pop(next_one)
                next_one += 1


class InlinePool(WorkerPool):
    """No other process: each job is done when it is asked for."""

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


# --- processes here -----------------------------------------------------------------------------------------------


class ProcessPool(WorkerPool):
    """Processes of this machine, each started when there is a job for it, and kept; one that dies is replaced."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.idle: list[Worker] = []
        self.busy: dict[Connection, tuple[Worker, int]] = {}

    def free_slots(self) -> int:
        return self.workers - len(self.busy)

    def submit(self, number: int, do: Callable[[J], R], job: J) -> None:
        worker = self.idle.pop() if self.idle else Worker()
        try:
            worker.send(do, job)
        except OSError:  # it died while it had nothing to do
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
                done.append(parse_reply(number, worker.receive()))
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
    """Of all modules and nets of this package: two machines give the same results only if they run the same."""
    found = hashlib.blake2b(digest_size=16)
    for path in sorted([*native.ROOT.rglob("*.py"), *native.ROOT.rglob("*.npz")]):
        found.update(path.relative_to(native.ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def run_remote_job(do: Callable[[J], R], job: J) -> tuple[Answer, str]:
    """One job on another machine, and what runs there."""
    return run_job(do, job), package_fingerprint()


class RayPool(WorkerPool):
    """Ray's workers, on all machines of a cluster; one that is gone with its node is replaced by another's."""

    def __init__(self, address: str) -> None:
        require_extra("ray")
        ray: Any = import_module("ray")  # an extra: where it is not, all of this still checks
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
        return 2 * self.workers - len(self.running)  # the next is there when one is done

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
            except self.ray.exceptions.RayTaskError as error:  # landfall is not there, or cannot be loaded
                done.append(JobResult(number, None, PoolError(f"a node of the cluster cannot work: {error.cause!r}")))
            except self.ray.exceptions.RayError:
                lost.append(number)
            else:
                same = theirs == package_fingerprint()
                other = PoolError("a node of the cluster runs another Landfall than this one; install the same there")
                done.append(parse_reply(number, said) if same else JobResult(number, None, other))
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
    """The maker asked for: Ray at an address, or so many processes here (0: one a core)."""
    if ray is not None:
        return RayPool(ray)
    if sys.platform == "linux":
        there = len(os.sched_getaffinity(0))
    else:
        there = os.cpu_count() or 1
    workers = cores or there
    return InlinePool() if workers == 1 else ProcessPool(workers)
