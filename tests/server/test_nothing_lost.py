"""Killed servers, races, cut connections; on SQLite, and on PostgreSQL with two processes. Small counts."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import cluster
from tests.server.crash import kill_often
from tests.server.drops import GAMES, drop_often
from tests.server.races import race
from tests.server.real import ServerProcess

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with cluster() as address:
        yield address


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(str(tmp_path_factory.mktemp("server") / "landfall.db")) as running:
        yield running


def test_what_was_acknowledged_outlives_a_killed_server(tmp_path: Path) -> None:
    database = str(tmp_path / "landfall.db")
    server = ServerProcess(database)
    try:
        done = asyncio.run(kill_often(database, [server], kills=3, tables=6, seed=1))
    finally:
        server.__exit__()
    assert done["kills"] == 3


def test_and_one_of_two_on_postgresql(postgres: str) -> None:
    servers = [ServerProcess(postgres), ServerProcess(postgres)]
    try:
        done = asyncio.run(kill_often(postgres, servers, kills=3, tables=4, seed=2))
    finally:
        for server in servers:
            server.__exit__()
    assert done["kills"] == 3


def test_of_many_who_send_the_same_choice_one_wins(server: ServerProcess) -> None:
    assert asyncio.run(race([server], clients=50, rounds=3)) == {"races": 3, "late": 147}


def test_also_over_two_processes(postgres: str) -> None:
    with ServerProcess(postgres) as one, ServerProcess(postgres) as other:
        assert asyncio.run(race([one, other], clients=50, rounds=3)) == {"races": 3, "late": 147}


@pytest.mark.parametrize("game", GAMES)
def test_cut_connections_lose_and_double_nothing(game: str, server: ServerProcess) -> None:
    assert asyncio.run(drop_often(server, drops=12, seed=3, game=game))["drops"] >= 12
