"""Jobs for workers: what they import, every worker does, so it is little."""

import os
import signal
from pathlib import Path

from landfall.lab.experiments.simulation import IllegalChoice


def square(n: int) -> int:
    return n * n


def worker_process_id(_: int) -> int:
    return os.getpid()


def kill_worker_once(folder: Path, n: int) -> int:
    """Job 3 kills its worker the first time."""
    mark = folder / str(n)
    if n == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


def kill_worker_always(n: int) -> int:
    if n == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return n


def raise_for_some_jobs(n: int) -> int:
    if n == 1:
        raise IllegalChoice("greedy", 7, "SV.M9")
    if n == 2:
        raise ZeroDivisionError("seven")
    return n


def return_unpicklable(n: int) -> object:
    return lambda: n
