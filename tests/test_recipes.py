"""The recipes for training and search: short, in the documents, and they run; those with torch in environments of their
own. What each reaches in minutes is in docs/training.md."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import lacking
from tests.repository_files import REPO

pytestmark = pytest.mark.once
RECIPES: Final = REPO / "examples" / "recipes"
ENVIRONMENTS: Final = {"ppo": "ppo", "rllib_ppo": "rllib"}  # .bench/NAME
OWN: Final = ("policy_gradient", "imitation", "league", "mcts")  # they need nothing but the wheel and numpy
MAX_LINES: Final = 100  # not counting empty ones
PAGE: Final = (REPO / "docs" / "training.md").read_text(encoding="utf-8")


def test_every_recipe_is_short_and_in_the_documents() -> None:
    assert {path.stem for path in RECIPES.glob("*.py")} == {*ENVIRONMENTS, *OWN}
    for path in RECIPES.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        compile(text, path.name, "exec")
        assert f"examples/recipes/{path.name}" in PAGE
        lines = [line for line in text.splitlines() if line.strip()]
        assert len(lines) <= MAX_LINES or path.stem == "rllib_ppo", path.name  # RLlib asks for more words
    for name, environment in ENVIRONMENTS.items():
        assert f"make .bench/{environment}/.done" in (RECIPES / f"{name}.py").read_text(encoding="utf-8")
        assert f"make .bench/{environment}/.done" in PAGE
        assert (REPO / "bench" / environment / "requirements.lock").is_file()


def run_recipe(name: str, *arguments: str, python: str = sys.executable) -> str:
    """What a recipe prints."""
    environment = {**os.environ, "PYTHONPATH": str(REPO / "src"), "PYTHONWARNINGS": "ignore"}
    command = [python, str(RECIPES / f"{name}.py"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def data_of_greedy(folder: Path, games: int) -> str:
    """A data set of so many matches of greedy bots."""
    path = folder / "games.parquet"
    command = [sys.executable, "-c", "from landfall.cli import main; main()", "sim", "atlandice", "--players", "2"]
    command += ["--games", str(games), "--bots", "greedy,greedy", "--out", str(path)]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return str(path)


def share_against_random(said: str) -> float:
    found = re.findall(r"^it wins ([\d.]+)% of \d+ against random", said, re.MULTILINE)
    assert len(found) == 1, said
    return float(found[0])


@pytest.mark.proof
def test_a_policy_gradient_learns() -> None:
    assert share_against_random(run_recipe("policy_gradient", "--minutes", "1")) > 60


@pytest.mark.proof
def test_imitation_plays_nearly_as_the_bot(tmp_path: Path) -> None:
    said = run_recipe("imitation", data_of_greedy(tmp_path, 300), "--minutes", "0.7")
    assert share_against_random(said) > 80
    agreement = re.search(r"as the bot in ([\d.]+)%", said)
    assert agreement is not None
    assert float(agreement[1]) > 35


@pytest.mark.proof
def test_a_league_beats_its_first_member() -> None:
    said = run_recipe("league", "--minutes", "1.5", "--games", "100")
    share = re.search(r"the last wins ([\d.]+)%", said)
    assert share is not None, said
    assert float(share[1]) > 55
    assert share_against_random(said) > 55


@pytest.mark.proof
def test_a_tree_search_beats_random() -> None:
    assert share_against_random(run_recipe("mcts", "--games", "10", "--iterations", "100")) >= 80


def test_a_tree_search_is_a_bot_for_every_command() -> None:
    code = f"{RECIPES / 'mcts.py'}:TreeSearch:iterations=5,random"
    command = [sys.executable, "-c", "from landfall.cli import main; main()", "sim", "atlandice", "--players", "2"]
    done = subprocess.run([*command, "--games", "1", "--bots", code], capture_output=True, text=True, check=True)
    assert "tree-search" in done.stdout or "TreeSearch" in done.stdout


@pytest.mark.proof
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_recipe_learns_and_says_how_well_it_plays(name: str) -> None:
    python = REPO / ".bench" / ENVIRONMENTS[name] / "bin" / "python"
    if not python.exists():
        lacking(f"make .bench/{ENVIRONMENTS[name]}/.done")
    said = run_recipe(name, "--minutes", "0.5", "--games", "40", python=str(python))
    assert re.search(r"^before learning it wins [\d.]+% of 40 against random", said, re.MULTILINE), said
    choices = re.search(r"^([\d,]+) choices in \d+ s$", said, re.MULTILINE)
    assert choices is not None, said
    assert int(choices[1].replace(",", "")) > 1000
    assert share_against_random(said) > 0
