"""Round-robin matches of bots. Every deal is played from every seat. Each game is one line of a file, so that an
interrupted ladder resumes, and a longer one only adds games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations, permutations
from pathlib import Path
from typing import TYPE_CHECKING

from landfall.bots.contract import Bot
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.lab.experiments.peeking_bot import make_lab_bot
from landfall.lab.experiments.result_log import ResultLog
from landfall.lab.experiments.simulation import (
    TimedBot,
    play_with_bots,
    seat_rngs,
    seed_of_game,
    wilson_interval,
    winning_seats,
)
from landfall.lab.worker_pool import WorkerPool

if TYPE_CHECKING:
    from landfall.core.state import State


MIN_DEALS = 20  # from which on their differences say how much a deal matters


@dataclass(frozen=True)
class LadderSetting:
    """The settings that all games of a ladder share."""

    game: str
    players: int
    options: dict[str, object]
    seed: int


@dataclass(frozen=True)
class GameTask:
    """One game: `lone` at one seat, `field` at all others. `number` determines the deal and the seat."""

    lone: str
    field: str
    number: int


@dataclass(frozen=True)
class GameResult:
    """The result of a task: the lone bot's share of the win, everybody's place, and the times of the lone bot's choices
    and the field's: their number, total and maximum, in seconds of processor time."""

    lone: str
    field: str
    number: int
    share: float
    places: list[int]
    lone_time: list[float]
    field_time: list[float]


@dataclass(frozen=True)
class PairingResult:
    """A pairing's result so far: the lone bot's share of the wins with its 95 % interval."""

    lone: str
    field: str
    games: int
    share: float
    low: float
    high: float
    par: float
    ms: float  # mean time of the lone bot's choices


@dataclass(frozen=True)
class Rating:
    """A bot's openskill rating."""

    code: str
    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A conservative estimate of the skill."""
        return self.mu - 3 * self.sigma


def make_pairings(codes: list[str], players: int, against: str = "") -> list[tuple[str, str]]:
    """With two players each against each; with more, one bot against a table of the other, both ways round.

    With `against`, only pairings against that bot.
    """
    if len(codes) != len(set(codes)):
        raise LandfallError("a bot is named twice", "error.ladder_twice", {})
    if against:
        return [(code, against) for code in codes if code != against]
    return list(combinations(codes, 2)) if players == 2 else list(permutations(codes, 2))


def play_task(setting: LadderSetting, task: GameTask) -> GameResult:
    """Play one game. Consecutive tasks play the same deal from every seat."""
    players = setting.players
    state = find_game(setting.game).new(players, setting.options)
    at = task.number % players
    lone = TimedBot(make_lab_bot(task.lone))
    field = [TimedBot(make_lab_bot(task.field)) for _ in range(players - 1)]
    table: list[Bot] = [*field[:at], lone, *field[at:]]
    deal = Rng(seed_of_game(setting.seed, task.number // players))
    play_with_bots(
        state,
        setting.game,
        deal,
        table,
        seat_rngs(seed_of_game(setting.seed + 1, task.number), players),
        options=setting.options,
    )
    winners = winning_seats(state)
    share = 1 / len(winners) if at in winners else 0.0
    times = [round(x, 6) for x in lone.choice_time_summary()]
    return GameResult(
        task.lone, task.field, task.number, share, final_places_by_seat(state), times, combine_choice_times(field)
    )


def final_places_by_seat(state: State) -> list[int]:
    """Everybody's place in a finished game, by seat."""
    places = [0] * int(state.players)
    for group in state.ranking():
        seats, place = group["seats"], group["place"]
        assert isinstance(seats, list)
        assert isinstance(place, int)
        for seat in seats:
            places[seat] = place
    return places


def combine_choice_times(field: list[TimedBot]) -> list[float]:
    """Combine the times of several bots."""
    each = [clocked.choice_time_summary() for clocked in field]
    sums = [sum(t[0] for t in each), sum(t[1] for t in each), max(t[2] for t in each)]
    return [round(x, 6) for x in sums]


# --- the file -----------------------------------------------------------------------------------------------------


def open_result_log(path: Path, setting: LadderSetting) -> ResultLog:
    """Open the file of a ladder: one line per game."""
    rules = find_game(setting.game).rules_version
    return ResultLog(path, "ladder", {"rules": rules, **asdict(setting)})


def load_results(path: Path, setting: LadderSetting) -> list[GameResult]:
    """The games played so far."""
    return [GameResult(**row) for row in open_result_log(path, setting).rows]


# --- playing ------------------------------------------------------------------------------------------------------


