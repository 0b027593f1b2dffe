"""Trouble while bots play, on real servers: tables go on by themselves. Small counts; the full ones are a proof's."""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres_cluster import run_temporary_cluster
from tests.server.endurance import FAULTS, Endurance, freeze_links_during_choices
from tests.server.outages import (
    Outage,
    Reloads,
    check_log_without_errors,
    make_full_disk_fault,
    make_postgres_away_fault,
    make_workers_killed_fault,
)
from tests.server.real_server import ServerProcess
from tests.store.fault_proxy import FaultProxy

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(sys.platform != "linux", reason="limits and processes are told as on Linux"),
]
PACE = 100


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """A server's log, in which nothing may stand that should never be."""
    path = tmp_path / "log"
    path.touch()
    yield path
    check_log_without_errors(path)


@pytest.mark.proof
def test_a_page_reloaded_around_a_bots_commit(tmp_path: Path, log: Path) -> None:
    with ServerProcess(str(tmp_path / "landfall.db"), pace=40, bot_workers=0, log=str(log)) as server:
        done = asyncio.run(Reloads([server], tries=12).reload_at_tables(4))
    assert done["tries"] >= 12


@pytest.mark.proof
def test_thirty_onlookers_who_leave_then(tmp_path: Path, log: Path) -> None:
    with ServerProcess(str(tmp_path / "landfall.db"), pace=40, bot_workers=0, log=str(log)) as server:
        done = asyncio.run(Reloads([server], tries=2, onlookers=30).reload_at_tables(1))
    assert done["tries"] >= 2


@pytest.mark.parametrize("room", [None, pytest.param(5000, marks=pytest.mark.proof)])
def test_a_full_disk(tmp_path: Path, room: int | None) -> None:
    with ServerProcess(str(tmp_path / "landfall.db"), pace=PACE, bot_workers=0) as server:
        assert asyncio.run(Outage([server]).rounds(make_full_disk_fault(server, 0.5, room), 1))["tries"]


@pytest.mark.proof
def test_a_database_that_is_away_and_two_processes(log: Path) -> None:
    with (
        run_temporary_cluster() as database,
        ServerProcess(database, pace=PACE, bot_workers=0, log=str(log)) as one,
        ServerProcess(database, pace=PACE, bot_workers=0, log=str(log)) as other,
    ):
        assert asyncio.run(Outage([one, other]).rounds(make_postgres_away_fault(database, 0.5), 1))["tries"]


def test_a_half_open_link_to_the_database_leaves_nobody_without_an_answer() -> None:
    with run_temporary_cluster() as database, FaultProxy.before_postgres(database) as link:
        address = link.postgres_address(database)
        with ServerProcess(address, bot_workers=0) as one, ServerProcess(address, bot_workers=0) as other:
            found = asyncio.run(freeze_links_during_choices([one, other], [link], clients=6, seconds=12))
    assert found["store"] == found["acknowledged after the thaw"] == 6
    assert found["readyz 503"] == 2
    assert found["slowest ms"] < 10_000
    assert found["slowest readyz ms"] < 6_000


@pytest.mark.proof
def test_minutes_of_trouble_in_small() -> None:
    """Two servers killed, their links cut, frozen and delayed; `python -m tests.server.endurance` takes longer."""

    async def story(database: str, links: list[FaultProxy]) -> Endurance:
        endurance = Endurance(database, links, seed=3)
        try:
            await endurance.start()
            await endurance.trouble_for_seconds(8, tables=2)
        finally:
            for server in endurance.servers:
                server.__exit__()
        return endurance

    with (
        run_temporary_cluster() as database,
        FaultProxy.before_postgres(database) as a,
        FaultProxy.before_postgres(database) as b,
    ):
        endurance = asyncio.run(story(database, [a, b]))
    assert endurance.counts["acknowledged"] > 0
    assert sum(endurance.counts[fault] for fault in FAULTS) > 0


@pytest.mark.proof
def test_workers_that_are_killed(tmp_path: Path) -> None:
    killed: Counter[str] = Counter()
    with ServerProcess(str(tmp_path / "landfall.db"), pace=PACE, bot_workers=1) as server:
        outage = Outage([server], "mcts:ms=300")
        assert asyncio.run(outage.rounds(make_workers_killed_fault(server, 0.5, 1, killed), 1, tables=2))["tries"]
    assert killed["workers killed"]
