"""Numbers in a kernel are those of Python: rounding, signs, widths, order, loops. Small rules, compiled here."""

from __future__ import annotations

import ast
import ctypes
import importlib
import subprocess
from pathlib import Path
from typing import Any

import pytest

import landfall
from landfall.kernels.functions import make_function
from landfall.kernels.host import DEBUG, RELEASE, find_compiler
from landfall.kernels.program import PRELUDE, Program
from landfall.kernels.source_modules import source_module
from landfall.kernels.statements import FunctionTranslator
from landfall.kernels.value_types import Num
from tests.conftest import lacking

pytestmark = pytest.mark.once

RULES = """
shadow = 1000


def divide(a, b):
    return a // b * 100 + a % b if b != 0 else -1


def divide_wide(a, b):
    return (a * 4000000000 + b) // 7 + (a * 4000000000 - b) % 11


def shift(a, b):
    return (a << (b & 7)) + (a << 40) + (a >> (b & 3))


def bits(a, b):
    return (a & b) * 3 + (a | b) * 5 + (a ^ ~b)


def choose(a, b):
    return min(a, b) * 100 + max(a, b) * 10 + abs(a)


def compare(a, b):
    within = -3 < a <= b < 4
    other = a in (1, b) or not b
    return (10 if within else 20) + (1 if other and a != 2 else 2)


def loop(a, b):
    total = 0
    for i in range(a, b):
        total += i
        i = i + 5
    for j in range(6, a, -2):
        if j == b:
            break
        if j == 2:
            continue
        total = total * 2 + j
    while total > 50:
        total -= 37
    return total


def swap(a, b):
    a, b = b, a
    return a * 10 + b


def names(a, b):
    shadow = a
    shadow += b
    return shadow


def leave(a, b):
    if a > b:
        return 1
    if a == b:
        for i in range(4):
            if i == a:
                return i
        return -5
    return 9
"""
SPAN = range(-7, 8)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("arithmetic")
    package = folder / "small_rules"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "chapter.py").write_text(RULES)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        importlib.invalidate_caches()
        yield source_module("small_rules.chapter")


@pytest.mark.parametrize("flags", [RELEASE, DEBUG], ids=["release", "debug"])
def test_small_rules_have_pythons_results(rules: Any, flags: tuple[str, ...], tmp_path: Path) -> None:
    compiler = find_compiler()
    if compiler is None:
        lacking("a C compiler")
    program = Program(landfall.game("atlandice"), ("turn_key",))
    parts = [PRELUDE.read_text(encoding="utf-8"), "typedef struct Work { const struct { int none; } *table; } Work;\n"]
    names = [name for name, node in rules.nodes.items() if isinstance(node, ast.FunctionDef)]
    for name in names:
        parameters: dict[str, Any] = {"a": Num(-7, 7), "b": Num(-7, 7)}
        function = make_function(name, rules, rules.nodes[name], parameters)
        for _ in range(20):
            program.changed = False
            FunctionTranslator(program, function).translate()
            if not program.changed:
                break
        parts.append(function.c)
        parts.append(f"i64 call_{name}(i64 a, i64 b) {{ return {name}(0, (i32)a, (i32)b); }}\n")
    (tmp_path / "small.c").write_text("".join(parts))
    subprocess.run([compiler, *flags, "-o", str(tmp_path / "small.so"), str(tmp_path / "small.c")], check=True)
    library = ctypes.CDLL(str(tmp_path / "small.so"))
    for name in names:
        found = getattr(library, f"call_{name}")
        found.restype = ctypes.c_int64
        python = getattr(rules.values, name)
        wrong = [
            (a, b, found(ctypes.c_int64(a), ctypes.c_int64(b)), int(python(a, b)))
            for a in SPAN
            for b in SPAN
            if found(ctypes.c_int64(a), ctypes.c_int64(b)) != int(python(a, b))
        ]
        assert not wrong, f"{name}: {wrong[:3]}"
