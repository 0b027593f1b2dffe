"""Our games with four random players: bare, vectorised, and one at a time through PettingZoo."""

from __future__ import annotations

import random
from functools import partial
from itertools import count, product

import numpy as np

from bench.peers.answer_loop import Work, answer_requests
from landfall.lab.environments.pettingzoo import env
from landfall.lab.environments.vector import MatchVectorEnv
from landfall.lab.experiments.simulation import simulate

GAMES = ("survive", "atlantis", "atlandice")
PLAYERS = 4


def prepare_random_play(game: str) -> Work:
    first = count(0, 20)
    return lambda: simulate(game, PLAYERS, games=20, seed=1, first=next(first)).decisions


def prepare_vector_play(game: str, matches: int) -> Work:
    made = MatchVectorEnv(game, matches, PLAYERS)
    made.reset(seed=1)
    for _ in range(200):  # away from the opening, which all matches start with
        made.step(made.random_actions)

    def work() -> int:
        for _ in range(20):
            made.step(made.random_actions)
        return 20 * matches

    return work


def prepare_environment_play(game: str) -> Work:
    made, rng = env(game, PLAYERS), random.Random(1)

    def work() -> int:
        made.reset(seed=1)
        decisions = 0
        while True:
            observation, _, ended, cut, _ = made.last()
            if ended or cut:
                return decisions
            made.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            decisions += 1

    return work


if __name__ == "__main__":
    plain = {game: partial(prepare_random_play, game) for game in GAMES}
    single = {f"{game}_turns": partial(prepare_environment_play, game) for game in GAMES}
    tables = {
        f"{game}_{matches}": partial(prepare_vector_play, game, matches) for game, matches in product(GAMES, (64, 1024))
    }
    answer_requests(plain | single | tables)
