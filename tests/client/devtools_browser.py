"""A browser with nothing in its way but one wire into its page. Playwright holds on to service workers too; a page that
reloads while its worker is being renewed then hangs in one try of two, which it never does in a browser left alone."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.client.conftest import PHONE, chromium
from tests.client.offline_site import AT_FIRST
from tests.conftest import LONG, lacking

# What a page says that goes from one page to another.
GOING = ("context was destroyed", "Cannot find context", "navigated or closed", "Promise was collected")
# Press what is in sight, may be pressed, and is called so.
PRESS = """((name) => {
  const found = [...document.querySelectorAll('button')].find((one) =>
    (one.ariaLabel ?? one.textContent).includes(name) && one.offsetParent && !one.disabled)
  found?.click()
  return Boolean(found)
})"""


@contextmanager
def open_devtools_page(folder: Path) -> Iterator[Bare]:
    """One page of a browser of its own, which keeps its things in that folder."""
    found = chromium()
    if found is None:
        lacking("Chromium (make machine)")
    command = [found, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
    command += [f"--user-data-dir={folder}", "about:blank"]
    with program_killed_at_exit(command):
        port = wait_for_devtools_port(folder / "DevToolsActivePort")
        pages = httpx.get(f"http://127.0.0.1:{port}/json/list", timeout=LONG).json()
        address = next(one["webSocketDebuggerUrl"] for one in pages if one["type"] == "page")
        with connect(address, max_size=None, open_timeout=LONG) as wire:
            page = Bare(wire)
            yield page
            assert page.faults == []


@contextmanager
def program_killed_at_exit(command: list[str]) -> Iterator[None]:
    """A program and all that it starts live until this is over or this process ends, however that comes."""
    script = '"$@" & cat >&2; kill -9 0'  # all of its own session
    quiet = subprocess.DEVNULL
    whole = ["sh", "-c", script, "sh", *command]
    with subprocess.Popen(whole, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, start_new_session=True):
        yield


def wait_for_devtools_port(note: Path) -> str:
    """The port where the browser listens, once it has written it down."""
    until = time.monotonic() + LONG
    while not (note.is_file() and (lines := note.read_text().splitlines())):
        assert time.monotonic() < until, "the browser did not start"
        time.sleep(0.05)
    return lines[0]


class Bare:
    """A page at the end of a wire."""

    def __init__(self, wire: ClientConnection) -> None:
        self.wire = wire
        self.asked = 0
        self.faults: list[dict[str, Any]] = []  # what the page threw and nobody caught
        self.send_command("Page.enable")
        self.send_command("Runtime.enable")
        self.send_command("Page.addScriptToEvaluateOnNewDocument", source=AT_FIRST)
        self.send_command("Emulation.setDeviceMetricsOverride", **PHONE, deviceScaleFactor=1, mobile=True)

    def send_command(self, method: str, **params: Any) -> dict[str, Any]:
        """What the browser answers."""
        self.asked += 1
        self.wire.send(json.dumps({"id": self.asked, "method": method, "params": params}))
        while True:
            received: dict[str, Any] = json.loads(self.wire.recv(LONG))
            if received.get("method") == "Runtime.exceptionThrown":
                self.faults.append(received["params"])
            if received.get("id") == self.asked:
                return received

    def run(self, script: str) -> Any:
        """What an expression is worth in the page; None while it goes from one page to another."""
        answer = self.send_command("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "result" in answer or any(word in answer["error"]["message"] for word in GOING), answer
        result = answer.get("result", {})
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result.get("result", {}).get("value")

    def until(self, script: str) -> Any:
        """What it is worth once that is something."""
        until = time.monotonic() + LONG
        while not (found := self.run(script)):
            assert time.monotonic() < until, f"not so within {LONG} s: {script}"
            time.sleep(0.05)
        return found

    def go(self, url: str) -> None:
        self.send_command("Page.navigate", url=url)

    def press(self, name: str) -> None:
        """The button of that name, once it can be pressed."""
        self.until(f"{PRESS}({json.dumps(name)})")
