"""The same jobs on Ray as here, on a cluster of two nodes of which one is killed: `python -m tests.ray_cluster`.

Runs in Ray's own environment (`make .bench/ray/.done`), since nothing else here needs Ray; `make proof` asks for it by
`tests/proof.py`. Prints one JSON object: what was the same, and how long it took with one worker and with two.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from landfall.lab.experiments import ladder as lad
from landfall.lab.experiments.simulation import SimulatedTable, simulate_in_parallel
from landfall.lab.worker_pool import InlinePool, ProcessPool, RayPool, WorkerPool

TABLE = SimulatedTable("survive", 4, 11, {"dolphins": True}, ("greedy",) * 4)
SETTING = lad.LadderSetting("atlandice", 2, {}, 5)


def ignore_progress(*_: object) -> None:
    """Nobody is told of progress."""


def run_marked_job(folder: Path, job: tuple[int, int]) -> int:
    """A job that leaves a mark where it was begun and where it was done, and takes a while."""
    number, millions = job
    with (folder / f"begun-{number}").open("a") as file:
        file.write(f"{os.getpid()}\n")
    total = 0
    for n in range(millions * 1_000_000):
        total += n * number
    return total


def simulate_and_run_ladder(pool: WorkerPool, games: int) -> list[object]:
    """A simulation and a ladder, all that does not depend on the clock."""
    one = simulate_in_parallel(TABLE, games, pool, ignore_progress)
    two = lad.run_ladder(SETTING, ["greedy", "random"], games, None, pool, ignore_progress)
    return [one.wins, one.totals, one.decisions, [(p.number, p.share, p.places) for p in two]]


def time_simulation(pool: WorkerPool, games: int) -> float:
    """Seconds for so many games, workers warm."""
    simulate_in_parallel(TABLE, 4, pool, ignore_progress)
    began = perf_counter()
    simulate_in_parallel(TABLE, games, pool, ignore_progress)
    return round(perf_counter() - began, 2)


def kill_node_when_busy(cluster: Any, node: Any, folder: Path, least: int) -> None:
    """End a node as a power cut does, once so many jobs have begun."""
    while len(list(folder.iterdir())) < least:
        sleep(0.02)
    cluster.remove_node(node, allow_graceful=False)


def run_jobs_while_node_dies(cluster: Any, pool: WorkerPool, jobs: list[tuple[int, int]]) -> dict[str, int]:
    """All jobs, with a node lost in the middle: as many answers as jobs, and some done twice."""
    node = cluster.add_node(num_cpus=2, node_ip_address="127.0.0.1", object_store_memory=100 << 20)
    cluster.wait_for_nodes()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        killer = threading.Thread(target=kill_node_when_busy, args=(cluster, node, folder, len(jobs) // 2))
        killer.start()
        with_node = list(pool.in_order(partial(run_marked_job, folder), jobs))
        killer.join()
        begun = [len((folder / f"begun-{number}").read_text().splitlines()) for number, _ in jobs]
    with tempfile.TemporaryDirectory() as name:
        assert with_node == list(InlinePool().in_order(partial(run_marked_job, Path(name)), jobs))
    assert max(begun) > 1, "no job was lost with the node"
    return {"jobs": len(jobs), "done again": sum(begun) - len(jobs)}


def main() -> None:
    """Everything, on a cluster of this machine's own; nothing is reached but the loopback address."""
    modules: list[Any] = [import_module(f"ray{name}") for name in ("", "._private.ray_constants", ".cluster_utils")]
    ray, constants, utils = modules
    constants.ENABLE_RAY_CLUSTER = False  # 127.0.0.1 is this machine, and not its address in the house
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    results: dict[str, object] = {}
    node = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False, "object_store_memory": 100 << 20}
    cluster = utils.Cluster(initialize_head=True, head_node_args=node)
    with RayPool(cluster.address) as pool:
        results["ray, 1 worker: seconds"] = time_simulation(pool, games)
        second = cluster.add_node(num_cpus=1, node_ip_address="127.0.0.1", object_store_memory=100 << 20)
        cluster.wait_for_nodes()
        sleep(3)  # longer than the pool waits before it asks how large the cluster is
        results["ray, 2 nodes: seconds"] = time_simulation(pool, games)
        assert pool.workers == 2, "the second node was not found"
        on_ray = simulate_and_run_ladder(pool, games)
        cluster.remove_node(second)
        results.update(run_jobs_while_node_dies(cluster, pool, [(n, 4) for n in range(16)]))
    cluster.shutdown()
    with InlinePool() as pool:
        results["here, 1 worker: seconds"] = time_simulation(pool, games)
        assert simulate_and_run_ladder(pool, games) == on_ray, "not the same as here"
    with ProcessPool(2) as pool:
        results["here, 2 workers: seconds"] = time_simulation(pool, games)
        assert simulate_and_run_ladder(pool, games) == on_ray, "not the same as in two processes"
    results["games the same"] = 2 * games
    print(json.dumps({"version": ray.__version__, **results}))


if __name__ == "__main__":
    main()
