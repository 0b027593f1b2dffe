"""Backups of PostgreSQL by its own programs, tried when they are made; and what root leaves to the server's user."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url
from typer.testing import CliRunner

from landfall.cli import app, backups
from landfall.cli.database_access import exit_with_error
from landfall.store import postgres_backup
from landfall.store.moderation import BackupRecord
from landfall.store.row_types import UserRecord
from landfall.store.store import make_store_for_setting
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import User
from landfall.web.installation_checks import FAIL, WARNING, describe_backup
from tests.conftest import lacking
from tests.server.test_host import database_with

pytestmark = pytest.mark.once
NOBODY = 65534  # a user who is not root


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["host", *words])
    return done.exit_code, done.output


@pytest.fixture
def postgres_database(postgres: str) -> Iterator[str]:
    """A database of its own on the module's server, with two tables and Zuleika."""
    url = make_url(postgres).set(database="club")
    postgres_backup.run_program(url, "createdb", "club", database="postgres")
    address = url.render_as_string(hide_password=False)
    asyncio.run(fill(address, 2, UserRecord("zed", "Zuleika", 1, 1)))
    yield address
    for name in postgres_backup.list_databases(url):
        if name.startswith("club"):
            postgres_backup.run_program(url, "dropdb", "--force", name, database="postgres")


async def fill(address: str, tables: int, *people: UserRecord) -> None:
    store = make_store_for_setting(address)
    await store.database.open_and_migrate()
    hub = Hub(store)
    for _ in range(tables):
        await hub.create_table(User("ana", "Ana"), TableConfig("survive", 2))
    for person in people:
        await store.users.add_user(person)
    await hub.shut_down()
    await store.database.close()


def ask(address: str, statement: str) -> str:
    return postgres_backup.run_program(make_url(address), *postgres_backup.PSQL, statement).strip()


def databases(address: str) -> list[str]:
    return sorted(name for name in postgres_backup.list_databases(make_url(address)) if name.startswith("club"))


def test_a_dump_is_tried_and_restored_and_the_deleted_stay_deleted(postgres_database: str, tmp_path: Path) -> None:
    code, said = run("backup", str(tmp_path), "--keep", "2", "--database", postgres_database)
    assert code == 0, said
    [dump] = tmp_path.iterdir()
    assert "restored on trial: 2 tables, 2 entries" in said
    assert stat.S_IMODE(dump.stat().st_mode) == 0o600
    assert databases(postgres_database) == ["club"], "the scratch database is gone"
    assert (
        abs(int(ask(postgres_database, "select value from settings where key = 'last backup'")) / 1000 - time.time())
        < 60
    )

    async def later() -> None:
        await fill(postgres_database, 3)
        store = make_store_for_setting(postgres_database)
        await store.database.open_and_migrate()
        await store.personal_data.erase_user("zed")
        await store.database.close()

    asyncio.run(later())
    code, said = run("restore", str(dump), "--database", postgres_database)
    assert code == 0, said
    assert "restored: 2 tables, 2 entries" in said
    assert ask(postgres_database, "select count(*) from entries") == "2"
    assert ask(postgres_database, "select count(*) from people where name = 'Zuleika'") == "0"
    kept = next(name for name in databases(postgres_database) if "before" in name)
    assert f"the database as it was: {kept}" in said
    url = make_url(postgres_database).set(database=kept).render_as_string(hide_password=False)
    assert ask(url, "select count(*) from entries") == "5"
    assert run("check", "--database", postgres_database)[0] == 0


def test_a_lost_database_is_restored_where_there_is_none(postgres_database: str, tmp_path: Path) -> None:
    dump = tmp_path / "x.dump"
    assert run("backup", str(dump), "--quiet", "--database", postgres_database) == (0, "")
    postgres_backup.run_program(make_url(postgres_database), "dropdb", "club", database="postgres")
    code, said = run("restore", str(dump), "--database", postgres_database)
    assert code == 0, said
    assert databases(postgres_database) == ["club"]
    assert ask(postgres_database, "select count(*) from entries") == "2"


