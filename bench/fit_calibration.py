"""Fits the calibration of the nets' win probabilities in match review to matches of bots.

python -m bench.fit_calibration survive 4 --games 600       prints the line for src/landfall/bots/nets/calibration.json
"""

import argparse
from itertools import product

import numpy as np

from landfall.analysis.win_probability import EvaluationBatch, win_shares
from landfall.analysis.win_probability_curve import MIN_PROBABILITY
from landfall.core.rng import Rng
from landfall.lab.experiments.simulation import seed_of_game
from landfall.lab.experiments.win_probability_accuracy import play_bot_match, sample_position_per_decile

SEED = 801  # deals for fitting; docs/analysis.md measures with others
EXPONENTS = np.arange(0.0, 1.31, 0.05)


def sample_rows(game: str, players: int, code: str, games: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions at which somebody chooses: the probabilities from each seat's view, from the actor's, and who won."""
    own: list[np.ndarray] = []
    actor: list[np.ndarray] = []
    shares: list[tuple[float, ...]] = []
    for number in range(games):
        match = play_bot_match(game, players, code, SEED, number)
        for _, state in sample_position_per_decile(match, Rng(seed_of_game(SEED + 2, number))):
            if state.actor < 0:
                continue
            ledger = EvaluationBatch(game, players)
            for seat in range(players):
                ledger.add(state, seat)
            probabilities = np.array(ledger.win_probabilities())
            own.append(probabilities[range(players), range(players)])
            actor.append(probabilities[state.actor])
            shares.append(win_shares(match.state))
    return np.array(own), np.array(actor), np.array(shares)


def cross_entropy(chances: np.ndarray, shares: np.ndarray) -> float:
    """The mean cross-entropy, minimal for true probabilities."""
    probabilities = chances / chances.sum(1, keepdims=True)
    return float(-(shares * np.log(np.maximum(probabilities, 1e-4))).sum(1).mean())


def main() -> None:
    """Fit one game and number of players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--bots", default="greedy")
    given = parser.parse_args()
    own, actor, shares = sample_rows(given.game, given.players, given.bots, given.games)
    own, actor = np.maximum(own, MIN_PROBABILITY), np.maximum(actor, MIN_PROBABILITY)
    loss, a, b = min(
        (cross_entropy(own**a * actor**b, shares), a, b) for a, b in product(EXPONENTS, EXPONENTS) if a + b > 0
    )
    alone, c = min((cross_entropy(actor**c, shares), c) for c in EXPONENTS if c > 0)
    plain = cross_entropy(own**0.5 * actor**0.5, shares)
    print(f'"{given.players}": [{a:.2f}, {b:.2f}, {c:.2f}]')
    print(f"{given.game}: {loss:.4f}; as they are {plain:.4f}, the actor's alone {alone:.4f}")


if __name__ == "__main__":
    main()
