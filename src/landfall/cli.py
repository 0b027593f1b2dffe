"""The command line: landfall play | serve | sim | replay | rules | bench | host | types, and what cli_bots adds.

Wrong input gets a sentence, never a traceback.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import landfall
from landfall import host, paths, rulebook
from landfall.bots import registry
from landfall.core import options as opt
from landfall.core import record as rec
from landfall.core.errors import LandfallError, OptionError, RecordError
from landfall.core.game import Game
from landfall.core.rng import Rng
from landfall.core.texts import LANGUAGES, say
from landfall.games import NAMES
from landfall.games import game as find_game
from landfall.lab import coverage, speed
from landfall.lab.sim import Result, simulate
from landfall.match import OPEN, Match
from landfall.text.retell import retell
from landfall.text.session import Session

app = typer.Typer(
    name="landfall",
    help="Three board games about a sinking Atlantis: play them, let bots play them, look into them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(host.app, name="host")
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)
INPUT: Final = 2  # exit code: the arguments were wrong
CLIENT: Final = paths.PACKAGE / "web" / "static" / "index.html"  # the browser client, where it has been built
FAILED: Final = 1  # exit code: the work was done and found something wrong

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of {', '.join(NAMES)}.")]
Players = Annotated[int | None, typer.Option(help="How many play. Default: four, where four can.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A rule option; @FILE reads a JSON file.")
]
Language = Annotated[str, typer.Option(help=f"One of {', '.join(LANGUAGES)}.")]


def stop(sentence: str, code: int = INPUT) -> NoReturn:
    """Say what is wrong and end."""
    err.print(f"landfall: {escape(sentence)}", soft_wrap=True)
    raise typer.Exit(code)


@contextmanager
def sentences(language: str = "en", code: int = INPUT) -> Iterator[None]:
    """Whatever the engine refuses inside ends the program with its sentence."""
    try:
        yield
    except OptionError as error:
        stop("; ".join(say(language, key, args) for _, key, args, _ in error.problems), code)
    except LandfallError as error:
        stop(str(error) if language == "en" else say(language, error.key, error.arguments), code)


def checked(
    name: str, players: int | None, settings: list[str] | None, language: str = "en"
) -> tuple[Game, int, dict[str, object]]:
    """The game, the number of players and the options, if they can be played."""
    with sentences(language):
        game = find_game(name)
        count = players if players is not None else speed.usual_players(game.counts)
        options = read_settings(game, settings or [])
        opt.complete(game.options, game.counts, count, options)
    return game, count, options


def read_settings(game: Game, settings: list[str]) -> dict[str, object]:
    """`option=value` texts as options; their values are judged later, all together."""
    options: dict[str, object] = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign:
            stop(f"--set {text}: write OPTION=VALUE")
        if name in options:
            stop(f"--set {text}: {name} is given twice")
        option = opt.find(game.options, name)
        if value.startswith("@"):
            options[name] = read_json(Path(value[1:]))
        else:
            options[name] = option.parse(value) if option else value
    return options


def read_text(path: Path) -> str:
    """A file's text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        stop(f"{path} is no text file (UTF-8)", FAILED)
    except OSError as error:
        stop(f"{path} cannot be read: {error.strerror}")


def read_json(path: Path) -> object:
    """A JSON file's content."""
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        stop(f"{path} is no JSON: {error}")


def language_of(name: str) -> str:
    """A language there is."""
    if name not in LANGUAGES:
        stop(f"there is no language {name!r}; there are {', '.join(LANGUAGES)}")
    return name


def progress() -> Progress:
    """A bar on a terminal, nothing in a pipe."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=err, transient=True, disable=not err.is_terminal)


@app.callback(invoke_without_command=True)
def common(version: Annotated[bool, typer.Option("--version", help="Version and engine.")] = False) -> None:
    """Nothing to do but to tell the version."""
    if version:
        typer.echo(f"landfall {landfall.__version__}, engine {landfall.ENGINE}")
        raise typer.Exit


@app.command()
def sim(
    game: GameName,
    players: Players = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="Every game gets its own seed from this one.")] = 1,
    settings: Settings = None,
    bots: Annotated[str | None, typer.Option(help="One code a seat, with commas. Default: all random.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Let bots play many games and count what came of them."""
    rules, count, options = checked(game, players, settings)
    with sentences():
        table = registry.bots(bots) if bots is not None else None
    if table is not None and len(table) != count:
        stop(f"{len(table)} bots for {count} players: give one a seat")
    with sentences(code=FAILED), progress() as bar:
        task = bar.add_task(rules.name, total=games)
        result = simulate(rules.name, count, games, seed, options, table, lambda: bar.advance(task))
    if as_json:
        typer.echo(json.dumps(sim_report(rules.name, count, result)))
    else:
        names = [bot.name for bot in table] if table else ["random"] * count
        out.print(sim_table(rules, result, names))


