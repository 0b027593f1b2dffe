"""The folders of the games are as the table in docs/game-folder.md says."""

from __future__ import annotations

import re

import pytest

from landfall.games import BUILT_IN_GAMES
from tests.repository_files import REPO

pytestmark = pytest.mark.once

ROW = re.compile(r"^\| ((?:`[\w/]+\.py` ?)+) \| .+ \| ([\w, ]+) \|$", re.MULTILINE)


def table(text: str) -> dict[str, list[str]]:
    """By game the modules it should have, in the order of the table."""
    found: dict[str, list[str]] = {name: [] for name in BUILT_IN_GAMES}
    for modules, games in ROW.findall(text):
        for game in BUILT_IN_GAMES if games == "all" else [game.strip().lower() for game in games.split(",")]:
            found[game] += re.findall(r"`([\w/]+\.py)`", modules)
    return found


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_a_game_has_the_modules_it_is_said_to_have(name: str) -> None:
    said = table((REPO / "docs/game-folder.md").read_text(encoding="utf-8"))[name]
    folder = REPO / "src/landfall/games" / name
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if path.name != "__init__.py"}
    assert len(said) > 20
    assert len(set(said)) == len(said), "named twice"
    assert set(said) == there


def test_a_name_of_ones_own_is_rare() -> None:
    """Of all names most are common: a newcomer who knows one folder finds the way in the next."""
    said = table((REPO / "docs/game-folder.md").read_text(encoding="utf-8"))
    common = set.intersection(*(set(modules) for modules in said.values()))
    assert len(common) >= 23


def test_a_module_that_is_not_in_the_table_would_be_seen() -> None:
    assert table("| `board.py` `stray.py` | a job | Survive, Atlantis |\n")["atlantis"] == ["board.py", "stray.py"]
    assert table("| `board.py` | a job | all |\n") == {name: ["board.py"] for name in BUILT_IN_GAMES}
