"""Killed servers, races, cut connections; on SQLite, and on PostgreSQL with two processes. Small counts."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from tests.conftest import LONG
from tests.server.choice_races import race_choices
from tests.server.crashes import kill_server_often
from tests.server.dropped_connections import GAMES, drop_connections_often
from tests.server.real_server import Line, Player, ServerProcess

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(str(tmp_path_factory.mktemp("server") / "landfall.db")) as running:
        yield running


def test_what_was_acknowledged_outlives_a_killed_server(tmp_path: Path) -> None:
    database = str(tmp_path / "landfall.db")
    server = ServerProcess(database, bot_workers=0)
    try:
        done = asyncio.run(kill_server_often(database, [server], kills=3, tables=6, seed=1))
    finally:
        server.__exit__()
    assert done["kills"] == 3


def test_and_one_of_two_on_postgresql(postgres: str) -> None:
    servers = [ServerProcess(postgres, bot_workers=0) for _ in range(2)]
    try:
        done = asyncio.run(kill_server_often(postgres, servers, kills=3, tables=4, seed=2))
    finally:
        for server in servers:
            server.__exit__()
    assert done["kills"] == 3


def test_of_many_who_send_the_same_choice_one_wins(server: ServerProcess) -> None:
    assert asyncio.run(race_choices([server], clients=50, rounds=3)) == {"races": 3, "late": 147}


@pytest.mark.proof
def test_also_over_two_processes(postgres: str) -> None:
    with ServerProcess(postgres) as one, ServerProcess(postgres) as other:
        assert asyncio.run(race_choices([one, other], clients=50, rounds=3)) == {"races": 3, "late": 147}


@pytest.mark.parametrize("game", GAMES)
def test_cut_connections_lose_and_double_nothing(game: str, server: ServerProcess) -> None:
    assert asyncio.run(drop_connections_often(server, drops=12, seed=3, game=game))["drops"] >= 12


def test_a_process_that_lost_its_listening_connection_hears_what_it_missed(postgres: str) -> None:
    async def story(one: ServerProcess, other: ServerProcess) -> None:
        pair = [await Player(one.url, name).come() for name in ("Ana", "Boris")]
        table = (await pair[0].post("/api/tables", game="atlandice", players=2))["table"]
        there = [await Line(person, table, other.url).open() for person in pair]
        await there[1].ask(t="sit", chair=1)
        await there[0].send(t="start")
        for line in there:
            await line.until("welcome")
        here = await Line(pair[0], table, one.url).open()
        for _ in range(2):
            async with deaf(postgres):
                for line in there:
                    while line.n != max(line.n or 0 for line in (*there, here)):
                        await line.receive()
                mover = next(line for line in there if line.choices)
                await mover.send(
                    t="play", version=mover.version, id=f"d{mover.version}", action=mover.choices[0]["action"]
                )
                await mover.until("ack")
                await mover.send(t="say", text="Ahoy")
                await mover.until("chat")
                await here.send(t="ping")  # what was sent before its answer has come by then
                received = [await here.receive()]
                while received[-1]["t"] != "pong":
                    received.append(await here.receive())
                assert not {"update", "chat"} & {message["t"] for message in received}
            said = await here.until("chat")
            assert said["text"] == "Ahoy"
            while there[0].n != mover.n:
                await there[0].receive()
            assert (here.n, here.view) == (there[0].n, there[0].view)
        for line in (here, *there):
            await line.close()
        for person in pair:
            await person.close()

    with ServerProcess(postgres, bot_workers=0) as one, ServerProcess(postgres, bot_workers=0) as other:
        asyncio.run(story(one, other))


@asynccontextmanager
async def deaf(database: str) -> AsyncIterator[None]:
    """Cut the connections on which two processes listen, and let nobody connect again meanwhile."""
    engine = create_async_engine(sa.make_url(database).set(database="template1"), isolation_level="AUTOCOMMIT")
    listening = "from pg_stat_activity where query ilike 'listen %'"
    async with engine.connect() as db:
        until = time.monotonic() + LONG
        while (await db.execute(sa.text(f"select count(*) {listening}"))).scalar() != 2:
            assert time.monotonic() < until
            await asyncio.sleep(0.1)
        await db.execute(sa.text("alter database postgres allow_connections false"))
        await db.execute(sa.text(f"select pg_terminate_backend(pid) {listening}"))
        yield
        await db.execute(sa.text("alter database postgres allow_connections true"))
    await engine.dispose()


MAIN = """
import multiprocessing, time
from landfall.lab.worker_pool import ProcessPool
from tests.postgres_cluster import run_temporary_cluster
from tests.server.real_server import Line, Player, ServerProcess

def work(_: int) -> None:
    with run_temporary_cluster() as address, ServerProcess(address) as server:
        print(address.partition("host=")[2].partition("&")[0], server.settings["port"], flush=True)
        time.sleep(3600)

if __name__ == "__main__":
    with ProcessPool(1) as pool:
        list(pool.as_completed(work, [0]))
"""


@pytest.mark.proof
@pytest.mark.skipif(sys.platform != "linux", reason="workers go with their parent on Linux only")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_proof_that_is_stopped_leaves_no_server_and_no_cluster(tmp_path: Path, end: signal.Signals) -> None:
    script = tmp_path / "stopped.py"
    script.write_text(MAIN)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as proof:
        assert proof.stdout is not None
        folder, port = proof.stdout.readline().split()
        assert Path(folder).exists()
        proof.send_signal(end)
        proof.wait()
    until = time.monotonic() + LONG
    while time.monotonic() < until and (Path(folder).exists() or listens(int(port))):
        time.sleep(0.1)
    assert not Path(folder).exists()
    assert not listens(int(port))


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