class LadderProgress:
    """The games played so far, and the result so far of the pairing that played last."""

    def __init__(self) -> None:
        self.played: list[GameResult] = []
        self.text = ""
        self.results: dict[tuple[str, str], tuple[int, float]] = {}

    @property
    def game_count(self) -> int:
        """How many they are."""
        return len(self.played)

    def add(self, one: GameResult) -> None:
        """Count a game."""
        count, wins = self.results.get((one.lone, one.field), (0, 0.0))
        count, wins = count + 1, wins + one.share
        self.results[one.lone, one.field] = count, wins
        self.played.append(one)
        low, high = wilson_interval(wins / count, count)
        self.text = f"{one.lone} won {wins / count:.0%} ({low:.0%} – {high:.0%}) of {count:,} against {one.field}"


def run_ladder(
    setting: LadderSetting,
    codes: list[str],
    games: int,
    path: Path | None,
    pool: WorkerPool,
    after_each: Callable[[LadderProgress], None],
    against: str = "",
    progress: LadderProgress | None = None,
) -> list[GameResult]:
    """Play the missing games of `games` per pairing, and return all in order; `progress` has them meanwhile."""
    wanted = [GameTask(a, b, n) for n in range(games) for a, b in make_pairings(codes, setting.players, against)]
    log = open_result_log(path, setting) if path else None
    before = [GameResult(**row) for row in log.rows] if log else []
    done = {GameTask(p.lone, p.field, p.number): p for p in before}
    if log:
        log.rewrite_file()
    progress = progress or LadderProgress()
    for task in wanted:
        if task in done:
            progress.add(done[task])
    for _, one in pool.results(partial(play_task, setting), [task for task in wanted if task not in done]):
        done[GameTask(one.lone, one.field, one.number)] = one
        if log:
            log.add(asdict(one))
        progress.add(one)
        after_each(progress)
    return [done[task] for task in wanted]


# --- results ------------------------------------------------------------------------------------------------------


def summarise_pairings(played: list[GameResult], players: int) -> list[PairingResult]:
    """The result of each pairing."""
    groups: dict[tuple[str, str], list[GameResult]] = {}
    for one in played:
        groups.setdefault((one.lone, one.field), []).append(one)
    lines = []
    for (lone, field), games in groups.items():
        share = sum(one.share for one in games) / len(games)
        low, high = wilson_interval(share, independent_games(games, players))
        choices = sum(one.lone_time[0] for one in games)
        ms = 1000 * sum(one.lone_time[1] for one in games) / choices if choices else 0.0
        lines.append(PairingResult(lone, field, len(games), share, low, high, 1 / players, ms))
    return lines


def independent_games(games: list[GameResult], players: int) -> float:
    """So many independent games say as much of a share as these, in which each deal is played from every seat.

    It is known once there are some deals, and never more than twice their number.
    """
    deals: dict[int, list[float]] = {}
    for one in games:
        deals.setdefault(one.number // players, []).append(one.share)
    means = [sum(shares) / players for shares in deals.values() if len(shares) == players]
    if len(means) < MIN_DEALS:
        return len(games)
    mean = sum(means) / len(means)
    variance = sum((one - mean) ** 2 for one in means) / (len(means) - 1) / len(means)
    if not 0 < mean < 1:
        return len(games)
    most = 2.0 * len(games)
    return min(most, mean * (1 - mean) / variance) if variance > 0 else most


def rate_bots(played: list[GameResult], codes: list[str]) -> list[Rating]:
    """The bots' ratings after these games, best first."""
    tables = []
    for one in played:
        at = one.number % len(one.places)
        tables.append(([one.lone if seat == at else one.field for seat in range(len(one.places))], one.places))
    return rate_bots_from_tables(tables, codes)


def rate_bots_from_tables(tables: list[tuple[list[str], list[int]]], codes: list[str]) -> list[Rating]:
    """openskill's Plackett-Luce ratings from seats and places, game by game in order, best first; a bot at several
    seats gets their mean."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known = {code: model.rating(name=code) for code in codes}
    for seats, places in tables:
        teams = [[model.create_rating([known[c].mu, known[c].sigma], name=c)] for c in seats]
        after = model.rate(teams, ranks=[float(place) for place in places])
        for code in set(seats):
            mine = [team[0] for team, c in zip(after, seats, strict=True) if c == code]
            mu = sum(r.mu for r in mine) / len(mine)
            sigma = sum(r.sigma for r in mine) / len(mine)
            known[code] = model.create_rating([mu, sigma], name=code)
    found = [Rating(code, known[code].mu, known[code].sigma) for code in codes]
    return sorted(found, key=lambda rating: -rating.mu)
