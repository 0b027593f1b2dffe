"""What a host does by command: backup, retention, accounts; and what cannot be served gets a sentence."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from landfall.cli import app
from tests.conftest import LONG
from tests.server.real import ServerProcess

pytestmark = pytest.mark.once


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, done.output


def test_backup_reset_and_deletion_beside_a_running_server(tmp_path: Path) -> None:
    database = str(tmp_path / "landfall.db")
    with ServerProcess(database) as server, httpx.Client(base_url=server.url, timeout=LONG) as http:
        account = {"name": "Ana", "password": "a long password"}
        assert http.post("/api/account", json=account).status_code == 200
        table = http.post("/api/tables", json={"game": "survive", "players": 2}).json()["table"]
        copy = tmp_path / "copy.db"
        assert run("host", "backup", str(copy), "--database", database)[0] == 0
        with sqlite3.connect(copy) as db:
            assert db.execute("select count(*) from entries").fetchone() == (1,)
        db.close()
        code, said = run("host", "reset-password", "ana", "--database", database)
        assert code == 0
        assert http.post("/api/login", json=account).status_code == 401
        assert http.post("/api/login", json={"name": "Ana", "password": said.strip()}).status_code == 200
        assert run("host", "delete-account", "Ana", "--database", database)[0] == 0
        assert http.post("/api/login", json={"name": "Ana", "password": said.strip()}).status_code == 401
        assert run("host", "delete-account", "Ana", "--database", database)[0] == 1
        assert run("host", "retention", "--tables", "1", "--database", database) == (
            0,
            "forgotten: 0 tables, 0 guests\n",
        )
        assert http.get(f"/api/tables/{table}").status_code == 200
        again, said = run("serve", "--database", database, "--port", "1")
        assert again == 1
        assert "another process is using" in said


def test_several_processes_on_sqlite_are_refused(tmp_path: Path) -> None:
    code, said = run("serve", "--workers", "2", "--database", str(tmp_path / "x.db"))
    assert code == 1
    assert "postgresql" in said


def test_a_public_address_is_written_in_full() -> None:
    code, said = run("serve", "--public-url", "games.example.org")
    assert code == 2
    assert "https://" in said


def test_types_are_printed() -> None:
    code, said = run("types")
    assert code == 0
    assert {"socket", "games", "openapi"} == set(json.loads(said))


def test_a_restart_knows_its_guests_and_tables(tmp_path: Path) -> None:
    async def look(url: str, cookie: str, table: str) -> tuple[int, int]:
        async with httpx.AsyncClient(base_url=url, headers={"Cookie": f"landfall={cookie}"}, timeout=LONG) as http:
            me, seen = await http.get("/api/me"), await http.get(f"/api/tables/{table}")
            return me.status_code, seen.json()["n"]

    server = ServerProcess(str(tmp_path / "landfall.db"))
    with server:
        made = httpx.post(f"{server.url}/api/me", json={"name": "Ana"}, timeout=LONG)
        cookie = made.cookies["landfall"]
        body = {"game": "atlandice", "players": 2, "bots": ["random"]}
        answer = httpx.post(
            f"{server.url}/api/tables/quick", json=body, headers={"Cookie": f"landfall={cookie}"}, timeout=LONG
        )
        table = answer.json()["table"]
        before = asyncio.run(look(server.url, cookie, table))
        server.stop()
        server.start()
        assert asyncio.run(look(server.url, cookie, table)) == before == (200, 2)
        assert httpx.get(f"{server.url}/t/{table}", timeout=LONG).status_code == 200
        assert "<svg" in httpx.get(f"{server.url}/api/tables/{table}/qr.svg", timeout=LONG).text
