"""The contract as it is stated: what a game must write, what it may, what it gets for nothing."""

from __future__ import annotations

import ast
import inspect

import pytest

from landfall.core.rng import Rng
from landfall.core.state import CHANCE, Offered, State, Written
from landfall.games import NAMES
from landfall.games import game as find_game
from tests.tree import REPO


def methods(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, callable) if name in vars(kind) and not name.startswith("_")}


@pytest.mark.parametrize("name", NAMES)
def test_every_game_writes_what_it_must_and_nothing_it_gets(name: str) -> None:
    state = type(find_game(name).new(2))
    lines = [kind for kind in state.__mro__ if issubclass(kind, State) and kind is not State]
    own = set().union(*(methods(kind) for kind in lines))
    assert methods(Written) - own == set(), "not written"
    assert own & methods(State) == ({"grouped"} if name == "survive" else set()), "written though it is given"


def test_few_methods_must_be_written() -> None:
    assert len(methods(Written)) <= 14
    source = (REPO / "src/landfall/core/state.py").read_text(encoding="utf-8")
    stated = {node.name: ast.get_docstring(node) for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
    assert all(stated[kind.__name__] for kind in (Written, Offered, State))


@pytest.mark.parametrize("name", NAMES)
def test_at_a_debugger_a_position_shows_its_line(name: str) -> None:
    game, rng = find_game(name), Rng(3)
    state = game.new(game.counts[0])
    for _ in range(60):
        state.apply(state.draw(rng) if state.actor == CHANCE else state.random_action(rng))
    shown = repr(state)
    assert shown == f"{type(state).__name__}({state.line()!r})"
    assert len(shown.splitlines()) == 1


class Half(State):
    """A game's first minutes: nothing of it is written yet."""

    def scores(self) -> list[int]:
        return [3, 5, 5]


def test_what_a_game_does_not_say_has_a_sensible_answer() -> None:
    state = Half(3)
    assert [group["seats"] for group in state.ranking()] == [[1, 2], [0]]
    assert [int(state.evaluate(seat)) for seat in range(3)] == [-2000, 0, 0]
    assert state.chances() == []
    assert state.turn_mark() == state.actor
    assert repr(state) == "Half('between two positions: NotImplementedError()')"
