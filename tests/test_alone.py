"""The rules need nothing outside the standard library but mypy_extensions and, compiled, librt."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from tests.tree import REPO

SOURCE = REPO / "src"
RULES = sorted([*(SOURCE / "landfall/core").rglob("*.py"), *(SOURCE / "landfall/games").rglob("*.py")])
ALLOWED = {"mypy_extensions", "librt", "landfall"}
BLOCK = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in {allowed} and not top.endswith("__mypyc"):
            raise ModuleNotFoundError(f"{{name}} is blocked")
sys.meta_path.insert(0, Block())
"""
WORK = """
import importlib
for name in {names}:
    importlib.import_module(name)
from landfall.core.rng import Rng
from landfall.core.state import playout
from landfall.games import NAMES, game
for name in NAMES:
    state = game(name).new(2)
    print(name, playout(state, Rng(1)) > 10, bool(game(name).draw(state.view(None), "en")))
"""


def names() -> list[str]:
    found = [".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in RULES]
    return [name.removesuffix(".__init__") for name in found]


def run(work: str) -> subprocess.CompletedProcess[str]:
    code = BLOCK.format(allowed=ALLOWED) + work
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": "ignore"}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)


def test_every_module_of_the_rules_runs_with_nothing_else_installed() -> None:
    done = run(WORK.format(names=names()))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("True True") >= 3


@pytest.mark.once
def test_the_block_would_be_felt() -> None:
    for blocked in ("rich", "msgspec", "numpy"):
        done = run(f"import {blocked}")
        assert done.returncode != 0
        assert f"{blocked} is blocked" in done.stderr


@pytest.mark.once
def test_every_module_of_the_rules_is_written_for_every_python_there_is() -> None:
    """As far as the grammar of the oldest tells; newer ones read all of it."""
    for path in RULES:
        ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 11))
