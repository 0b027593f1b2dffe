"""landfall ladder | think | train | bot: bots against each other, a bot's analysis, training, play on a server."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.markup import escape
from rich.table import Table

from landfall.bots import registry
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.greedy_bot import GreedyBot
from landfall.bots.online_client import OnlinePlayer, TableRequest
from landfall.bots.plan_sentence import notation_of_line, plan_sentence
from landfall.cli.common import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    GameName,
    Ray,
    Settings,
    err,
    exit_on_errors,
    exit_with_error,
    make_progress_report,
    out,
    parse_game_and_options,
    read_text_file,
)
from landfall.core import match_record as rec
from landfall.core.errors import LandfallError, RecordError
from landfall.core.rng import Rng
from landfall.lab import charts
from landfall.lab.experiments import ladder as lad
from landfall.lab.experiments.peeking_bot import make_lab_bot
from landfall.lab.worker_pool import make_pool
from landfall.match import Match, visible_events
from landfall.optional_dependencies import require_extra

if TYPE_CHECKING:
    from landfall.lab.experiments.bradley_terry import BotRating

WIDTH_OF_NUMBERS: Final = 60  # characters of the other columns of a ladder
WIDTH_OF_BARS: Final = 44


def play_bot_ladder(
    game: GameName,
    bots: Annotated[str, typer.Option(help="The bots' codes, with commas.")],
    players: Annotated[int, typer.Option(help="How many play. With more than two, one sits against a table.")] = 2,
    games: Annotated[int, typer.Option(min=1, help="How many games a pairing.")] = 100,
    against: Annotated[str, typer.Option(help="Only against this one of the bots, or a table of it.")] = "",
    seed: Annotated[int, typer.Option(help="Every deal gets its own seed from this one.")] = 1,
    settings: Settings = None,
    log: Annotated[Path | None, typer.Option(help="Keep every game here, and go on from what is there.")] = None,
    cores: Annotated[int, typer.Option(min=0, help="How many games at once. Default: one a core.")] = 0,
    ray: Ray = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the result into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of tables.")] = False,
    markdown: Annotated[bool, typer.Option(help="Tables as Markdown.")] = False,
) -> None:
    """Let bots play each other, every deal from every seat, and rate them."""
    rules, count, options = parse_game_and_options(game, players, settings)
    codes = [code.strip() for code in bots.split(",")]
    with exit_on_errors():
        require_extra("lab", "numpy")
        for code in codes:
            make_lab_bot(code)
        setting = lad.LadderSetting(rules.name, count, options, seed)
        total = games * len(lad.make_pairings(codes, count, against))
    if len(codes) < 2:
        exit_with_error("a ladder needs at least two bots")
    if against and against not in codes:
        exit_with_error(f"--against {against}: it is not one of the bots")
    progress, stopped = lad.LadderProgress(), False
    with (
        exit_on_errors(code=EXIT_FAILED),
        make_pool(cores, ray) as workers,
        make_progress_report(rules.name, total) as bar,
    ):
        try:
            played = lad.run_ladder(
                setting, codes, games, log, workers, lambda now: bar.update(now.game_count, now.text), against, progress
            )
        except KeyboardInterrupt:
            played, stopped = progress.played, True
    if stopped:
        then = f"the same command goes on from {log}" if log else "--log FILE keeps them and goes on from there"
        err.print(escape(f"stopped after {len(played):,} of {total:,} games; {then}"), soft_wrap=True)
    if not played:
        raise typer.Exit(EXIT_INTERRUPTED)
    lines = lad.summarise_pairings(played, count)
    from landfall.lab.experiments.bradley_terry import rate_by_bradley_terry  # loads numpy

    rated = rate_by_bradley_terry(played, codes)
    title = f"{rules.name}, {count} players"
    if svg is not None:
        svg.write_text(charts.draw_ladder(title, lines, rated), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps({"lines": [asdict(x) for x in lines], "ratings": [asdict(r) for r in rated]}))
    elif markdown:
        typer.echo(render_markdown_tables(lines, rated))
    else:
        out.print(render_pairings_table(title, lines))
        out.print(render_ratings_table(rated))
    if stopped:
        raise typer.Exit(EXIT_INTERRUPTED)


def render_pairings_table(title: str, lines: list[lad.PairingResult]) -> Table:
    """Win shares by pairing."""
    table = Table(title=title)
    for heading in ("bot", "against"):
        table.add_column(heading, overflow="fold")  # a code that is cut off may look like another
    for heading in ("games", "wins", "95 % interval", "ms a choice"):
        table.add_column(heading, justify="right", no_wrap=True)
    codes = max(len(code) for x in lines for code in (x.lone, x.field))
    has_bars = out.width >= 2 * codes + WIDTH_OF_NUMBERS + WIDTH_OF_BARS
    if has_bars:
        table.add_column("0 %" + " " * 33 + "100 %", no_wrap=True)
    for x in lines:
        numbers = (f"{x.games:,}", f"{x.share:.1%}", f"{x.low:.1%} – {x.high:.1%}", f"{x.ms:.2f}")
        table.add_row(escape(x.lone), escape(x.field), *numbers, *([charts.format_interval_bar(x)] if has_bars else []))
    return table


def render_ratings_table(rated: list[BotRating]) -> Table:
    """Bradley-Terry ratings."""
    table = Table(title="ratings (Bradley-Terry, Elo points above the mean)")
    table.add_column("bot", overflow="fold")
    for heading in ("rating", "95 % interval", "games"):
        table.add_column(heading, justify="right", no_wrap=True)
    for r in rated:
        table.add_row(escape(r.code), f"{r.elo:+.0f}", f"{r.low:+.0f} – {r.high:+.0f}", f"{r.games:,}")
    return table


def render_markdown_tables(lines: list[lad.PairingResult], rated: list[BotRating]) -> str:
    """Both tables as Markdown."""
    rows = ["| bot | against | games | wins | 95 % interval | ms a choice |", "|---|---|---:|---:|---:|---:|"]
    for x in lines:
        rows.append(f"| {x.lone} | {x.field} | {x.games:,} | {x.share:.1%} | {x.low:.1%} – {x.high:.1%} | {x.ms:.2f} |")
    rows += ["", "| bot | rating | 95 % interval | games |", "|---|---:|---:|---:|"]
    rows += [f"| {r.code} | {r.elo:+.0f} | {r.low:+.0f} – {r.high:+.0f} | {r.games:,} |" for r in rated]
    return "\n".join(rows)


def show_bot_analysis(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as `play` saves it.")],
    at: Annotated[int, typer.Option(min=0, help="After so many actions, chance's counted.")],
    bot: Annotated[str, typer.Option(help="The code of the bot that is to think.")] = "mcts:ms=1000",
    seed: Annotated[int, typer.Option(help="Of the bot's own chance.")] = 1,
    top: Annotated[int, typer.Option(min=1, help="How many choices to show.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Let a bot analyse one decision of a recorded match, and show its evaluation and its plan."""
    with exit_on_errors():
        player = registry.make_bot(bot)
    try:
        record = rec.parse_record(read_text_file(file))
        if at > len(record.lines):
            exit_with_error(f"--at {at}: the record has {len(record.lines)} actions")
        played = record.lines[at : at + 1]
        record.lines = record.lines[:at]
        match = Match.replay(record.to_text())
    except RecordError as error:
        exit_with_error(f"{file}: {error}", EXIT_FAILED)
    if match.actor < 0:
        exit_with_error(
            f"after {at} actions nobody has a choice: {'chance decides' if match.actor == -1 else 'it is over'}"
        )
    chosen, thoughts = get_bot_choice_and_thoughts(match, player, seed)
    steps = notation_of_line(match.state.resample(match.actor, Rng(seed)), player.expected_line(match.actor))
    plan = plan_sentence("en", match.actor, steps, match.game.colours)
    words = [(match.state.notation(t.action), t) for t in thoughts[:top]]
    if as_json:
        shown = [{"action": text, "visits": t.visits, "value": t.value} for text, t in words]
        played_text = played[0] if played else None
        report = {"seat": match.actor, "bot": player.title, "chose": match.state.notation(chosen)}
        typer.echo(json.dumps({**report, "played": played_text, "plan": plan, "thoughts": shown}))
        return
    if not thoughts:
        chose = match.state.notation(chosen)
        out.print(escape(f"{player.title} chose {chose}; it tells no thoughts about the others"), soft_wrap=True)
        return
    table = Table(title=f"{match.game.name}, action {at}, seat {match.actor}: {escape(player.title)}")
    table.add_column("choice")
    for heading in ("visits", "value"):
        table.add_column(heading, justify="right")
    for text, t in words:
        mark = " ◂ chosen" if t.action == chosen else ""
        mark += " ◂ played" if played and text == played[0] else ""
        table.add_row(escape(text + mark), f"{t.visits:,}", f"{t.value:.3f}")
    out.print(table)
    if plan:
        out.print(escape(plan), soft_wrap=True)


