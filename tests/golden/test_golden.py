"""The golden files hold what the engine gives now. `python -m tests.golden` writes them anew: read the diff."""

import json

import pytest

import landfall
from landfall.core.rng import Rng
from landfall.game_checks.option_combinations import Combo, combination_label, covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from tests.golden import golden_files

EACH = [
    pytest.param(name, combo, id=f"{name}-{combination_label(combo)}")
    for name in BUILT_IN_GAMES
    for combo in covering_combinations(name)
]
MOST = golden_files.MOST_NODES if landfall.ENGINE == "compiled" else 300


@pytest.mark.parametrize(("name", "combo"), EACH)
def test_a_playthrough_is_as_it_was(name: str, combo: Combo) -> None:
    path = golden_files.ROOT / name / golden_files.file_name(name, combo)
    assert golden_files.playthrough(name, combo).splitlines() == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_no_golden_file_is_left_over(name: str) -> None:
    wanted = {golden_files.file_name(name, combo) for combo in covering_combinations(name)} | {
        "perft.json",
        "evaluations.jsonl",
    }
    assert {path.name for path in (golden_files.ROOT / name).iterdir()} == wanted


@pytest.mark.parametrize(("name", "combo"), EACH)
def test_counts_of_positions_are_as_they_were(name: str, combo: Combo) -> None:
    rows = json.loads((golden_files.ROOT / name / "perft.json").read_text(encoding="utf-8"))
    mine = {row["actions"]: row for row in rows if (row["players"], row["options"]) == combo}
    seen = 0
    for number, state in enumerate(random_game_positions(find_game(name).new(*combo), Rng(golden_files.SEED))):
        row = mine.get(number)
        if row is None:
            continue
        seen += 1
        assert state.digest() == row["digest"]
        for depth, expected in enumerate(row["counts"]):
            if depth == 0 or row["counts"][depth - 1] <= MOST:
                assert golden_files.count_action_sequences(state, depth + 1) == expected
    assert seen == len(mine) > 0


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_positions_are_worth_what_they_were(name: str) -> None:
    """A weight that is changed on purpose is measured by matches between bots first (docs/strength.md)."""
    rows = (golden_files.ROOT / name / "evaluations.jsonl").read_text(encoding="utf-8").splitlines()
    found = [row for combo in covering_combinations(name) for row in golden_files.evaluation_rows(name, combo)]
    assert [json.dumps(row) for row in found] == rows
