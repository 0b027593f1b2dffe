"""Catan with four random players in catanatron."""

from __future__ import annotations

import random

from catanatron.game import Game
from catanatron.models.player import Color, RandomPlayer

from bench.peers.answer_loop import Work, answer_requests


def prepare_random_play() -> Work:
    players = [RandomPlayer(colour) for colour in Color]
    seeds = random.Random(1)

    def work() -> int:
        game = Game(players, seed=seeds.randrange(1, 2**31))
        game.play()
        return len(game.state.actions)

    return work


if __name__ == "__main__":
    answer_requests({"catan": prepare_random_play})
