"""The most that skill can reach against luck: a strong search sees the true position, with 100 times `net`'s time, and
plays greedy bots. Its share of wins estimates the most that any honest player could reach.

python -m bench.luck_bound survive 4 --seconds 180      one row; all cores play
"""

import argparse
import multiprocessing
import queue
import time
from multiprocessing.queues import Queue

from landfall.bots.contract import Bot, Seat
from landfall.bots.greedy_bot import GreedyBot
from landfall.bots.levels import KrakenBot
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.games import game as find_game
from landfall.lab.command_progress import ProgressReport
from landfall.lab.experiments.simulation import seed_of_game, wilson_interval, winning_seats

THINKING_MS = 400  # about 100 times what `net` takes for a choice
SEED = 777


class PeekingSeat(Seat):
    """A seat whose samples are the true position."""

    def sample(self, rng: Rng) -> State:
        return self._world.copy()


def play_match(game: str, players: int, number: int, deadline: float) -> float | None:
    """The share of the win that the searching seat gets; None if the time ran out."""
    state = find_game(game).new(players, {})
    searcher, chance = number % players, Rng(seed_of_game(SEED, number // players))
    rngs = [Rng(seed_of_game(SEED + 1 + seat, number)) for seat in range(players)]
    bots: list[Bot] = [KrakenBot(ms=THINKING_MS) if seat == searcher else GreedyBot() for seat in range(players)]
    while state.actor != OVER:
        if time.monotonic() > deadline:
            return None
        if state.actor == CHANCE:
            state.apply(state.sample_chance(chance))
            continue
        actor = int(state.actor)
        if actor == searcher:
            seat: Seat = PeekingSeat(actor, game, state.copy(), rngs[actor], THINKING_MS / 1000)
        else:
            seat = Seat.from_state(state, game, rngs[actor], THINKING_MS / 1000)
        state.apply(bots[actor].choose(seat))
    winners = winning_seats(state)
    return 1 / len(winners) if searcher in winners else 0.0


def play_until(game: str, players: int, first: int, step: int, deadline: float, results: "Queue[float | None]") -> None:
    """Match after match; None ends the results of one process."""
    number = first
    while time.monotonic() < deadline:
        share = play_match(game, players, number, deadline)
        number += step
        if share is not None:
            results.put(share)
    results.put(None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("--seconds", type=float, default=180.0)
    asked = parser.parse_args()
    cores = multiprocessing.cpu_count()
    results: Queue[float | None] = multiprocessing.Queue()
    began = time.monotonic()
    deadline = began + asked.seconds
    for core in range(cores):
        work = (asked.game, asked.players, core, cores, deadline, results)
        multiprocessing.Process(target=play_until, args=work).start()
    shares: list[float] = []
    running = cores
    with ProgressReport(f"{asked.game}, {asked.players} players", asked.seconds, timed=True) as bar:
        while running:
            bar.update(min(time.monotonic() - began, asked.seconds), f"{len(shares)} matches, {sum(shares):g} won")
            try:
                share = results.get(timeout=1)
            except queue.Empty:
                continue
            if share is None:
                running -= 1
            else:
                shares.append(share)
    if not shares:
        raise SystemExit("no match ended in time")
    mean = sum(shares) / len(shares)
    low, high = wilson_interval(mean, len(shares))
    print(f"{asked.game}, {asked.players} players: {mean:.1%} ({low:.1%} - {high:.1%}) of {len(shares)}")


if __name__ == "__main__":
    main()