def get_bot_choice_and_thoughts(match: Match, player: Bot, seed: int) -> tuple[int, list[Thought]]:
    """A bot's choice at the current decision of a match, and its evaluation of each choice, if it has one."""
    events = visible_events(match.state, match.actor) if player.uses_events else None
    chosen = player.choose(Seat.from_state(match.state, match.game.name, Rng(seed), events=events))
    if isinstance(player, GreedyBot):
        return chosen, player.evaluate_all_choices(Seat.from_state(match.state, match.game.name, Rng(seed)))
    return chosen, list(player.thoughts)


def train_net(arguments: typer.Context) -> None:
    """Train a game's net by self-play; needs torch. `landfall train --help` lists the settings."""
    with exit_on_errors(code=EXIT_FAILED):
        require_extra("train", "numpy")
        from landfall.lab.training import train as training  # loads numpy, which only this command needs

        training.main(arguments.args)


def play_own_bot_on_server(
    code: Annotated[str, typer.Argument(metavar="BOT", help="mine.py, mine.py:MyBot, cmd:./program, or another code.")],
    server: Annotated[str, typer.Option(help="The server's address.")],
    token: Annotated[str, typer.Option(envvar="LANDFALL_TOKEN", help="The bot's token, from the page My bots.")],
    table: Annotated[str, typer.Option(help="A table's link: play one match there.")] = "",
    game: Annotated[str, typer.Option(help="Otherwise: play this game with other bots.")] = "",
    players: Annotated[int, typer.Option(help="How many play.")] = 2,
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1,
    tables: Annotated[int, typer.Option(min=1, max=8, help="How many of them at once.")] = 1,
    friendly: Annotated[bool, typer.Option(help="Matches that are not rated; people may sit down, too.")] = False,
    seed: Annotated[int, typer.Option(help="Of the bot's own chance.")] = 1,
    budget: Annotated[float, typer.Option(help="Seconds that the bot has for a choice.")] = 2.0,
) -> None:
    """Let a bot of yours play on a server, over the network."""
    with exit_on_errors(code=EXIT_FAILED):
        require_extra("play", "picows")
        named = add_class_name_to_code(code)
        registry.make_bot(named)
        player = OnlinePlayer(lambda: registry.make_bot(named), server, token, seed, budget, typer.echo)
        if table:
            asyncio.run(player.play_at(table))
            return
        if not game:
            exit_with_error("say where to play: --table LINK, or --game NAME for matches with other bots")
        rules, count, _ = parse_game_and_options(game, players, None)
        try:
            asyncio.run(player.play_matches(TableRequest(rules.name, count, not friendly), matches, tables))
        except* LandfallError as found:
            raise found.exceptions[0] from None


def add_class_name_to_code(code: str) -> str:
    """A code with the class of its file, if the file has a single one."""
    if not code.endswith(".py"):
        return code
    names = registry.bot_class_names(code, Path(code))
    if len(names) != 1:
        exit_with_error(f"{code}: say which class, as in {code}:MyBot; it has {', '.join(names) or 'none'}")
    return f"{code}:{names[0]}"
