"""A policy from outside plays every seat of many matches, in four ways, interleaved in one run, by processor time:
`python -m bench.policy [GAME ...]`.

The policy is a small net with random weights. `lists` reads the part of the observation before its first plane of the
board, `all` reads every byte. A step is one decision in one match.
"""

from __future__ import annotations

import argparse
import os
from statistics import median

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: one core is measured

import numpy as np
from numpy.typing import NDArray

import landfall
from bench.vector import Work, measure_rate
from landfall.core.game import usual_player_count
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.lab.environments.vector import MatchVectorEnv

HIDDEN = 16
FIRST_PLANES = {"survive": "tiles", "atlantis": "path_kind", "atlandice": "icons"}
Floats = NDArray[np.float32]


class Policy:
    """An observation -> 16 hidden units -> the dot product with a vector for each action."""

    def __init__(self, width: int, actions: int) -> None:
        random = np.random.default_rng(1)
        self.width = width
        self.inputs = random.normal(0, 0.02, (width, HIDDEN)).astype(np.float32)
        self.actions = random.normal(0, 0.5, (actions, HIDDEN)).astype(np.float32)

    def hidden(self, observations: NDArray[np.uint8]) -> Floats:
        found: Floats = np.tanh(observations[:, : self.width].astype(np.float32) @ self.inputs)
        return found

    def ragged(self, many: MatchVectorEnv) -> NDArray[np.int64]:
        """Logits of the legal actions alone, and the compiled sampler."""
        legal, hidden = many.legal, self.hidden(many.at["observation"])
        logits = np.einsum("ij,ij->i", hidden.repeat(legal.counts, 0), self.actions.take(legal.actions, 0))
        return many.sample(logits)

    def masked(self, many: MatchVectorEnv) -> NDArray[np.int64]:
        """Logits of all actions, a mask for the illegal ones, and Gumbel noise to sample: numpy alone."""
        logits = self.hidden(many.at["observation"]) @ self.actions.T
        noise = -np.log(-np.log(many.np_random.random(logits.shape, np.float32) + 1e-12) + 1e-12)
        found: NDArray[np.int64] = np.where(many.masks(), logits + noise, -np.inf).argmax(axis=1)
        return found


def play(game: str, matches: int, steps: int, way: str, width: int) -> Work:
    many = MatchVectorEnv(game, matches, usual_player_count(find_game(game).player_counts))
    many.reset(seed=1)
    policy = Policy(width, many.num_actions)
    for _ in range(200):  # away from the opening, which all matches start with
        many.step(many.random_actions)

    def work() -> int:
        for _ in range(steps):
            many.step(many.random_actions if way == "drawn" else getattr(policy, way)(many))
        return steps * matches

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(BUILT_IN_GAMES), metavar="GAME")
    parser.add_argument("--matches", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=20_000, help="a round; a tenth of them masked")
    args = parser.parse_args()
    print(f"engine {landfall.ENGINE}; {args.matches} matches; steps a second of one core's time, median")
    for game in args.games:
        tensors = tensor_layout(game)
        lists, steps = tensors.first[FIRST_PLANES[game]], max(1, args.steps // args.matches)
        works = {
            "random, drawn inside": play(game, args.matches, steps, "drawn", 1),
            "policy, ragged, lists": play(game, args.matches, steps, "ragged", lists),
            "policy, ragged, all": play(game, args.matches, steps, "ragged", tensors.size),
            "policy, masked, lists": play(game, args.matches, max(1, steps // 10), "masked", lists),
            "policy, masked, all": play(game, args.matches, max(1, steps // 10), "masked", tensors.size),
        }
        rounds = [{name: measure_rate(work) for name, work in works.items()} for _ in range(args.rounds)]
        for name in works:
            ratio = median(one[name] / one["policy, masked, lists"] for one in rounds)
            print(f"{game}, {name}: {median(one[name] for one in rounds):,.0f}/s, {ratio:.1f} times masked")


if __name__ == "__main__":
    main()