def sim_report(game: str, players: int, result: Result) -> dict[str, object]:
    """What `sim --json` prints."""
    return {
        "game": game,
        "players": players,
        "games": result.games,
        "decisions": result.decisions,
        "seconds": result.seconds,
        "games_per_second": result.games / result.seconds,
        "decisions_per_second": result.decisions / result.seconds,
        "compiled": landfall.ENGINE == "compiled",
        "wins": result.wins,
        "mean_scores": result.mean_scores,
    }


def sim_table(game: Game, result: Result, names: list[str]) -> Table:
    """What `sim` prints for people."""
    rate = f"{result.games / result.seconds:,.0f} games/s, {result.decisions / result.seconds:,.0f} decisions/s"
    title = f"{game.name}: {result.games:,} games, {result.decisions:,} decisions in {result.seconds:.2f} s"
    table = Table(title=title, caption=f"{rate}, engine {landfall.ENGINE}")
    for heading in ("seat", "colour", "bot"):
        table.add_column(heading)
    for heading in ("wins", "share", "mean score"):
        table.add_column(heading, justify="right")
    for seat, (name, won, mean) in enumerate(zip(names, result.wins, result.mean_scores)):
        share = f"{won / result.games:.1%}"
        table.add_row(str(seat), game.colours[seat], escape(name), f"{won:,.1f}", share, f"{mean:.2f}")
    return table


@app.command()
def bench(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME | server]", help="Default: every game. `server`: tables over sockets."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="How long each game, or the server, is measured.")] = 1.0,
    tables: Annotated[int, typer.Option(min=1, max=2000, help="server: how many tables of four.")] = 250,
    runs: Annotated[int, typer.Option(min=1, max=10, help="server: how often; the best p99 counts.")] = 3,
) -> None:
    """How fast this engine is here: random play, copies of a position, its bytes; or the whole server under load."""
    if game == "server":
        bench_server(tables, seconds, runs)
        return
    with sentences():
        names = [find_game(game).name] if game else list(NAMES)
    table = Table(title=f"Random play on one core, engine {landfall.ENGINE}")
    table.add_column("game")
    for heading in ("players", "games/s", "decisions/s", "copy", "bytes"):
        table.add_column(heading, justify="right")
    with progress() as bar:
        for name in bar.track(names, description="bench"):
            got = speed.measure(name, seconds)
            row = [f"{got.games_per_second:,.1f}", f"{got.decisions_per_second:,.0f}", f"{got.copy_ns:,.0f} ns"]
            table.add_row(name, str(got.players), *row, str(got.bytes))
    out.print(table)


def bench_server(tables: int, seconds: float, runs: int) -> None:
    """What `bench server` prints."""
    import asyncio
    from statistics import median

    from landfall.web.bench import SEATS, measure

    found, bare, sizes = asyncio.run(measure(tables, seconds, runs))
    title = f"{tables} tables, {tables * SEATS:,} sockets, a choice a second a table, {seconds:g} s, rules and SQLite"
    table = Table(title=title, caption=f"median update {median(sizes or [0]):,.0f} bytes, engine {landfall.ENGINE}")
    table.add_column("run")
    for heading in ("choices", "messages/s", "p50", "p99", "max", "CPU/message", "memory"):
        table.add_column(heading, justify="right")
    for name, run in [*((f"landfall {i + 1}", r) for i, r in enumerate(found)), ("relay", bare)]:
        times = [f"{run.at(share):.1f} ms" for share in (0.5, 0.99, 1)]
        load = [f"{run.moves:,}", f"{run.messages / run.seconds:,.0f}"]
        table.add_row(name, *load, *times, f"{run.cpu_per_message:.0f} µs", f"{run.rss / 2**20:.0f} MiB")
    out.print(table)
    best = min(found, key=lambda run: run.at(0.99))
    ratio = min(run.cpu_per_message for run in found) / bare.cpu_per_message
    out.print(f"p99 of the best run {best.at(0.99):.1f} ms; processor time a message {ratio:.2f} times the relay's")


