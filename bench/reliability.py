"""Do the chances that the nets of the package tell come true? The bot `net` at every seat, as it
plays by that net alone.

python -m bench.reliability atlandice 3 --games 2000            what was told and what was won, by tenths
python -m bench.reliability atlandice 3 --games 1000 --fit      how modest it must be, kept in the package's net
"""

import argparse
from time import monotonic

import numpy as np

from landfall.bots import value_net
from landfall.bots.contract import Bot, Seat
from landfall.bots.net_bot import NetBot
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.lab.experiments.simulation import best_seats, play_with_bots, seat_rngs, seed_of_game
from landfall.lab.training import reliability

SEED, FIT_SEED = 701, 702  # deals to measure with, and others to fit with


class RecordingBot(NetBot):
    """The bot, with a note of what chance it saw in each choice it made."""

    def __init__(self) -> None:
        super().__init__(second=0, lines=1)
        self.told: list[float] = []

    def choose(self, seat: Seat) -> int:
        chosen = super().choose(seat)
        if self.thoughts and len(seat.legal_actions) > 1:
            self.told.append(self.thoughts[0].value)
        return chosen


def play_games(
    name: str, players: int, most: int, seconds: float, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What was told at every choice, the share of the win that came of it, and the number of the game."""
    told: list[float] = []
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
        winners = best_seats(state)
        for seat, bot in enumerate(table):
            told += bot.told
            won += [1 / len(winners) if seat in winners else 0.0] * len(bot.told)
            number += [deal] * len(bot.told)
    return np.array(told, np.float32), np.array(won, np.float32), np.array(number)


def fit_net(name: str, players: int, told: np.ndarray, won: np.ndarray) -> None:
    """Make the package's net as modest as these games ask for."""
    path = value_net.NETS_DIR / f"{name}.npz"
    more = reliability.fit_modesty(told, won)
    with np.load(path) as found:
        arrays = {key: found[key] for key in found.files}
    seats = value_net.layout_of(name).seats
    arrays.setdefault("modesty", np.zeros(seats + 1, np.float32))
    arrays["modesty"][players] += np.float32(more)
    np.savez_compressed(path, **arrays)
    print(f"modesty {arrays['modesty'][players]:.3f}")


def main() -> None:
    """One game and number of players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no more games after so long")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    seed = FIT_SEED if given.fit else SEED
    told, won, number = play_games(given.game, given.players, given.games, given.seconds, seed)
    print(f"{given.game}, {given.players} players, {len(set(number))} games, seed {seed}")
    print(reliability.format_deciles(reliability.group_by_decile(told, won, number)), flush=True)
    if given.fit:
        fit_net(given.game, given.players, told, won)


if __name__ == "__main__":
    main()
