"""Two browsers play over TLS through Caddy, with the Caddyfile that hosts get; and the doctor finds nothing wrong."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.client.conftest import STATIC, Sit
from tests.client.test_table import choose, together
from tests.conftest import LONG, lacking
from tests.repository_files import REPO
from tests.server.real_server import ServerProcess, free_port

pytestmark = [pytest.mark.once, pytest.mark.proof]
# For a test: no port 80, nothing is installed on the machine.
GLOBAL_OPTIONS = "{{\n admin off\n skip_install_trust\n auto_https disable_redirects\n}}\nimport {}\n"


@dataclass
class Site:
    """A server behind Caddy."""

    url: str
    port: int
    database: str
    root_certificate: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    caddy = shutil.which("caddy") or lacking("Caddy")
    folder = tmp_path_factory.mktemp("tls")
    secure = free_port()
    url = f"https://localhost:{secure}"
    (folder / "Caddyfile").write_text(GLOBAL_OPTIONS.format(REPO / "deploy" / "Caddyfile"))
    database = str(folder / "landfall.db")
    with ServerProcess(database, static=str(STATIC), public_url=url, limited=True) as running:
        port = running.settings["port"]
        environment = {
            **os.environ, "SITE": f"localhost:{secure}", "UPSTREAM": f"127.0.0.1:{port}",
            "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder),
        }  # fmt: skip
        words = [caddy, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
        with (folder / "caddy.log").open("wb") as log, subprocess.Popen(words, env=environment, stderr=log) as proxy:
            try:
                until = time.monotonic() + LONG
                while True:
                    try:
                        socket.create_connection(("localhost", secure), 1).close()
                        break
                    except OSError:
                        assert proxy.poll() is None, (folder / "caddy.log").read_text()
                        assert time.monotonic() < until
                        time.sleep(0.1)
                authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
                yield Site(url, port, database, authority)
            finally:
                proxy.terminate()


def test_two_browsers_play_over_tls(sit: Sit) -> None:
    ana, iva = sit(), sit()
    together(ana, iva)
    assert ana.page.url.startswith("https://localhost:")
    for one in (ana, iva, ana, iva):
        choose(one)


def test_the_doctor_finds_nothing_wrong(server: Site) -> None:
    words = ["host", "doctor", "--database", server.database, "--port", str(server.port), "--public-url", server.url]
    done = subprocess.run(
        [sys.executable, "-c", "from landfall.cli import main; main()", *words],
        env={**os.environ, "SSL_CERT_FILE": str(server.root_certificate)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = [line.split(":")[0] for line in done.stdout.splitlines()]
    # whether a push service can be reached depends on where this runs
    said = [line for line in said if not line.startswith(" ") and "push" not in line]
    assert said == [
        f"ok   {what}" for what in (
            "database", "migrations", "disk", "e-mail", "server", "public URL", "clock", "proxy headers", "WebSocket",
            "origin",
        )
    ], done.stdout + done.stderr  # fmt: skip
