"""The strength of the levels at tables of two to six, without and with all expansions; all levels sit at each table.

python -m bench.levels --seconds 3600            play on: every table gets its next game in turn
python -m bench.levels --page                    write the tables into docs/strength.md
python -m bench.levels --ratings                 write the ratings that leaderboards show into the games' folders

The games are stored in bench/results/levels, one file per table, so that later runs can add to them; games of a level
that has changed since do not count. The slowest level gets a quarter of its time, to play more games.
"""

import argparse
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from landfall.bots import levels as bots
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.lab.experiments import ladder as lad
from landfall.lab.experiments.peeking_bot import make_lab_bot
from landfall.lab.experiments.result_log import ResultLog
from landfall.lab.experiments.simulation import play_with_bots, seat_rngs, seed_of_game, wilson_interval
from landfall.lab.worker_pool import make_pool
from landfall.paths import level_ratings_file
from landfall.tables.ratings.bot_level_ratings import MIN_LEVEL_MATCHES
from landfall.tables.ratings.rating_model import table_size_class

LOGS = Path("bench/results/levels")
PAGE = Path("docs/strength.md")
BEGIN, END = "<!-- levels: python -m bench.levels --page -->", "<!-- end of levels -->"
SEED = 611  # deals used for nothing else
LEVELS = tuple(bots.LEVELS)
CODES = {"kraken": "kraken:ms=200"}  # a quarter of 800 ms
TITLES = {level: f"{CODES.get(level, level)} v{bots.LEVELS[level].version}" for level in LEVELS}
ALL_EXPANSIONS: dict[str, object] = {"dolphins": True, "squid": "with_whales"}
QUICK_PARTY = ("marlin", "mackerel", "sprat")  # fast enough for many games
FULL_PARTY = ("kraken", "leviathan", "marlin", "mackerel", "sprat", "marlin")


@dataclass(frozen=True)
class Table:
    """A table at which the levels meet."""

    game: str
    players: int
    full: bool

    def log(self) -> ResultLog:
        """The file of its games."""
        name = f"{self.game}-{self.players}{'-full' if self.full else ''}.jsonl"
        about = {"rules": find_game(self.game).rules_version, "players": self.players, "full": self.full, "seed": SEED}
        return ResultLog(LOGS / name, "levels", {"game": self.game, **about})

    def games_of_current_versions(self) -> list[dict[str, Any]]:
        """Its games that were played by the levels' current versions."""
        return [
            row for row in self.log().rows if all(TITLES[code.split(":")[0].split()[0]] == code for code in row["bots"])
        ]

    def parties(self, quick: bool) -> list[tuple[str, ...]]:
        """The levels at one table; at two players, each with the level below."""
        if self.players == 2:
            return [("marlin", "mackerel"), ("mackerel", "sprat")] if quick else [FULL_PARTY[:2], FULL_PARTY[1:3]]
        if quick:
            return [tuple(QUICK_PARTY[i % len(QUICK_PARTY)] for i in range(self.players))]
        return [FULL_PARTY[: self.players]]


@dataclass(frozen=True)
class Task:
    """One game; its number determines the levels, their order and the deal."""

    table: Table
    party: tuple[str, ...]
    number: int

    def seats(self) -> list[str]:
        """Every deal is played with every level at every seat."""
        turn = self.number % len(self.party)
        return [*self.party[turn:], *self.party[:turn]]


TABLES = [
    *(Table("survive", players, full) for players in (2, 3, 4, 5, 6) for full in (False, True)),
    *(Table(game, players, False) for game in ("atlantis", "atlandice") for players in (2, 3, 4)),
]


