"""Several cores for one search: a tree a process, each from a seed of its own, added up at the end (root-parallel)."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

from landfall.core.rng import Rng
from landfall.games import game as find_game

if TYPE_CHECKING:
    from landfall.bots.mcts import MctsBot
    from landfall.core.game import Searched
    from landfall.core.state import State

Found = list[tuple[int, int, int]]


@cache
def pool(cores: int) -> ProcessPoolExecutor:
    """The processes, started when first asked for and kept."""
    return ProcessPoolExecutor(cores, multiprocessing.get_context("spawn"))


def think(bot: MctsBot, game: str, world: State, seat: int, rng: Rng, seconds: float) -> Found:
    """The search of a bot on all its cores. Workers get the bytes of an imagined position, never the true one."""
    data = world.to_bytes()
    jobs = [
        pool(bot.cores).submit(one_tree, bot.asked, bot.iters, game, data, seat, int(rng.below(1 << 30)), seconds)
        for _ in range(bot.cores)
    ]
    return added([job.result() for job in jobs], bot.plan(game).ahead > 0)


def one_tree(
    asked: Searched,
    iters: int,
    game: str,
    data: bytes,
    seat: int,
    seed: int,
    seconds: float,
) -> Found:
    """What one worker finds."""
    from landfall.bots.mcts import MctsBot

    bot = MctsBot(iters=iters)
    bot.asked = asked
    return bot.search(game, find_game(game).from_bytes(data), seat, Rng(seed), seconds)


def added(trees: list[Found], votes: bool) -> Found:
    """Visits summed up, results averaged by them; the most visited choice first, or what most trees put first."""
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
