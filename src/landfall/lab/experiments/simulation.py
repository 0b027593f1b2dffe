"""Plays many games with bots, each from its own seed, and counts the results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import sqrt
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Final

from landfall.bots.command_bot import CommandBot
from landfall.bots.contract import Bot, Seat
from landfall.bots.random_bot import RandomBot
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, playout
from landfall.games import game as find_game
from landfall.lab.experiments.peeking_bot import PeekingBot, make_lab_bot
from landfall.match import visible_events

if TYPE_CHECKING:
    from landfall.core.state import State
    from landfall.lab.worker_pool import WorkerPool


Z_95: Final = 1.959964  # of a 95 % interval
RANDOM_GAMES_PER_PART: Final = 500  # games of a part in which all play at random


@dataclass(frozen=True)
class Result:
    """The result of some games. A win shared by n seats counts 1/n for each.

    >>> simulate("atlandice", 2, games=10, seed=1).games
    10
    """

    games: int
    decisions: int
    seconds: float
    wins: list[float]
    totals: list[int]  # of points, by seat

    @property
    def wins_by_seat_text(self) -> str:
        """The share of wins by seat, in short.

        >>> simulate("atlandice", 2, games=10, seed=1).wins_by_seat_text
        'won by seat 55%, 45%'
        """
        return "won by seat " + ", ".join(f"{won / self.games:.0%}" for won in self.wins)

    @property
    def mean_scores(self) -> list[float]:
        """Mean points per game, by seat.

        >>> simulate("atlandice", 2, games=10, seed=1).mean_scores
        [16.3, 14.5]
        """
        return [total / self.games if self.games else 0.0 for total in self.totals]


@dataclass(frozen=True)
class SimulatedTable:
    """The settings that all games of a simulation share; bot codes by seat, or none for random play."""

    game: str
    players: int
    seed: int
    options: dict[str, object]
    bots: tuple[str, ...] = ()

    @property
    def is_random(self) -> bool:
        """Whether all seats play at random."""
        return all(code == "random" for code in self.bots)

    def make_bots(self) -> list[Bot]:
        """Create new bots."""
        return [make_lab_bot(code) for code in self.bots or ["random"] * self.players]


Options = dict[str, object] | None
Part = tuple[int, int]  # first game number, number of games


class IllegalChoice(LandfallError):
    """A bot chose an illegal action."""

    def __init__(self, bot: str, action: object, rule: str) -> None:
        args: dict[str, object] = {"bot": bot, "action": str(action), "rule": rule}
        super().__init__(f"the bot {bot!r} chose {action!r}, forbidden by {rule}", "error.bot_choice", args)


def seed_of_game(seed: int, number: int) -> int:
    """The seed of the game of that number, so that any game can be repeated alone."""
    return (seed << 32) + number


def seat_rngs(seed: int, players: int) -> list[Rng]:
    """A generator for each seat, so that a bot's draws affect neither the dice nor the other bots."""
    return [Rng(seed ^ (seat + 1) << 56) for seat in range(players)]


def simulate(
    game: str,
    players: int | None = None,
    *,
    games: int,
    seed: int,
    bots: list[Bot] | None = None,
    first: int = 0,
    **options: object,
) -> Result:
    """Play `games` games from number `first` on; without bots all seats play at random. `options` are the game's own.

    >>> simulate("atlandice", 2, games=10, seed=1).decisions
    1306
    """
    start = find_game(game).new(players, options)
    players = int(start.players)
    table = bots or [RandomBot() for _ in range(players)]
    fast = all(type(bot) is RandomBot for bot in table)
    wins = [0.0] * players
    totals = [0] * players
    decisions = 0
    began = perf_counter()
    for number in range(first, first + games):
        state = start.copy()
        rng = Rng(seed_of_game(seed, number))
        if fast:
            decisions += int(playout(state, rng))
        else:
            decisions += play_with_bots(
                state, game, rng, table, seat_rngs(seed_of_game(seed, number), players), options=options
            )
        winners = winning_seats(state)
        for seat in winners:
            wins[seat] += 1 / len(winners)
        for seat, points in enumerate(state.scores()[:players]):
            totals[seat] += points
    return Result(games, decisions, perf_counter() - began, wins, totals)


