"""Rule diagrams: what a seat sees in them and may choose, and why a click is refused."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from landfall import guides
from landfall.games import game as find_game
from landfall.tables.protocol.errors import Refused

if TYPE_CHECKING:
    from landfall.core.state import State
    from landfall.guides import RuleDiagram


@cache
def load_rule_diagram(game: str, rule: str) -> tuple[RuleDiagram, State]:
    """A diagram and its position, which is immutable."""
    for figure in guides.load_guide_book(game)["figures"]:
        if figure["rule"] == rule:
            return figure, find_game(game).from_text(figure["position"])
    raise Refused("no_figure", rule=rule)


def list_rule_diagrams(game: str, language: str) -> list[dict[str, Any]]:
    """All diagrams of a game, each with a sentence."""
    find_game(game)
    words = guides.load_guide_texts(game, language)
    return [build_diagram_message(game, figure["rule"], words) for figure in guides.load_guide_book(game)["figures"]]


def build_diagram_message(game: str, rule: str, words: dict[str, str]) -> dict[str, Any]:
    figure, state = load_rule_diagram(game, rule)
    seat = figure["seat"]
    groups = state.choice_groups(seat) if state.actor == seat else []
    return {
        "rule": rule, "seat": seat, "players": int(state.players), "text": words.get(f"figure.{rule}", ""),
        "point": figure.get("point", []), "view": state.view(seat), "preview": state.preview(seat),
        "choices": [{"verb": verb, "keys": keys, "rows": rows} for verb, keys, rows in groups],
    }  # fmt: skip


def find_rule_forbidding_diagram_move(game: str, rule: str, piece: str, place: str) -> str | None:
    """The rule that forbids a click in a diagram; None if none does."""
    find_game(game)
    figure, state = load_rule_diagram(game, rule)
    return state.why_cannot_move(figure["seat"], piece, place)
