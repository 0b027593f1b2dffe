"""landfall check-game | new-game: for authors of games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from landfall.cli.common import EXIT_FAILED, exit_on_errors, exit_with_error, out
from landfall.game_checks.check_game import check_game
from landfall.game_checks.small_game_template import write_small_game
from landfall.games import find_or_register_game


def check_own_game(
    package: Annotated[str, typer.Argument(help="An installed game, or the folder of a package with one.")],
) -> None:
    """Check a game: contract, secrets, texts and more. A line for each says what is missing and where to read."""
    if not __debug__:
        exit_with_error("the checks are assertions, and Python runs without them: unset PYTHONOPTIMIZE")
    with exit_on_errors():
        name = find_or_register_game(package)
    missing = 0
    for one in check_game(name):
        missing += not one.is_kept
        mark, read = ("[green]ok[/]     ", "") if one.is_kept else ("[red]missing[/]", f" Read {one.read}.")
        out.print(f"{mark} {one.subject}: {escape(one.sentence + read)}", soft_wrap=True)
    if missing:
        raise typer.Exit(EXIT_FAILED)


def write_new_game(
    name: Annotated[str, typer.Argument(help="Small letters, digits and _; the id of the game.")],
    to: Annotated[Path, typer.Option("--out", help="Where the folder NAME is made.")] = Path("."),
) -> None:
    """Write a small game in one file, as a package that plays at once, to begin your own with."""
    folder = to / name
    if folder.exists():
        exit_with_error(f"{folder} is there already")
    with exit_on_errors():
        written = write_small_game(name, folder)
    for path in written:
        out.print(f"written: {escape(str(path))}", soft_wrap=True)
    where = escape(str(folder))
    out.print(f"check it: landfall check-game {where}\nplay it:  uv pip install --no-deps -e {where}", soft_wrap=True)
