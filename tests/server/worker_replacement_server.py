"""A server for the tests of `worker_replacement.py`: as `landfall serve`, with wide limits: all people have one
address."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from landfall.api.limits import Limits
from landfall.web import serve, server, supervisor
from landfall.web.settings import Settings
from tests.server.server_process import WIDE, exit_with_parent


def widen_limits() -> None:
    """Only in processes of the server: the limits of whoever else imports this module stay as they are."""
    Limits.__init__.__defaults__ = tuple(getattr(WIDE, name) for name in Limits.__dataclass_fields__)


if __name__ == "__mp_main__":  # in a worker that was spawned
    widen_limits()


def main(options: dict[str, Any], hang_timeout_s: float = 30.0) -> None:
    widen_limits()
    supervisor.HANG_TIMEOUT_S = hang_timeout_s  # type: ignore[misc]
    serve.serve_under_supervisor(Settings(bot_workers=1, **options))


def run_with_output_to_file(options: dict[str, Any], log_file: str, hang_timeout_s: float) -> None:
    """In a process forked for a test: its workers are forked, too, which saves importing everything again."""
    with Path(log_file).open("a") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    threading.Thread(target=exit_with_parent, daemon=True).start()
    serve.START_METHOD = "fork"  # type: ignore[misc]
    server.MAX_WARM_UP_S = 0.2  # its bot workers import everything: nobody asks them here
    run_process, broken = serve.run_server_process, Path(log_file).with_name("broken")
    wall_clock, was_set_s = time.time, Path(log_file).with_name("clock")

    def run_unless_broken(*args: Any, **names: Any) -> None:
        if broken.exists():
            raise ImportError("half an installation")
        time.time = lambda: wall_clock() + (float(was_set_s.read_text()) if was_set_s.exists() else 0)
        run_process(*args, **names)

    serve.run_server_process = run_unless_broken
    main(options, hang_timeout_s)


if __name__ == "__main__":
    port, database, workers, pid_file = sys.argv[1:]
    main({"port": int(port), "database": database, "workers": int(workers), "pid_file": pid_file})
