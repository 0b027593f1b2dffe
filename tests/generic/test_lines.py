"""Every game writes a position as one line of text and reads it back."""

from __future__ import annotations

import pytest

from landfall.core.errors import PositionError
from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.game_checks.option_combinations import Combo, all_combinations, combination_label, covering_combinations
from landfall.game_checks.position_checks import sampling_interval
from landfall.games import GAME_NAMES, has_game_module
from landfall.games import game as find_game
from tests.generic.position_text_checks import check_texts_of_random_game

GAMES = [name for name in GAME_NAMES if has_game_module(name, "position_text")]
SEATS_KNOW_ALL = {"atlandice"}  # nothing is hidden there


def sample(name: str) -> list[Combo]:
    """A few combinations from all over, then the fewest in which every choice of every option occurs."""
    every = all_combinations(name)
    few = every[:: max(1, len(every) // 6)][:7]
    return few + [combo for combo in covering_combinations(name) if combo not in few]


@pytest.mark.parametrize(
    "table", [pytest.param((n, c), id=f"{n} {combination_label(c)}") for n in GAMES for c in sample(n)]
)
def test_lines_read_back_and_keep_secrets(table: tuple[str, Combo]) -> None:
    name, combo = table
    assert (
        check_texts_of_random_game(name, combo, seed=len(combination_label(combo)), share=sampling_interval(name, 8))
        > 3
    )


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", ["", " ", "nonsense", "now: never", "12 monkeys; and: more"])
def test_what_is_no_position_is_refused(name: str, text: str) -> None:
    with pytest.raises(PositionError):
        find_game(name).from_text(text)


@pytest.mark.parametrize("name", [n for n in GAMES if n not in SEATS_KNOW_ALL])
def test_the_check_of_two_worlds_can_fail(name: str) -> None:
    """Somewhere in a game a whole line does tell two worlds apart, else the check above would prove nothing."""
    state, rng = find_game(name).new(2), Rng(5)
    told = 0
    for _ in range(120):
        state.apply(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))
        told += state.to_text() != state.resample(None, rng).to_text()
    assert told > 10
