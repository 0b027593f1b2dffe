"""Shared parts of all commands: arguments and their errors. Wrong input gets a sentence, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer
from rich.markup import escape
from typer.core import TyperCommand

from landfall.core import options as opt
from landfall.core.errors import LandfallError, OptionError
from landfall.core.game import Game, usual_player_count
from landfall.core.languages import LANGUAGES
from landfall.core.text_catalogue import translate
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.lab.command_progress import ProgressReport
from landfall.lab.worker_pool import AUTO_ADDRESS
from landfall.terminal.safe_console import SafeConsole

out = SafeConsole(highlight=False)
err = SafeConsole(stderr=True, highlight=False)
EXIT_BAD_INPUT: Final = 2  # exit code: the arguments were wrong
EXIT_FAILED: Final = 1  # exit code: the command ran and found a problem
EXIT_INTERRUPTED: Final = 130  # exit code: Ctrl-C, as shells have it

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of {', '.join(GAME_NAMES)}.")]
Players = Annotated[int | None, typer.Option(help="How many play. Default: four, where four can.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A rule option; @FILE reads a JSON file.")
]
Ray = Annotated[
    str | None,
    typer.Option(metavar="[ADDRESS]", help="On a Ray cluster: its address; none: the one that runs here; or local."),
]
Language = Annotated[str, typer.Option(help=f"One of {', '.join(LANGUAGES)}.")]


class RayCommand(TyperCommand):
    """A command whose `--ray` may come without an address, which Typer does not support."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        alone = [i for i, arg in enumerate(args) if arg == "--ray" and "".join(args[i + 1 : i + 2])[:1] in ("", "-")]
        for i in reversed(alone):
            args.insert(i + 1, AUTO_ADDRESS)
        return super().parse_args(ctx, args)


def exit_with_error(sentence: str, code: int = EXIT_BAD_INPUT) -> NoReturn:
    """Print the error and exit."""
    err.print(f"landfall: {escape(sentence)}", soft_wrap=True)
    raise typer.Exit(code)


@contextmanager
def exit_on_errors(language: str = "en", code: int = EXIT_BAD_INPUT) -> Iterator[None]:
    """Exit with the sentence of any error that the engine raises inside."""
    try:
        yield
    except OptionError as error:
        exit_with_error("; ".join(translate(language, key, args) for _, key, args, _ in error.problems), code)
    except LandfallError as error:
        exit_with_error(str(error) if language == "en" else translate(language, error.key, error.arguments), code)


def parse_game_and_options(
    name: str, players: int | None, settings: list[str] | None, language: str = "en"
) -> tuple[Game, int, dict[str, Any]]:
    """The game, the number of players and the options, if they are valid."""
    with exit_on_errors(language):
        game = find_game(name)
        count = players if players is not None else usual_player_count(game.player_counts)
        options = parse_option_settings(game, settings or [])
        opt.validate_and_fill_defaults(game.options, game.player_counts, count, options)
    return game, count, options


def parse_option_settings(game: Game, settings: list[str]) -> dict[str, object]:
    """`option=value` texts as options; their values are validated later, all together."""
    options: dict[str, object] = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign:
            exit_with_error(f"--set {text}: write OPTION=VALUE")
        if name in options:
            exit_with_error(f"--set {text}: {name} is given twice")
        option = opt.find_option(game.options, name)
        if value.startswith("@"):
            options[name] = read_json_file(Path(value[1:]))
        else:
            options[name] = option.parse_value(value) if option else value
    return options


def read_text_file(path: Path) -> str:
    """A file's text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        exit_with_error(f"{path} is no text file (UTF-8)", EXIT_FAILED)
    except OSError as error:
        exit_with_error(f"{path} cannot be read: {error.strerror}")


def read_json_file(path: Path) -> object:
    """A JSON file's content."""
    try:
        return json.loads(read_text_file(path))
    except (ValueError, RecursionError) as error:
        exit_with_error(f"{path} is no JSON: {error}")


def require_known_language(name: str) -> str:
    """An existing language."""
    if name not in LANGUAGES:
        exit_with_error(f"there is no language {name!r}; there are {', '.join(LANGUAGES)}")
    return name


def make_progress_report(title: str, total: float) -> ProgressReport:
    """The progress of a long command, on standard error."""
    return ProgressReport(title, total, err)
