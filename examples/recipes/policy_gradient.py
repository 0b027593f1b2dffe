"""A policy gradient (REINFORCE) in numpy: one linear policy plays every seat of Atlandice against itself.

pip install "dist/landfall_games-….whl[lab]"    # the wheel; in a checkout: pip install ".[lab]"
python policy_gradient.py --minutes 2
"""

import argparse
import os
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the matrices are small: more threads only wait for one another
import numpy as np

from landfall.lab.environments.trajectories import split_by_seat
from landfall.lab.environments.vector import MatchVectorEnv

GAME, PLAYERS = "atlandice", 2
MATCHES, STEPS, RATE, ENTROPY = 32, 400, 0.01, 0.01  # a batch: so many choices of so many matches


class Policy:
    """A score for each action: linear in what the acting seat may know, an input for each value of a small number."""

    def __init__(self, matches: MatchVectorEnv, seed: int = 1) -> None:
        most = matches.single_observation_space.high.astype(int)
        small = np.flatnonzero(most <= 8)
        self.byte = np.repeat(small, most[small] + 1)
        self.number = np.concatenate([np.arange(most[i] + 1) for i in small]).astype(np.uint8)
        self.scale = 1 / np.maximum(most, 1).astype(np.float32)
        self.weights = np.zeros((len(self.byte) + len(most), matches.num_actions), np.float32)
        self.mean, self.square, self.updates = np.zeros_like(self.weights), np.zeros_like(self.weights), 0
        self.random = np.random.default_rng(seed)

    def inputs(self, rows):
        return np.concatenate([rows[:, self.byte] == self.number, rows * self.scale], 1, dtype=np.float32)

    def probabilities(self, inputs, masks):
        """Of each action, by row; illegal ones have none."""
        found = np.where(masks, inputs @ self.weights, -np.inf)
        found = np.exp(found - found.max(1, keepdims=True))
        return found / found.sum(1, keepdims=True)

    def choose(self, rows, masks, best=False):
        """An action for each row: drawn, or the most probable one."""
        found = self.probabilities(self.inputs(rows), masks)
        return found.argmax(1) if best else (found.cumsum(1) > self.random.random((len(rows), 1))).argmax(1)

    def ascend(self, gradient):
        """One step of Adam."""
        self.updates += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient**2 - self.square)
        scale = np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        self.weights += RATE * scale * self.mean / (np.sqrt(self.square) + 1e-8)

    def learn(self, batch, seats=None):
        """Raise the odds of what won and lower those of what lost, in matches that ended; of some seats only."""
        worth = np.full(batch["actor"].shape, np.nan, np.float32)
        for one in split_by_seat(batch["actor"], batch["over"], batch["seat_rewards"]):
            if one.complete and (seats is None or one.seat == seats[one.match]):
                worth[one.steps, one.match] = one.reward
        worth /= np.nanstd(worth) + 1e-6
        for step, match in (part.T for part in np.array_split(self.random.permutation(np.argwhere(worth == worth)), 4)):
            inputs, masks = self.inputs(batch["rows"][step, match]), batch["masks"][step, match]
            odds, gain = self.probabilities(inputs, masks), worth[step, match]
            logs = np.log(np.maximum(odds, 1e-9))
            push = -gain[:, None] * odds - ENTROPY * odds * (logs - (odds * logs).sum(1, keepdims=True))
            push[np.arange(len(step)), batch["action"][step, match]] += gain
            self.ascend(inputs.T @ push / len(step))


def play(matches, choose, steps=STEPS):
    """So many steps of all matches: what was seen, chosen and won."""
    batch = {name: [] for name in ("rows", "masks", "actor", "action", "over", "seat_rewards")}
    for _ in range(steps):
        seen = matches.at["observation"].copy(), matches.masks() > 0, matches.actor.copy()
        _, _, over, _, info = matches.step(action := choose(*seen))
        for name, value in zip(batch, (*seen, action, over, info["seat_rewards"].copy()), strict=True):
            batch[name].append(value)
    return {name: np.array(values) for name, values in batch.items()}


def measure(policy, games):
    """The share of games won against a random player, from either seat; a tie is half a win."""
    matches, seat, won = MatchVectorEnv(GAME, 50, PLAYERS), np.arange(50) % PLAYERS, []
    matches.reset(seed=12345)
    while len(won) < games:
        mine = policy.choose(matches.at["observation"], matches.masks() > 0, best=True)
        _, _, over, _, info = matches.step(np.where(matches.actor == seat, mine, matches.random_actions))
        won += [(1 + np.sign(info["seat_rewards"][i, seat[i]])) / 2 for i in np.flatnonzero(over)]
    return np.mean(won)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--games", type=int, default=400, help="of both measures")
    given = parser.parse_args()
    matches = MatchVectorEnv(GAME, MATCHES, PLAYERS, reward="score")  # says more of a match than who won it
    matches.reset(seed=1)
    policy, choices, spent = Policy(matches), 0, 0.0
    print(f"before learning it wins {measure(policy, given.games):.1%} of {given.games} against random", flush=True)
    began = time.monotonic()
    while (spent := time.monotonic() - began) < 60 * given.minutes:
        policy.learn(play(matches, lambda rows, masks, actor: policy.choose(rows, masks)))
        choices += MATCHES * STEPS
    print(f"{choices:,} choices in {spent:.0f} s")
    print(f"it wins {measure(policy, given.games):.1%} of {given.games} against random")


if __name__ == "__main__":
    main()
