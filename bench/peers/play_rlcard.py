"""RLCard's limit hold'em with random players, observations and legal actions."""

from __future__ import annotations

import random

import rlcard

from bench.peers.answer_loop import Work, answer_requests


def prepare_environment_play() -> Work:
    env, rng = rlcard.make("limit-holdem", config={"seed": 1}), random.Random(1)

    def work() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return work


if __name__ == "__main__":
    answer_requests({"limit_holdem": prepare_environment_play})
