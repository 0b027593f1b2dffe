"""Root-parallel search: one tree per process, each with its own seed, merged at the end."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from landfall.core.rng import Rng

SearchResult = list[tuple[int, int, int]]


@cache
def worker_pool(cores: int) -> ProcessPoolExecutor:
    """The processes, started on first use and reused."""
    return ProcessPoolExecutor(cores, multiprocessing.get_context("spawn"))


def search_in_parallel(search: Callable[[int], SearchResult], cores: int, rng: Rng, votes: bool) -> SearchResult:
    """Run a search on several cores, each with its own seed, and merge the results."""
    jobs = [worker_pool(cores).submit(search, int(rng.randbelow(1 << 30))) for _ in range(cores)]
    return merge_tree_results([job.result() for job in jobs], votes)


def merge_tree_results(trees: list[SearchResult], votes: bool) -> SearchResult:
    """Sum the visits and average the results by them; the most visited choice first, or the one most trees put
    first."""
    visits: dict[int, int] = {}
    totals: dict[int, int] = {}
    firsts: dict[int, int] = {}
    for tree in trees:
        for action, n, mean in tree:
            visits[action] = visits.get(action, 0) + n
            totals[action] = totals.get(action, 0) + n * mean
        firsts[tree[0][0]] = firsts.get(tree[0][0], 0) + 1
    found = [(action, n, totals[action] // n if n else 0) for action, n in visits.items()]
    return sorted(found, key=lambda row: (-firsts.get(row[0], 0) if votes else 0, -row[1], -row[2], row[0]))
