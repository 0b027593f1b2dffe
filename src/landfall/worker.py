"""One worker process at the other end of a pipe: takes a job, answers, takes the next.

Both pools are made of these: the server's (`tables/bots/worker_pool.py`) and the lab's (`lab/worker_pool.py`).
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Final

from landfall.core.errors import LandfallError

EXIT_TIMEOUT_S: Final = 3.0  # for a worker that was told to end; programs it started have one second of them
READY: Final = "ready"

Failure = tuple[str, str, dict[str, object]]  # a sentence, its key ("": a traceback), its arguments
Answer = tuple[object, "Failure | None"]  # what a job returned, or what went wrong; pickled on its way


class JobError(Exception):
    """A job raised what is no sentence for people: its traceback, as its worker saw it."""


class WorkerDied(Exception):
    """A worker ended, or was killed, before it answered."""


def run_job(job: Callable[..., object], *args: object) -> Answer:
    """One job, where it is done; errors become texts, since not every one can be sent."""
    try:
        return job(*args), None
    except LandfallError as error:
        return None, (str(error), error.key, error.arguments)
    except Exception:
        return None, (traceback.format_exc(), "", {})


def error_of(failure: Failure) -> Exception:
    """What to raise for a failure in a worker."""
    text, key, arguments = failure
    return LandfallError(text, key, arguments) if key else JobError(text)


def exit_with_parent() -> None:
    """In a worker: end when whoever started it does, however that comes, and end what it began itself before."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.platform == "linux":
        import ctypes  # only here: a browser's Python need not have it

        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who is at the keyboard speaks to the parent


def serve_jobs(pipe: Connection, prepare: Callable[[], None], announce: bool) -> None:
    """A worker's life: jobs from the pipe until nobody is at its other end."""
    prepare()
    try:
        if announce:
            pipe.send(READY)
        while True:
            job, args = pipe.recv()
            answer = run_job(job, *args)
            try:
                pipe.send(answer)
            except OSError:
                raise
            except Exception:  # an answer that cannot be pickled
                pipe.send((None, (traceback.format_exc(), "", {})))
    except (EOFError, OSError):
        return


class Worker:
    """A process and our end of its pipe. With `announce` it says when it has started; `call` waits for that."""

    def __init__(self, prepare: Callable[[], None] = exit_with_parent, announce: bool = False) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve_jobs, args=(theirs, prepare, announce), daemon=announce)
        self.process.start()
        theirs.close()
        self.ready = not announce

    def send(self, job: Callable[..., object], *args: object) -> None:
        """Give it a job. OSError: it is gone."""
        self.pipe.send((job, args))

    def receive(self) -> Answer:
        """Wait for the answer. EOFError, OSError: it is gone."""
        found: Answer = self.pipe.recv()
        return found

    def call(self, job: Callable[..., Any], *args: object) -> Any:
        """Have a job done, and wait for it. WorkerDied: there will be no answer."""
        try:
            if not self.ready:
                self.pipe.recv()
                self.ready = True
            self.send(job, *args)
            answer, failure = self.receive()
        except (EOFError, OSError):
            raise WorkerDied from None
        if failure is not None:
            raise error_of(failure)
        return answer

    def kill(self) -> None:
        """End it now; whoever waits in `call` gets WorkerDied."""
        self.process.kill()

    def end(self, at_once: bool) -> None:
        """No more jobs for it; `at_once`: nor does it finish the one it has, and has a moment to end what it began."""
        self.pipe.close()
        if at_once:
            self.process.terminate()
            self.process.join(EXIT_TIMEOUT_S)
            self.process.kill()
        self.process.join()
