"""Monte Carlo tree search for games with chance and hidden information, in one file: a bot for every command.

    pip install dist/landfall_games-….whl    # the wheel; in a checkout: pip install .
    python mcts.py --games 40
    landfall sim atlandice --players 2 --games 10 --bots mcts.py:TreeSearch:iterations=200,greedy

Each iteration samples what the seat cannot know, so one tree serves all worlds (Cowling, Powley and Whitehouse, 2012).
"""

import argparse
import math
import time

from landfall import CHANCE, OVER, Rng, new
from landfall.bots.contract import Bot
from landfall.bots.registry import make_bot
from landfall.lab.experiments.simulation import play_with_bots, seat_rngs, winning_seats

GAME = "atlandice"


class Node:
    """What the search knows of a choice: how often it was tried and available, and what it was worth to its seat."""

    def __init__(self):
        self.visits, self.available, self.worth, self.children = 0, 0, 0.0, {}

    def bound(self, exploration):
        return self.worth / self.visits + exploration * math.sqrt(math.log(self.available) / self.visits)


class TreeSearch(Bot):
    """Information-set MCTS with UCB1; a leaf is worth what a random game from there is."""

    name, version = "tree-search", "1"

    def __init__(self, iterations: int = 200, exploration: float = 0.7, depth: int = 60) -> None:
        self.iterations, self.exploration, self.depth = iterations, exploration, depth

    def choose(self, seat):
        root = Node()
        for _ in range(self.iterations):
            self.iterate(root, seat.sample(seat.rng), seat.rng)
        return max(root.children, key=lambda action: root.children[action].visits)

    def iterate(self, node, world, rng):
        """Down the tree to a new node, from there at random, and back with the result."""
        path, is_new = [], False
        while world.actor != OVER and not is_new:
            actor = int(world.actor)
            if actor == CHANCE:
                action = world.sample_chance(rng)
            else:
                action, is_new = self.select(node, world.legal_actions(), rng)
            node = node.children.setdefault(action, Node())
            path.append((actor, node))
            world.apply(action)
        shares = self.rollout(world, rng)
        for actor, visited in path:
            visited.visits += 1
            visited.worth += shares[actor] if actor >= 0 else 0

    def select(self, node, legal, rng):
        """An action that was never tried, at random, else the one with the best upper bound."""
        for action in legal:
            node.children.setdefault(action, Node()).available += 1
        untried = [action for action in legal if node.children[action].visits == 0]
        if untried:
            return untried[int(rng.randbelow(len(untried)))], True
        return max(legal, key=lambda action: node.children[action].bound(self.exploration)), False

    def rollout(self, world, rng):
        """Each seat's share of the win after random choices; after `depth` of them as the points stand."""
        for _ in range(self.depth):
            if world.actor == OVER:
                break
            world.apply(world.sample_chance(rng) if world.actor == CHANCE else world.random_action(rng))
        best = world.ranking()[0]["seats"]
        return [1 / len(best) if seat in best else 0.0 for seat in range(int(world.players))]


def measure(bot, against, games):
    """The share of wins at two seats, each deal from both."""
    won = 0.0
    for number in range(games):
        at, state = number % 2, new(GAME, 2)
        bots = [bot if seat == at else make_bot(against) for seat in range(2)]
        play_with_bots(state, GAME, Rng(1000 + number // 2), bots, seat_rngs(number, 2))
        won += (at in (best := winning_seats(state))) / len(best)
    return won / games


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--iterations", type=int, default=200)
    given = parser.parse_args()
    for against in ("random", "greedy"):
        began, share = time.monotonic(), measure(TreeSearch(given.iterations), against, given.games)
        print(f"it wins {share:.1%} of {given.games} against {against}, {time.monotonic() - began:.0f} s", flush=True)
