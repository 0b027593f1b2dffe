"""A NATS server of this machine's own, for the tests that need one."""

from __future__ import annotations

import atexit
import shutil
import socket
import subprocess
import time

from tests.conftest import LONG, lacking
from tests.server.real_server import free_port


class NatsServer:
    """It can be stopped, and started again at the same address."""

    def __init__(self) -> None:
        self.program = shutil.which("nats-server") or lacking("nats-server")
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        atexit.register(self.stop)

    def start(self) -> NatsServer:
        words = [self.program, "-a", "127.0.0.1", "-p", str(self.port)]
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
