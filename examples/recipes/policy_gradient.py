"""A policy gradient (REINFORCE) in numpy: one linear policy plays every seat of Atlandice against itself.

pip install "landfall-games[lab]"    # or the wheel: pip install "dist/landfall_games-….whl[lab]"
python policy_gradient.py --minutes 2
"""

import argparse
import time

import numpy as np

from landfall.lab.environments.trajectories import split_by_seat
from landfall.lab.environments.vector import MatchVectorEnv

GAME, PLAYERS = "atlandice", 2
MATCHES, STEPS, RATE, ENTROPY = 32, 400, 0.01, 0.01  # a batch: so many choices of so many matches


class Policy:
    """A score for each action: linear in what the acting seat may know, a column for each value of a small number."""

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
        """What the policy reads of observations."""
        return np.concatenate([rows[:, self.byte] == self.number, rows * self.scale], 1, dtype=np.float32)

    def probabilities(self, inputs, masks):
        """Of each action, by row; illegal ones have none."""
        scores = np.where(masks, inputs @ self.weights, -np.inf)
        found = np.exp(scores - scores.max(1, keepdims=True))
        return found / found.sum(1, keepdims=True)

    def choose(self, rows, masks, best=False):
        """An action for each row: drawn, or the most probable one."""
        found = self.probabilities(self.inputs(rows), masks)
        if best:
            return found.argmax(1)
        return (found.cumsum(1) > self.random.random((len(rows), 1))).argmax(1)

    def ascend(self, gradient):
        """One step of Adam."""
        self.updates += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient**2 - self.square)
        mean, square = self.mean / (1 - 0.9**self.updates), self.square / (1 - 0.999**self.updates)
        self.weights += RATE * mean / (np.sqrt(square) + 1e-8)

    def learn(self, batch, seats=None):
        """Raise the odds of what won and lower those of what lost, in matches that ended; of some seats only."""
        for one in np.array_split(self.random.permutation(len(found := trajectories(batch, seats))), 4):
            at = [(found[i].steps, np.full(len(found[i].steps), found[i].match), found[i].reward) for i in one]
            step, match = (np.concatenate([part[k] for part in at]) for k in (0, 1))
            worth = np.concatenate([np.full(len(steps), reward, np.float32) for steps, _, reward in at])[:, None]
            worth /= worth.std() + 1e-6
            inputs, masks = self.inputs(batch["rows"][step, match]), batch["masks"][step, match]
            odds = self.probabilities(inputs, masks)
            logs = np.log(np.maximum(odds, 1e-9))
            push = -worth * odds - ENTROPY * odds * (logs - (odds * logs).sum(1, keepdims=True))
            push[np.arange(len(step)), batch["action"][step, match]] += worth[:, 0]
            self.ascend(inputs.T @ push / len(step))


def trajectories(batch, seats):
    """Those that ended; of match i only the seat seats[i], if seats are given."""
    found = split_by_seat(batch["actor"], batch["over"], batch["seat_rewards"])
    return [one for one in found if one.complete and (seats is None or one.seat == seats[one.match])]


def play(matches, choose, steps=STEPS):
    """So many steps of all matches: what was seen, chosen and won."""
    batch = {name: [] for name in ("rows", "masks", "actor", "action", "over", "seat_rewards")}
    for _ in range(steps):
        rows, masks, actor = matches.at["observation"].copy(), matches.masks() > 0, matches.actor.copy()
        action = choose(rows, masks, actor)
        _, _, over, _, info = matches.step(action)
        for name, value in zip(batch, (rows, masks, actor, action, over, info["seat_rewards"].copy()), strict=True):
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--games", type=int, default=400, help="of the first and the last measure")
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
