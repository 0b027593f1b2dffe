"""Keeps a server's worker processes alive, and replaces them one by one when new code is to run.

A worker that dies or hangs is replaced until the server stops. For a reload a successor starts beside each worker. The
worker stops only when the successor serves, or, if the database allows one process only, has loaded its code.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, Final

log = logging.getLogger("landfall")
HEARTBEAT_S: Final = 1.0  # between a worker's heartbeats
HANG_TIMEOUT_S: Final = 30.0  # without a heartbeat, until a worker is killed
START_TIMEOUT_S: Final = 120.0  # until the first one: imports, migrations; twice that after each that took longer
MAX_START_TIMEOUT_S: Final = 3600.0
RESTART_DELAYS_S: Final = (0.1, 30.0)  # before the first restart, and at most; doubled while workers die young
STABLE_AFTER_S: Final = 10.0  # a worker that lived so long did not fail at start-up: the next starts at once
STOP_TIMEOUT_S: Final = 20.0  # for a clean shutdown, after which workers are killed
LEAVE_TIMEOUT_S: Final = 90.0  # the same for a worker that has a successor
POLL_S: Final = 0.5  # a signal does not interrupt a wait
LOADED, ALIVE, READY, GO, LEAVE = b"loaded", b".", b"ready", b"go", b"leave"

Target = Callable[[Any, "WorkerHeartbeat"], None]  # run in the worker, with its argument


class WorkerHeartbeat:
    """The worker's side: its event loop calls it regularly, which shows that it does not hang."""

    def __init__(self, pipe: Connection, waits: bool = False) -> None:
        self.pipe = pipe
        self.waits = waits  # until its predecessor has gone
        self.supervisor = os.getppid()

    def wait_for_predecessor(self) -> None:
        """Report that the code is loaded; if the predecessor must go first, wait for that."""
        if not self.waits:
            return
        try:
            self.pipe.send_bytes(LOADED)
            self.pipe.recv_bytes()
        except (EOFError, OSError):  # there is no supervisor any more
            raise SystemExit(1) from None

    def has_successor(self) -> bool:
        """Whether the process stops because it has a successor, so that its clients may leave little by little."""
        try:
            return self.pipe.poll() and self.pipe.recv_bytes() == LEAVE
        except (EOFError, OSError):
            return False

    async def send_heartbeat(self, is_ready: bool) -> None:
        """Send a heartbeat, which says whether it can take over; a worker without a supervisor shuts down cleanly."""
        os.set_blocking(self.pipe.fileno(), False)
        try:
            if os.getppid() != self.supervisor:
                raise ProcessLookupError
            self.pipe.send_bytes(READY if is_ready else ALIVE)
        except BlockingIOError:  # the supervisor was stopped for hours
            return
        except OSError:
            os.kill(os.getpid(), signal.SIGTERM)


def has_controlling_terminal() -> bool:
    """Whether the process belongs to a terminal."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def run_worker(target: Target, argument: Any, pipe: Connection, waits: bool) -> None:
    """In the worker process. During an update the supervisor of the older release calls it, by this name."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # until the server handles it: Ctrl-C is for the supervisor
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a reload is for the supervisor, too
    target(argument, WorkerHeartbeat(pipe, waits))


