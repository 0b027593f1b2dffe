"""landfall study: a game played by bots over player counts and options, and a report about it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from landfall.cli.common import FAILED, GameName, Ray, out, progress, sentences, stop
from landfall.games import game as find_game
from landfall.lab import report
from landfall.lab import study as studies
from landfall.lab.peeking import lab_bot
from landfall.lab.pool import pool


def study(
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
    """Let bots play a game over player counts and options, and write what a designer wants to know of it."""
    with sentences():
        rules = find_game(game)
        lab_bot(bot)
    wanted = [int(n) for n in players.split(",") if n.strip().isdigit()] if players else list(rules.counts)
    if not wanted or any(n not in rules.counts for n in wanted):
        stop(f"--players {players}: {rules.name} is played by {', '.join(map(str, rules.counts))}")
    every = studies.setups(rules.name, sorted(set(wanted)))
    about = studies.Study(rules.name, bot, seed)
    with sentences(code=FAILED), pool(cores, ray) as workers, progress() as bar:
        task = bar.add_task(rules.name, total=games * len(every))
        found = studies.run(about, every, games, log, workers, lambda more: bar.advance(task, more))
    reading = report.Reading(about, found)
    to.mkdir(parents=True, exist_ok=True)
    for ending, text in (("html", report.html(reading)), ("md", report.markdown(reading))):
        path = to / f"{rules.name}.{ending}"
        path.write_text(text, encoding="utf-8")
        out.print(f"written: {escape(str(path))}", soft_wrap=True)
