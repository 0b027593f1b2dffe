"""OpenSpiel's C++ games from Python: bare, and as its learning environment."""

from __future__ import annotations

import random
from functools import partial

import pyspiel
from open_spiel.python import rl_environment

from bench.peers.answer_loop import Work, answer_requests


def prepare_random_play(name: str) -> Work:
    game, rng = pyspiel.load_game(name), random.Random(1)

    def work() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return work


def prepare_environment_play(name: str) -> Work:
    """Observations and legal actions of every seat at each step."""
    env, rng = rl_environment.Environment(name), random.Random(1)

    def work() -> int:
        step, decisions = env.reset(), 0
        while not step.last():
            choices = step.observations["legal_actions"][step.observations["current_player"]]
            step = env.step([rng.choice(choices)])
            decisions += 1
        return decisions

    return work


if __name__ == "__main__":
    games = {name: partial(prepare_random_play, name) for name in ("backgammon", "connect_four")}
    answer_requests(games | {"backgammon_environment": partial(prepare_environment_play, "backgammon")})
