"""landfall study: bot matches over player counts and options, and a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from landfall.cli.common import EXIT_FAILED, GameName, Ray, exit_on_errors, exit_with_error, make_progress_report, out
from landfall.games import game as find_game
from landfall.lab.experiments import game_statistics_study as studies
from landfall.lab.experiments import study_report
from landfall.lab.experiments.peeking_bot import make_lab_bot
from landfall.lab.worker_pool import make_pool


def write_game_study(
    game: GameName,
    to: Annotated[Path, typer.Option("--out", help="The folder for GAME.html and GAME.md.")] = Path("."),
    bot: Annotated[str, typer.Option(help="The code of the bot on every seat.")] = "greedy",
    players: Annotated[str, typer.Option(help="Numbers of players, with commas. Default: all.")] = "",
    games: Annotated[int, typer.Option(min=10, help="How many matches for each set-up.")] = 400,
    seed: Annotated[int, typer.Option(help="Every match gets its own seed from this one.")] = 1,
    log: Annotated[Path | None, typer.Option(help="Keep what is played here, and go on from what is there.")] = None,
    cores: Annotated[int, typer.Option(min=0, help="How many matches at once. Default: one a core.")] = 0,
    ray: Ray = None,
) -> None:
    """Let bots play a game over player counts and options, and write a report for its designer."""
    with exit_on_errors():
        rules = find_game(game)
        make_lab_bot(bot)
    wanted = [int(n) for n in players.split(",") if n.strip().isdigit()] if players else list(rules.player_counts)
    if not wanted or any(n not in rules.player_counts for n in wanted):
        exit_with_error(f"--players {players}: {rules.name} is played by {', '.join(map(str, rules.player_counts))}")
    every = studies.list_setups(rules.name, sorted(set(wanted)))
    about = studies.Study(rules.name, bot, seed)
    total = games * len(every)
    with (
        exit_on_errors(code=EXIT_FAILED),
        make_pool(cores, ray) as workers,
        make_progress_report(rules.name, total) as bar,
    ):
        found = studies.run_study(about, every, games, log, workers, bar.advance)
    reading = study_report.StudyResults(about, found)
    to.mkdir(parents=True, exist_ok=True)
    for ending, text in (("html", study_report.render_html(reading)), ("md", study_report.render_markdown(reading))):
        path = to / f"{rules.name}.{ending}"
        path.write_text(text, encoding="utf-8")
        out.print(f"written: {escape(str(path))}", soft_wrap=True)