@pytest.mark.parametrize("fault", ["no dump", "cut short", "a damaged log", "somebody connected"])
def test_a_dump_that_is_no_good_replaces_nothing(postgres_database: str, tmp_path: Path, fault: str) -> None:
    dump = tmp_path / "x.dump"
    if fault == "a damaged log":
        ask(postgres_database, "update entries set data = '{'")
    code, said = run("backup", str(dump), "--database", postgres_database)
    assert code == 0
    assert ("is damaged at entry" in said) == (fault == "a damaged log"), "what is there is saved, and said"
    if fault == "no dump":
        dump.write_text("this is no dump, however long it is" * 100)
    elif fault == "cut short":
        dump.write_bytes(dump.read_bytes()[:-2000])

    async def restore_beside_a_connection() -> tuple[int, str]:
        store = make_store_for_setting(postgres_database)
        await store.database.open_and_migrate()
        try:
            return await asyncio.to_thread(run, "restore", str(dump), "--database", postgres_database)
        finally:
            await store.database.close()

    if fault == "somebody connected":
        code, said = asyncio.run(restore_beside_a_connection())
        assert "stop the servers first" in said
    else:
        code, said = run("restore", str(dump), "--database", postgres_database)
    assert code == 1
    assert said.startswith("landfall: "), said
    assert databases(postgres_database) == ["club"]
    assert ask(postgres_database, "select count(*) from entries") == "2"


