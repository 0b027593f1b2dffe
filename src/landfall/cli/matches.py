"""landfall replay | play: replaying a match, and playing one."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated, Final

import typer

from landfall import paths
from landfall.bots import registry
from landfall.cli import host
from landfall.cli.common import (
    EXIT_FAILED,
    Language,
    Players,
    Settings,
    exit_on_errors,
    exit_with_error,
    out,
    parse_game_and_options,
    read_text_file,
    require_known_language,
)
from landfall.core import match_record as rec
from landfall.core.errors import RecordError
from landfall.core.rng import Rng
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.lab import pictures
from landfall.match import OMNISCIENT, Match
from landfall.optional_dependencies import require_extra
from landfall.terminal.play_session import Session
from landfall.terminal.replay_printer import print_replay

CLIENT_PAGE: Final = paths.PACKAGE / "web" / "static" / "index.html"  # the built browser client


def show_recorded_match(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as `play` saves it.")],
    to: Annotated[int | None, typer.Option(min=0, help="Only the first so many actions.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="As this seat may know it. Default: everything.")] = None,
    language: Language = "en",
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw where it ends into this file instead.")] = None,
    film: Annotated[bool, typer.Option("--film", help="With --svg: the whole match, moving.")] = False,
) -> None:
    """Print or draw a recorded match as a seat may see it; without a seat, as everybody may."""
    tongue = require_known_language(language)
    text = read_text_file(file)
    try:
        record = rec.parse_record(text)
        if to is not None:
            record.lines = record.lines[:to]
        match = Match.replay(record.to_text())
    except RecordError as error:
        exit_with_error(f"{file}: {error}", EXIT_FAILED)
    if seat is not None and seat >= match.players:
        exit_with_error(f"there is no seat {seat}; {match.players} play, from seat 0 on")
    if film and svg is None:
        exit_with_error("--film says how to draw; --svg OUT says where")
    if svg is not None:
        write_match_picture(svg, match, seat, film)
    else:
        print_replay(match, OMNISCIENT if seat is None else seat, tongue, out)


def write_match_picture(to: Path, match: Match, seat: int | None, film: bool) -> None:
    """Write a picture of a match, or of its course."""
    shown = list(pictures.iterate_views_after_choices(match, seat)) if film else [match.view(seat)]
    try:
        to.write_text(
            pictures.render_film(shown, match.seats) if film else pictures.render_svg(shown[0], match.seats), "utf-8"
        )
    except OSError as error:
        exit_with_error(f"{to}: {error.strerror}", EXIT_FAILED)


def play_match(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help=f"One of {', '.join(GAME_NAMES)}.")] = None,
    text: Annotated[bool, typer.Option("--text", help="In this terminal.")] = False,
    players: Players = None,
    bots: Annotated[str | None, typer.Option(help="One code for each other seat. Default: all greedy.")] = None,
    settings: Settings = None,
    seed: Annotated[int | None, typer.Option(help="For the same dice again. Default: nobody can know them.")] = None,
    seat: Annotated[int, typer.Option(min=0, help="Your seat; seat 0 starts.")] = 0,
    language: Language = "en",
) -> None:
    """Play in your browser, on a local server; with --text in this terminal, against bots."""
    tongue = require_known_language(language)
    if not text and not CLIENT_PAGE.is_file():
        exit_with_error("the browser client is not built here (make client); --text plays in this terminal")
    if not text:
        with exit_on_errors(tongue, EXIT_FAILED):
            require_extra("play")
            host.play_in_browser(game and find_game(game).name, out)
        return
    rules, count, options = parse_game_and_options(game or GAME_NAMES[0], players, settings, tongue)
    if seat >= count:
        exit_with_error(f"there is no seat {seat}; {count} play, from seat 0 on")
    codes = bots if bots is not None else ",".join(["greedy"] * (count - 1))
    with exit_on_errors():
        others = registry.make_bots(codes)
    if len(others) != count - 1:
        exit_with_error(f"{len(others)} bots for {count - 1} other players: give one a seat")
    seeded = secrets.randbits(62) if seed is None else seed
    seats = [bot.title for bot in others]
    seats.insert(seat, "you")
    match = Match(rules.name, count, rng=None if seed is None else Rng(seed), seats=seats, **options)
    with exit_on_errors(code=EXIT_FAILED):
        Session(match, seat, others, seeded, tongue, out).run()
