"""The calibration of the packaged nets, with the bot `net` at every seat, each using that net alone.

python -m bench.net_calibration atlandice 3 --games 2000            predictions and results by deciles
python -m bench.net_calibration atlandice 3 --games 1000 --fit      fit the modesty and save it in the packaged net
"""

import argparse
from time import monotonic

import numpy as np

from landfall.bots import value_net
from landfall.bots.contract import Bot, Seat
from landfall.bots.net_bot import NetBot
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.lab.experiments.simulation import play_with_bots, seat_rngs, seed_of_game, winning_seats
from landfall.lab.training import net_calibration

SEED, FIT_SEED = 701, 702  # deals for measuring, and others for fitting


class RecordingBot(NetBot):
    """The bot, which records its predicted win probability for each choice."""

    def __init__(self) -> None:
        super().__init__(second=0, lines=1)
        self.predicted: list[float] = []

    def choose(self, seat: Seat) -> int:
        chosen = super().choose(seat)
        if self.thoughts and len(seat.legal_actions) > 1:
            self.predicted.append(self.thoughts[0].value)
        return chosen


def play_games(
    name: str, players: int, most: int, seconds: float, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The prediction at every choice, the share of the win, and the number of the game."""
    predicted: list[float] = []
    won: list[float] = []
    number: list[int] = []
    until = monotonic() + seconds
    for deal in range(most):
        if monotonic() > until:
            break
        state = find_game(name).new(players, {})
        table = [RecordingBot() for _ in range(players)]
        seats: list[Bot] = list(table)
        play_with_bots(
            state, name, Rng(seed_of_game(seed, deal)), seats, seat_rngs(seed_of_game(seed + 1, deal), players)
        )
        winners = winning_seats(state)
        for seat, bot in enumerate(table):
            predicted += bot.predicted
            won += [1 / len(winners) if seat in winners else 0.0] * len(bot.predicted)
            number += [deal] * len(bot.predicted)
    return np.array(predicted, np.float32), np.array(won, np.float32), np.array(number)


def fit_net(name: str, players: int, predicted: np.ndarray, won: np.ndarray) -> None:
    """Fit the packaged net's modesty to these games."""
    path = value_net.NETS_DIR / f"{name}.npz"
    more = net_calibration.fit_own_logit_shift(predicted, won)
    with np.load(path) as found:
        arrays = {key: found[key] for key in found.files}
    seats = value_net.layout_of(name).seats
    arrays.setdefault("modesty", np.zeros(seats + 1, np.float32))
    arrays["modesty"][players] += np.float32(more)
    np.savez_compressed(path, **arrays)
    print(f"modesty {arrays['modesty'][players]:.3f}")


def main() -> None:
    """Measure or fit one game and number of players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no more games after so long")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    seed = FIT_SEED if given.fit else SEED
    predicted, won, number = play_games(given.game, given.players, given.games, given.seconds, seed)
    print(f"{given.game}, {given.players} players, {len(set(number))} games, seed {seed}")
    print(net_calibration.format_deciles(net_calibration.group_by_decile(predicted, won, number)), flush=True)
    if given.fit:
        fit_net(given.game, given.players, predicted, won)


if __name__ == "__main__":
    main()
