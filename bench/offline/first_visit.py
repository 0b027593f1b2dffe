"""The cost of a first visit: every byte that a server sends to a new browser, counted at the socket.

`python -m bench.offline.first_visit`: the home page, then with a table of Survive, each in a new browser.
"""

from __future__ import annotations

import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.client.conftest import STATIC, chromium
from tests.server.real_server import ServerProcess

REST = 4000  # ms after the last response, so that idle-time downloads count, too


class ByteCountingProxy:
    """A proxy in front of a server that counts outgoing bytes."""

    def __init__(self, port: int) -> None:
        self.to = port
        self.sent = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            caller, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.to))
            for pair in ((caller, server, False), (server, caller, True)):
                threading.Thread(target=self.forward_bytes, args=pair, daemon=True).start()

    def forward_bytes(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if counted:
                    self.sent += len(data)
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)


def count_visit_bytes(browser: Browser, port: int, table: bool) -> int:
    """The bytes of one visit."""
    proxy = ByteCountingProxy(port)
    context = browser.new_context(base_url=proxy.url, viewport={"width": 390, "height": 844}, locale="en-GB")
    page = context.new_page()
    page.goto("/")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(REST)
    if table:
        page.get_by_role("button", name="Play now: Survive").click()
        page.wait_for_selector("[data-mine=true]", state="attached")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(REST)
    context.close()
    return proxy.sent


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        with ServerProcess(str(Path(folder) / "tables.sqlite"), static=str(STATIC)) as server:
            port = int(server.settings["port"])
            print(f"home: {count_visit_bytes(browser, port, False):,} bytes")
            print(f"home and a table: {count_visit_bytes(browser, port, True):,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
