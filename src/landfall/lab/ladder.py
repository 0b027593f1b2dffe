"""Who beats whom: a round-robin of bots. Every deal is played from every seat; each game is a line of a file, so that
a ladder cut short goes on where it stopped, and a longer one only adds games."""

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
from landfall.lab.kept import Kept
from landfall.lab.peeking import lab_bot
from landfall.lab.pool import Pool
from landfall.lab.sim import Clocked, best_seats, game_seed, interval, play, seat_rngs

if TYPE_CHECKING:
    from landfall.core.state import State


@dataclass(frozen=True)
class Setting:
    """What all games of a ladder have in common."""

    game: str
    players: int
    options: dict[str, object]
    seed: int


@dataclass(frozen=True)
class Task:
    """One game: `lone` at one seat, `field` at all others. The deal's number and the seat follow from `number`."""

    lone: str
    field: str
    number: int


@dataclass(frozen=True)
class Played:
    """What came of a task: the lone bot's share of the win, everybody's place, and the time the lone bot's choices
    and those of the field took: how many, how long in all, the longest, in seconds of processor time."""

    lone: str
    field: str
    number: int
    share: float
    places: list[int]
    lone_time: list[float]
    field_time: list[float]


@dataclass(frozen=True)
class Line:
    """A pairing's result so far: the lone bot's share of the wins with its 95 % interval."""

    lone: str
    field: str
    games: int
    share: float
    low: float
    high: float
    par: float
    ms: float  # of the lone bot's choices, on average


@dataclass(frozen=True)
class Rating:
    """A bot's openskill rating."""

    code: str
    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What it is worth at least, very likely."""
        return self.mu - 3 * self.sigma


def pairings(codes: list[str], players: int, against: str = "") -> list[tuple[str, str]]:
    """With two players each against each; with more, one against a table of the other, both ways round.

    If `against` is given, only against that one.
    """
    if len(codes) != len(set(codes)):
        raise LandfallError("a bot is named twice", "error.ladder_twice", {})
    if against:
        return [(code, against) for code in codes if code != against]
    return list(combinations(codes, 2)) if players == 2 else list(permutations(codes, 2))


def play_task(setting: Setting, task: Task) -> Played:
    """Play one game. The same deal is played from every seat, one task after the other."""
    players = setting.players
    state = find_game(setting.game).new(players, setting.options)
    at = task.number % players
    lone = Clocked(lab_bot(task.lone))
    field = [Clocked(lab_bot(task.field)) for _ in range(players - 1)]
    table: list[Bot] = [*field[:at], lone, *field[at:]]
    deal = Rng(game_seed(setting.seed, task.number // players))
    play(
        state,
        setting.game,
        deal,
        table,
        seat_rngs(game_seed(setting.seed + 1, task.number), players),
        options=setting.options,
    )
    winners = best_seats(state)
    share = 1 / len(winners) if at in winners else 0.0
    times = [round(x, 6) for x in lone.times()]
    return Played(task.lone, task.field, task.number, share, places_of(state), times, together(field))


def places_of(state: State) -> list[int]:
    """Everybody's place in a game that is over, by seat."""
    places = [0] * int(state.players)
    for group in state.ranking():
        seats, place = group["seats"], group["place"]
        assert isinstance(seats, list)
        assert isinstance(place, int)
        for seat in seats:
            places[seat] = place
    return places


def together(field: list[Clocked]) -> list[float]:
    """The times of several bots as one."""
    each = [clocked.times() for clocked in field]
    sums = [sum(t[0] for t in each), sum(t[1] for t in each), max(t[2] for t in each)]
    return [round(x, 6) for x in sums]


# --- the file -----------------------------------------------------------------------------------------------------


def log_of(path: Path, setting: Setting) -> Kept:
    """The file of a ladder: a line a game."""
    rules = find_game(setting.game).rules_version
    return Kept(path, "ladder", {"rules": rules, **asdict(setting)})


def load(path: Path, setting: Setting) -> list[Played]:
    """The games played so far."""
    return [Played(**row) for row in log_of(path, setting).rows]


# --- playing ------------------------------------------------------------------------------------------------------


def run(
    setting: Setting,
    codes: list[str],
    games: int,
    path: Path | None,
    pool: Pool,
    after_each: Callable[[], None],
    against: str = "",
) -> list[Played]:
    """Play what is missing of `games` games a pairing; all of them, in order."""
    wanted = [Task(a, b, n) for n in range(games) for a, b in pairings(codes, setting.players, against)]
    log = log_of(path, setting) if path else None
    before = [Played(**row) for row in log.rows] if log else []
    done = {Task(p.lone, p.field, p.number): p for p in before}
    if log:
        log.open()
    for _, one in pool.results(partial(play_task, setting), [task for task in wanted if task not in done]):
        done[Task(one.lone, one.field, one.number)] = one
        if log:
            log.add(asdict(one))
        after_each()
    return [done[task] for task in wanted]


# --- what came of it ----------------------------------------------------------------------------------------------


def summary(played: list[Played], players: int) -> list[Line]:
    """A line for each pairing."""
    groups: dict[tuple[str, str], list[Played]] = {}
    for one in played:
        groups.setdefault((one.lone, one.field), []).append(one)
    lines = []
    for (lone, field), games in groups.items():
        share = sum(one.share for one in games) / len(games)
        low, high = interval(share, len(games))
        choices = sum(one.lone_time[0] for one in games)
        ms = 1000 * sum(one.lone_time[1] for one in games) / choices if choices else 0.0
        lines.append(Line(lone, field, len(games), share, low, high, 1 / players, ms))
    return lines


def ratings(played: list[Played], codes: list[str]) -> list[Rating]:
    """The bots' ratings after these games, the best first."""
    tables = []
    for one in played:
        at = one.number % len(one.places)
        tables.append(([one.lone if seat == at else one.field for seat in range(len(one.places))], one.places))
    return rated(tables, codes)


def rated(tables: list[tuple[list[str], list[int]]], codes: list[str]) -> list[Rating]:
    """openskill's Plackett-Luce ratings from who sat where and everybody's place, game by game in order; who sits at
    several seats gets their mean. The best first."""
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
