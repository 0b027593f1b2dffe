"""What a server keeps to itself: its log names nobody, its files are its owner's, and its troubles are told plainly."""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import stat
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from landfall.cli import app
from landfall.store.migrate import DatabaseError
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import Store, make_store_for_setting
from tests.conftest import LONG
from tests.server.real_server import Line, Player, ServerProcess

pytestmark = pytest.mark.once


def test_no_line_of_the_log_names_a_table_an_address_or_a_person(tmp_path: Path) -> None:
    """Playing, talking, failing, being cut off, with every library at its most talkative."""
    database, log = tmp_path / "landfall.db", tmp_path / "log"
    secrets: list[str] = ["Zoe", "a word of hers", "no-such-table-key"]

    async def story(server: ServerProcess) -> None:
        zoe = await Player(server.url, "Zoe Unlike").come()
        secrets.append(zoe.cookie.partition("=")[2])
        table = (await zoe.post("/api/tables/quick", game="atlandice", players=2, seating="as_sat", bots=["random"]))[
            "table"
        ]
        secrets.append(table)
        line = await Line(zoe, table).open()
        assert line.socket is not None
        secrets.append("{}:{}".format(*line.socket.transport.get_extra_info("sockname")))
        await line.play(line.choices[0]["action"])
        with sqlite3.connect(database) as db:
            secrets.append(db.execute("select id from people").fetchone()[0])
            db.execute("drop table chat")
        db.close()
        assert (await line.ask(t="say", text="a word of hers"))["code"] == "store"
        assert (await zoe.http.get(f"/api/tables/{table}/chat")).status_code >= 500
        assert (await zoe.http.get("/api/tables/no-such-table-key")).status_code == 404
        nowhere = await Line(zoe, "no-such-table-key").open()
        await nowhere.close()
        line.cut_connection()
        await line.close()
        await zoe.close()

    with ServerProcess(str(database), bot_workers=0, log=str(log), log_level="trace") as server:
        asyncio.run(story(server))
        server.stop()
    written = log.read_text()
    assert "Started server process" in written
    assert "OperationalError" in written, "what failed is told"
    for secret in secrets:
        assert secret not in written
    assert "/ws/" not in written


def test_the_files_and_the_folder_made_for_them_are_their_owners(tmp_path: Path) -> None:
    def mode(path: Path) -> int:
        return stat.S_IMODE(path.stat().st_mode)

    async def story(path: Path) -> None:
        store = Store(SqliteDatabase(path))
        await store.database.open_and_migrate()
        await store.database.get_or_create_secret("x")
        for name in ("landfall.db", "landfall.db-wal", "landfall.db-shm", "landfall.db.lock"):
            assert mode(path.with_name(name)) == 0o600, name
        await store.database.close()

    before = os.umask(0)
    try:
        made = tmp_path / "made" / "landfall.db"
        asyncio.run(story(made))
        assert mode(made.parent) == 0o700
        kept = tmp_path / "kept"
        kept.mkdir(mode=0o755)
        for name in ("landfall.db", "landfall.db-wal", "landfall.db.lock"):
            (kept / name).touch(mode=0o644)
        asyncio.run(story(kept / "landfall.db"))
        assert mode(kept) == 0o755, "somebody's own folder stays as it is"
        done = CliRunner().invoke(app, ["host", "backup", str(tmp_path / "copy"), "--database", str(made)])
        assert done.exit_code == 0, done.output
        assert mode(tmp_path / "copy") == 0o600
    finally:
        os.umask(before)


def test_the_usual_folder_is_made_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "landfall").mkdir(mode=0o755)

    async def story() -> None:
        store = make_store_for_setting(None)
        await store.database.open_and_migrate()
        await store.database.close()

    asyncio.run(story())
    assert stat.S_IMODE((tmp_path / "landfall").stat().st_mode) == 0o700


@pytest.mark.parametrize("place", ["a file for a folder", "a folder for a file", "a folder that cannot be written",
                                   "a file that cannot be written"])  # fmt: skip
def test_a_place_that_cannot_be_used_gets_a_sentence(place: str, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "landfall.db"
    if place == "a file for a folder":
        path.parent.touch()
    else:
        path.parent.mkdir()
    if place == "a folder for a file":
        path.mkdir()
    elif place == "a folder that cannot be written":
        path.parent.chmod(0o555)
    elif place == "a file that cannot be written":
        with sqlite3.connect(path) as db:
            db.execute("create table x (y)")
        db.close()
        path.chmod(0o444)
    for above in (tmp_path, *tmp_path.parents[:2]):
        above.chmod(above.stat().st_mode | 0o755)
    root = os.geteuid() == 0
    if root and "cannot be written" in place:
        os.seteuid(65534)  # root may write anywhere
    try:
        with pytest.raises(DatabaseError, match=r"landfall\.db"):
            asyncio.run(opened(path))
        done = CliRunner().invoke(app, ["serve", "--database", str(path), "--port", "1"])
    finally:
        if root:
            os.seteuid(0)
    assert done.exit_code == 1
    assert done.output.startswith("landfall: the database cannot be used: ")
    assert "Traceback" not in done.output
    assert isinstance(done.exception, SystemExit)


async def opened(path: Path) -> None:
    store = Store(SqliteDatabase(path))
    try:
        await store.database.open_and_migrate()
    finally:
        await store.database.close()


@pytest.mark.proof
def test_a_full_disk_is_reported_and_play_resumes_afterwards(tmp_path: Path) -> None:
    """The kernel lets the server's files grow no more; what is refused did not happen."""

    async def story(server: ServerProcess) -> None:
        assert server.process is not None
        ana = await Player(server.url, "Ana").come()
        table = (await ana.post("/api/tables/quick", game="atlandice", players=2, seating="as_sat", bots=["random"]))[
            "table"
        ]
        line = await Line(ana, table).open()
        before = (await ana.http.get(f"/api/tables/{table}")).json()["n"]
        assert server.process.pid is not None
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        for path, body in {"/api/me": {"name": "Eva"}, "/api/tables": {"game": "survive", "players": 2}}.items():
            refused = await ana.http.post(path, json=body)
            assert (refused.status_code, refused.json()["code"]) == (503, "store"), path
        async with httpx.AsyncClient(base_url=server.url, timeout=LONG) as stranger:
            refused = await stranger.post("/api/me", json={"name": "X"})
        assert (refused.status_code, refused.json()["code"]) == (503, "store")
        assert (await line.play(line.choices[0]["action"]))["code"] == "store"
        while (sick := await ana.http.get("/readyz")).status_code == 200:  # it is tried once a second
            await asyncio.sleep(0.05)
        assert (sick.status_code, sick.json()["status"]) == (503, "failing")
        assert (await ana.http.get(f"/api/tables/{table}")).json()["n"] == before, "what is there can be read"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        while (await ana.http.get("/readyz")).status_code == 503:
            await asyncio.sleep(0.05)
        assert (await line.play(line.choices[0]["action"]))["t"] == "ack"
        await line.close()
        await ana.close()

    with ServerProcess(str(tmp_path / "landfall.db"), bot_workers=0) as running:
        asyncio.run(story(running))
