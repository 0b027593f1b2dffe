"""The contract as it is stated: what a game must write, what it may, what it gets for nothing."""

from __future__ import annotations

import ast
import inspect

import pytest

from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.game_checks.contract import contract_by_group
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from tests.repository_files import REPO

MOST_METHODS = 50


CONTRACT = contract_by_group()


def methods(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, callable) if name in vars(kind) and not name.startswith("_")}


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_game_writes_what_it_must_and_nothing_it_gets(name: str) -> None:
    state = type(find_game(name).new(find_game(name).player_counts[0]))
    lines = [kind for kind in state.__mro__ if issubclass(kind, State) and kind is not State]
    own = set().union(*(methods(kind) for kind in lines))
    assert CONTRACT["Required"] - own == set(), "State's required methods (landfall/core/state.py) that the game lacks"
    assert own & CONTRACT["Provided"] == set(), "methods that State provides: a game does not override them"


def test_every_method_stands_in_one_group_and_is_documented() -> None:
    assert set().union(*CONTRACT.values()) == methods(State)
    assert [name for name in methods(State) if not getattr(State, name).__doc__] == []


def test_what_must_be_written_is_what_the_base_class_cannot_do() -> None:
    source = (REPO / "src/landfall/core/state.py").read_text(encoding="utf-8")
    kind = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef) and node.name == "State")
    empty = {
        node.name
        for node in kind.body
        if isinstance(node, ast.FunctionDef) and ast.unparse(node.body[-1]) == "raise NotImplementedError"
    }
    assert empty == CONTRACT["Required"]


def test_few_methods_must_be_written() -> None:
    assert len(CONTRACT["Required"]) <= 14
    assert sum(map(len, CONTRACT.values())) <= MOST_METHODS


@pytest.mark.parametrize("name", GAME_NAMES)
def test_at_a_debugger_a_position_shows_its_line(name: str) -> None:
    game, rng = find_game(name), Rng(3)
    state = game.new(game.player_counts[0])
    for _ in range(60):
        if state.actor != OVER:
            state.apply(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))
    shown = repr(state)
    points = " ".join(map(str, state.scores()))
    asked = "over" if state.actor == OVER else "chance to come" if state.actor < 0 else f"seat {state.actor} to choose"
    about = f"{state.players} players, {asked}, scores {points}, {state.to_text()!r}"
    assert shown == f"<{type(state).__name__}: {about}>"
    assert len(shown.splitlines()) == 1


class Half(State):
    """A game's first minutes: nothing of it is written yet."""

    def scores(self) -> list[int]:
        return [3, 5, 5]


def test_what_a_game_does_not_say_has_a_sensible_answer() -> None:
    state = Half(3)
    assert [group["seats"] for group in state.ranking()] == [[1, 2], [0]]
    assert [int(state.evaluate(seat)) for seat in range(3)] == [-2000, 0, 0]
    assert state.chance_outcomes() == []
    assert state.turn_key() == state.actor
    assert repr(state) == "<Half: between two positions: NotImplementedError()>"
