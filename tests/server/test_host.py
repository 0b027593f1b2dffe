"""What a host does by command: backup, retention, accounts; and what cannot be served gets a sentence."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from landfall.cli import app
from landfall.store.row_types import UserRecord
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import Store
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import User
from tests.conftest import LONG
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, done.output


@pytest.mark.proof
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


# --- backup and restore ---------------------------------------------------------------------------------------


def made_tables(url: str, count: int) -> list[str]:
    """Tables of a new guest."""
    with httpx.Client(base_url=url, timeout=LONG) as http:
        assert http.post("/api/me", json={"name": "Guest"}).status_code == 200
        body = {"game": "survive", "players": 2}
        return [http.post("/api/tables", json=body).json()["table"] for _ in range(count)]


def tables_in(database: str) -> set[str]:
    with closing(sqlite3.connect(database)) as db:
        return {row[0] for row in db.execute("select distinct table_id from entries")}


def beside(path: str) -> set[str]:
    """The files of a database, without its lock."""
    return {file.name for file in Path(path).parent.glob("*landfall.db*")} - {"landfall.db.lock"}


def test_a_backup_is_restored_after_a_kill_and_nothing_of_the_old_log_comes_back(tmp_path: Path) -> None:
    database, copy = str(tmp_path / "landfall.db"), str(tmp_path / "copy.db")
    with ServerProcess(database, bot_workers=0) as server:
        before = made_tables(server.url, 3)
        assert run("host", "backup", copy, "--quiet", "--database", database) == (0, "")
        made_tables(server.url, 4)
        code, said = run("host", "restore", copy, "--database", database)
        assert (code, "another process is using" in said) == (1, True)
        assert len(tables_in(database)) == 7
        server.kill()
        assert (tmp_path / "landfall.db-wal").stat().st_size > 0
        code, said = run("host", "restore", copy, "--database", database)
        assert code == 0, said
        assert "restored: 3 tables, 3 entries" in said
        assert tables_in(database) == set(before)
        kept = [name for name in beside(database) if ".before-" in name]
        assert len(kept) == 1
        assert len(tables_in(str(tmp_path / kept[0]))) == 7
        server.start()
        assert [httpx.get(f"{server.url}/api/tables/{t}", timeout=LONG).status_code for t in before] == [200] * 3
        assert run("host", "check", "--database", database)[0] == 0


def test_a_backup_copied_over_a_database_is_noticed(tmp_path: Path) -> None:
    """The old write-ahead log lies beside it: SQLite would mix the two, and complain of nothing."""
    database, copy = str(tmp_path / "landfall.db"), tmp_path / "copy.db"
    with ServerProcess(database, bot_workers=0) as server:
        made_tables(server.url, 3)
        assert run("host", "backup", str(copy), "--database", database)[0] == 0
        made_tables(server.url, 4)
        server.kill()
    shutil.copy(copy, database)
    for words in (["host", "check"], ["host", "backup", str(tmp_path / "other.db")], ["serve", "--port", "1"]):
        code, said = run(*words, "--database", database)
        assert code == 1
        assert "landfall host restore" in said
    assert run("host", "restore", str(copy), "--database", database)[0] == 0
    assert len(tables_in(database)) == 3
    assert run("host", "check", "--database", database)[0] == 0


def database_with(path: Path, count: int) -> None:
    """A database with some tables, in use by nobody."""

    async def story() -> None:
        store = Store(SqliteDatabase(path))
        await store.database.open_and_migrate()
        hub = Hub(store)
        for _ in range(count):
            await hub.create_table(User("ana", "Ana"), TableConfig("survive", 2))
        await store.database.close()

    asyncio.run(story())


@pytest.mark.parametrize("fault", ["no database", "a torn page", "a damaged log", "a newer release", "not there"])
def test_a_backup_that_is_no_good_replaces_nothing(tmp_path: Path, fault: str) -> None:
    database, copy = tmp_path / "landfall.db", tmp_path / "copy.db"
    database_with(database, 5)
    database_with(copy, 40)
    if fault == "no database":
        copy.write_text("this is no database, however long it is" * 1000)
    elif fault == "a torn page":
        pages = copy.read_bytes()
        copy.write_bytes(pages[:8192] + bytes(8192) + pages[16384:])
    elif fault == "not there":
        copy.unlink()
    else:
        damage = (
            "update entries set data = '{'"
            if fault == "a damaged log"
            else "update alembic_version set version_num = '9'"
        )
        with closing(sqlite3.connect(copy)) as db:
            db.execute(damage)
            db.commit()
    before = tables_in(str(database))
    code, said = run("host", "restore", str(copy), "--database", str(database))
    assert code == 1
    assert said.startswith("landfall: "), said
    assert tables_in(str(database)) == before
    assert beside(str(database)) - {"landfall.db-wal", "landfall.db-shm"} == {"landfall.db"}


def test_who_was_deleted_since_a_backup_stays_deleted(tmp_path: Path) -> None:
    database, copy = tmp_path / "landfall.db", tmp_path / "copy.db"
    database_with(database, 1)

    async def forget() -> None:
        store = Store(SqliteDatabase(database))
        await store.database.open_and_migrate()
        await store.users.add_user(UserRecord("zed", "Zuleika", 1, 1))
        assert run_beside("host", "backup", str(copy), "--database", str(database)) == 0
        await store.personal_data.erase_user("zed")
        await store.database.close()

    asyncio.run(forget())
    assert b"Zuleika" in copy.read_bytes()
    assert run("host", "restore", str(copy), "--database", str(database))[0] == 0
    assert b"Zuleika" not in database.read_bytes()


def run_beside(*words: str) -> int:
    """In another thread: a command has an event loop of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run, *words).result()[0]


