"""Environments compared with bare random play, interleaved in one run, by processor time: `python -m bench.vector [GAME
...]`.

Bare is `landfall sim` with random players. A step is one player's decision in one match, in all columns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter, process_time

import landfall
from landfall.core.game import usual_player_count
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.lab.environments.pettingzoo import env, raw_env
from landfall.lab.environments.vector import MatchVectorEnv, SharedMatchVectorEnv
from landfall.lab.experiments.simulation import simulate

Work = Callable[[], int]


def play_bare(game: str, players: int, games: int) -> Work:
    return lambda: simulate(game, players, games=games, seed=1).decisions


def step_vector(game: str, players: int, matches: int, steps: int) -> Work:
    """Observe, mask and step the vector environment with its own random actions."""
    made = MatchVectorEnv(game, matches, players)
    made.reset(seed=1)

    def work() -> int:
        for _ in range(steps):
            made.step(made.random_actions)
        return steps * matches

    for _ in range(200):  # away from the opening, which all matches start with
        made.step(made.random_actions)
    return work


def step_pettingzoo(game: str, players: int, steps: int, wrapped: bool) -> Work:
    """Play one match after the other through PettingZoo."""
    made = env(game, players) if wrapped else raw_env(game, players)

    def work() -> int:
        made.reset(seed=1)
        for _ in range(steps):
            observation, _, ended, cut, _ = made.last()
            if ended or cut:
                made.reset()
                observation = made.last()[0]
            made.step(int(observation["action_mask"].argmax()))
        return steps

    return work


def step_shared(game: str, players: int, matches: int, steps: int, processes: int) -> tuple[float, float]:
    """In several processes: steps per second of wall-clock time, and of processor time over all processes."""

    def spent(steps: int) -> tuple[float, float]:
        before = processor_time()
        made = SharedMatchVectorEnv(game, matches, players, processes=processes)
        made.reset(seed=1)
        began = perf_counter()
        for _ in range(steps):
            made.step(made.random_actions)
        seconds = perf_counter() - began
        made.close()
        return seconds, processor_time() - before

    (wall, cpu), (more_wall, more_cpu) = spent(steps // 4), spent(steps // 4 + steps)  # the start is in both
    return steps * matches / (more_wall - wall), steps * matches / (more_cpu - cpu)


def processor_time() -> float:
    """Processor time of this process and of its ended children."""
    own, others = (getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def measure_rate(work: Work) -> float:
    began = process_time()
    done = work()
    return done / (process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(BUILT_IN_GAMES), metavar="GAME")
    parser.add_argument("--matches", type=int, nargs="+", default=[64, 1024])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=40_000, help="a round")
    parser.add_argument("--processes", type=int, default=2, help="0: only in this one")
    args = parser.parse_args()
    print(f"engine {landfall.ENGINE}; steps a second of one core's time, median of {args.rounds} rounds; ratio to bare")
    for game in args.games:
        players = usual_player_count(find_game(game).player_counts)
        works = {"bare": play_bare(game, players, max(1, args.steps // 400))}
        for matches in args.matches:
            works[f"vector of {matches}"] = step_vector(game, players, matches, max(1, args.steps // matches))
        works["raw_env"] = step_pettingzoo(game, players, args.steps // 20, wrapped=False)
        works["env"] = step_pettingzoo(game, players, args.steps // 20, wrapped=True)
        rounds = [{name: measure_rate(work) for name, work in works.items()} for _ in range(args.rounds)]
        for name in works:
            ratio = median(one[name] / one["bare"] for one in rounds)
            print(f"{game} {players} players, {name}: {median(one[name] for one in rounds):,.0f}/s, {ratio:.3f}")
        usual = median(one["bare"] for one in rounds)
        for matches in args.matches if args.processes else ():
            wall, cpu = step_shared(game, players, matches * args.processes, 5 * args.steps // matches, args.processes)
            print(f"{game} {players} players, {args.processes} processes of {matches}: ", end="")
            print(f"{cpu:,.0f}/s, {cpu / usual:.3f}; {wall:,.0f}/s by the clock on the wall")


if __name__ == "__main__":
    main()
