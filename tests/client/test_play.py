"""`landfall play` as a player starts it: a process, an address, the client behind it, a clean end."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.client.conftest import STATIC
from tests.conftest import LONG, lacking

pytestmark = pytest.mark.once


def listen_to_ctrl_c() -> None:
    """Tests in the background may have been told to ignore it, and what they start would do so, too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_play_serves_the_client_and_ends_cleanly(tmp_path: Path) -> None:
    if not (STATIC / "index.html").is_file():
        lacking("the client is not built (make client)")
    home = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path), "BROWSER": "true"}
    command = [sys.executable, "-c", "from landfall.cli import main; main()", "play"]
    with subprocess.Popen(
        command, env={**os.environ, **home}, stdout=subprocess.PIPE, text=True, preexec_fn=listen_to_ctrl_c
    ) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://localhost:\d+", process.stdout.readline())
            assert address is not None
            transport = httpx.HTTPTransport(retries=20)
            with httpx.Client(base_url=address.group(0), transport=transport, timeout=LONG) as http:
                for path, status in (("/", 200), ("/t/nowhere", 404), ("/learn/survive", 200)):
                    page = http.get(path)
                    assert page.status_code == status
                    assert '<div id="app">' in page.text
                scripts = re.findall(r'src="(/assets/[^"]+\.js)"', http.get("/").text)
                assert scripts
                assert all(http.get(script).status_code == 200 for script in scripts)
                assert http.get("/healthz").json()["status"] == "ok"
            process.send_signal(signal.SIGINT)
            assert process.wait(LONG) == 130  # as shells expect of what Ctrl-C ended
        finally:
            process.kill()
