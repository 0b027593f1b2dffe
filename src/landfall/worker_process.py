"""A worker process at the other end of a pipe: it receives a job, sends the answer, and waits for the next.

Both pools use it: the server's (`tables/bots/worker_pool.py`) and the lab's (`lab/worker_pool.py`).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Final

from landfall.core.errors import LandfallError

DEFAULT_MEMORY_MB: Final = 2048  # that one worker may allocate
EXIT_TIMEOUT_S: Final = 3.0  # for a stopping worker; programs it started have one second of this
READY: Final = "ready"

Failure = tuple[str, str, dict[str, object]]  # a sentence, its key ("": a traceback), its arguments
Answer = tuple[object, "Failure | None"]  # the result of a job, or its failure; pickled


class JobError(Exception):
    """A job raised an unexpected exception: its traceback in the worker."""


class WorkerDied(Exception):
    """A worker exited, or was killed, before it answered."""


def run_job(job: Callable[..., object], *args: object) -> Answer:
    """Run one job in the worker. Errors become texts, because not every exception can be pickled."""
    try:
        return job(*args), None
    except MemoryError:  # the worker is replaced: what it still holds is not known
        raise
    except LandfallError as error:
        return None, (str(error), error.key, error.arguments)
    except Exception:
        return None, (traceback.format_exc(), "", {})


def exception_of_failure(failure: Failure) -> Exception:
    """The exception to raise for a failure in a worker."""
    text, key, arguments = failure
    return LandfallError(text, key, arguments) if key else JobError(text)


def arrange_exit_with_parent() -> None:
    """In a worker, at its start: let it exit when the parent dies for any reason, and first stop the programs it
    started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.platform == "linux":
        import ctypes  # here, because a browser's Python may lack it

        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent


def serve_jobs(pipe: Connection, prepare: Callable[[], None], announce: bool) -> None:
    """The worker's main loop: run jobs from the pipe until its other end is closed."""
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
            except Exception:  # the answer cannot be pickled
                pipe.send((None, (traceback.format_exc(), "", {})))
    except (EOFError, OSError):
        return
    except MemoryError:
        os._exit(1)  # a clean exit may need memory, too


class WorkerHandle:
    """A process and our end of its pipe. With `announce` it reports when it has started; `call` waits for that."""

    def __init__(self, prepare: Callable[[], None] = arrange_exit_with_parent, announce: bool = False) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve_jobs, args=(theirs, prepare, announce), daemon=announce)
        self.process.start()
        theirs.close()
        self.ready = not announce

    def send_job(self, job: Callable[..., object], *args: object) -> None:
        """Send a job. OSError: the worker is gone."""
        self.pipe.send((job, args))

    def receive_answer(self) -> Answer:
        """Wait for the answer. EOFError, OSError: the worker is gone."""
        found: Answer = self.pipe.recv()
        return found

    def call(self, job: Callable[..., Any], *args: object) -> Any:
        """Run a job and wait for the answer. WorkerDied: there will be none."""
        try:
            if not self.ready:
                self.pipe.recv()
                self.ready = True
            self.send_job(job, *args)
            answer, failure = self.receive_answer()
        except (EOFError, OSError):
            raise WorkerDied from None
        if failure is not None:
            raise exception_of_failure(failure)
        return answer

    def kill(self) -> None:
        """Kill it now; a waiting `call` raises WorkerDied."""
        self.process.kill()

    def end(self, at_once: bool) -> None:
        """Stop the worker after its job, or `at_once`; it then has a moment to stop the programs it started."""
        self.pipe.close()
        if at_once:
            self.process.terminate()
            self.process.join(EXIT_TIMEOUT_S)
            self.process.kill()
        self.process.join()
