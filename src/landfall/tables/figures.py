"""The positions beside the rules: what a seat sees in them and may choose, and why not what it touches."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from landfall import guides
from landfall.games import game as find_game
from landfall.tables.errors import Refused

if TYPE_CHECKING:
    from landfall.core.state import State
    from landfall.guides import Figure


@cache
def state_of(game: str, rule: str) -> tuple[Figure, State]:
    """A figure and its position. Nobody changes it."""
    for figure in guides.book(game)["figures"]:
        if figure["rule"] == rule:
            return figure, find_game(game).read_line(figure["position"])
    raise Refused("no_figure", rule=rule)


def shown(game: str, language: str) -> list[dict[str, Any]]:
    """All figures of a game, each with a sentence."""
    find_game(game)
    words = guides.texts(game, language)
    return [one(game, figure["rule"], words) for figure in guides.book(game)["figures"]]


def one(game: str, rule: str, words: dict[str, str]) -> dict[str, Any]:
    figure, state = state_of(game, rule)
    seat = figure["seat"]
    groups = state.choice_groups(seat) if state.actor == seat else []
    return {
        "rule": rule, "seat": seat, "players": int(state.players), "text": words.get(f"figure.{rule}", ""),
        "point": figure.get("point", []), "view": state.view(seat), "preview": state.preview(seat),
        "choices": [{"verb": verb, "keys": keys, "rows": rows} for verb, keys, rows in groups],
    }  # fmt: skip


def why(game: str, rule: str, piece: str, place: str) -> str | None:
    """The rule that forbids a touch in a figure; None if none does."""
    find_game(game)
    figure, state = state_of(game, rule)
    return state.explain(figure["seat"], piece, place)
