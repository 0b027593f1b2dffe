"""People at tables while the server's workers are replaced: what they lose, and how long they hear nothing."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import multiprocessing
import os
import sys
import time
import urllib.error
import urllib.request
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from landfall.web.pid_file import find_running_server_pid
from tests.conftest import LONG
from tests.server import worker_replacement_server
from tests.server.crashes import GONE, Load
from tests.server.real_server import PROCESSES, Line, Player, free_port

RESTARTING = 1012
RETRY_S = 0.2  # as the client does after a failed attempt


class Service:
    """`landfall serve` as a host runs it: a supervisor and its workers.

    With `path` it runs by itself and loads its code from there. Otherwise it is forked, which is quicker.
    """

    def __init__(
        self, folder: Path, database: str, workers: int, path: Path | None = None, hang_timeout_s: float = 30.0
    ) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.pid_file = folder / "serve.pid"
        self.log_file = folder / "serve.log"
        self.log_file.touch()
        self.process: BaseProcess
        if path is None:
            options = {
                "port": self.port, "database": database, "workers": workers, "pid_file": str(self.pid_file),
            }  # fmt: skip
            self.process = PROCESSES.Process(
                target=worker_replacement_server.run_with_output_to_file,
                args=(options, str(self.log_file), hang_timeout_s),
            )
            self.process.start()
            atexit.register(self.process.kill)
        else:
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), *sys.path])}
            words = [str(self.port), database, str(workers), str(self.pid_file)]
            context = multiprocessing.get_context("spawn")
            self.process = context.Process(
                target=run_program,
                args=([sys.executable, worker_replacement_server.__file__, *words], environment, self.log_file),
            )
            self.process.start()

    @property
    def pid(self) -> int:
        """Of the supervisor."""
        found = find_running_server_pid(self.pid_file)
        assert found is not None
        return found

    def workers(self) -> set[int]:
        """The supervisor's processes."""
        found = set()
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # gone meanwhile
                words = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(words[1]) == self.pid and words[0] != "Z":
                    found.add(int(folder.name))
        return found

    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def answers(self, path: str = "/readyz") -> int:
        """The status of an answer; 0 without one."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def wait(self, what: str, seconds: float = LONG) -> None:
        """Until the log says so."""
        until = time.monotonic() + seconds
        while what not in self.log():
            assert self.process.is_alive(), self.log()
            assert time.monotonic() < until, self.log()
            time.sleep(0.05)

    def start(self) -> Service:
        until = time.monotonic() + LONG
        while self.answers() != 200:
            assert self.process.is_alive(), self.log()
            assert time.monotonic() < until, self.log()
            time.sleep(0.05)
        return self

    def __enter__(self) -> Service:
        return self.start()

    def stop(self) -> int | None:
        """Cleanly; the exit status."""
        self.process.terminate()
        self.process.join(LONG)
        return self.process.exitcode

    def __exit__(self, *_: object) -> None:
        if self.process.is_alive():
            self.process.terminate()
            self.process.join(30)
            self.process.kill()
        self.process.join()


def run_program(words: list[str], environment: dict[str, str], log_file: Path) -> None:
    """Become another program."""
    with log_file.open("ab") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    os.execve(words[0], words, environment)


class PatientLoad(Load):
    """People who think before they choose, and reconnect when the server says so."""

    def __init__(self, service: Service, tables: int, seed: int, think_s: float) -> None:
        super().__init__([service], tables, seed)  # type: ignore[list-item]
        self.think_s = think_s
        self.silences: list[float] = []  # from a closed socket to the next welcome
        self.answer_times: list[float] = []  # from a choice to its acknowledgement
        self.reconnects = 0
        self.told_ms: list[int] = []  # when the server said to reconnect
        self.failed_attempts = 0

    async def sit(self, player: Player, table: str, url: str) -> None:
        line = Line(player, table, url)
        pending: dict[str, Any] | None = None
        number, sent_at = 0, 0.0
        lost_at: float | None = None
        while not self.stopping:
            try:
                await line.open()
                if lost_at is not None:
                    self.silences.append(time.monotonic() - lost_at)
                lost_at = None
                if pending is not None:
                    await line.send(**pending)
                think_until = time.monotonic() + self.random.uniform(0, 2 * self.think_s)
                while not self.stopping and not line.over:
                    now = time.monotonic()
                    if pending is None and line.choices and now >= think_until:
                        number += 1
                        action = self.random.choice(line.choices)["action"]
                        pending = {
                            "t": "play", "version": line.version, "id": f"{player.name}-{number}", "action": action,
                        }  # fmt: skip
                        sent_at = now
                        await line.send(**pending)
                    try:
                        message = await line.receive(max(0.01, min(0.5, think_until - now) if pending is None else 0.5))
                    except TimeoutError:
                        continue
                    if message["t"] == "ack" and pending is not None and message["id"] == pending["id"]:
                        self.acked[table][message["id"]] = message["n"]
                        self.answer_times.append(time.monotonic() - sent_at)
                        self.choices += 1
                        pending = None
                        think_until = time.monotonic() + self.random.uniform(0, 2 * self.think_s)
                    elif message["t"] == "refused":
                        pending = self.refuse(table, pending, message)
                if line.over:
                    break
            except ConnectionClosed as closed:
                self.reconnects += 1
                lost_at = lost_at or time.monotonic()
                told = closed.rcvd is not None and closed.rcvd.code == RESTARTING and closed.rcvd.reason
                if told:
                    self.told_ms.append(int(told))
                await asyncio.sleep(int(told) / 1000 if told else RETRY_S)
            except GONE:
                self.failed_attempts += 1
                lost_at = lost_at or time.monotonic()
                await asyncio.sleep(RETRY_S)
        with contextlib.suppress(*GONE):
            await line.close()

    @property
    def longest_silence(self) -> float:
        """The longest that anybody had no connection, or waited for an answer."""
        return max([*self.silences, *self.answer_times], default=0.0)
