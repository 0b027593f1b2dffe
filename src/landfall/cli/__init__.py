"""The command line: landfall play | serve | sim | replay | ladder | ..., one module per group of commands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import landfall
from landfall.cli import bots, games, host, lab, leaderboard, matches, puzzles, server, studies, texts
from landfall.cli.common import RayCommand, exit_on_errors
from landfall.cli.config_file import set_missing_environment_from_file

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
app.add_typer(texts.app, name="texts")


@app.callback(invoke_without_command=True)
def handle_common_options(
    version: Annotated[bool, typer.Option("--version", help="Version, engine and kernels.")] = False,
    config: Annotated[
        Path | None,
        typer.Option(envvar="LANDFALL_CONFIG", help="A TOML file with options of `serve`, for servers and hosts."),
    ] = None,
) -> None:
    """Handles what all commands share."""
    if config is not None:
        with exit_on_errors():
            set_missing_environment_from_file(config)
    if version:
        from landfall.kernels.host import games_with_kernels

        kernels = f"kernels {', '.join(games_with_kernels()) or 'none'}"
        typer.echo(f"landfall {landfall.__version__}, engine {landfall.ENGINE}, {kernels}")
        raise typer.Exit


app.command("sim", cls=RayCommand)(lab.run_simulation)
app.command("gather", cls=RayCommand)(lab.gather_dataset)
app.command("ladder", cls=RayCommand)(bots.play_bot_ladder)
app.command("study", cls=RayCommand)(studies.write_game_study)
app.command("bench")(lab.measure_engine_or_server_speed)
app.command("rules")(lab.list_rules_and_tests)
app.command("replay")(matches.show_recorded_match)
app.command("play")(matches.play_match)
app.command("serve")(server.serve_tables)
app.command("bots")(server.serve_bots_on_bus)
app.command("types")(server.print_or_write_message_types)
app.command("check-game")(games.check_own_game)
app.command("new-game")(games.write_new_game)
app.command("think")(bots.show_bot_analysis)
app.command("bot")(bots.play_own_bot_on_server)
app.command(
    "train", add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)(bots.train_net)


def main() -> None:
    """The console entry."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Cyrillic still gets an answer
    app()
