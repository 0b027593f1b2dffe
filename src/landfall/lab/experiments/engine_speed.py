"""The engine's speed on this machine: random play, copies, and the size of a position."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from statistics import median
from time import perf_counter_ns
from typing import TYPE_CHECKING

from landfall.core.game import usual_player_count
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.games import game as find_game
from landfall.lab.experiments.simulation import simulate

if TYPE_CHECKING:
    from landfall.core.state import State

COPIES_PER_ROUND = 2_000


@dataclass(frozen=True)
class Speed:
    """The measurements of one game."""

    game: str
    players: int
    games_per_second: float
    decisions_per_second: float
    copy_ns: float
    bytes: int


def measure_speed(game: str, seconds: float) -> Speed:
    """Play random games for about that long, then copy a position from the middle of a game."""
    players = usual_player_count(find_game(game).player_counts)
    games = 1
    while (result := simulate(game, players, games=games, seed=1)).seconds < seconds:
        games = max(games + 1, round(games * min(10.0, 1.2 * seconds / max(result.seconds, 1e-6))))
    state = middle_of_random_game(find_game(game).new(players))
    speed = games / result.seconds
    return Speed(game, players, speed, result.decisions / result.seconds, measure_copy_ns(state), len(state.to_bytes()))


def measure_copy_ns(state: State) -> float:
    """The time of one copy, the median of five rounds."""
    rounds = []
    for _ in range(5):
        start = perf_counter_ns()
        for _ in repeat(None, COPIES_PER_ROUND):
            state.copy()
        rounds.append((perf_counter_ns() - start) / COPIES_PER_ROUND)
    return median(rounds)


def middle_of_random_game(state: State) -> State:
    """The position in the middle of a random game."""
    path: list[State] = []
    rng = Rng(1)
    while state.actor != OVER:
        path.append(state.copy())
        state.apply(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))
    return path[len(path) // 2]