def test_a_dump_that_cannot_be_restored_is_no_backup(
    postgres_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pg_dump ends well, and half of the file does not reach the disk."""
    dump_database = postgres_backup.dump_database

    def dump_half(url: object, target: Path) -> None:
        dump_database(url, target)  # type: ignore[arg-type]
        target.write_bytes(target.read_bytes()[:-2000])

    monkeypatch.setattr(postgres_backup, "dump_database", dump_half)
    code, said = run("backup", str(tmp_path), "--database", postgres_database)
    assert (code, list(tmp_path.iterdir())) == (1, [])
    assert "pg_restore" in said
    assert "pg_restore" in ask(postgres_database, "select value from settings where key = 'last backup failure'")
    found = describe_backup(asyncio.run(backup_record(postgres_database)), time.time())
    assert (found.grade, "pg_restore" in found.seen) == (FAIL, True)
    monkeypatch.undo()
    assert run("backup", str(tmp_path), "--database", postgres_database)[0] == 0
    found = describe_backup(asyncio.run(backup_record(postgres_database)), time.time())
    assert found.is_fine
    assert describe_backup(asyncio.run(backup_record(postgres_database)), time.time() + 8 * 86_400).grade == FAIL


async def backup_record(address: str) -> BackupRecord:
    store = make_store_for_setting(address, beside=True)
    try:
        return await store.moderation.get_backup_record()
    finally:
        await store.database.engine.dispose()


def test_never_backed_up_is_a_warning(postgres_database: str) -> None:
    assert describe_backup(asyncio.run(backup_record(postgres_database)), time.time()).grade == WARNING
    said = CliRunner().invoke(app, ["host", "doctor", "--database", postgres_database, "--port", "1"]).output
    assert "WARN backup: there was never one\n     -> make one every day" in said


def test_passwords_are_not_on_the_command_line() -> None:
    url = make_url("postgresql+asyncpg://ana:secret@/club?host=a:1&host=b")
    found = postgres_backup.connection_environment(url)
    assert found["PGPASSWORD"] == "secret"
    assert (found["PGHOST"], found["PGPORT"]) == ("a,b", "1,5432")
    assert found["PGTARGETSESSIONATTRS"] == "read-write"


def test_a_missing_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, said = run("backup", str(tmp_path / "x"), "--database", "postgresql+asyncpg://nobody@127.0.0.1:1/x")
    assert code == 1
    assert "pg_dump is not installed (Debian: apt install postgresql-client)" in said


def test_the_next_backup_is_due_by_the_age_of_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container that is started again and again makes no more of them."""
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", sleep)
    newest = [time.time() - 3600.0]
    made = []

    def make_one() -> None:
        made.append(1)
        newest[0] = time.time()
        if len(made) == 2:
            exit_with_error("the disk is full")

    with pytest.raises(KeyboardInterrupt):
        backups.repeat(make_one, 24 * 3600.0, lambda: newest[0])
    assert slept[0] == pytest.approx(23 * 3600, abs=60)
    assert slept[1] == pytest.approx(24 * 3600, abs=60)
    assert slept[2] == 3600, "after a failure within the hour"


# --- root beside a server that is not root ------------------------------------------------------------------------


def require_root() -> None:
    if os.geteuid() != 0:
        lacking("root, who restores beside another user's server")


def owners(folder: Path) -> dict[str, tuple[int, int]]:
    return {file.name: (file.stat().st_uid, stat.S_IMODE(file.stat().st_mode)) for file in folder.iterdir()}


def open_as(user: int, database: Path) -> subprocess.CompletedProcess[str]:
    """What the server does first, as that user."""
    script = (
        "import os, sys, sqlite3\n"
        f"os.setgid({user}); os.setuid({user})\n"
        "path = sys.argv[1]\n"
        "lock = os.open(path + '.lock', os.O_RDWR | os.O_CREAT, 0o600)\n"
        "db = sqlite3.connect(path); db.execute('pragma journal_mode = wal')\n"
        "db.execute(\"insert into settings values ('probe', 'x')\"); db.commit()\n"
    )
    return subprocess.run([sys.executable, "-S", "-c", script, str(database)], capture_output=True, text=True, cwd="/")


@pytest.fixture
def service_folder(tmp_path: Path) -> Path:
    """A folder of the service's user, as /var/lib/landfall is."""
    require_root()
    for parent in tmp_path.parents:
        if parent.is_relative_to("/tmp") and parent != Path("/tmp"):
            parent.chmod(parent.stat().st_mode | 0o011)
    tmp_path.chmod(0o755)
    folder = tmp_path / "service"
    folder.mkdir(mode=0o700)
    os.chown(folder, NOBODY, NOBODY)
    return folder


@pytest.mark.parametrize("lost", [False, True], ids=["replaced", "lost"])
def test_what_root_restores_the_servers_user_can_open(service_folder: Path, tmp_path: Path, lost: bool) -> None:
    database, copy = service_folder / "landfall.db", tmp_path / "copy.db"
    database_with(copy, 3)
    if not lost:
        database_with(database, 5)
        for file in service_folder.iterdir():
            os.chown(file, NOBODY, NOBODY)
        (service_folder / "landfall.db.lock").unlink()
    code, said = run("restore", str(copy), "--database", str(database))
    assert code == 0, said
    assert len(owners(service_folder)) == (2 if lost else 3), "the database, its lock, and the old one"
    assert set(owners(service_folder).values()) == {(NOBODY, 0o600)}
    opened = open_as(NOBODY, database)
    assert opened.returncode == 0, opened.stderr
    said = CliRunner().invoke(app, ["host", "doctor", "--database", str(database), "--port", "1"]).output
    assert "ok   files: " in said


@pytest.mark.parametrize("wrong", ["landfall.db", "landfall.db.lock", "landfall.db-wal"])
def test_the_doctor_asks_for_the_servers_user_and_not_for_root(service_folder: Path, wrong: str) -> None:
    database = service_folder / "landfall.db"
    database_with(database, 1)
    (service_folder / "landfall.db-wal").touch(0o600)
    for file in service_folder.iterdir():
        os.chown(file, NOBODY, NOBODY)
    os.chown(service_folder / wrong, 0, 0)
    said = CliRunner().invoke(app, ["host", "doctor", "--database", str(database), "--port", "1"]).output
    assert f"FAIL files: {service_folder / wrong} belongs to root (600): the server, which runs as nobody" in said
    assert f"-> chown nobody {service_folder / wrong}" in said


def test_a_kept_database_is_private_where_two_names_are_not_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", no_links)
    database, copy = tmp_path / "landfall.db", tmp_path / "copy.db"
    database_with(database, 2)
    database_with(copy, 1)
    assert run("restore", str(copy), "--database", str(database))[0] == 0
    [kept] = tmp_path.glob("*.before-*")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with closing(sqlite3.connect(kept)) as db:
        assert db.execute("select count(*) from entries").fetchone() == (2,)
