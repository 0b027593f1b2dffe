"""Long commands tell how far they are: a line every fifteen seconds where there is no terminal, a bar on one."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from landfall.cli.bots import render_pairings_table
from landfall.lab.command_progress import ProgressReport, format_seconds
from landfall.lab.experiments.ladder import GameResult, LadderProgress, PairingResult

pytestmark = pytest.mark.once


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_line_has_what_is_done_the_time_left_and_the_result() -> None:
    page, clock = io.StringIO(), Clock()
    with ProgressReport("survive", 400, Console(file=page, width=30), clock=clock) as bar:
        for _ in range(100):
            clock.now += 0.4
            bar.advance(1, "greedy [won] 61 %")
    assert page.getvalue().splitlines() == [
        "survive: 38 of 400, 2:25 left; greedy [won] 61 %",
        "survive: 76 of 400, 2:10 left; greedy [won] 61 %",
    ]


def test_a_command_of_a_given_time_shows_what_is_left_of_it() -> None:
    page, clock = io.StringIO(), Clock()
    with ProgressReport("atlantis", 3900, Console(file=page, width=80), timed=True, clock=clock) as bar:
        clock.now = 16.0
        bar.update(300)
    assert page.getvalue() == "atlantis: 5:00 of 1:05:00, 1:00:00 left\n"
    assert format_seconds(59.6) == "1:00"


def test_on_a_terminal_a_bar_is_drawn_and_a_quick_command_says_nothing_elsewhere() -> None:
    page = io.StringIO()
    with ProgressReport("survive", 4, Console(file=page, width=100, force_terminal=True)) as bar:
        bar.advance(1, "25 %")
        bar.bar.refresh()
        assert "1 of 4" in page.getvalue()
        assert "25 %" in page.getvalue()
    page = io.StringIO()
    with ProgressReport("survive", 4, Console(file=page)) as bar:
        bar.advance(4)
    assert page.getvalue() == ""


def test_a_ladder_tells_the_result_so_far() -> None:
    progress = LadderProgress()
    for number, share in enumerate((1.0, 1.0, 0.0, 0.5)):
        progress.add(GameResult("net", "greedy", number, share, [1, 2], [], []))
    progress.add(GameResult("random", "greedy", 0, 0.0, [1, 2], [], []))
    assert progress.game_count == 5
    assert progress.text == "random won 0% (0% – 79%) of 1 against greedy"
    progress.add(GameResult("net", "greedy", 4, 1.0, [1, 2], [], []))
    assert progress.text.startswith("net won 70% (")


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_bot_s_code_is_cut_off(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two codes that differ only at their end are two rows that differ, however narrow the terminal is."""
    codes = [f"mcts:iters=2250:explore=0.06:own_points=250:greedy_percent=3{n}" for n in range(2)]
    lines = [PairingResult(code, "net:file=nets/mine.npz", 400, 0.5, 0.45, 0.55, 0.5, 1.25) for code in codes]
    page = io.StringIO()
    console = Console(file=page, width=width)
    monkeypatch.setattr("landfall.cli.bots.out", console)
    console.print(render_pairings_table("survive", lines))
    shown = page.getvalue()
    assert "…" not in shown
    cells = ["".join(row.split("│")[1].strip() for row in part.splitlines() if "│" in row) for part in [shown]]
    for code in codes:
        assert code in cells[0]
