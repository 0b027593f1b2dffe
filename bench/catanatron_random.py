"""Random play in catanatron, a well-maintained Catan engine in Python: the baseline for our own speed.

Runs with the Python of .bench/catanatron (created by `make bench`), which has no landfall. Prints one JSON object. An
action is one decision of a player, as catanatron counts them: one call of play_tick, one entry of its log. The time is
that of Game(...) and Game.play(), without accumulators, in one process.
"""

import argparse
import json
import random
import time

from catanatron.game import Game
from catanatron.models.player import Color, RandomPlayer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    players = [RandomPlayer(color) for color in Color]
    seeds = random.Random(args.seed)
    Game(players, seed=1).play()  # the first game fills caches and is not timed
    actions = 0
    start = time.perf_counter()
    for _ in range(args.games):
        game = Game(players, seed=seeds.randrange(1, 2**31))
        game.play()
        actions += len(game.state.actions)
    seconds = time.perf_counter() - start
    print(json.dumps({"actions": actions, "seconds": seconds, "actions_per_second": actions / seconds}))


if __name__ == "__main__":
    main()
