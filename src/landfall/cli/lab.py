"""landfall sim | bench | rules: many games, speed, and which tests prove which rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

import landfall
from landfall import rulebook
from landfall.bots import registry
from landfall.cli.common import (
    EXIT_FAILED,
    GameName,
    Players,
    Ray,
    Settings,
    err,
    exit_on_errors,
    exit_with_error,
    make_progress_report,
    out,
    parse_game_and_options,
)
from landfall.core.game import Game
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.lab import match_dataset, rule_test_coverage
from landfall.lab.command_progress import ProgressReport
from landfall.lab.experiments import engine_speed
from landfall.lab.experiments.simulation import Result, simulate_in_parallel
from landfall.lab.experiments.simulation import SimulatedTable as Seating
from landfall.lab.worker_pool import make_pool
from landfall.optional_dependencies import require_extra


def run_simulation(
    game: GameName,
    players: Players = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="Every game gets its own seed from this one.")] = 1,
    settings: Settings = None,
    bots: Annotated[str | None, typer.Option(help="One code a seat, with commas. Default: all random.")] = None,
    cores: Annotated[int, typer.Option(min=0, help="How many games at once; 0: one a core.")] = 1,
    ray: Ray = None,
    to: Annotated[Path | None, typer.Option("--out", help="Write every decision into this Parquet file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Let bots play many games and print statistics."""
    rules, count, options = parse_game_and_options(game, players, settings)
    with exit_on_errors():
        seated = registry.make_bots(bots) if bots is not None else registry.make_bots(",".join(["random"] * count))
    if len(seated) != count:
        exit_with_error(f"{len(seated)} bots for {count} players: give one a seat")
    table = Seating(rules.name, count, seed, options, tuple(bot.code for bot in seated))
    if to is not None:
        write_simulated_decisions(to, table, games, cores, ray)
        return
    with (
        exit_on_errors(code=EXIT_FAILED),
        make_pool(cores, ray) as workers,
        make_progress_report(rules.name, games) as bar,
    ):
        result = simulate_in_parallel(table, games, workers, lambda now: bar.update(now.games, now.wins_by_seat_text))
    if as_json:
        typer.echo(json.dumps(simulation_report_data(table, result)))
    else:
        out.print(render_simulation_table(rules, result, list(table.bots)))


def write_simulated_decisions(path: Path, table: Seating, games: int, cores: int, ray: str | None) -> None:
    """Implements `sim --out`."""
    with (
        exit_on_errors(code=EXIT_FAILED),
        make_pool(cores, ray) as workers,
        make_progress_report(table.game, games) as bar,
    ):
        rows = match_dataset.write_parquet_file(
            path, pass_batches_with_progress(match_dataset.iterate_simulated_rows(table, games, workers), bar)
        )
    out.print(f"{escape(str(path))}: {games:,} games, {rows:,} decisions, {path.stat().st_size / 1e6:.1f} MB")


def pass_batches_with_progress(
    batches: Iterable[list[match_dataset.Row]], bar: ProgressReport
) -> Iterator[list[match_dataset.Row]]:
    """Pass the batches through and report progress."""
    rows = 0
    for batch in batches:
        yield batch
        rows += len(batch)
        if batch:
            bar.update(int(batch[-1]["match"]) + 1, f"{rows:,} decisions")


def gather_dataset(
    records: Annotated[list[Path], typer.Argument(metavar="RECORD...", help="Records, or folders that hold some.")],
    to: Annotated[Path, typer.Option("--out", help="The Parquet file.")],
    cores: Annotated[int, typer.Option(min=0, help="How many records at once; 0: one a core.")] = 1,
    ray: Ray = None,
) -> None:
    """Write finished matches from records into one Parquet file, one row per decision."""
    found = match_dataset.find_record_files(records)
    if not found:
        exit_with_error("there is no record there")
    faults: list[str] = []

    def yield_rows_and_collect_faults(
        results: Iterable[tuple[list[match_dataset.Row], str]],
    ) -> Iterator[list[match_dataset.Row]]:
        for rows, fault in results:
            faults.extend([fault] if fault else [])
            yield rows

    with (
        exit_on_errors(code=EXIT_FAILED),
        make_pool(cores, ray) as workers,
        make_progress_report("records", len(found)) as bar,
    ):
        batches = yield_rows_and_collect_faults(
            workers.in_order(match_dataset.rows_from_record_file, list(enumerate(found)))
        )
        rows = match_dataset.write_parquet_file(to, pass_batches_with_progress(batches, bar))
    out.print(f"{escape(str(to))}: {len(found) - len(faults):,} matches, {rows:,} decisions")
    for fault in faults:
        err.print(f"left out: {escape(fault)}", soft_wrap=True)
    if faults:
        raise typer.Exit(EXIT_FAILED)


def simulation_report_data(table: Seating, result: Result) -> dict[str, object]:
    """The output of `sim --json`."""
    return {
        "game": table.game,
        "players": table.players,
        "bots": list(table.bots),
        "games": result.games,
        "decisions": result.decisions,
        "seconds": result.seconds,
        "games_per_second": result.games / result.seconds,
        "decisions_per_second": result.decisions / result.seconds,
        "compiled": landfall.ENGINE == "compiled",
        "wins": result.wins,
        "mean_scores": result.mean_scores,
    }


