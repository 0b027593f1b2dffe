"""The leaderboard: a row is what was played, any game can be played again, and a wrong result is found."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from landfall.cli import app
from landfall.cli.common import EXIT_BAD_INPUT, EXIT_FAILED
from landfall.lab.experiments import leaderboard as board
from landfall.lab.experiments.ladder import LadderSetting
from landfall.lab.worker_pool import InlinePool
from tests.repository_files import REPO

SETTING = LadderSetting("atlandice", 2, {}, 5)
MOODY = """
import sys
from landfall.bots.contract import Bot

class Moody(Bot):
    name = "moody"

    def choose(self, seat):
        sys.moody = getattr(sys, "moody", 0) + 1  # it counts through all its games
        return seat.legal_actions[sys.moody // 7 % len(seat.legal_actions)]
"""


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["leaderboard", *args])


def play(bot: str = "greedy", games: int = 4) -> board.LeaderboardRow:
    return board.play_repeatable_pairing(SETTING, bot, "random", games, InlinePool(), lambda done: None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "leaderboard.jsonl"
    board.add_or_replace_row(path, play())
    return path


def change(path: Path, **entries: Any) -> None:
    """Write other entries into the only row."""
    path.write_text(json.dumps(json.loads(path.read_text()) | entries) + "\n")


def test_a_row_is_played_read_and_verified(file: Path) -> None:
    (row,) = board.read_leaderboard(file)
    assert row == play()
    assert (row.game, row.games, row.against) == ("atlandice", 4, "random")
    assert row.share >= 0.5
    assert run("verify", "--file", str(file), "--cores", "1").exit_code == 0
    assert "greedy" in run("show", "--file", str(file)).output
    assert "| atlandice | 2 | none | greedy v" in run("show", "--file", str(file), "--markdown").output


def test_a_result_that_was_not_played_is_found(file: Path) -> None:
    results = play().results
    change(file, results=results[:2] + ("0" if results[2] == "1" else "1") + results[3:])
    found = run("verify", "--file", str(file), "--cores", "1")
    assert found.exit_code == EXIT_FAILED
    assert "1 of 4 games ended otherwise: 2" in found.output


def test_a_row_of_another_version_is_found_without_playing(file: Path) -> None:
    change(file, version="0")
    found = run("verify", "--file", str(file))
    assert found.exit_code == EXIT_FAILED
    assert "version 0 of greedy" in found.output
    change(file, rules=99)
    assert "version 99 of the rules" in run("verify", "--file", str(file)).output


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ({"results": "113"}, "no whole deals"),
        ({"results": "1x"}, "results are"),
        ({"results": "13"}, "results are"),
        ({"results": ""}, "results are"),
        ({"players": True}, "players cannot be"),
        ({"players": 9}, ""),
        ({"game": "chess"}, "chess"),
        ({"name": "x"}, "the entries are"),
    ],
)
def test_a_wrong_line_is_refused(file: Path, entries: dict[str, Any], reason: str) -> None:
    if reason == "no whole deals":
        entries = {"results": "111"}
    change(file, **entries)
    refused = run("show", "--file", str(file))
    assert refused.exit_code == EXIT_BAD_INPUT
    assert reason in refused.output


def test_a_pairing_is_replaced_and_never_stands_twice(file: Path) -> None:
    board.add_or_replace_row(file, play(games=2))
    assert [row.games for row in board.read_leaderboard(file)] == [2]
    file.write_text(file.read_text() * 2)
    assert "stands twice" in run("show", "--file", str(file)).output


def test_a_bot_that_chooses_otherwise_each_time_is_refused(file: Path, tmp_path: Path) -> None:
    (tmp_path / "moody.py").write_text(MOODY)
    args = ("--bot", f"{tmp_path / 'moody.py'}:Moody", "--against", "random", "--games", "6", "--cores", "1")
    refused = run("add", "atlandice", *args, "--file", str(file))
    assert refused.exit_code == EXIT_FAILED
    assert "ended otherwise" in refused.output
    assert len(board.read_leaderboard(file)) == 1
    added = run("add", "atlandice", "--bot", "sprat", "--games", "2", "--cores", "1", "--file", str(file))
    assert added.exit_code == 0, added.output
    assert len(board.read_leaderboard(file)) == 2


@pytest.mark.once
def test_our_own_leaderboard_is_true() -> None:
    """One game of every row of a quick bot, drawn by the seed; `landfall leaderboard verify` plays all."""
    rows = board.read_leaderboard(REPO / "research" / "leaderboard.jsonl")
    assert len(rows) > 12
    quick = [row for row in rows if {row.bot, row.against} <= {"random", "sprat", "mackerel", "greedy"}]
    assert len(quick) >= 12
    for at, row in enumerate(rows):
        assert board.why_not_repeatable(row) == ""
        if row in quick:
            assert (
                board.find_games_that_end_otherwise(row, [(at * 37) % row.games], InlinePool(), lambda done: None) == []
            )


@pytest.mark.once
def test_the_page_shows_the_leaderboard() -> None:
    page = (REPO / "docs" / "baselines.md").read_text(encoding="utf-8")
    table = run("show", "--markdown", "--file", str(REPO / "research" / "leaderboard.jsonl")).output
    assert f"<!-- table: landfall leaderboard show --markdown -->\n{table}<!-- end of table -->" in page


@pytest.mark.parametrize("name", ["missing/leaderboard.jsonl", "broken.jsonl"])
def test_a_file_that_cannot_be_extended_is_refused_before_a_game_is_played(tmp_path: Path, name: str) -> None:
    (tmp_path / "broken.jsonl").write_text("{\n")
    played = run("add", "atlandice", "--bot", "no_such_bot", "--games", "2", "--file", str(tmp_path / name))
    assert played.exit_code == EXIT_BAD_INPUT
    assert ("--file" if name.startswith("missing") else "line 1: no JSON") in played.output
