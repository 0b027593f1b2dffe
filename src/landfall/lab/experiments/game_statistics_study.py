"""Statistics of a game played by bots over player counts and options: additive sums, job by job (docs/studies).

A job plays some matches of one set-up and returns sums only. So a study is a small file, resumes after an interruption,
and does not depend on the number of workers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import zip_longest
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from landfall.bots.contract import Bot, Seat
from landfall.core import options as opt
from landfall.core.game import usual_player_count
from landfall.core.rng import Rng
from landfall.core.seat_statistics import humanize_identifier
from landfall.core.state import CHANCE
from landfall.games import game as find_game
from landfall.lab.experiments.game_study_definition import study_definition_of_game
from landfall.lab.experiments.peeking_bot import make_lab_bot
from landfall.lab.experiments.result_log import ResultLog
from landfall.lab.experiments.simulation import (
    Z_95,
    play_with_bots,
    seat_rngs,
    seed_of_game,
    split_games,
    winning_seats,
)
from landfall.lab.worker_pool import WorkerPool
from landfall.match import OMNISCIENT, visible_events

if TYPE_CHECKING:
    from landfall.core.state import State

Z_999: Final = 3.29  # of a 99.9 % interval
MATCHES_PER_JOB: Final = 10  # matches per job
Sums = dict[str, Any]  # numbers, lists and dicts of numbers, lists of such dicts: the sums of two jobs add up


@dataclass(frozen=True)
class Setup:
    """The players and options of some matches; without options it is the game as printed."""

    name: str
    players: int
    options: dict[str, object]


@dataclass(frozen=True)
class Study:
    """The settings that all jobs share."""

    game: str
    bot: str
    seed: int


Job = tuple[Setup, int, int]  # set-up, first match number, number of matches


# --- set-ups --------------------------------------------------------------------------------------------------------


def list_setups(game: str, counts: list[int]) -> list[Setup]:
    """The game as printed at every count, then each option alone, with those it requires, at the most usual count."""
    rules = find_game(game)
    found = [Setup(f"{n} players", n, {}) for n in counts]
    usual = usual_player_count(tuple(counts))
    for name, given in list_single_options(game):
        fits = [n for n in sorted(counts, key=lambda n: (abs(n - usual), n)) if not option_faults(game, n, given)]
        if fits:
            found.append(Setup(name, fits[0], given))
    together = {k: v for _, given in list_single_options(game)[: len(rules.options)] for k, v in given.items()}
    agreeable: dict[str, object] = {}
    for name, value in together.items():
        if not option_faults(game, usual, {**agreeable, name: value}):
            agreeable[name] = value
    if len(agreeable) > 1:
        found.append(Setup("all of these together", usual, agreeable))
    return found


def list_single_options(game: str) -> list[tuple[str, dict[str, object]]]:
    """Each value of each option alone, with the options it requires."""
    rules = find_game(game)
    found: list[tuple[str, dict[str, object]]] = []
    for option in rules.options:
        for value in option.choices if option.kind == opt.CHOICE else [True]:
            if option.kind == opt.OBJECT or not option.is_not_default(value):
                continue
            given: dict[str, object] = {option.name: value}
            for other in option.requires:
                needed = opt.find_option(rules.options, other)
                assert needed is not None
                given[other] = True if needed.kind == opt.BOOL else needed.choices[1]
            name = (
                humanize_identifier(option.name)
                if option.kind == opt.BOOL
                else humanize_identifier(f"{option.name} {value}")
            )
            found.append((name, given))
    return found + list(study_definition_of_game(game).values.items())


def option_faults(game: str, players: int, given: dict[str, object]) -> list[opt.Problem]:
    rules = find_game(game)
    return opt.find_option_problems(rules.options, rules.player_counts, players, given)


class CountingBot(Bot):
    """A bot that counts the legal actions of each of its choices."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.name = bot.name  # type: ignore[misc]
        self.uses_events = bot.uses_events  # type: ignore[misc]
        self.counted: list[int] = []

    def choose(self, seat: Seat) -> int:
        self.counted.append(len(seat.legal_actions))
        return self.bot.choose(seat)


def play_matches_and_sum(study: Study, job: Job) -> Sums:
    """Play some matches and sum them up."""
    setup, first, games = job
    total: Sums = {}
    for number in range(first, first + games):
        total = add_sums(total, play_match_and_sum(study, setup, number))
    return total


def play_match_and_sum(study: Study, setup: Setup, number: int) -> Sums:
    """Play one match; its sums."""
    seed = seed_of_game(study.seed, number)
    state = find_game(study.game).new(setup.players, setup.options)
    state.events = []
    bots = [CountingBot(make_lab_bot(study.bot)) for _ in range(setup.players)]
    log: list[int] = []
    rngs = seat_rngs(seed, setup.players)
    decisions = play_with_bots(state, study.game, Rng(seed), list(bots), rngs, options=setup.options, log=log)
    events: list[Any] = list(visible_events(state, OMNISCIENT))
    noted = study_definition_of_game(study.game).derive_seat_statistics(events, setup.players)
    kind, _ = study_definition_of_game(study.game).round
    scores = [int(points) for points in state.scores()[: setup.players]]
    winners = winning_seats(state)
    ahead = leading_seats(position_after_half_of_decisions(study, setup, log, decisions))
    ordered = sorted(scores, reverse=True)
    choices = [n for bot in bots for n in bot.counted]
    return {
        "games": 1,
        "decisions": sum_and_square(decisions),
        "rounds": sum_and_square(sum(e["kind"] == kind for e in events)),
        "choices": sum_and_square(sum(choices) / len(choices)),
        "forced": sum_and_square(sum(n == 1 for n in choices) / len(choices)),
        "margin": sum_and_square(ordered[0] - ordered[1]),
        "winning": sum_and_square(ordered[0]),
        "points": sum_and_square(sum(scores) / len(scores)),
        "shared": int(len(winners) > 1),
        "winners": len(winners),
        "ahead": sum(seat in winners for seat in ahead) / len(ahead),
        "wins": [1 / len(winners) if seat in winners else 0.0 for seat in range(setup.players)],
        "by_seat": [sum_and_square(points) for points in scores],
        "spread": {str(points): scores.count(points) for points in set(scores)},
        "marks": [mark_summands_of_seat(one.marks, seat in winners, len(winners)) for seat, one in enumerate(noted)],
        "parts": [point_source_summands_of_seat(one.parts, seat in winners) for seat, one in enumerate(noted)],
    }


