"""Keeps a server's worker processes alive: one that dies or hangs is replaced until the server stops."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, Final

log = logging.getLogger("landfall")
HEARTBEAT_S: Final = 1  # between a worker's heartbeats; uvicorn counts in whole seconds
HANG_TIMEOUT_S: Final = 30.0  # without a heartbeat, until a worker is killed
START_TIMEOUT_S: Final = 120.0  # until the first one: imports, migrations
RESTART_DELAYS_S: Final = (0.1, 30.0)  # before the first restart, and at most; doubled while workers die young
STABLE_AFTER_S: Final = 30.0  # a worker that lived so long did not fail at start-up
STOP_TIMEOUT_S: Final = 20.0  # for a clean shutdown, after which workers are killed
POLL_S: Final = 0.5  # a signal does not interrupt a wait

Target = Callable[[Any, Connection], None]  # run in the worker, with its argument and the heartbeat pipe


class Heart:
    """The worker's side: its event loop calls it regularly, which shows that it does not hang."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        os.set_blocking(pipe.fileno(), False)

    async def beat(self) -> None:
        """Send a heartbeat; a worker without a supervisor shuts down cleanly."""
        try:
            self.pipe.send_bytes(b".")
        except BlockingIOError:  # the supervisor was stopped for hours
            return
        except OSError:
            os.kill(os.getpid(), signal.SIGTERM)


class Worker:
    """One worker slot, and the process that fills it now."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.process: BaseProcess | None = None
        self.pipe: Connection | None = None
        self.started = 0.0
        self.last_beat: float | None = None
        self.delay_s = RESTART_DELAYS_S[0]
        self.restart_at = 0.0

    def start(self, context: SpawnContext, target: Target, argument: Any) -> None:
        """Start a process in the slot."""
        self.pipe, theirs = Pipe(duplex=False)
        self.process = context.Process(target=target, args=(argument, theirs), name=f"worker-{self.number}")
        self.process.start()
        theirs.close()
        self.started = time.monotonic()
        self.last_beat = None

    def take_beats(self) -> None:
        """Read the heartbeats that have arrived."""
        with suppress(EOFError, OSError):
            while self.pipe is not None and self.pipe.poll():
                self.pipe.recv_bytes()
                self.last_beat = time.monotonic()

    def is_hanging(self) -> bool:
        """Whether its last heartbeat is too old."""
        now = time.monotonic()
        if self.last_beat is None:
            return now - self.started > START_TIMEOUT_S
        return now - self.last_beat > HANG_TIMEOUT_S

    def clear(self) -> int:
        """The process has exited: log how. Schedule a restart, later if its processes die young."""
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
    """Runs a number of workers until SIGTERM or SIGINT."""

    def __init__(self, context: SpawnContext, target: Target, argument: Any, count: int) -> None:
        self.context = context
        self.target = target
        self.argument = argument
        self.workers = [Worker(number) for number in range(count)]
        self.stopping = False

    def run(self) -> int:
        """Run the workers. Returns the exit status: 0 if all workers ended cleanly on request."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.stop)
        while not self.stopping:
            self.fill_places()
            self.wait_a_moment()
            self.look_after()
        return self.end_all()

    def stop(self, *_: object) -> None:
        self.stopping = True

    def fill_places(self) -> None:
        now = time.monotonic()
        for worker in self.workers:
            if worker.process is None and now >= worker.restart_at and not self.stopping:
                worker.start(self.context, self.target, self.argument)

    def wait_a_moment(self) -> None:
        """Wait until a worker dies, a slot is to be filled, or the next check is due."""
        now = time.monotonic()
        due = [worker.restart_at - now for worker in self.workers if worker.process is None]
        wait(self.sentinels(), max(0.0, min([POLL_S, *due])))

    def sentinels(self) -> list[int]:
        return [worker.process.sentinel for worker in self.workers if worker.process is not None]

    def look_after(self) -> None:
        """Clear the slots of dead workers; kill hanging ones."""
        for worker in self.workers:
            if worker.process is None:
                continue
            worker.take_beats()
            if worker.process.is_alive():
                if worker.is_hanging():
                    log.error("worker %d does not answer: it is replaced", worker.number)
                    worker.process.kill()
                continue
            worker.process.join()
            if not self.stopping:
                log.error("worker %d ended (%s): it is replaced", worker.number, worker.process.exitcode)
                worker.clear()

    def end_all(self) -> int:
        """Ask all workers to stop, wait, and kill the rest."""
        running = [worker.process for worker in self.workers if worker.process is not None]
        for process in running:
            process.terminate()
        until = time.monotonic() + STOP_TIMEOUT_S
        for process in running:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
        return int(any(process.exitcode not in (0, -signal.SIGTERM) for process in running))
