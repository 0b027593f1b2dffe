"""landfall replay | play: a match told again, and a match played."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated, Final

import typer

from landfall import host, paths
from landfall.bots import registry
from landfall.cli.common import (
    FAILED,
    Language,
    Players,
    Settings,
    checked,
    language_of,
    out,
    read_text,
    sentences,
    stop,
)
from landfall.core import record as rec
from landfall.core.errors import RecordError
from landfall.core.rng import Rng
from landfall.extras import need
from landfall.games import NAMES
from landfall.games import game as find_game
from landfall.lab import pictures
from landfall.match import OPEN, Match
from landfall.text.retell import retell
from landfall.text.session import Session

CLIENT: Final = paths.PACKAGE / "web" / "static" / "index.html"  # the browser client, where it has been built


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as `play` saves it.")],
    to: Annotated[int | None, typer.Option(min=0, help="Only the first so many actions.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="As this seat may know it. Default: everything.")] = None,
    language: Language = "en",
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw where it ends into this file instead.")] = None,
    film: Annotated[bool, typer.Option("--film", help="With --svg: the whole match, moving.")] = False,
) -> None:
    """Tell a recorded match in words, or draw it: as the seat may see it; without one, as all may."""
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
    if film and svg is None:
        stop("--film says how to draw; --svg OUT says where")
    if svg is not None:
        save(svg, match, seat, film)
    else:
        retell(match, OPEN if seat is None else seat, tongue, out)


def save(to: Path, match: Match, seat: int | None, film: bool) -> None:
    """Write a picture of a match, or of how it went."""
    shown = list(pictures.views(match, seat)) if film else [match.view(seat)]
    try:
        to.write_text(pictures.film(shown, match.seats) if film else pictures.svg(shown[0], match.seats), "utf-8")
    except OSError as error:
        stop(f"{to}: {error.strerror}", FAILED)


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
            need("play")
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