def split_games(games: int, size: int) -> list[Part]:
    """Split games into parts of a fixed size, so that results do not depend on the number of workers."""
    return [(first, min(size, games - first)) for first in range(0, games, size)]


def simulate_part(table: SimulatedTable, part: Part) -> Result:
    """Play one part with its own bots."""
    first, games = part
    return simulate(
        table.game,
        table.players,
        games=games,
        seed=table.seed,
        bots=table.make_bots(),
        first=first,
        **table.options,
    )


def simulate_in_parallel(
    table: SimulatedTable, games: int, pool: WorkerPool, after: Callable[[Result], None]
) -> Result:
    """Play `games` games on the pool; `after` is called with the result so far."""
    began = perf_counter()
    played = decisions = 0
    wins = [0.0] * table.players
    totals = [0] * table.players
    for one in pool.in_order(
        partial(simulate_part, table), split_games(games, RANDOM_GAMES_PER_PART if table.is_random else 1)
    ):
        decisions += one.decisions
        wins = [a + b for a, b in zip(wins, one.wins)]
        totals = [a + b for a, b in zip(totals, one.totals)]
        played += one.games
        after(Result(played, decisions, perf_counter() - began, wins, totals))
    return Result(games, decisions, perf_counter() - began, wins, totals)


def winning_seats(state: State) -> list[int]:
    """The seats of the first group of the ranking."""
    seats = state.ranking()[0]["seats"]
    assert isinstance(seats, list)
    return seats


def wilson_interval(share: float, games: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if games == 0:
        return 0.0, 1.0
    middle = share + Z_95 * Z_95 / (2 * games)
    half = Z_95 * sqrt(share * (1 - share) / games + Z_95 * Z_95 / (4 * games * games))
    scale = 1 + Z_95 * Z_95 / games
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


class TimedBot(Bot):
    """A bot that measures the processor time of its choices; forced ones do not count.

    For a program it measures the waiting time.
    """

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.name = bot.name  # type: ignore[misc]
        self.uses_events = bot.uses_events  # type: ignore[misc]
        self.clock = perf_counter if isinstance(bot, CommandBot) else process_time
        self.taken: list[float] = []

    def choose(self, seat: Seat) -> int:
        began = self.clock()
        action = self.bot.choose(seat)
        if len(seat.legal_actions) > 1:
            self.taken.append(self.clock() - began)
        return action

    def choice_time_summary(self) -> list[float]:
        """The number of choices, their total time, the longest time."""
        return [float(len(self.taken)), sum(self.taken), max(self.taken, default=0.0)]


def make_seat(bot: Bot, state: State, game: str, rng: Rng, budget: float, options: Options = None) -> Seat:
    """The actor's seat, as its bot may see it."""
    if isinstance(bot, TimedBot):
        return make_seat(bot.bot, state, game, rng, budget, options)
    if isinstance(bot, PeekingBot):
        return Seat(int(state.actor), game, state.copy(), rng, budget)
    return Seat.from_state(
        state, game, rng, budget, visible_events(state, int(state.actor)) if bot.uses_events else None, options
    )


def choose_action(bot: Bot, state: State, game: str, rng: Rng, budget: float, options: Options = None) -> int:
    """The actor's bot chooses; IllegalChoice if the action is illegal."""
    action = bot.choose(make_seat(bot, state, game, rng, budget, options))
    rule = state.why_illegal(action) if isinstance(action, int) else "LF.1"
    if rule is not None:
        raise IllegalChoice(bot.name, action, rule)
    return action


def play_with_bots(
    state: State,
    game: str,
    chance: Rng,
    bots: list[Bot],
    rngs: list[Rng],
    budget: float = 1.0,
    options: Options = None,
    log: list[int] | None = None,
) -> int:
    """Play one game to its end with a bot on each seat and return the number of decisions; `log` gets all actions."""
    decisions = 0
    done = log if log is not None else []
    if any(bot.uses_events for bot in bots):
        state.events = []
    while state.actor != OVER:
        if state.actor == CHANCE:
            done.append(int(state.sample_chance(chance)))
            state.apply(done[-1])
            continue
        number = int(state.actor)
        action = choose_action(bots[number], state, game, rngs[number], budget, options)
        done.append(action)
        state.apply(action)
        decisions += 1
    return decisions
