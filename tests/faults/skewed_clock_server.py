"""A server on a host: `python -m tests.faults.skewed_clock_server JSON`. Its wall clock is wrong by the seconds in a
file."""

from __future__ import annotations

import json
import mmap
import struct
import sys
import time
from pathlib import Path

from landfall.core.rng import SystemRng
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.serve import open_listening_socket, run_server_process
from landfall.web.settings import Settings
from tests.server.server_process import WIDE


def read_clock_offset_from_file(file: Path) -> None:
    """From now on time is what the file says it is off by; whoever writes it sets this process's clock."""
    with file.open("r+b") as opened:
        offset = mmap.mmap(opened.fileno(), 8, access=mmap.ACCESS_READ)
    real = time.time_ns
    time.time_ns = lambda: real() + struct.unpack("q", offset[:8])[0] * 1_000_000_000
    time.time = lambda: time.time_ns() / 1e9


def write_clock_offset(file: Path, seconds: int) -> None:
    """Make the clock of the process with this file wrong by so much."""
    with file.open("r+b" if file.exists() else "w+b") as opened:
        opened.write(struct.pack("q", seconds))


def main() -> None:
    given = json.loads(sys.argv[1])
    read_clock_offset_from_file(Path(given["clock"]))
    settings = Settings(
        database=given["database"],
        bus=given["bus"],
        host=given["host"],
        port=given["port"],
        bot_workers=1,
        bot_codes=True,
        exhibition=False,
        limits=WIDE,
        make_runtime=lambda: Runtime(rng=SystemRng(), bot_pace_ms=0, answer_hold_ms=0, forced_choice_ms=3_600_000),
    )
    run_server_process(settings, open_listening_socket(settings))


if __name__ == "__main__":
    main()
