"""The rules of every game stay inside the subset that kernels translate; what is outside is refused by its place."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import landfall
from landfall.games import BUILT_IN_GAMES
from landfall.kernels.functions import make_function
from landfall.kernels.program import ENTRIES, NET_ENTRIES, SELF_PLAY_ENTRIES, Program
from landfall.kernels.source_modules import Untranslatable, source_module
from landfall.kernels.statements import FunctionTranslator
from landfall.kernels.structures import POSITION
from landfall.kernels.value_types import Num, Obj, floor_divide, modulo, shift_left, subtract
from tests.repository_files import REPO

pytestmark = pytest.mark.once

OUTSIDE = {
    "return {1: 2}": "Dict is outside the subset that kernels translate",
    "return [x for x in range(3)][0]": "ListComp is outside the subset that kernels translate",
    "return s.nothing": "s.nothing: no declared field of that name",
    "return 1.5": "1.5 is no number",
    "return s.round / 2": "the operation Div is outside the subset that kernels translate",
    "return unknown": "unknown is neither a parameter, a variable nor a constant",
    "return s.stock[99]": "index 99 of 20",
    "for x in (1, 2): pass": "a loop over something else than a range",
    "s.icons[0] = 1": "s.icons is no vector that may change",
    "with s: pass": "With is outside the subset that kernels translate",
    "lambda: 0": "an expression without effect",
    "return change(s) + s.round": "a call with effects beside what it may change: in C their order is open",
    "return change(s) + change(s)": "a call with effects beside what it may change: in C their order is open",
}


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_the_rules_are_inside_the_subset(game: str) -> None:
    program = Program(landfall.game(game))
    assert set(ENTRIES) <= set(program.entries)
    source = program.source()
    assert all(f"#define entry_{name} {function.name}\n" in source for name, function in program.entries.items())
    assert "record_event" not in source


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_what_self_play_needs_is_inside_the_subset(game: str) -> None:
    program = Program(landfall.game(game), SELF_PLAY_ENTRIES)
    assert set(NET_ENTRIES) <= set(program.entries)


@pytest.mark.parametrize("statement", OUTSIDE)
def test_what_is_outside_is_refused_with_file_line_and_reason(
    statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"rules_outside_{abs(hash(statement))}"
    lines = ["def change(s):", "    s.round += 1", "    return s.round", "", "def rule(s):", f"    {statement}"]
    package = tmp_path / name
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "chapter.py").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    module = source_module(f"{name}.chapter")
    node = module.nodes["rule"]
    assert isinstance(node, ast.FunctionDef)
    program = Program(landfall.game("atlandice"), ("apply",))
    with pytest.raises(Untranslatable) as found:
        FunctionTranslator(program, make_function("rule", module, node, {"s": Obj(POSITION)})).translate()
    assert (found.value.file, found.value.line, found.value.reason) == (package / "chapter.py", 6, OUTSIDE[statement])


def test_a_game_without_declared_fields_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(REPO / "examples/pearls"))
    game = importlib.import_module("landfall_pearls.game_definition").GAME
    with pytest.raises(Untranslatable, match="declares no fields with bounds") as found:
        Program(game)
    assert found.value.file.is_file()


def test_intervals_contain_every_result() -> None:
    """For small numbers, each operation's interval is what counting finds, or wider."""
    ends = [(-3, -1), (-2, 5), (0, 4), (1, 3)]
    for a in ends:
        for b in ends:
            left, right = Num(*a), Num(*b)
            pairs = [(x, y) for x in range(a[0], a[1] + 1) for y in range(b[0], b[1] + 1)]
            cases = [(subtract(left, right), [x - y for x, y in pairs])]
            cases.append((floor_divide(left, right), [x // y for x, y in pairs if y]))
            cases.append((modulo(left, right), [x % y for x, y in pairs if y]))
            if b[0] >= 0:
                cases.append((shift_left(left, right), [x << y for x, y in pairs]))
            for interval, results in cases:
                assert all(interval.least <= one <= interval.most for one in results), (a, b, interval)
