"""Each bot's time per choice: processor time of one bot among greedy ones, without forced choices. The rows are copied
into docs/strength.md by hand.

python -m bench.choice_time                    all of them: some minutes
python -m bench.choice_time net kraken         these
"""

import argparse
from statistics import quantiles
from time import thread_time

from landfall.bots.contract import Bot, Seat
from landfall.bots.registry import make_bot
from landfall.core.rng import Rng
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.lab.experiments.simulation import play_with_bots, seat_rngs, seed_of_game

BOTS = ("greedy", "sprat", "mackerel", "marlin", "leviathan", "kraken", "net", "netsearch", "nettree", "mcts:ms=200")
SEED = 621
MIN_CHOICES = 200
MAX_SECONDS = 20.0  # of one bot at one table; a started game is finished


class TimedBot(Bot):
    """Wraps a bot and measures the time of its choices."""

    def __init__(self, inner: Bot) -> None:
        self.inner = inner
        self.took: list[float] = []

    def choose(self, seat: Seat) -> int:
        several = len(seat.legal_actions) > 1
        began = thread_time()
        action = self.inner.choose(seat)
        if several:
            self.took.append(thread_time() - began)
        return action


def measure_bot(code: str, game: str, players: int) -> list[float]:
    """Measure some games, from every seat in turn; a warm-up game loads numpy and the nets."""
    found: list[float] = []
    number = 0
    play_game("net", game, players, number, [])
    while len(found) < MIN_CHOICES and sum(found) < MAX_SECONDS:
        play_game(code, game, players, number, found)
        number += 1
    return found


def play_game(code: str, game: str, players: int, number: int, found: list[float]) -> None:
    """Play one game of it among greedy bots."""
    timed = TimedBot(make_bot(code))
    seats: list[Bot] = [make_bot("greedy") for _ in range(players)]
    seats[number % players] = timed
    state = find_game(game).new(players)
    play_with_bots(
        state, game, Rng(seed_of_game(SEED, number)), seats, seat_rngs(seed_of_game(SEED + 1, number), players)
    )
    found += timed.took


def main() -> None:
    """Print a row per game and number of players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs="*", default=BOTS)
    given = parser.parse_args()
    print("| bot | game | players | choices | median ms | 95 in 100 within | longest |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for code in given.bots:
        for game in GAME_NAMES:
            for players in (2, 4):
                took = [1000 * one for one in measure_bot(code, game, players)]
                parts = quantiles(took, n=20)
                cells = f"{parts[9]:.2f} | {parts[18]:.2f} | {max(took):.2f}"
                print(f"| `{code}` | {game} | {players} | {len(took)} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
