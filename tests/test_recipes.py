"""The recipes for training run, each in an environment of its own."""

from __future__ import annotations

import re
import subprocess
from typing import Final

import pytest

from tests.conftest import lacking
from tests.repository_files import REPO

pytestmark = pytest.mark.once
RECIPES: Final = REPO / "examples" / "recipes"
ENVIRONMENTS: Final = {"ppo": "ppo", "rllib_ppo": "rllib"}  # .bench/NAME


def test_every_recipe_is_listed_compiles_and_is_in_the_documents() -> None:
    assert {path.stem for path in RECIPES.glob("*.py")} == set(ENVIRONMENTS)
    page = (REPO / "docs" / "training.md").read_text(encoding="utf-8")
    for name, environment in ENVIRONMENTS.items():
        text = (RECIPES / f"{name}.py").read_text(encoding="utf-8")
        compile(text, name, "exec")
        assert f"make .bench/{environment}/.done" in text
        assert f"make .bench/{environment}/.done" in page
        assert (REPO / "bench" / environment / "requirements.lock").is_file()


@pytest.mark.proof
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_recipe_learns_and_says_how_well_it_plays(name: str) -> None:
    python = REPO / ".bench" / ENVIRONMENTS[name] / "bin" / "python"
    if not python.exists():
        lacking(f"make .bench/{ENVIRONMENTS[name]}/.done")
    command = [str(python), str(RECIPES / f"{name}.py"), "--minutes", "0.5", "--games", "40"]
    environment = {"PYTHONPATH": str(REPO / "src"), "PATH": "/usr/bin:/bin"}
    said = subprocess.run(command, cwd=REPO, env=environment, capture_output=True, text=True, check=True).stdout
    assert re.search(r"^before learning it wins [\d.]+% of 40 against random", said, re.MULTILINE), said
    choices = re.search(r"^([\d,]+) choices in \d+ s$", said, re.MULTILINE)
    assert choices is not None, said
    assert int(choices[1].replace(",", "")) > 1000
    assert re.search(r"^it wins [\d.]+% of 40 against random", said, re.MULTILINE), said
