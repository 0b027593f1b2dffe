"""Deletion on a real server whose database is locked: an account's departure is in the log in the end, and the
process that has a table open keeps it from retention."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from landfall.cli import app
from tests.conftest import LONG
from tests.server.real_server import Line, Player, ServerProcess

pytestmark = pytest.mark.once
PASSWORD = "a long password"
LOCKED_S = 13  # longer than a connection waits for a lock


def run(*words: str) -> None:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output


def departures(database: str, table: str) -> int:
    """How many departures a table's log says."""
    db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        asked = "select count(*) from entries where table_id = ? and kind = 'leave'"
        found: int = db.execute(asked, (table,)).fetchone()[0]
        return found
    finally:
        db.close()


async def begin_table(url: str) -> tuple[str, list[Player], list[Line]]:
    """Ana, who has an account, Boris and Chen at a table that was begun; each with a socket."""
    people = [await Player(url, name).come() for name in ("Ana", "Boris", "Chen")]
    await people[0].post("/api/account", name="Ana", password=PASSWORD)
    table: str = (await people[0].post("/api/tables", game="atlandice", players=3, seating="as_sat"))["table"]
    lines = [await Line(who, table).open() for who in people]
    for chair in (1, 2):
        await lines[chair].ask(t="sit", chair=chair)
    while not all(chair.get("name") for chair in lines[0].news["chairs"]):
        await lines[0].receive()
    await lines[0].send(t="start")
    for line in lines:
        while line.news["status"] != "playing":
            await line.receive()
    return table, people, lines


def delete_and_lock(server: ServerProcess, database: str) -> sqlite3.Connection:
    """Delete Ana while the server stands still, and lock the file before it goes on."""
    assert server.process is not None
    assert server.process.pid is not None
    os.kill(server.process.pid, signal.SIGSTOP)
    run("host", "delete-account", "Ana", "--database", database)
    lock = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
    lock.execute("begin immediate")
    os.kill(server.process.pid, signal.SIGCONT)
    return lock


async def comes_into_the_log(database: str, table: str) -> None:
    until = time.monotonic() + LONG
    while not departures(database, table):
        assert time.monotonic() < until, "the seat waits for nobody"
        await asyncio.sleep(0.2)


@pytest.mark.parametrize(
    "restarted", [pytest.param(False, marks=pytest.mark.proof), True], ids=["running", "restarted"]
)
def test_a_departure_is_written_though_the_file_was_locked(tmp_path: Path, restarted: bool) -> None:
    database = str(tmp_path / "landfall.db")

    async def story(server: ServerProcess) -> None:
        table, people, lines = await begin_table(server.url)
        lock = await asyncio.to_thread(delete_and_lock, server, database)
        await asyncio.sleep(LOCKED_S)
        if restarted:
            server.kill()
        lock.execute("rollback")
        lock.close()
        if restarted:
            server.start()
        else:
            while lines[1].news["chairs"][0].get("away") != "resigned":
                await lines[1].receive()
        await comes_into_the_log(database, table)
        assert departures(database, table) == 1
        for line in lines:
            if not restarted:
                await line.close()
        for who in people:
            await who.close()

    with ServerProcess(database, recheck=0.5, bot_workers=0) as server:
        asyncio.run(asyncio.wait_for(story(server), 3 * LONG))


def test_retention_from_cron_leaves_the_table_a_server_has_open(tmp_path: Path) -> None:
    """Its entries look as old as can be, and yet its players go on."""
    database = str(tmp_path / "landfall.db")

    async def story(server: ServerProcess) -> None:
        table, people, lines = await begin_table(server.url)
        asleep = (await people[1].post("/api/tables", game="atlandice", players=2))["table"]
        db = sqlite3.connect(database, timeout=LONG)
        while not db.execute("select 1 from open_tables where table_id = ?", (table,)).fetchone():
            await asyncio.sleep(0.05)
        with db:
            db.execute("update entries set at = 1")
            db.execute("update tables set updated = 1")
        db.close()
        await asyncio.to_thread(run, "host", "retention", "--tables", "30", "--database", database)
        mover = next(line for line in lines if line.choices)
        assert (await mover.play(mover.choices[0]["action"]))["t"] == "ack"
        assert (await people[1].http.get(f"/api/tables/{asleep}")).status_code == 404
        assert (await people[1].http.get(f"/api/tables/{table}")).status_code == 200
        for line in lines:
            await line.close()
        server.kill()
        await asyncio.to_thread(run, "host", "check", "--database", database)
        for who in people:
            await who.close()

    with ServerProcess(database, bot_workers=0) as server:
        asyncio.run(asyncio.wait_for(story(server), 3 * LONG))
