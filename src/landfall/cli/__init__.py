"""The command line: landfall play | serve | sim | replay | ladder | ..., one module per group of commands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import landfall
from landfall import host
from landfall.cli import bots, lab, leaderboard, matches, puzzles, server, studies
from landfall.cli.common import RayCommand, exit_on_errors
from landfall.cli.config_file import apply_configuration

app = typer.Typer(
    name="landfall",
    help="Three board games about a sinking Atlantis: play them, let bots play them, look into them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(host.app, name="host")
app.add_typer(puzzles.app, name="puzzles")
app.add_typer(leaderboard.app, name="leaderboard")


@app.callback(invoke_without_command=True)
def common(
    version: Annotated[bool, typer.Option("--version", help="Version and engine.")] = False,
    config: Annotated[
        Path | None,
        typer.Option(envvar="LANDFALL_CONFIG", help="A TOML file with options of `serve`, for servers and hosts."),
    ] = None,
) -> None:
    """Handles what all commands share."""
    if config is not None:
        with exit_on_errors():
            apply_configuration(config)
    if version:
        typer.echo(f"landfall {landfall.__version__}, engine {landfall.ENGINE}")
        raise typer.Exit


app.command(cls=RayCommand)(lab.sim)
app.command(cls=RayCommand)(lab.gather)
app.command(cls=RayCommand)(bots.ladder)
app.command(cls=RayCommand)(studies.study)
for command in (
    lab.bench,
    lab.rules,
    matches.replay,
    matches.play,
    server.serve,
    server.bots,
    server.types,
    bots.think,
    bots.bot,
):
    app.command()(command)
app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(
    bots.train
)


def main() -> None:
    """The console entry."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Cyrillic still gets an answer
    app()
