"""Studies: sums that add up in any order, figures that tell what they should, a report with all of them."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from landfall.cli import app
from landfall.cli.common import EXIT_BAD_INPUT
from landfall.core.seat_statistics import Event
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.lab import charts
from landfall.lab.experiments import game_statistics_study as studies
from landfall.lab.experiments import study_report
from landfall.lab.experiments.game_statistics_study import Figure, Setup, Study
from landfall.lab.experiments.game_study_definition import mark_event_kinds, study_definition_of_game
from landfall.lab.experiments.result_log import ResultLogError
from landfall.lab.worker_pool import InlinePool, ProcessPool

pytestmark = pytest.mark.once

STUDY = Study("atlandice", "random", 3)
TWO = [Setup("2 players", 2, {}), Setup("3 players", 3, {})]


def quiet(_: int) -> None:
    """Nobody is told of progress."""


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_every_option_is_studied_with_what_it_needs(name: str) -> None:
    rules = find_game(name)
    every = studies.list_setups(name, list(rules.player_counts))
    assert [one.players for one in every if not one.options] == list(rules.player_counts)
    studied = {option for one in every for option in one.options}
    assert studied == {option.name for option in rules.options}
    for one in every:
        assert studies.option_faults(name, one.players, one.options) == []
    assert len({one.name for one in every}) == len(every)


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_what_is_noted_of_a_match_is_what_happened(name: str) -> None:
    players = find_game(name).player_counts[-1]
    sums = studies.play_match_and_sum(Study(name, "random", 1), Setup("", players, {}), 4)
    assert sum(sums["wins"]) == pytest.approx(1)
    assert sum(sums["spread"].values()) == players
    assert sums["rounds"][0] > 1
    assert sums["choices"][0] > 1
    won = sum(share for seat in sums["marks"] for _, share in seat.values())
    assert won > 0, "winners are marked, too"
    found = {name for seat in sums["marks"] for name in seat}
    assert len(found) > 5
    total = [sum(w + o for w, _, o, _ in seat.values()) for seat in sums["parts"]]
    scores = [points for points, _ in sums["by_seat"]]
    if name == "survive":
        assert total == scores, "all points are of explorers at home"
    if name == "atlandice":
        assert total == scores, "every point has a source"


def test_a_seat_is_marked_for_its_own_pieces() -> None:
    events: list[Event] = [
        {"kind": "placed", "seat": 0, "piece": "r1", "at": "D4", "value": 6},
        {"kind": "placed", "seat": 1, "piece": "y1", "at": "D5", "value": 5},
        {"kind": "placed", "seat": 1, "piece": "y2", "at": "D6", "value": 1},
        {"kind": "ship_moved", "crew": ["r1", "y1"]},
        {"kind": "landed", "piece": "r1", "isle": "@NE"},
        {"kind": "removed", "piece": "y1", "by": "shark"},
    ]
    red, yellow = study_definition_of_game("survive").derive_seat_statistics(events, 2)
    assert red.marks == {"sails with a rival aboard", "home: a 6"}
    assert red.parts == {"explorers worth 6": 6}
    lost = {"sails with a rival aboard", "loses one to: shark", "has explorers out when it ends"}
    assert yellow.marks == lost
    mine, other = mark_event_kinds([{"kind": "dived", "seat": 0}, {"kind": "over"}], 2)
    assert (mine.marks, other.marks) == ({"event: dived"}, set()), "a game of one's own has its events"


def test_sums_are_the_same_with_one_worker_and_two_and_go_on(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    whole = studies.run_study(STUDY, TWO, 30, None, InlinePool(), quiet)
    reported: list[int] = []
    with ProcessPool(2) as pool:
        studies.run_study(STUDY, TWO, 20, path, pool, reported.append)
        path.write_text(path.read_text() + '{"cut sho')
        again = studies.run_study(STUDY, TWO, 30, path, pool, reported.append)
    assert again == whole
    assert reported[0] == 0
    assert sum(reported) == 40 + 60
    assert 40 in reported, "what was there was not played again"
    assert whole[0].sums["games"] == 30
    with pytest.raises(ResultLogError, match="holds another study"):
        studies.run_study(Study("atlandice", "greedy", 3), TWO, 10, path, InlinePool(), quiet)


def test_figures_have_the_intervals_they_should() -> None:
    one = studies.mean_figure([50.0, 50.0], 100)  # fifty times 1, fifty times 0
    assert (round(one.mid, 3), round(one.low, 3), round(one.high, 3)) == (0.5, 0.402, 0.598)
    other = studies.mean_figure([90.0, 90.0], 100)
    assert studies.figure_difference(one, other).mid == pytest.approx(0.4)
    assert studies.figure_difference(one, other).differs_significantly()
    assert not studies.figure_difference(one, one).differs_significantly()
    assert not Figure(0.6, 0.51, 0.69).differs_significantly(0.5), "told by 95 %, not by 99.9"
    assert Figure(0.7, 0.61, 0.79).differs_significantly(0.5)


def test_a_report_has_every_set_up_and_finds_what_is_planted(tmp_path: Path) -> None:
    every = [*TWO, Setup("clock: half as long", 3, study_definition_of_game("atlandice").values["clock: half as long"])]
    found = studies.run_study(STUDY, every, 60, None, InlinePool(), quiet)
    found[1].sums["wins"] = [50.0, 5.0, 5.0]  # planted: who begins wins
    reading = study_report.StudyResults(STUDY, found)
    page, text = study_report.render_html(reading), study_report.render_markdown(reading)
    assert "seat 1 wins 83.3 %" in text
    assert "2 players: seat" not in text.partition("## How long")[0], "nothing was planted there"
    assert "clock: half as long (3 players): decisions -" in text
    for section in study_report.list_sections(reading):
        assert section.title in page
        assert all(len(row) == len(section.head) for row in section.rows)
        for picture in section.pictures:
            assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", ""), "all is in the one file"
    assert page.count("<svg") == page.count("</svg>") > 4


def test_bars_show_every_number() -> None:
    picture = charts.draw_histogram({-3: 1, 0: 4, 90: 2}, "points <all>")
    tall = [e for e in ElementTree.fromstring(picture) if e.get("fill") == "#27a"]
    assert sum(float(e.get("height") or 0) > 0 for e in tall) == 3
    assert 20 < len(tall) <= 41


def test_the_command_writes_both_files(tmp_path: Path) -> None:
    args = ["study", "atlandice", "--bot", "random", "--games", "10", "--cores", "1", "--out", str(tmp_path)]
    got = CliRunner().invoke(app, args)
    assert got.exit_code == 0, got.output
    assert (tmp_path / "atlandice.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "atlandice.md").read_text().startswith("# A study of Atlandice")
    wrong = CliRunner().invoke(app, ["study", "atlandice", "--players", "7"])
    assert wrong.exit_code == EXIT_BAD_INPUT
    assert "is played by 2, 3, 4" in wrong.output
