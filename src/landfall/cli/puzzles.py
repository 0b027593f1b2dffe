"""landfall puzzles: find puzzles in bot matches, and select those that a check confirmed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from landfall import paths
from landfall.cli.common import EXIT_FAILED, GameName, Ray, RayCommand, exit_on_errors, make_progress_report, out
from landfall.core import puzzle
from landfall.games import game as find_game
from landfall.lab.experiments import puzzle_check, puzzle_mining
from landfall.lab.worker_pool import make_pool

app = typer.Typer(help="Puzzles: positions of which one choice is clearly the best.", no_args_is_help=True)


@app.command("make", cls=RayCommand)
def mine_puzzles_into_file(
    game: GameName,
    count: Annotated[int, typer.Option(min=1, help="How many puzzles to choose.")] = 150,
    seed: Annotated[int, typer.Option(help="Every match gets its own seed from this one.")] = 1,
    to: Annotated[Path | None, typer.Option("--out", help="The file. Default: the game's own.")] = None,
    log: Annotated[Path | None, typer.Option(help="Keep what is found here, and go on from what is there.")] = None,
    easy: Annotated[
        int, typer.Option(min=0, max=100, help="Percent of the candidates that greedy solves to examine.")
    ] = puzzle_mining.EASY_CANDIDATES_PERCENT,
    cores: Annotated[int, typer.Option(min=0, help="How many matches at once. Default: one a core.")] = 0,
    ray: Ray = None,
) -> None:
    """Let bots play until enough puzzles are found, and write them to a file."""
    with exit_on_errors():
        rules = find_game(game)
    path = to or paths.puzzles_file(rules.name)
    with (
        exit_on_errors(code=EXIT_FAILED),
        make_pool(cores, ray) as workers,
        make_progress_report(rules.name, count) as bar,
    ):
        mine = puzzle_mining.MiningRun(rules.name, seed, easy)
        found, matches = puzzle_mining.mine_puzzles(
            mine, count, log, workers, lambda n: bar.update(n, f"{n} puzzles found")
        )
    path.write_text(puzzle.format_puzzle_file(found), encoding="utf-8")
    greedy = sum(one.greedy for one in found)
    themes = ", ".join(f"{name} {n}" for name, n in puzzle_mining.count_puzzles_by_theme(found).items())
    out.print(f"{escape(str(path))}: {len(found)} puzzles of {matches} matches; greedy finds {greedy}; {themes}")


@app.command("select")
def select_confirmed_puzzles(
    game: GameName,
    checked: Annotated[Path, typer.Option(help="The results of `python -m bench.check_puzzles`: a folder.")],
    found: Annotated[list[Path] | None, typer.Option(help="Logs of `make` to replace dropped puzzles from.")] = None,
    count: Annotated[int, typer.Option(min=1, help="How many puzzles to choose.")] = 150,
    to: Annotated[Path | None, typer.Option("--out", help="The file. Default: the game's own.")] = None,
) -> None:
    """Keep the puzzles that a check confirmed, and fill up from those found since."""
    with exit_on_errors():
        rules = find_game(game)
        rows = [json.loads(line) for line in (checked / f"{rules.name}.jsonl").read_text("utf-8").splitlines()]
        mined = [one for log in found or [] for one in puzzle_mining.read_puzzles_of_mining_log(rules.name, log)]
    confirmed = {row["id"] for row in rows if row["verdict"] == puzzle_check.CONFIRMED}
    chosen = puzzle_mining.assemble_checked_puzzles(rules.name, mined, confirmed, count)
    path = to or paths.puzzles_file(rules.name)
    path.write_text(puzzle.format_puzzle_file(chosen), encoding="utf-8")
    out.print(f"{escape(str(path))}: {len(chosen)} puzzles; {len(confirmed)} of {len(rows)} were confirmed")
