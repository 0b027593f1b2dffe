"""Killed servers: on SQLite, and on PostgreSQL with two processes. Small counts."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import cluster
from tests.server.crash import kill_often
from tests.server.real import ServerProcess

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with cluster() as address:
        yield address


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
