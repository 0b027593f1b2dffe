"""Several workers on one PostgreSQL: who dies or hangs is replaced, and the server ends when it is told to."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from landfall.web.supervisor import RESTART_DELAYS_S, STABLE_AFTER_S, START_TIMEOUT_S, Supervisor, Worker
from tests.conftest import LONG
from tests.server.worker_replacement import Service

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are told as on Linux"),
]


def eventually(what: Callable[[], bool], seconds: float = LONG) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.1)


@pytest.fixture
def running(tmp_path: Path, postgres: str) -> Iterator[Service]:
    with Service(tmp_path, postgres, workers=2, hang_timeout_s=5.0) as service:
        eventually(lambda: len(service.workers()) == 2)
        yield service


def test_workers_that_die_are_replaced_even_all_at_once_and_sigterm_ends_cleanly(running: Service) -> None:
    for killed in (1, 2):
        before = running.workers()
        for pid in sorted(before)[:killed]:
            os.kill(pid, signal.SIGKILL)
        eventually(lambda b=before, k=killed: len(running.workers()) == 2 and len(running.workers() - b) == k)  # type: ignore[misc]
        eventually(lambda: running.answers() == 200)
        assert running.process.is_alive()
    workers = running.workers()
    assert running.stop() == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


def shown_workers(service: Service) -> set[int]:
    """The workers in an answer to Prometheus."""
    with urllib.request.urlopen(service.url + "/metrics", timeout=LONG) as answer:
        text = answer.read().decode()
    assert text.count("# HELP landfall_live_tables ") == 1
    return {int(pid) for pid in re.findall(r'^landfall_live_tables\{worker="(\d+)"\}', text, re.MULTILINE)}


def test_metrics_are_of_all_workers_whoever_answers_and_of_none_that_is_gone(running: Service) -> None:
    eventually(lambda: shown_workers(running) == running.workers())
    assert all(shown_workers(running) == running.workers() for _ in range(10))
    victim = min(running.workers())
    os.kill(victim, signal.SIGKILL)
    eventually(lambda: len(running.workers() - {victim}) == 2 and shown_workers(running) == running.workers())
    assert victim not in shown_workers(running)


def test_a_worker_that_hangs_is_replaced(running: Service) -> None:
    time.sleep(2)  # it has shown that it lives
    before = running.workers()
    victim = min(before)
    os.kill(victim, signal.SIGSTOP)
    eventually(lambda: victim not in running.workers() and len(running.workers()) == 2)
    eventually(lambda: running.answers() == 200)
    assert max(before) in running.workers(), "the other one was let alone"


@pytest.mark.parametrize("by_s", [-60, 60, -3600, 3600])
def test_a_wall_clock_that_is_set_kills_nobody(running: Service, by_s: int) -> None:
    before = running.workers()
    written = running.log_file.with_name("clock.new")
    written.write_text(str(by_s))
    written.rename(running.log_file.with_name("clock"))
    time.sleep(8)  # after five seconds without a heartbeat a worker is replaced
    assert running.workers() == before
    assert running.answers() == 200


def test_workers_end_with_their_supervisor(running: Service) -> None:
    workers = running.workers()
    running.process.kill()
    running.process.join()
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
        worker.clear_slot_and_schedule_restart()
        delays.append(worker.restart_at - now)
    assert delays[0] == pytest.approx(RESTART_DELAYS_S[0])
    assert delays[:12] == sorted(delays[:12])
    assert delays[11] == pytest.approx(RESTART_DELAYS_S[1])
    assert delays[12] == pytest.approx(RESTART_DELAYS_S[0]), "one that lived long is replaced at once"


def test_a_worker_that_starts_slowly_is_given_longer_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a starved machine the same would be begun and killed for ever; once one has started, all is as before."""
    killed: list[float] = []

    class Starting:
        exitcode = None
        sentinel = 0

        def is_alive(self) -> bool:
            return True

        def kill(self) -> None:
            killed.append(now)

    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    supervisor = Supervisor(multiprocessing.get_context("spawn"), lambda *_: None, None, 1)
    [worker] = supervisor.workers
    worker.process = Starting()  # type: ignore[assignment]
    while now < 9000:
        supervisor.clear_dead_and_kill_hanging()
        if killed and killed[-1] == now:
            worker.started = now  # the next one
        now += 1
    waits = [round(b - a) for a, b in zip([0.0, *killed], killed, strict=False)]
    assert waits[:5] == [121, 241, 481, 961, 1921]
    monkeypatch.undo()
    ours, theirs = multiprocessing.Pipe()
    worker.pipe = ours
    theirs.send_bytes(b".")
    worker.read_heartbeats()
    assert worker.start_timeout_s == START_TIMEOUT_S
