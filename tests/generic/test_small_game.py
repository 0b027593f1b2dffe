"""A game of one file that somebody writes for Landfall: it passes all these tests, and a leak in it is found."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.repository_files import REPO

pytestmark = pytest.mark.once

SOURCE: Final = (REPO / "tests/generic/small_game.py").read_text(encoding="utf-8")
TEXTS: Final = {
    "game.title": "High Showdown",
    "game.by": "a test",
    "game.about": "Stay with a high card, fold with a low one.",
    "ask.chance": "Cards are being dealt.",
    "ask.turn": "Stay or fold.",
    "wait.turn": "{who:seat} stays or folds.",
    "ask.over": "The game is over.",
    "act.stay": "Stay",
    "act.fold": "Fold",
    "act.deal": "Deal a {card}",
    "event.dealt": "{seat:seat} gets a card.",
    "event.dealt.known": "{seat:seat} gets a {card}.",
    "event.stay": "{seat:seat} stays.",
    "event.fold": "{seat:seat} folds.",
    "event.shown": "All cards are turned over.",
    "term.points": "points",
}
RULES: Final = (
    "# Showdown\n\n## A round\n- **SH.R1** All get a card, stay or fold, and show it. The best card scores.\n"
)
TESTING: Final = '"""What the tests of all games must know of Showdown."""\n\nREVEALS = {"shown"}  # SH.R1\n'


def package(folder: Path, source: str, testing: str = TESTING) -> Path:
    """An installed package with this source as its rules."""
    inner = folder / "landfall_showdown"
    for name, text in (
        ("__init__.py", ""),
        ("game_definition.py", source),
        ("testing.py", testing),
        ("texts/en.json", json.dumps(TEXTS)),
        ("rules/en.md", RULES),
    ):
        (inner / name).parent.mkdir(parents=True, exist_ok=True)
        (inner / name).write_text(text, encoding="utf-8")
    metadata = folder / "landfall_showdown-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: landfall-showdown\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[landfall.games]\nshowdown = landfall_showdown.game_definition:GAME\n")
    return folder


def run_python(folder: Path, *args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """A Python that has the package installed."""
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, (folder, REPO / "src", REPO))),
        "PYTHONWARNINGS": "ignore:landfall. sources changed:RuntimeWarning",
    }
    command = [sys.executable, *args]
    return subprocess.run(
        command, cwd=REPO, env=env, input=typed, capture_output=True, text=True, check=False, timeout=600
    )


def run_suite(folder: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    """The generic tests of the game, as docs/new-game.md says to run them."""
    return run_python(folder, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests, "-k", "showdown")


def test_it_passes_all_of_them(tmp_path: Path) -> None:
    done = run_suite(package(tmp_path, SOURCE), "tests/generic")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) > 60, "hardly any generic test met the game"
    assert "showdown draws no picture" in done.stdout


@pytest.mark.parametrize(
    ("right", "wrong", "test", "said"),
    [
        ("CARDS, OWNER)", "CARDS)", "test_secrecy", "tells two worlds apart: .card"),
        ('"seat": seat}, {"card"', '"seat": seat, "card": self.card[seat]}, {"card"', "test_secrecy", ".card is"),
        ("return self.card.index(0) + 1 if", "return 0 if", "test_secrecy", "secret_code is 0"),
        (" if self.actor == CHANCE else []", "", "test_random_games", "it is empty unless actor is CHANCE"),
        ("raise NotationError(text, ", "raise ValueError(text, ", "test_damage", "it begins as a NotationError"),
        ("self.record_event(", "print(", "test_copies", "`apply` calls record_event"),
    ],
    ids=["a card in the view", "a card in an event", "a card in the log", "chance", "parse", "no events"],
)
def test_what_is_wrong_is_found_and_named(right: str, wrong: str, test: str, said: str, tmp_path: Path) -> None:
    assert right in SOURCE
    done = run_suite(package(tmp_path, SOURCE.replace(right, wrong)), f"tests/generic/{test}.py")
    assert done.returncode == 1, done.stdout[-3000:] + done.stderr[-1000:]
    assert said in done.stdout


def test_a_reveal_that_is_not_declared_is_told_from_a_leak_by_what_the_test_says(tmp_path: Path) -> None:
    done = run_suite(package(tmp_path, SOURCE, testing="REVEALS = set()\n"), "tests/generic/test_secrecy.py")
    assert done.returncode == 1, done.stdout[-3000:]
    assert "name its kind in REVEALS" in done.stdout


def test_the_terminal_names_it_by_its_title(tmp_path: Path) -> None:
    play = (
        "-c",
        "from landfall.cli import main; main()",
        "play",
        "showdown",
        "--text",
        "--players",
        "2",
        "--seed",
        "4",
    )
    done = run_python(package(tmp_path, SOURCE), *play, typed="1\n" * 9)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert done.stdout.startswith("High Showdown: you play ")
    assert "All cards are turned over." in done.stdout


def test_a_number_that_is_a_line_and_another_choice_is_asked_about(tmp_path: Path) -> None:
    """Notation 2 is the first line here, and 1 the second."""
    swapped = SOURCE.replace("return VERBS[action]\n", "return str(2 - action)\n")
    assert swapped != SOURCE
    play = (
        "-c",
        "from landfall.cli import main; main()",
        "play",
        "showdown",
        "--text",
        "--players",
        "2",
        "--seed",
        "4",
    )
    asked = "1 may mean two things: line 1 of the list"
    done = run_python(package(tmp_path, swapped), *play, typed="1\nlog\n#1\n=2\n" + "#2\n" * 9)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    before, _, after = done.stdout.partition(asked)
    assert "stays" not in before
    assert "Type #1 for the line or =1 for the choice." in after
    mine = re.findall(r"Red (stays|folds)\.", after)
    assert mine == ["stays", "stays", "folds"]
    assert "All cards are turned over." in done.stdout
