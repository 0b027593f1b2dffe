"""Matches as a table: what its rows say is what happened, and the field's tools read it."""

import json
import re
import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from landfall.cli import app
from landfall.cli.common import EXIT_FAILED
from landfall.core.rng import Rng
from landfall.core.state import OVER
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.lab import match_dataset
from landfall.lab.experiments.simulation import SimulatedTable, simulate_in_parallel
from landfall.lab.worker_pool import InlinePool, ProcessPool
from landfall.match import Match
from tests.repository_files import REPO

pytestmark = pytest.mark.once

PAGE = (REPO / "docs" / "data.md").read_text(encoding="utf-8")
TABLE = SimulatedTable("atlandice", 3, 9, {}, ("greedy", "random", "greedy"))


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_every_row_can_be_played_again_from_its_position(name: str) -> None:
    game = find_game(name)
    players = game.player_counts[0]
    rows = match_dataset.simulate_rows(SimulatedTable(name, players, 3, {}), (4, 1))
    one = simulate_in_parallel(SimulatedTable(name, players, 3, {}), 5, InlinePool(), lambda _: None)
    before = simulate_in_parallel(SimulatedTable(name, players, 3, {}), 4, InlinePool(), lambda _: None)
    assert len(rows) == one.decisions - before.decisions, "the same match as without a file"
    assert rows[0]["scores"] == [a - b for a, b in zip(one.totals, before.totals)]
    for number, row in enumerate(rows):
        state = game.from_text(row["line"])
        assert (int(state.actor), len(state.legal_actions()), row["decision"]) == (row["seat"], row["choices"], number)
        assert state.parse(row["text"]) == row["action"]
        assert row["action"] in state.legal_actions()
        state.apply(row["action"])
        following = rows[number + 1] if number + 1 < len(rows) else None
        for text in following["chance"] if following else []:
            state.apply(state.parse(text))
        assert following is None or state.to_text() == following["line"]
    assert sum({row["seat"]: row["win"] for row in rows}.values()) == pytest.approx(1)
    assert set(rows[0]) == set(match_dataset.DATASET_COLUMNS)


def finished(path: Path, seed: int, most: int = 10**9) -> None:
    """A record of a random match, over unless it is cut short."""
    match, rng = Match("atlandice", 2, seed=seed, seats=["Ana", "greedy v2"]), Rng(seed)
    while match.actor != OVER and len(match.log) < most:
        match.play(int(match.state.random_action(rng)))
    path.write_text(match.record(), encoding="utf-8")


def test_records_become_one_file_and_what_cannot_is_named(tmp_path: Path) -> None:
    for seed in range(3):
        finished(tmp_path / f"{seed}.txt", seed)
    finished(tmp_path / "running.txt", 4, most=30)
    (tmp_path / "notes.txt").write_text("no record\n")
    path = tmp_path / "all.parquet"
    got = CliRunner().invoke(app, ["gather", str(tmp_path), "--out", str(path)])
    assert got.exit_code == EXIT_FAILED
    assert "3 matches" in " ".join(got.output.split())
    assert "running.txt: the match is not over" in got.output
    _, files = match_dataset.import_pyarrow_modules()
    rows = files.read_table(path).to_pylist()
    assert {(row["match"], row["player"]) for row in rows} == {(n, p) for n in range(3) for p in ("Ana", "greedy v2")}
    assert not (tmp_path / "all.parquet.part").exists()


def test_the_file_is_the_same_however_many_write_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_dataset, "ROWS_PER_GROUP", 1000)
    one, two = tmp_path / "one", tmp_path / "two"
    rows = match_dataset.write_parquet_file(one, match_dataset.iterate_simulated_rows(TABLE, 25, InlinePool()))
    with ProcessPool(2) as pool:
        assert match_dataset.write_parquet_file(two, match_dataset.iterate_simulated_rows(TABLE, 25, pool)) == rows
    assert one.read_bytes() == two.read_bytes()
    _, files = match_dataset.import_pyarrow_modules()
    read = files.ParquetFile(one)
    assert read.metadata.num_rows == rows
    assert read.num_row_groups > 2, "written in a stream"
    assert read.schema_arrow.equals(match_dataset.build_arrow_schema(), check_metadata=False)


def test_the_page_tells_every_column() -> None:
    told = re.findall(r"^\| `(\w+)` \| (\S+) \| (.+) \|$", PAGE, re.MULTILINE)
    assert told == [(name, kind, what) for name, (kind, what) in match_dataset.DATASET_COLUMNS.items()]


def test_polars_and_duckdb_read_it_alike(tmp_path: Path) -> None:
    """As the example does that the page shows."""
    path = tmp_path / "games.parquet"
    match_dataset.write_parquet_file(path, match_dataset.iterate_simulated_rows(TABLE, 12, InlinePool()))
    example = runpy.run_path(str(REPO / "examples" / "data" / "by_player.py"))
    one, other = example["with_polars"](str(path)), example["with_duckdb"](str(path))
    assert [player for player, _ in one] == ["greedy", "random"]
    assert [share for _, share in one] == pytest.approx([share for _, share in other])
    assert one[0][1] > one[1][1]


def test_results_of_a_ladder_are_a_table_in_two_lines(tmp_path: Path) -> None:
    """What docs/data.md says of a ladder's log."""
    log = tmp_path / "ladder.jsonl"
    args = [
        "ladder",
        "atlandice",
        "--bots",
        "greedy,random",
        "--games",
        "6",
        "--cores",
        "1",
        "--log",
        str(log),
        "--json",
    ]
    shown = CliRunner().invoke(app, args)
    share = json.loads(shown.stdout)["lines"][0]["share"]
    readers = runpy.run_path(str(REPO / "examples" / "data" / "ladder_results.py"))["READERS"]
    assert set(readers) == {"polars", "duckdb", "pandas"}
    for name, read in readers.items():
        if find_spec(name) is not None:  # pandas is not among what the tests install
            assert read(str(log)) == [("greedy", "random", pytest.approx(share))], name