@app.command()
def rules(game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Default: every game.")] = None) -> None:
    """Every numbered rule, a 2 if it is read a second time, and the tests that prove it; fails if a rule has none."""
    with sentences():
        names = [find_game(game).name] if game else [*NAMES, rulebook.COMMON]
    folder = coverage.tests_dir()
    if folder is None:
        count = sum(len(rulebook.rules(name)) for name in names)
        stop(f"{count} rules; which tests prove them can only be told in a checkout: there are no tests here", FAILED)
    found = coverage.cover(names, folder)
    for rule, tests in found.tests.items():
        twice = "2" if rule in found.second else " "
        out.print(f"{rule:8} {twice} {escape(', '.join(tests)) or '[red]no test[/]'}", soft_wrap=True)
    proven = len(found.tests) - len(found.bare)
    out.print(f"{proven} of {len(found.tests)} rules are proven by tests; {len(found.second)} are read a second time.")
    for fault in found.faults:
        err.print(escape(fault), soft_wrap=True)
    if found.bare:
        err.print(f"No test: {', '.join(found.bare)}", soft_wrap=True)
    if found.bare or found.faults:
        raise typer.Exit(FAILED)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as `play` saves it.")],
    to: Annotated[int | None, typer.Option(min=0, help="Only the first so many actions.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="As this seat may know it. Default: everything.")] = None,
    language: Language = "en",
) -> None:
    """Tell a recorded match in words."""
    tongue = language_of(language)
    text = read_text(file)
    try:
        record = rec.read(text)
        if to is not None:
            record.lines = record.lines[:to]
        match = Match.replay(record.text())
    except RecordError as error:
        stop(f"{file}: {error}", FAILED)
    if seat is not None and seat >= match.players:
        stop(f"there is no seat {seat}; {match.players} play, from seat 0 on")
    retell(match, OPEN if seat is None else seat, tongue, out)


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help=f"One of {', '.join(NAMES)}.")] = None,
    text: Annotated[bool, typer.Option("--text", help="In this terminal.")] = False,
    players: Players = None,
    bots: Annotated[str | None, typer.Option(help="One code for each other seat. Default: all greedy.")] = None,
    settings: Settings = None,
    seed: Annotated[int | None, typer.Option(help="For the same dice again. Default: nobody can know them.")] = None,
    seat: Annotated[int, typer.Option(min=0, help="Your seat; seat 0 starts.")] = 0,
    language: Language = "en",
) -> None:
    """Play: in your browser, on a server of your own; with --text in this terminal, against bots."""
    tongue = language_of(language)
    if not text and not CLIENT.is_file():
        stop("the browser client is not built here (make client); --text plays in this terminal")
    if not text:
        with sentences(tongue, FAILED):
            host.play_in_browser(game and find_game(game).name, out)
        return
    rules, count, options = checked(game or NAMES[0], players, settings, tongue)
    if seat >= count:
        stop(f"there is no seat {seat}; {count} play, from seat 0 on")
    codes = bots if bots is not None else ",".join(["greedy"] * (count - 1))
    with sentences():
        others = registry.bots(codes)
    if len(others) != count - 1:
        stop(f"{len(others)} bots for {count - 1} other players: give one a seat")
    seeded = secrets.randbits(62) if seed is None else seed
    seats = [bot.title for bot in others]
    seats.insert(seat, "you")
    match = Match(rules.name, count, options=options, rng=None if seed is None else Rng(seed), seats=seats)
    with sentences(code=FAILED):
        Session(match, seat, others, seeded, tongue, out).run()


@app.command()
def serve(
    address: Annotated[str, typer.Option("--host", help="Where to listen; 0.0.0.0 for all around you.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
    database: host.Database = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes; more than one need PostgreSQL.")] = 1,
    public_url: Annotated[str | None, typer.Option(help="Where people reach it: https://games.example.org")] = None,
    proxies: Annotated[
        str, typer.Option(help="Addresses of proxies to be believed about their clients.")
    ] = "127.0.0.1",
    bot_codes: Annotated[
        bool, typer.Option("--bot-codes", help="Let people play codes such as mcts:ms=300, not only the levels.")
    ] = False,
) -> None:
    """Serve tables over the net, for browsers and programs."""
    from landfall.web.serve import Serving
    from landfall.web.serve import serve as run

    if public_url is not None and not public_url.startswith(("http://", "https://")):
        stop(f"--public-url {public_url}: write it with http:// or https://")
    with sentences(code=FAILED):
        run(Serving(address, port, database, workers, public_url, proxies, bot_codes=bot_codes))


@app.command()
def types(
    typescript: Annotated[bool, typer.Option("--typescript", help="The socket's messages as TypeScript.")] = False,
    write: Annotated[bool, typer.Option("--write", help="In a source tree: write the files made from them.")] = False,
) -> None:
    """All messages of the server as JSON schemas, or as the types the client is made with."""
    from landfall.web import generated
    from landfall.web.types import everything, schema
    from landfall.web.typescript import declarations

    if write:
        for path in generated.write(Path.cwd()):
            typer.echo(f"written: {path.relative_to(Path.cwd())}")
        return
    typer.echo(declarations(schema()) if typescript else everything(), nl=not typescript)


def main() -> None:
    """The console entry."""
    from landfall import cli_bots  # it uses what is above

    cli_bots.register(app)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that knows no Cyrillic still gets an answer
    app()