def test_backups_for_cron(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database, folder = tmp_path / "landfall.db", tmp_path / "backups"
    database_with(database, 2)
    folder.mkdir()
    (folder / "mine.db").write_text("not yours to delete")
    moment = iter(range(10))
    monkeypatch.setattr(time, "gmtime", lambda: time.struct_time((2026, 1, 1, 0, 0, next(moment), 0, 1, 0)))
    for _ in range(4):
        assert run("host", "backup", str(folder), "--keep", "2", "--quiet", "--database", str(database)) == (0, "")
    names = ["landfall-20260101-000002.db", "landfall-20260101-000003.db", "mine.db"]
    assert sorted(file.name for file in folder.iterdir()) == names
    assert stat.S_IMODE((folder / names[0]).stat().st_mode) == 0o600
    assert tables_in(str(folder / names[0])) == tables_in(str(database))
    whole = folder / names[1]
    assert run("host", "backup", str(whole), "--database", str(database))[0] == 1, "no copy is overwritten"
    assert run("host", "backup", str(tmp_path / "no" / "x.db"), "--database", str(database))[0] == 1
    assert run("host", "backup", str(tmp_path / "y.db"), "--keep", "2", "--database", str(database))[0] == 1


def test_a_copy_that_could_not_be_completed_is_not_there(tmp_path: Path) -> None:
    """The source is damaged: a backup under its final name would be taken for a good one."""
    database, copy = tmp_path / "landfall.db", tmp_path / "copy.db"
    database_with(database, 40)
    with closing(sqlite3.connect(database)) as db:
        db.execute("pragma journal_mode = delete")
    pages = database.read_bytes()
    database.write_bytes(pages[:8192] + bytes(8192) + pages[16384:])
    code, said = run("host", "backup", str(copy), "--database", str(database))
    assert (code, said.startswith("landfall: ")) == (1, True)
    assert sorted(file.name for file in tmp_path.iterdir() if "copy" in file.name) == []


def test_leftovers_are_reported(tmp_path: Path) -> None:
    database = tmp_path / "landfall.db"
    database_with(database, 1)
    with closing(sqlite3.connect(database)) as db:
        db.execute("insert into chat values ('gone', 1, 1, 'me', 'Ana', null, 'hello')")
        db.commit()
    (tmp_path / ".landfall.db.restore.partial").write_text("half")
    code, said = run("host", "check", "--database", str(database))
    assert code == 0
    assert "chat: 1 rows of deleted tables" in said
    assert "restore.partial: a copy that was not completed" in said