def render_simulation_table(game: Game, result: Result, codes: list[str]) -> Table:
    """The output of `sim` for people."""
    rate = f"{result.games / result.seconds:,.0f} games/s, {result.decisions / result.seconds:,.0f} decisions/s"
    title = f"{game.name}: {result.games:,} games, {result.decisions:,} decisions in {result.seconds:.2f} s"
    table = Table(title=title, caption=f"{rate}, engine {landfall.ENGINE}")
    for heading in ("seat", "colour", "bot"):
        table.add_column(heading, overflow="fold")  # a code that is cut off may look like another
    for heading in ("wins", "share", "mean score"):
        table.add_column(heading, justify="right")
    for seat, (code, won, mean) in enumerate(zip(codes, result.wins, result.mean_scores)):
        share = f"{won / result.games:.1%}"
        table.add_row(str(seat), game.colours[seat], escape(code), f"{won:,.1f}", share, f"{mean:.2f}")
    return table


def measure_engine_or_server_speed(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME | server]", help="Default: every game. `server`: tables over sockets."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="How long each game, or the server, is measured.")] = 1.0,
    tables: Annotated[int, typer.Option(min=1, max=2000, help="server: how many tables of four.")] = 250,
    runs: Annotated[int, typer.Option(min=1, max=10, help="server: how often; the best p99 counts.")] = 3,
) -> None:
    """Measure this engine's speed here: random play, copies of a position, its bytes; or the server under load."""
    if game == "server":
        run_server_benchmark(tables, seconds, runs)
        return
    with exit_on_errors():
        names = [find_game(game).name] if game else list(GAME_NAMES)
    table = Table(title=f"Random play on one core, engine {landfall.ENGINE}")
    table.add_column("game")
    for heading in ("players", "games/s", "decisions/s", "copy", "bytes"):
        table.add_column(heading, justify="right")
    with make_progress_report("bench", len(names)) as bar:
        for name in names:
            got = engine_speed.measure_speed(name, seconds)
            row = [f"{got.games_per_second:,.1f}", f"{got.decisions_per_second:,.0f}", f"{got.copy_ns:,.0f} ns"]
            table.add_row(name, str(got.players), *row, str(got.bytes))
            bar.advance(1, f"{name} {row[1]} decisions/s")
    out.print(table)


def run_server_benchmark(tables: int, seconds: float, runs: int) -> None:
    """The output of `bench server`."""
    import asyncio
    from statistics import median

    with exit_on_errors(code=EXIT_FAILED):
        require_extra("play")
    from landfall.web.bench.load_test import SEATS_PER_TABLE, measure_landfall_and_relay

    found, bare, sizes = asyncio.run(measure_landfall_and_relay(tables, seconds, runs))
    sockets = tables * SEATS_PER_TABLE
    title = f"{tables} tables, {sockets:,} sockets, a choice a second a table, {seconds:g} s, rules and SQLite"
    table = Table(title=title, caption=f"median update {median(sizes or [0]):,.0f} bytes, engine {landfall.ENGINE}")
    table.add_column("run")
    for heading in ("choices", "messages/s", "p50", "p99", "max", "CPU/message", "memory"):
        table.add_column(heading, justify="right")
    for name, run in [*((f"landfall {i + 1}", r) for i, r in enumerate(found)), ("relay", bare)]:
        times = [f"{run.latency_percentile_ms(share):.1f} ms" for share in (0.5, 0.99, 1)]
        load = [f"{run.moves:,}", f"{run.messages / run.seconds:,.0f}"]
        table.add_row(name, *load, *times, f"{run.cpu_per_message:.0f} µs", f"{run.rss / 2**20:.0f} MiB")
    out.print(table)
    best = min(found, key=lambda run: run.latency_percentile_ms(0.99))
    ratio = min(run.cpu_per_message for run in found) / bare.cpu_per_message
    out.print(
        f"p99 of the best run {best.latency_percentile_ms(0.99):.1f} ms; "
        f"processor time a message {ratio:.2f} times the relay's"
    )


def list_rules_and_tests(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Default: every game.")] = None,
) -> None:
    """List every numbered rule, with a 2 if a second implementation covers it, and its tests; fails if it has none."""
    with exit_on_errors():
        names = [find_game(game).name] if game else [*GAME_NAMES, rulebook.COMMON]
    folder = rule_test_coverage.tests_dir()
    if folder is None:
        count = sum(len(rulebook.load_rules(name)) for name in names)
        exit_with_error(
            f"{count} rules; which tests prove them is only known in a checkout: there are no tests here",
            EXIT_FAILED,
        )
    found = rule_test_coverage.measure_coverage(names, folder)
    for rule, tests in found.tests.items():
        twice = "2" if rule in found.second else " "
        out.print(f"{rule:8} {twice} {escape(', '.join(tests)) or '[red]no test[/]'}", soft_wrap=True)
    proven = len(found.tests) - len(found.untested_rules)
    out.print(f"{proven} of {len(found.tests)} rules are proven by tests; {len(found.second)} are read a second time.")
    for fault in found.faults:
        err.print(escape(fault), soft_wrap=True)
    if found.untested_rules:
        err.print(f"No test: {', '.join(found.untested_rules)}", soft_wrap=True)
    if found.untested_rules or found.faults:
        raise typer.Exit(EXIT_FAILED)