def play_task(task: Task) -> dict[str, Any]:
    """Play it: the levels by seat and everybody's place."""
    table, seats = task.table, task.seats()
    options = ALL_EXPANSIONS if table.full else {}
    state = find_game(table.game).new(table.players, options)
    players = [make_lab_bot(CODES.get(level, level)) for level in seats]
    rngs = seat_rngs(seed_of_game(SEED + 1, task.number), table.players)
    play_with_bots(
        state, table.game, Rng(seed_of_game(SEED, task.number // table.players)), players, rngs, options=options
    )
    who = {"seats": seats, "bots": sorted({TITLES[level] for level in seats})}
    return {"number": task.number, "party": list(task.party), **who, "places": lad.final_places_by_seat(state)}


def missing_tasks(quick: bool, games: int) -> list[Task]:
    """The missing games, table by table in turn."""
    found = []
    for table in TABLES:
        done = {(row["number"], tuple(row["party"])) for row in table.games_of_current_versions()}
        for party in table.parties(quick):
            found += [Task(table, party, n) for n in range(games) if (n, party) not in done]
    return sorted(found, key=lambda task: task.number)


def play_tasks(tasks: list[Task], cores: int, seconds: float) -> None:
    """Play these until time is up."""
    logs = {table: table.log() for table in TABLES}
    for log in logs.values():
        log.rewrite_file()
    until = monotonic() + seconds
    with make_pool(cores) as workers:
        for task, row in zip(tasks, workers.in_order(partial(play_task), tasks), strict=False):
            logs[task.table].add(row)
            print(task.table, *row["seats"], row["places"], flush=True)
            if monotonic() > until:
                break


# --- the page -----------------------------------------------------------------------------------------------------


def win_share(rows: list[dict[str, Any]], level: str) -> str:
    """The share of the games that a seat of that level won, with its interval."""
    won = [1 / row["places"].count(1) if place == 1 else 0.0 for row, place in seats_of_level(rows, level)]
    if not won:
        return ""
    mean = sum(won) / len(won)
    low, high = wilson_interval(mean, len(rows))  # two seats of one game add little information
    return f"{mean:.0%} ({low:.0%} – {high:.0%})"


def seats_of_level(rows: list[dict[str, Any]], level: str) -> list[tuple[dict[str, Any], int]]:
    """Each seat of that level: the game and its place."""
    return [(row, p) for row in rows for name, p in zip(row["seats"], row["places"], strict=True) if name == level]


def render_page() -> str:
    """Render both tables."""
    names = " | ".join(f"`{level}`" for level in LEVELS)
    shares = [
        f"| game | players | expansions | games | par | {names} |",
        "|---|---:|---|---:|---:|---|---|---|---|---|",
    ]
    ratings = [f"| game | players | expansions | games | {names} |", "|---|---:|---|---:|---:|---:|---:|---:|---:|"]
    for table in TABLES:
        rows = table.games_of_current_versions()
        if not rows:
            continue
        about = f"| {table.game} | {table.players} | {'all' if table.full else 'none'} |"
        for party in [*table.parties(quick=True), *table.parties(quick=False)]:
            some = [row for row in rows if tuple(row["party"]) == party]
            if some:
                cells = " | ".join(win_share(some, level) for level in LEVELS)
                shares.append(f"{about} {len(some)} | {1 / table.players:.0%} | {cells} |")
        games = [(row["seats"], row["places"]) for row in sorted(rows, key=lambda row: row["number"])]
        there = [level for level in LEVELS if any(level in row["seats"] for row in rows)]
        known = {r.code: f"{r.mu:.1f} ± {r.sigma:.1f}" for r in lad.rate_bots_from_tables(games, there)}
        ratings.append(f"{about} {len(rows)} | {' | '.join(known.get(level, '') for level in LEVELS)} |")
    return "\n\n".join(["\n".join(shares), "openskill, Plackett-Luce, from all of these games:", "\n".join(ratings)])


def render_ratings(game: str) -> str:
    """The levels' ratings in a game by class of table sizes, without expansions: mean, deviation, matches."""
    known: dict[str, dict[str, list[float]]] = {}
    for size in dict.fromkeys(table_size_class(table.players) for table in TABLES if table.game == game):
        tables = [t for t in TABLES if (t.game, table_size_class(t.players), t.full) == (game, size, False)]
        rows = sorted(
            (row for table in tables for row in table.games_of_current_versions()), key=lambda row: row["number"]
        )
        rated = lad.rate_bots_from_tables([(row["seats"], row["places"]) for row in rows], list(LEVELS))
        played = {level: sum(level in row["seats"] for row in rows) for level in LEVELS}
        known[str(size)] = {
            one.code: [round(one.mu, 3), round(one.sigma, 3), played[one.code]]
            for one in rated
            if played[one.code] >= MIN_LEVEL_MATCHES
        }
    return json.dumps(known, indent=1) + "\n"


def main() -> None:
    """Play, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0, help="begin no more games after so long")
    parser.add_argument("--quick", action="store_true", help="without the two strongest levels")
    parser.add_argument("--games", type=int, default=60, help="not more than so many a table")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--ratings", action="store_true")
    given = parser.parse_args()
    if given.seconds:
        play_tasks(missing_tasks(given.open_quick_table, given.games), given.cores, given.seconds)
    if given.page:
        text = PAGE.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n\n{render_page()}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    if given.ratings:
        for game in dict.fromkeys(table.game for table in TABLES):
            level_ratings_file(game).write_text(render_ratings(game), encoding="utf-8")


if __name__ == "__main__":
    main()
