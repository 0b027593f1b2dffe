"""A NATS server of this machine's own, for the tests that need one."""

from __future__ import annotations

import atexit
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Final

from tests.conftest import LONG, lacking
from tests.server.real_server import free_port

TOKEN: Final = "let-me-in"


class NatsServer:
    """It can be stopped, and started again at the same address; with a file, it lets in who names the token."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.program = shutil.which("nats-server") or lacking("nats-server")
        self.port = free_port()
        self.url = f"nats://{TOKEN}@127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        atexit.register(self.stop)

    def start(self) -> NatsServer:
        words = [self.program, "-a", "127.0.0.1", "-p", str(self.port)]
        if self.file is not None:
            self.file.write_text(f"authorization {{ token: {TOKEN} }}")
            words += ["-c", str(self.file)]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + LONG
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 5).close()
            except OSError:
                assert self.process.poll() is None, "nats-server ended by itself"
                assert time.monotonic() < until, "nats-server did not begin to answer"
                time.sleep(0.02)
            else:
                return self

    def refuse(self) -> None:
        """Let nobody in any more, and send those away who are."""
        assert self.file is not None
        assert self.process is not None
        self.file.write_text("authorization { token: another }")
        self.process.send_signal(signal.SIGHUP)

    def stop(self) -> None:
        """As a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def __enter__(self) -> NatsServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
