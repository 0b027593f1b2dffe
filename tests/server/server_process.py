"""A real server process for tests: `python -m tests.server.server_process JSON`. Time, chance and limits are its
own."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from landfall.api.limits import Limits
from landfall.core.rng import Rng, SystemRng
from landfall.store import sqlite
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.opening_gate import MAX_OPENING
from landfall.web.serve import open_listening_socket, run_server_process
from landfall.web.settings import Settings

WIDE = Limits.wide_for_tests()


def exit_with_parent() -> None:
    """A server must not outlive the test that started it. (Forked, its parent by number is the fork server.)"""
    started_by = multiprocessing.parent_process()
    if started_by is not None:
        started_by.join()
    else:
        parent = os.getppid()
        while os.getppid() == parent:
            time.sleep(0.5)
    os._exit(1)


def make_test_runtime(given: dict[str, Any]) -> Runtime:
    """With a `seed` all chance of the server is known beforehand."""
    rng = Rng(given["seed"]) if "seed" in given else SystemRng()
    return Runtime(
        rng=rng,
        bot_pace_ms=given.get("pace", 0),
        answer_hold_ms=given.get("hold", 0),
        forced_choice_ms=given.get("forced", 3_600_000),  # who plays in tests answers all questions
        empty_table_grace_ms=given.get("grace", 20_000),
        online_bot_ms=given.get("bot_ms", 10_000),
        notification_grace_ms=given.get("notify_ms", 15_000),
        notification_poll_ms=given.get("poll_ms", given.get("notify_ms", 5_000)),
        no_show_ms=given.get("no_show", 180_000),
        director_ms=given.get("director_ms", 2_000),
    )


def main(given: dict[str, Any]) -> None:
    threading.Thread(target=exit_with_parent, daemon=True).start()
    if "file_bytes" in given:  # no file grows beyond that, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (given["file_bytes"], resource.RLIM_INFINITY))
    if given.get("alone"):  # one match at a time: nobody else's entry is worth waiting for
        sqlite.BUSY_INTERVAL_S = 0.0  # type: ignore[misc]
    settings = Settings(
        database=given["database"],
        bus=given.get("bus"),
        port=given["port"],
        log_level=given.get("log_level", "warning"),
        log_format=given.get("log_format", "text"),
        request_timeout_s=given.get("patience", 30.0),
        public_url=given.get("public_url"),
        bot_workers=given.get("bot_workers", 1),
        bot_codes=given.get("bot_codes", not given.get("limited")),
        recheck_s=given.get("recheck", 3.0),
        max_opening=given.get("max_opening", MAX_OPENING),
        organisers=given.get("organisers", ""),
        limits=Limits() if given.get("limited") else replace(WIDE, **given.get("rates", {})),
        static=Path(given["static"]) if "static" in given else None,
        smtp=given.get("smtp"),
        mail_from=given.get("mail_from", ""),
        private_push=given.get("private_push", False),
        report_webhook=given.get("report_webhook", ""),
        make_runtime=lambda: make_test_runtime(given),
    )
    run_server_process(settings, open_listening_socket(settings))


def run_with_output_to_log(given: dict[str, Any]) -> None:
    """In a process made for a test: what it prints goes where LANDFALL_SERVER_LOG says."""
    with Path(given.get("log") or os.environ.get("LANDFALL_SERVER_LOG", os.devnull)).open("a") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    main(given)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