def position_after_half_of_decisions(study: Study, setup: Setup, log: list[int], decisions: int) -> State:
    """The position after half of the decisions."""
    state = find_game(study.game).new(setup.players, setup.options)
    left = decisions // 2
    for action in log:
        if state.actor != CHANCE:
            if not left:
                break
            left -= 1
        state.apply(action)
    return state


def leading_seats(state: State) -> list[int]:
    """The seats with most points if the match ended now."""
    scores = state.scores()[: int(state.players)]
    return [seat for seat, points in enumerate(scores) if points == max(scores)]


def sum_and_square(x: float) -> list[float]:
    """A number as summands: itself and its square."""
    return [x, x * x]


def mark_summands_of_seat(names: set[str], won: bool, winners: int) -> dict[str, list[float]]:
    """For each mark of a seat: one seat, and its share of the win."""
    return {name: [1, 1 / winners if won else 0.0] for name in sorted(names)}


def point_source_summands_of_seat(found: dict[str, float], won: bool) -> dict[str, list[float]]:
    """For each source of points: a winner's points or another's, with squares."""
    return {part: [x, x * x, 0, 0] if won else [0, 0, x, x * x] for part, x in found.items()}


def add_sums(a: Any, b: Any) -> Any:
    """Add two sums."""
    if isinstance(a, dict):
        return {
            key: add_sums(a[key], b[key]) if key in a and key in b else a.get(key, b.get(key)) for key in {**a, **b}
        }
    if isinstance(a, list):
        return [y if x is None else x if y is None else add_sums(x, y) for x, y in zip_longest(a, b)]
    return round(a + b, 9)


# --- the whole study ------------------------------------------------------------------------------------------------


@dataclass
class SetupResult:
    """A set-up and its sums."""

    setup: Setup
    sums: Sums = field(default_factory=dict)


def run_study(
    study: Study, every: list[Setup], games: int, log: Path | None, pool: WorkerPool, on_progress: Callable[[int], None]
) -> list[SetupResult]:
    """Play the missing matches of each set-up; `on_progress` is called as matches finish."""
    jobs: list[Job] = [(setup, *part) for part in split_games(games, MATCHES_PER_JOB) for setup in every]
    rules = find_game(study.game).rules_version
    kept = ResultLog(log, "study", {"rules": rules, **asdict(study)}) if log else None
    known = {job_key(row["setup"], row["first"], row["games"]): row["sums"] for row in kept.rows} if kept else {}
    if kept:
        kept.rewrite_file()
    missing = [job for job in jobs if job_key(asdict(job[0]), job[1], job[2]) not in known]
    on_progress(sum(job[2] for job in jobs) - sum(job[2] for job in missing))
    for number, sums in pool.results(partial(play_matches_and_sum, study), missing):
        setup, first, count = missing[number]
        known[job_key(asdict(setup), first, count)] = sums
        if kept:
            kept.add({"setup": asdict(setup), "first": first, "games": count, "sums": sums})
        on_progress(count)
    found = [SetupResult(setup) for setup in every]
    for one in found:
        for first, count in split_games(games, MATCHES_PER_JOB):
            one.sums = add_sums(one.sums, known[job_key(asdict(one.setup), first, count)])
    return found


def job_key(setup: dict[str, Any], first: int, games: int) -> str:
    """The key of a job."""
    return json.dumps([setup, first, games], sort_keys=True)


# --- figures with intervals -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """A number with its 95 % interval."""

    mid: float
    low: float
    high: float

    def differs_significantly(self, from_what: float = 0.0) -> bool:
        """Whether an interval two thirds wider excludes the other value: among hundreds of figures, 95 % intervals
        would give a false positive in twenty, this one in a thousand."""
        half = (self.high - self.low) / 2 * (Z_999 / Z_95)
        return abs((self.high + self.low) / 2 - from_what) > half


def mean_figure(sums: list[float], n: float) -> Figure:
    """A mean from a sum and a sum of squares."""
    if not n:
        return Figure(0.0, 0.0, 0.0)
    middle = sums[0] / n
    half = Z_95 * sqrt(max(0.0, sums[1] / n - middle * middle) / n)
    return Figure(middle, middle - half, middle + half)


def figure_difference(before: Figure, after: Figure) -> Figure:
    """The difference of two independent figures."""
    half = sqrt(((before.high - before.low) / 2) ** 2 + ((after.high - after.low) / 2) ** 2)
    return Figure(after.mid - before.mid, after.mid - before.mid - half, after.mid - before.mid + half)
