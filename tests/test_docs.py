"""The examples of the documentation run as they stand."""

import re
from pathlib import Path

import pytest

import landfall
from landfall.bots.registry import bots
from landfall.games import OURS
from landfall.lab.sim import simulate

PAGE = Path(__file__).resolve().parents[1] / "docs" / "bots.md"


@pytest.mark.once
@pytest.mark.parametrize("name", OURS)
def test_the_bot_of_the_page_plays_every_game(name: str, tmp_path: Path) -> None:
    example = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    assert len([line for line in example.group(1).splitlines() if line.strip()]) <= 22
    path = tmp_path / "mine.py"
    path.write_text(example.group(1), encoding="utf-8")
    players = landfall.game(name).counts[0]
    table = bots(",".join([f"{path}:Rollouts:games=1", *["random"] * (players - 1)]))
    got = simulate(name, players, 1, seed=1, bots=table)
    assert got.decisions > 0
    assert sum(got.wins) == pytest.approx(1)
