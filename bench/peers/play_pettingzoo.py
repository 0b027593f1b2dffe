"""PettingZoo's connect four with random players, observations and masks."""

from __future__ import annotations

import random

import numpy as np
from pettingzoo.classic import connect_four_v3

from bench.peers.answer_loop import Work, answer_requests


def prepare_environment_play() -> Work:
    env, rng = connect_four_v3.env(), random.Random(1)

    def work() -> int:
        env.reset(seed=1)
        decisions = 0
        while True:
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                return decisions
            env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            decisions += 1

    return work


if __name__ == "__main__":
    answer_requests({"connect_four": prepare_environment_play})
