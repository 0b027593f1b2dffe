"""`landfall host doctor`: what is wrong with an installation, and what to do about it."""

from __future__ import annotations

import importlib
import py_compile
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from landfall.cli import app as commands
from landfall.web.installation_checks import check_bytecode, list_modules_without_bytecode
from tests.server.real_server import ServerProcess, free_port

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    port = free_port()
    database = str(tmp_path_factory.mktemp("doctor") / "landfall.db")
    with ServerProcess(database, port=port, public_url=f"http://127.0.0.1:{port}", bot_workers=0) as running:
        yield running


def ask(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(commands, ["host", "doctor", *words])
    return done.exit_code, done.output


def test_a_server_without_a_proxy_is_fine_but_for_the_proxys_headers(server: ServerProcess) -> None:
    where = ["--database", server.settings["database"], "--port", str(server.settings["port"])]
    code, said = ask(*where, "--public-url", server.url)
    assert code == 1
    for fine in ("database", "migrations", "disk", "server", "public URL", "clock", "WebSocket", "origin"):
        assert f"ok   {fine}: " in said
    assert "FAIL proxy headers: X-Forwarded-For does not arrive\n     -> let the proxy send it" in said
    code, said = ask(*where, "--public-url", f"http://localhost:{server.settings['port']}")
    assert code == 1
    assert "FAIL origin: pages of http://localhost" in said, "people type another name than the server knows"


def test_modules_that_every_start_compiles_again_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an installation without bytecode, where the service may not write."""
    source = tmp_path / "only_for_this_test.py"
    source.write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    importlib.import_module("only_for_this_test")
    assert source in list_modules_without_bytecode()
    found = check_bytecode()
    assert "modules are compiled at every start" in found.seen
    assert f"{sys.executable} -m compileall -q " in found.advice
    py_compile.compile(str(source))
    assert source not in list_modules_without_bytecode()
    monkeypatch.delitem(sys.modules, "only_for_this_test")


def test_what_does_not_run_is_named_with_what_to_do(tmp_path: Path) -> None:
    nowhere = str(free_port())
    code, said = ask("--database", str(tmp_path / "none.db"), "--port", nowhere, "--public-url", "http://127.0.0.1:9")
    assert code == 1
    assert f"FAIL database: there is none at {tmp_path / 'none.db'}\n     -> start the server" in said
    assert "does not answer" in said
    assert "-> start it: `landfall serve`" in said
    assert "-> check the name in DNS" in said
    assert "FAIL public URL: none is set" in ask("--database", str(tmp_path / "none.db"), "--port", nowhere)[1]
