"""The notebooks run from top to bottom, here with a small budget; in full, and the one that trains, in `make proof`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import lacking
from tests.notebook_runner import NOTEBOOKS, code_cells, run_notebook
from tests.repository_files import REPO

pytestmark = pytest.mark.once
SMALL: Final[dict[str, dict[str, object]]] = {"first_look": {"games": 20}, "bot": {"games": 10, "worlds": 1}}
TRAINING: Final = REPO / ".bench" / "ppo" / "bin" / "python"  # an environment of its own: make .bench/ppo/.done


@pytest.mark.parametrize("name", SMALL)
def test_it_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = run_notebook(name, SMALL[name])
    assert len(capsys.readouterr().out.splitlines()) >= 2
    if name == "first_look":
        assert known["match"].state._repr_svg_().startswith("<svg")


@pytest.mark.proof
@pytest.mark.parametrize("name", SMALL)
def test_it_runs_in_full(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_notebook(name, {})
    assert len(capsys.readouterr().out.splitlines()) >= 2


def test_the_training_is_short() -> None:
    text = "\n".join("".join(cell["source"]) for cell in code_cells("policy"))
    compile(text, "policy.ipynb", "exec")
    assert len([line for line in text.splitlines() if line.strip()]) < 150


@pytest.mark.proof
def test_a_policy_trained_by_masked_ppo_beats_random() -> None:
    if not TRAINING.exists():
        lacking("make .bench/ppo/.done")
    command = [str(TRAINING), str(Path("tests") / "notebook_runner.py"), "policy"]
    environment = {"PYTHONPATH": str(REPO / "src"), "PATH": "/usr/bin:/bin"}
    said = subprocess.run(command, cwd=REPO, env=environment, capture_output=True, text=True, check=True).stdout
    share = re.search(r"wins ([\d.]+)% of 400 against random", said)
    assert share is not None, said
    assert float(share[1]) >= 90, said


def test_every_notebook_is_clean_and_tested() -> None:
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} == {*SMALL, "policy"}
    for name in (*SMALL, "policy"):
        assert [cell["outputs"] for cell in code_cells(name) if cell["outputs"]] == []
