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
from landfall.extras import need
from landfall.worker import Answer, Worker, error_of, run_job

TRIES: Final = 3  # a job whose worker dies so often is not tried again
AHEAD: Final = 8  # jobs a worker, that far ahead of the first that is not done: what waits for its turn is bounded
LOOK_AGAIN: Final = 2.0  # seconds after which Ray is asked again how many it has room for
AUTO: Final = "auto"  # as an address: the cluster that RAY_ADDRESS names or that runs here

J = TypeVar("J")
R = TypeVar("R")


class PoolError(LandfallError):
    """The jobs could not be done, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.pool", {"reason": reason})


@dataclass(frozen=True)
class Done(Generic[R]):
    """What came of the job of that number."""

    number: int
    answer: R | None
    error: Exception | None = None

    def result(self) -> R:
        """The answer, or its error raised."""
        if self.error is not None:
            raise self.error
        return cast("R", self.answer)


def heard(number: int, answer: Answer) -> Done[Any]:
    """What a worker said of a job."""
    found, failure = answer
    return Done(number, found) if failure is None else Done(number, None, error_of(failure))


class Pool:
    """Who does jobs. A maker says how many it takes, takes one, and gives back those that are done or lost."""

    workers: int = 1

    def room(self) -> int:
        """How many more jobs it takes now."""
        raise NotImplementedError

    def give(self, number: int, do: Callable[[J], R], job: J) -> None:
        """Begin a job."""
        raise NotImplementedError

    def take(self) -> tuple[list[Done[Any]], list[int]]:
        """Wait until something is done: that, and the jobs whose workers died."""
        raise NotImplementedError

    def give_up(self) -> None:
        """Stop what is under way: nobody asks for it any more."""

    def close(self) -> None:
        """End all workers, whatever they do."""
        self.give_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what every maker gets --------------------------------------------------------------------------------

    def finished(self, do: Callable[[J], R], jobs: Sequence[J], ahead: int = 0) -> Iterator[Done[R]]:
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
                while waiting and self.room() > 0 and (not ahead or waiting[-1] < first + ahead * self.workers):
                    number = waiting.pop()
                    self.give(number, do, jobs[number])
                done, lost = self.take()
                for number in lost:
                    deaths[number] = deaths.get(number, 0) + 1
                    if deaths[number] < TRIES:
                        waiting.append(number)
                    else:
                        died = PoolError(f"{TRIES} workers died of job {jobs[number]!r:.200}")
                        done.append(Done(number, None, died))
                waiting.sort(reverse=True)
                open_jobs -= {one.number for one in done}
                yield from done
        finally:
            if open_jobs:
                self.give_up()

    def results(self, do: Callable[[J], R], jobs: Sequence[J]) -> Iterator[tuple[int, R]]:
        """The number and the result of each job as it is done; the first error ends all."""
        for one in self.finished(do, jobs):
            yield one.number, one.result()

    def in_order(self, do: Callable[[J], R], jobs: Sequence[J]) -> Iterator[R]:
        """The results in the order of the jobs, in a stream: only so many are kept for their turn."""
        early: dict[int, R] = {}
        next_one = 0
        for one in self.finished(do, jobs, ahead=AHEAD):
            early[one.number] = one.result()
            while next_one in early:
                yield early.pop(next_one)
                next_one += 1


class Here(Pool):
    """No other process: each job is done when it is asked for."""

    def __init__(self) -> None:
        self.given: list[tuple[int, Callable[[Any], Any], Any]] = []

    def room(self) -> int:
        return 1 - len(self.given)

    def give(self, number: int, do: Callable[[J], R], job: J) -> None:
        self.given.append((number, do, job))

    def take(self) -> tuple[list[Done[Any]], list[int]]:
        number, do, job = self.given.pop()
        try:
            return [Done(number, do(job))], []
        except Exception as error:
            return [Done(number, None, error)], []


# --- processes here -----------------------------------------------------------------------------------------------


class Processes(Pool):
    """Processes of this machine, each started when there is a job for it, and kept; one that dies is replaced."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.idle: list[Worker] = []
        self.busy: dict[Connection, tuple[Worker, int]] = {}

    def room(self) -> int:
        return self.workers - len(self.busy)

    def give(self, number: int, do: Callable[[J], R], job: J) -> None:
        worker = self.idle.pop() if self.idle else Worker()
        try:
            worker.send(do, job)
        except OSError:  # it died while it had nothing to do
            worker.end(at_once=True)
            self.give(number, do, job)
            return
        self.busy[worker.pipe] = worker, number

    def take(self) -> tuple[list[Done[Any]], list[int]]:
        done: list[Done[Any]] = []
        lost: list[int] = []
        for pipe in wait(list(self.busy)):
            assert isinstance(pipe, Connection)
            worker, number = self.busy.pop(pipe)
            try:
                done.append(heard(number, worker.receive()))
            except (EOFError, OSError):
                worker.end(at_once=True)
                lost.append(number)
            else:
                self.idle.append(worker)
        return done, lost

    def give_up(self) -> None:
        for worker, _ in self.busy.values():
            worker.process.terminate()
        for worker, _ in self.busy.values():
            worker.end(at_once=True)
        self.busy = {}

    def close(self) -> None:
        self.give_up()
        for worker in self.idle:
            worker.end(at_once=False)
        self.idle = []


