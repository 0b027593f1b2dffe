"""Jobs done by several workers: the same results however many there are, and whatever happens to them."""

import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from landfall.cli import app
from landfall.cli.common import EXIT_FAILED
from landfall.core.errors import LandfallError
from landfall.lab.experiments.simulation import IllegalChoice, Result, SimulatedTable, simulate_in_parallel, split_games
from landfall.lab.worker_pool import MAX_JOB_ATTEMPTS, InlinePool, PoolError, ProcessPool, RayPool, WorkerPool
from landfall.optional_dependencies import MissingExtra, install_command
from landfall.worker_process import JobError
from tests.worker_jobs import (
    kill_worker_always,
    kill_worker_once,
    raise_for_some_jobs,
    return_unpicklable,
    square,
    worker_process_id,
)

pytestmark = pytest.mark.once

DIES = pytest.mark.skipif(sys.platform == "win32", reason="nobody can kill itself there")


@pytest.fixture(scope="module")
def two() -> Iterator[WorkerPool]:
    with ProcessPool(2) as pool:
        yield pool


def test_results_come_in_the_order_of_the_jobs(two: WorkerPool) -> None:
    wanted = [n * n for n in range(40)]
    assert list(InlinePool().in_order(square, range(40))) == wanted
    assert list(two.in_order(square, range(40))) == wanted
    assert sorted(two.results(square, range(40))) == list(enumerate(wanted))


@DIES
def test_the_job_of_a_worker_that_dies_is_done_by_another(tmp_path: Path) -> None:
    with ProcessPool(1) as pool:
        (before,) = pool.in_order(worker_process_id, [0])
        assert list(pool.in_order(partial(kill_worker_once, tmp_path), range(6))) == [n * n for n in range(6)]
        (after,) = pool.in_order(worker_process_id, [0])
    assert (tmp_path / "3").exists(), "it died"
    assert before != after, "it was replaced"


@DIES
def test_a_job_that_kills_every_worker_is_given_up_and_the_others_are_done(two: WorkerPool) -> None:
    done = {one.number: one for one in two.as_completed(kill_worker_always, range(4))}
    assert [done[n].result() for n in (0, 1, 3)] == [0, 1, 3]
    with pytest.raises(PoolError, match=f"{MAX_JOB_ATTEMPTS} workers died of job 2"):
        done[2].result()


def test_errors_are_raised_as_they_were(two: WorkerPool) -> None:
    done = {one.number: one.error for one in two.as_completed(raise_for_some_jobs, range(3))}
    assert done[0] is None
    assert isinstance(done[1], LandfallError)
    assert str(done[1]) == str(IllegalChoice("greedy", 7, "SV.M9"))
    assert isinstance(done[2], JobError)
    assert "ZeroDivisionError: seven" in str(done[2])
    with pytest.raises(IllegalChoice):
        list(InlinePool().in_order(raise_for_some_jobs, [1]))
    with pytest.raises(JobError, match="pickle"):
        list(two.in_order(return_unpicklable, [1]))


def test_a_pool_that_met_an_error_does_other_jobs_after_it(two: WorkerPool) -> None:
    for _ in range(3):
        with pytest.raises(LandfallError, match=r"SV\.M9"):
            list(two.results(raise_for_some_jobs, [1, 0, 0, 0]))
        assert list(two.in_order(square, range(6))) == [n * n for n in range(6)]


def test_what_is_begun_stays_within_reach_of_what_is_done() -> None:
    class Watched(InlinePool):
        """Does the last job it was given first, and notes how far it was led."""

        def __init__(self) -> None:
            super().__init__()
            self.workers, self.most = 3, 0

        def free_slots(self) -> int:
            return 1000 - len(self.given)

        def submit(self, number: int, do: object, job: object) -> None:
            super().submit(number, do, job)  # type: ignore[arg-type]
            self.most = max(self.most, len(self.given))

    pool = Watched()
    assert list(pool.in_order(square, range(200))) == [n * n for n in range(200)]
    assert pool.most == 24


def test_games_are_cut_into_parts_that_do_not_depend_on_the_workers() -> None:
    assert split_games(1200, 500) == [(0, 500), (500, 500), (1000, 200)]
    assert split_games(3, 1) == [(0, 1), (1, 1), (2, 1)]


@pytest.mark.parametrize("bots", [(), ("greedy", "random", "mcts:iters=5")])
def test_a_simulation_is_the_same_with_one_worker_and_two(two: WorkerPool, bots: tuple[str, ...]) -> None:
    table = SimulatedTable("atlandice", 3, 5, {}, bots)
    told: list[Result] = []
    games = 4 if bots else 1100
    one = simulate_in_parallel(table, games, InlinePool(), told.append)
    other = simulate_in_parallel(table, games, two, told.append)
    assert (one.wins, one.totals, one.decisions) == (other.wins, other.totals, other.decisions)
    assert [result.games for result in told].count(games) == 2
    assert told[-1].wins == one.wins
    assert one.decisions > games


def test_ray_that_is_not_installed_is_named() -> None:
    """Ray lives in an environment of its own; there `make proof` runs the same jobs on it."""
    with pytest.raises(MissingExtra, match=re.escape(install_command("ray"))):
        RayPool("local")
    for args in (["--ray"], ["--ray", "--json"], ["--ray", "127.0.0.1:6379"]):
        got = CliRunner().invoke(app, ["sim", "atlantis", "--games", "1", *args])
        assert got.exit_code == EXIT_FAILED
        assert install_command("ray") in got.output.replace("\n", "")
