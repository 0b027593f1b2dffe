"""Trouble while bots play, on real servers: tables go on by themselves. Small counts; the full ones are a proof's."""

import asyncio
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
from tests.server.real_server import Line, Player, ServerProcess
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


async def play_a_little(url: str) -> tuple[Line, Line, int]:
    """Two people at a table, after six choices; who has a choice is the first."""
    people = [await Player(url, name).come() for name in ("Ana", "Bo")]
    table = (await people[0].post("/api/tables", game="atlandice", players=2))["table"]
    lines = [await Line(one, table).open() for one in people]
    await lines[1].ask(t="sit", chair=1)
    await lines[0].send(t="start")
    for _ in range(6):
        await wait_for_choices(lines)
        line = next(line for line in lines if line.choices)
        n = (await play_first_choice(line))["n"]
        for one in lines:
            while (one.n or 0) < n:
                await one.receive()
    await wait_for_choices(lines)
    first, second = sorted(lines, key=lambda line: not line.choices)
    return first, second, n


async def wait_for_choices(lines: list[Line]) -> None:
    while not any(line.choices for line in lines):
        await lines[0].ask(t="ping")
        await lines[1].ask(t="ping")


async def play_first_choice(line: Line) -> dict[str, Any]:
    action, line.choices = line.choices[0]["action"], []
    return await line.play(action)


async def kill_on_full_disk_and_come_back(database: str) -> None:
    server = ServerProcess(database, bot_workers=0)
    await asyncio.to_thread(server.start)
    line, other, n = await play_a_little(server.url)
    server.kill()
    server.settings["file_bytes"] = Path(f"{database}-wal").stat().st_size  # no file grows any more
    await asyncio.to_thread(server.start, wait=False)
    await asyncio.to_thread(server.ready, path="/healthz")
    for one in (line, other):
        one.socket = one.n = None
        await one.open()
        assert one.n == n
    action = line.choices[0]["action"]
    assert (await line.play(action))["code"] == "store"
    record = await line.player.http.get(f"/api/tables/{line.table}/chat")
    assert record.status_code == 200
    assert server.process is not None
    assert server.process.pid is not None
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await asyncio.to_thread(server.ready)
    answer = await line.play(action)
    assert (answer["t"], answer["n"] > n) == ("ack", True)
    for one in (line, other):
        await one.close()
        await one.player.close()
    server.kill()


def test_a_server_killed_on_a_full_disk_starts_and_is_read(tmp_path: Path) -> None:
    """All that was acknowledged is there; choices are refused until there is room, and then go on by themselves."""
    asyncio.run(kill_on_full_disk_and_come_back(str(tmp_path / "landfall.db")))


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