# --- Ray ----------------------------------------------------------------------------------------------------------


@cache
def fingerprint() -> str:
    """Of all modules and nets of this package: two machines give the same results only if they run the same."""
    found = hashlib.blake2b(digest_size=16)
    for path in sorted([*native.ROOT.rglob("*.py"), *native.ROOT.rglob("*.npz")]):
        found.update(path.relative_to(native.ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def far(do: Callable[[J], R], job: J) -> tuple[Answer, str]:
    """One job on another machine, and what runs there."""
    return run_job(do, job), fingerprint()


class Ray(Pool):
    """Ray's workers, on all machines of a cluster; one that is gone with its node is replaced by another's."""

    def __init__(self, address: str) -> None:
        need("ray")
        ray: Any = import_module("ray")  # an extra: where it is not, all of this still checks
        self.ray = ray
        self.running: dict[Any, int] = {}
        self.asked = -LOOK_AGAIN
        self.came = not ray.is_initialized()
        if self.came:
            try:
                ray.init(address, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise PoolError(f"no Ray cluster answers at {address!r}: {error}") from None
        self.far: Any = ray.remote(num_cpus=1, max_retries=0)(far)

    def room(self) -> int:
        if monotonic() - self.asked > LOOK_AGAIN:
            self.workers = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
            self.asked = monotonic()
        return 2 * self.workers - len(self.running)  # the next is there when one is done

    def give(self, number: int, do: Callable[[J], R], job: J) -> None:
        self.running[self.far.remote(do, job)] = number

    def take(self) -> tuple[list[Done[Any]], list[int]]:
        self.ray.wait(list(self.running), num_returns=1)
        ready, _ = self.ray.wait(list(self.running), num_returns=len(self.running), timeout=0)
        done: list[Done[Any]] = []
        lost: list[int] = []
        for ref in ready:
            number = self.running.pop(ref)
            try:
                said, theirs = self.ray.get(ref)
            except self.ray.exceptions.RayTaskError as error:  # landfall is not there, or cannot be loaded
                done.append(Done(number, None, PoolError(f"a node of the cluster cannot work: {error.cause!r}")))
            except self.ray.exceptions.RayError:
                lost.append(number)
            else:
                same = theirs == fingerprint()
                other = PoolError("a node of the cluster runs another Landfall than this one; install the same there")
                done.append(heard(number, said) if same else Done(number, None, other))
        return done, lost

    def give_up(self) -> None:
        for ref in self.running:
            self.ray.cancel(ref, force=True)
        self.running = {}

    def close(self) -> None:
        self.give_up()
        if self.came:
            self.ray.shutdown()


def pool(cores: int = 0, ray: str | None = None) -> Pool:
    """The maker asked for: Ray at an address, or so many processes here (0: one a core)."""
    if ray is not None:
        return Ray(ray)
    if sys.platform == "linux":
        there = len(os.sched_getaffinity(0))
    else:
        there = os.cpu_count() or 1
    workers = cores or there
    return Here() if workers == 1 else Processes(workers)