class Worker:
    """One worker slot, and the process that fills it now."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.process: BaseProcess | None = None
        self.pipe: Connection | None = None
        self.started = 0.0
        self.is_loaded = self.is_ready = False
        self.last_beat: float | None = None
        self.delay_s = RESTART_DELAYS_S[0]
        self.start_timeout_s = START_TIMEOUT_S
        self.restart_at = 0.0
        self.stop_until: float | None = None  # it was asked to stop or to leave: killed at this time
        self.is_stopping = False

    def start_process(self, context: BaseContext, target: Target, argument: Any, waits: bool = False) -> None:
        """Start a process in the slot; it `waits` for `allow_to_begin` once its code is loaded."""
        self.pipe, theirs = Pipe()
        self.process = context.Process(  # type: ignore[attr-defined]
            target=run_worker, args=(target, argument, theirs, waits), name=f"worker-{self.number}"
        )
        self.process.start()
        theirs.close()
        self.started = time.monotonic()
        self.is_loaded = self.is_ready = self.is_stopping = False
        self.last_beat = self.stop_until = None

    def allow_to_begin(self) -> None:
        """Its predecessor has gone: it may open the database."""
        assert self.pipe is not None
        self.started = time.monotonic()
        with suppress(OSError):
            self.pipe.send_bytes(GO)

    def read_heartbeats(self) -> None:
        """Read the heartbeats that have arrived."""
        with suppress(EOFError, OSError):
            while self.pipe is not None and self.pipe.poll():
                message = self.pipe.recv_bytes()
                self.is_ready |= message == READY
                if message == LOADED:
                    self.is_loaded = True
                else:
                    self.last_beat = time.monotonic()
                    self.start_timeout_s = START_TIMEOUT_S

    def can_take_over(self) -> bool:
        """Whether it serves and is done with starting; a worker of an older release does not say when it is."""
        late = time.monotonic() - self.started > START_TIMEOUT_S
        return self.last_beat is not None and (self.is_ready or late)

    def is_hanging(self) -> bool:
        """Whether its last heartbeat is too old, or it was to stop by now."""
        now = time.monotonic()
        if self.stop_until is not None:
            return now > self.stop_until
        if self.last_beat is None:
            return now - self.started > self.start_timeout_s
        return now - self.last_beat > HANG_TIMEOUT_S

    def request_stop(self) -> None:
        """Ask it to finish what it does and stop."""
        if self.process is not None and not self.is_stopping:
            self.is_stopping = True
            self.stop_until = time.monotonic() + STOP_TIMEOUT_S
            self.process.terminate()

    def request_handover(self) -> None:
        """Ask it to hand its clients over to the others, then to stop."""
        assert self.process is not None
        assert self.pipe is not None
        self.stop_until = time.monotonic() + LEAVE_TIMEOUT_S
        with suppress(OSError):
            self.pipe.send_bytes(LEAVE)
        self.process.terminate()

    def clear_slot_and_schedule_restart(self) -> int:
        """The process has exited: empty the slot, and schedule a restart, later if its processes die young. Returns its
        exit code."""
        assert self.process is not None
        assert self.pipe is not None
        code = self.process.exitcode or 0
        now = time.monotonic()
        self.delay_s = RESTART_DELAYS_S[0] if now - self.started > STABLE_AFTER_S else self.delay_s
        self.restart_at = now + self.delay_s
        self.delay_s = min(self.delay_s * 2, RESTART_DELAYS_S[1])
        self.process.close()
        self.pipe.close()
        self.process = self.pipe = None
        return code


class Supervisor:
    """Runs a number of workers until SIGTERM or SIGINT. SIGHUP replaces them with processes of newly installed code.

    `exclusive`: the database allows one process only.
    """

    def __init__(
        self, context: BaseContext, target: Target, argument: Any, count: int, exclusive: bool = False
    ) -> None:
        self.context = context
        self.target = target
        self.argument = argument
        self.exclusive = exclusive
        self.workers = [Worker(number) for number in range(count)]
        self.to_replace: deque[int] = deque()  # slots whose worker runs old code
        self.successor: Worker | None = None  # of the first of them; it does not serve yet, or not alone
        self.successor_timeout_s = START_TIMEOUT_S  # more after a reload whose worker took longer
        self.leaving: list[Worker] = []  # replaced workers that still finish what they do
        self.stopping = False
        self.reload_requested = False
        self.had_terminal = has_controlling_terminal()
        self.on_stopping: Callable[[], None] = lambda: None

    def run_until_stopped(self) -> int:
        """Run the workers. Returns the exit status: 0 if all workers ended cleanly on request."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.request_stop)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, self.request_reload)
        while not self.stopping:
            self.start_missing_workers()
            self.wait_for_next_event()
            self.clear_dead_and_kill_hanging()
            self.take_reload_step()
        return self.stop_all_workers()

    def request_stop(self, *_: object) -> None:
        self.stopping = True

    def request_reload(self, *_: object) -> None:
        """SIGHUP: reload; but end if it came because the terminal was closed."""
        if self.had_terminal and not has_controlling_terminal():
            self.stopping = True
        self.reload_requested = True

    def workers_with_process(self) -> list[Worker]:
        """All workers that have a process."""
        all_workers = [*self.workers, *self.leaving, *([self.successor] if self.successor is not None else [])]
        return [worker for worker in all_workers if worker.process is not None]

    def start_missing_workers(self) -> None:
        now = time.monotonic()
        for worker in self.workers:
            if worker.process is None and now >= worker.restart_at and not self.stopping:
                worker.start_process(self.context, self.target, self.argument)

    def wait_for_next_event(self) -> None:
        """Wait until a worker dies or a successor reports, a slot is to be filled, or the next check is due."""
        now = time.monotonic()
        due = [worker.restart_at - now for worker in self.workers if worker.process is None]
        watched: list[Any] = [
            worker.process.sentinel for worker in self.workers_with_process() if worker.process is not None
        ]
        if self.successor is not None and self.successor.pipe is not None:
            watched.append(self.successor.pipe)
        wait(watched, max(0.0, min([POLL_S, *due])))

    def clear_dead_and_kill_hanging(self) -> None:
        """Clear the slots of dead workers; kill hanging ones."""
        for worker in self.workers_with_process():
            assert worker.process is not None
            worker.read_heartbeats()
            if worker.process.is_alive():
                if worker.is_hanging():
                    self.kill_hanging(worker)
                continue
            worker.process.join()
            if worker.stop_until is None and not self.stopping:
                log.error("worker %d ended (%s): it is replaced", worker.number, worker.process.exitcode)
            if not self.stopping:
                worker.clear_slot_and_schedule_restart()

    def kill_hanging(self, worker: Worker) -> None:
        """Kill a worker. The next one is given longer to start: else, on a starved machine, all would be killed."""
        assert worker.process is not None
        if worker.last_beat is None and worker.stop_until is None:
            seconds = worker.start_timeout_s
            worker.start_timeout_s = min(2 * seconds, MAX_START_TIMEOUT_S)
            log.error(
                "worker %d did not start within %.0f s: it is replaced; the next one has %.0f s",
                worker.number, seconds, worker.start_timeout_s,
            )  # fmt: skip
        else:
            log.error("worker %d does not answer: it is replaced", worker.number)
        worker.process.kill()

    # --- replacing --------------------------------------------------------------------------------------------

    def take_reload_step(self) -> None:
        """One step of a reload."""
        if self.reload_requested:
            self.reload_requested = False
            self.to_replace = deque(range(len(self.workers)))
            if self.successor is not None and self.successor.process is not None:  # its code may be older already
                self.successor.request_stop()
                self.leaving.append(self.successor)
            self.successor = None
            log.warning("reload: %d workers are replaced", len(self.workers))
        self.leaving = [worker for worker in self.leaving if worker.process is not None]
        if not self.to_replace or self.stopping or self.leaving:
            return
        old = self.workers[self.to_replace[0]]
        if self.successor is None:
            self.successor = Worker(old.number)
            self.successor.start_timeout_s = self.successor_timeout_s
            self.successor.start_process(self.context, self.target, self.argument, waits=self.exclusive)
        elif self.successor.process is None:
            log.error("reload: the new worker %d does not start; the old ones stay", old.number)
            self.successor_timeout_s = self.successor.start_timeout_s
            self.successor = None
            self.to_replace.clear()
        elif self.exclusive and self.successor.is_loaded:
            if old.process is None:
                self.successor.allow_to_begin()
                self.install_successor()
            else:
                old.request_stop()
        elif self.successor.can_take_over():
            if old.process is not None:  # it may have died meanwhile
                old.request_handover()
                self.leaving.append(old)
            self.install_successor()

    def install_successor(self) -> None:
        """The successor takes the slot."""
        assert self.successor is not None
        self.workers[self.to_replace.popleft()] = self.successor
        self.successor = None
        if not self.to_replace:
            log.warning("reload: done")

    def stop_all_workers(self) -> int:
        """Ask all workers to stop, wait, and kill the rest."""
        self.on_stopping()
        running = self.workers_with_process()
        for worker in running:
            worker.request_stop()
        codes = []
        for worker in running:
            assert worker.process is not None
            assert worker.stop_until is not None
            worker.process.join(max(0.0, worker.stop_until - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            codes.append(worker.process.exitcode)
        return int(any(code not in (0, -signal.SIGTERM) for code in codes))
