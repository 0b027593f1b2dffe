"""landfall puzzles: find puzzles in bot matches, and verify their solutions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from landfall import paths
from landfall.cli.common import EXIT_FAILED, GameName, Ray, RayCommand, exit_on_errors, make_progress_bar, out
from landfall.core import puzzle
from landfall.games import game as find_game
from landfall.lab.experiments import puzzle_mining
from landfall.lab.worker_pool import make_pool

app = typer.Typer(help="Puzzles: positions of which one choice is clearly the best.", no_args_is_help=True)


@app.command(cls=RayCommand)
def make(
    game: GameName,
    count: Annotated[int, typer.Option(min=1, help="How many puzzles to choose.")] = 150,
    seed: Annotated[int, typer.Option(help="Every match gets its own seed from this one.")] = 1,
    to: Annotated[Path | None, typer.Option("--out", help="The file. Default: the game's own.")] = None,
    log: Annotated[Path | None, typer.Option(help="Keep what is found here, and go on from what is there.")] = None,
    cores: Annotated[int, typer.Option(min=0, help="How many matches at once. Default: one a core.")] = 0,
    ray: Ray = None,
) -> None:
    """Let bots play until enough puzzles are found, and write them to a file."""
    with exit_on_errors():
        rules = find_game(game)
    path = to or paths.puzzles_file(rules.name)
    with exit_on_errors(code=EXIT_FAILED), make_pool(cores, ray) as workers, make_progress_bar() as bar:
        task = bar.add_task(rules.name, total=count)
        mine = puzzle_mining.MiningRun(rules.name, seed)
        found, matches = puzzle_mining.mine_puzzles(mine, count, log, workers, lambda n: bar.update(task, completed=n))
    path.write_text(puzzle.format_puzzles(found), encoding="utf-8")
    greedy = sum(one.greedy for one in found)
    themes = ", ".join(f"{name} {n}" for name, n in puzzle_mining.count_themes(found).items())
    out.print(f"{escape(str(path))}: {len(found)} puzzles of {matches} matches; greedy finds {greedy}; {themes}")


@app.command(cls=RayCommand)
def check(
    game: GameName,
    count: Annotated[int, typer.Option(min=1, help="How many puzzles are drawn.")] = 30,
    effort: Annotated[int, typer.Option(min=1, help="How many times the worlds they were found with.")] = 4,
    seed: Annotated[int, typer.Option(help="Which are drawn, and all that is imagined.")] = 1,
    cores: Annotated[int, typer.Option(min=0, help="How many at once. Default: one a core.")] = 0,
    ray: Ray = None,
) -> None:
    """Verify randomly chosen puzzles with more effort: do their solutions hold?"""
    with exit_on_errors():
        rules = find_game(game)
    jobs = puzzle_mining.sample_puzzles(rules.name, count, effort, seed)
    with exit_on_errors(code=EXIT_FAILED), make_pool(cores, ray) as workers, make_progress_bar() as bar:
        task = bar.add_task(rules.name, total=len(jobs))
        found = []
        for _, one in workers.results(puzzle_mining.recheck_puzzle, jobs):
            found.append(one)
            bar.advance(task)
    for one in found:
        word = "holds" if one.best == one.solution else f"[red]now {escape(one.best)}[/]"
        sure = f"margin {one.margin:.3f} ± {one.error:.3f} in {one.worlds} worlds, was {one.was:.3f}"
        out.print(f"{one.id} {escape(one.solution)}: {word}, {sure}", soft_wrap=True)
    changed = sum(one.best != one.solution for one in found)
    out.print(f"{rules.name}: {changed} of {len(found)} change with {effort} times the effort")
