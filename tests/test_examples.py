"""A game that is a package of its own: installed apart, it is held to all that ours are, and played in a terminal."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.example_packages import FOLDERS, game_name_of_package, install_package
from tests.repository_files import REPO, list_repository_files

pytestmark = pytest.mark.once
EACH = [pytest.param(folder, id=folder.name) for folder in FOLDERS]
TRANSLATED = ("pt", "zh", "bg")
MOST_LINES = 400  # of Python in an example that authors are told to copy
PLAY = "from landfall.cli import main; main()"


@pytest.fixture(scope="module", params=EACH)
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    folder: Path = request.param
    return folder, install_package(folder, tmp_path_factory.mktemp(folder.name))


def run(env: dict[str, str], *command: str, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=REPO,
        env=env,
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def test_the_example_is_the_documented_folder_and_small() -> None:
    page = (REPO / "docs/new-game.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`(?:pyproject|landfall_pearls|tests)[^|]*)\|", page, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([^`]+\.[a-z]+)`", row)}
    translated = {re.sub(r"/en\.", f"/{tongue}.", name) for name in named for tongue in TRANSLATED if "/en." in name}
    folder = Path("examples/pearls")
    there = {path.relative_to(folder).as_posix() for path in list_repository_files() if path.is_relative_to(folder)}
    assert there == named | translated | {"README.md"}
    lines = sum(
        len(path.read_text(encoding="utf-8").splitlines()) for path in REPO.glob("examples/pearls/landfall_pearls/*.py")
    )
    assert lines <= MOST_LINES


def test_it_keeps_what_every_game_promises_and_its_own_tests_pass(example: tuple[Path, dict[str, str]]) -> None:
    folder, env = example
    pytest_ = ("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider")
    said = run(env, *pytest_, "tests/generic", "-k", game_name_of_package(folder))
    passed = re.search(r"(\d+) passed", said)
    assert passed, said[-500:]
    assert int(passed[1]) > 60, "hardly any generic test met the game"
    said = run(env, *pytest_, "--import-mode=importlib", str(folder / "tests"))
    assert re.search(r"(\d+) passed", said), said[-500:]


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, marks=[pytest.mark.proof] if language != "en" else [])
        for language in ("en", "pt", "zh", "bg")
    ],
)
def test_a_match_in_a_terminal(example: tuple[Path, dict[str, str]], language: str) -> None:
    folder, env = example
    order = (
        "-c",
        PLAY,
        "play",
        game_name_of_package(folder),
        "--text",
        "--players",
        "2",
        "--seed",
        "4",
        "--language",
        language,
    )
    said = run(env, *order, typed="1\n" * 200)
    assert re.search(r"^\W*1\b", said.splitlines()[-2]), f"there is no ranking at the end: {said[-300:]}"
    assert not re.search(r"\b(?:event|act|ask|term|draw|why)\.\w+", said), "a text is missing"
