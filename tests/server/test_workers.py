"""Several workers on one PostgreSQL: who dies or hangs is replaced, and the server ends when it is told to."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from landfall.web.supervisor import RESTART_DELAYS_S, STABLE_AFTER_S, Worker
from tests.conftest import LONG
from tests.postgres import cluster
from tests.server.real_server import free_port

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are told as on Linux"),
]
MAIN = """
import sys
from landfall.web import supervisor
from landfall.web.serve import ServeOptions, serve
if __name__ == "__main__":
    supervisor.HANG_TIMEOUT_S = 15.0
    serve(ServeOptions(port=int(sys.argv[1]), database=sys.argv[2], workers=2, log_level="warning"))
"""


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with cluster() as address:
        yield address


class Running:
    """A server with two workers."""

    def __init__(self, folder: Path, database: str) -> None:
        script = folder / "main.py"
        script.write_text(MAIN)
        self.port = free_port()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self.process = subprocess.Popen([sys.executable, script, str(self.port), database], env=environment)

    def workers(self) -> set[int]:
        """Its processes that serve; not the one that keeps book of shared memory."""
        found = set()
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # gone meanwhile
                words = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(words[1]) == self.process.pid and words[0] != "Z":
                    if b"spawn_main" in (folder / "cmdline").read_bytes():
                        found.add(int(folder.name))
        return found

    def is_ready(self) -> bool:
        assert self.process.poll() is None, "it ended by itself"
        return len(self.workers()) == 2 and self.answers()

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False


def eventually(what: Callable[[], bool], seconds: float = LONG) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.1)


@pytest.fixture
def running(tmp_path: Path, postgres: str) -> Iterator[Running]:
    server = Running(tmp_path, postgres)
    try:
        eventually(server.is_ready)
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
        server.process.wait()


def test_workers_that_die_are_replaced_even_all_at_once_and_sigterm_ends_cleanly(running: Running) -> None:
    for killed in (1, 2):
        before = running.workers()
        for pid in sorted(before)[:killed]:
            os.kill(pid, signal.SIGKILL)
        eventually(lambda b=before, k=killed: len(running.workers()) == 2 and len(running.workers() - b) == k)  # type: ignore[misc]
        eventually(running.answers)
        assert running.process.poll() is None
    workers = running.workers()
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(LONG) == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


def test_a_worker_that_hangs_is_replaced(running: Running) -> None:
    time.sleep(2)  # it has shown that it lives
    before = running.workers()
    victim = min(before)
    os.kill(victim, signal.SIGSTOP)
    eventually(lambda: victim not in running.workers() and len(running.workers()) == 2)
    eventually(running.answers)
    assert max(before) in running.workers(), "the other one was let alone"


def test_workers_end_with_their_supervisor(running: Running) -> None:
    workers = running.workers()
    running.process.kill()
    running.process.wait()
    eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def test_workers_that_die_young_are_replaced_ever_more_slowly_but_always(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended:
        exitcode = 1

        def close(self) -> None: ...

    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    worker, delays = Worker(0), []
    for lived in [0.0] * 12 + [STABLE_AFTER_S + 1]:
        worker.process, worker.pipe, worker.started = Ended(), Ended(), now - lived  # type: ignore[assignment]
        worker.clear()
        delays.append(worker.restart_at - now)
    assert delays[0] == pytest.approx(RESTART_DELAYS_S[0])
    assert delays[:12] == sorted(delays[:12])
    assert delays[11] == pytest.approx(RESTART_DELAYS_S[1])
    assert delays[12] == pytest.approx(RESTART_DELAYS_S[0]), "one that lived long is replaced at once"
