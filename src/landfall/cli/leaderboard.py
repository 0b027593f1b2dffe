"""landfall leaderboard show | add | verify: results of bots that anybody can repeat."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape
from rich.table import Table

from landfall.cli.common import (
    EXIT_FAILED,
    GameName,
    Settings,
    err,
    exit_on_errors,
    exit_with_error,
    make_progress_report,
    out,
    parse_game_and_options,
)
from landfall.core.rng import Rng
from landfall.lab.experiments import ladder as lad
from landfall.lab.experiments import leaderboard as board
from landfall.lab.worker_pool import make_pool

DEFAULT_FILE: Final = Path("research/leaderboard.jsonl")
ELSEWHERE: Final = "run this in a checkout, or name another file with --file"
File = Annotated[Path, typer.Option("--file", help="The leaderboard.")]
Cores = Annotated[int, typer.Option(min=0, help="How many games at once. Default: one a core.")]
app = typer.Typer(help="Results of bots that anybody can repeat from their seeds.", no_args_is_help=True)


@app.command("show")
def print_leaderboard(
    file: File = DEFAULT_FILE,
    markdown: Annotated[bool, typer.Option(help="The table as Markdown.")] = False,
) -> None:
    """Print all results."""
    head = ["game", "players", "options", "bot", "against", "games", "wins"]
    cells = [format_leaderboard_cells(row) for row in read_leaderboard_or_exit(file)]
    if markdown:
        typer.echo("\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *cells]))
        return
    table = Table(title=str(file))
    for name in head:
        table.add_column(name)
    for line in cells:
        table.add_row(*map(escape, line))
    out.print(table)


def format_leaderboard_cells(row: board.LeaderboardRow) -> list[str]:
    """The cells of a row."""
    low, high = row.interval
    options = " ".join(f"{name}={value}" for name, value in row.options.items())
    share = f"{row.share:.1%} ({low:.1%} – {high:.1%})"
    bots = [f"{row.bot} v{row.version}", f"{row.against} v{row.against_version}"]
    return [row.game, str(row.players), options or "none", *bots, str(row.games), share]


def read_leaderboard_or_exit(file: Path) -> list[board.LeaderboardRow]:
    """The rows of the file, or exit."""
    if not file.is_file():
        exit_with_error(f"there is no file {file}: {ELSEWHERE}")
    with exit_on_errors():
        return board.read_leaderboard(file)


@app.command("add")
def add_leaderboard_result(
    game: GameName,
    bot: Annotated[str, typer.Option(help="The bot's code, as everywhere.")],
    against: Annotated[str, typer.Option(help="The bot at all other seats.")] = "greedy",
    players: Annotated[int, typer.Option(help="How many play.")] = 2,
    games: Annotated[int, typer.Option(min=2, help="How many: whole deals, each from every seat.")] = 400,
    seed: Annotated[int, typer.Option(help="Every deal gets its own seed from this one.")] = 17,
    settings: Settings = None,
    file: File = DEFAULT_FILE,
    cores: Cores = 0,
) -> None:
    """Play a pairing and add its result. A bot that chooses otherwise the second time is refused."""
    rules, count, options = parse_game_and_options(game, players, settings)
    if file.exists():
        read_leaderboard_or_exit(file)  # a file that cannot be extended is refused before the games are played
    elif not file.parent.is_dir():
        exit_with_error(f"there is no folder {file.parent}: {ELSEWHERE}")
    setting = lad.LadderSetting(rules.name, count, options, seed)
    with (
        exit_on_errors(code=EXIT_FAILED),
        make_pool(cores, None) as workers,
        make_progress_report(rules.name, games + count) as bar,
    ):
        row = board.play_repeatable_pairing(
            setting, bot, against, games, workers, lambda done: bar.update(done, f"{bot}, {against}")
        )
        board.add_or_replace_row(file, row)
    out.print(escape("; ".join(format_leaderboard_cells(row))))


@app.command("verify")
def verify_leaderboard_results(
    file: File = DEFAULT_FILE,
    sample: Annotated[int, typer.Option(min=0, help="Only so many games of a row, drawn at random; 0: all.")] = 0,
    seed: Annotated[int, typer.Option(help="Which games are drawn.")] = 1,
    bot: Annotated[str, typer.Option(help="Only the rows of this bot.")] = "",
    cores: Cores = 0,
) -> None:
    """Play the games again from their seeds; fails if one ends otherwise."""
    rows = [row for row in read_leaderboard_or_exit(file) if bot in ("", row.bot)]
    if not rows:
        exit_with_error(f"{file} has no row of {bot}" if bot else f"{file} is empty")
    faults: list[str] = []
    numbers = [sample_game_numbers(row, sample, seed + i) for i, row in enumerate(rows)]
    total, before = sum(map(len, numbers)), 0
    with (
        exit_on_errors(code=EXIT_FAILED),
        make_pool(cores, None) as workers,
        make_progress_report(str(file), total) as bar,
    ):
        for row, some in zip(rows, numbers, strict=True):
            outdated = board.why_not_repeatable(row)
            if outdated:
                faults.append(f"{row.title}: {outdated}")
                continue
            start, title = before, row.title
            wrong = board.find_games_that_end_otherwise(
                row,
                some,
                workers,
                lambda done, s=start, t=title: bar.update(s + done, t),  # type: ignore[misc]
            )
            before += len(some)
            if wrong:
                shown = ", ".join(map(str, wrong[:5]))
                faults.append(f"{row.title}: {len(wrong)} of {len(some)} games ended otherwise: {shown}")
    for fault in faults:
        err.print(escape(fault), soft_wrap=True)
    if faults:
        raise typer.Exit(EXIT_FAILED)
    out.print(f"{len(rows)} results, {total:,} games played again: all the same")


def sample_game_numbers(row: board.LeaderboardRow, sample: int, seed: int) -> list[int]:
    """The games of a row that are played again."""
    numbers = list(range(row.games))
    if not sample or sample >= row.games:
        return numbers
    rng = Rng(seed)
    return sorted(numbers.pop(int(rng.randbelow(len(numbers)))) for _ in range(sample))
