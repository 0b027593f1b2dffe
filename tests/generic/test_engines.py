"""Compiled and interpreted, the same seeds give the same games."""

import pytest

from landfall.games import GAME_NAMES
from tests.generic import engines

SEEDS = 20


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", GAME_NAMES)
def test_both_engines_play_the_same_games(name: str) -> None:
    ours = engines.traces(name, 0, SEEDS)
    assert len(set(ours)) == SEEDS
    assert ours == engines.interpreted(name, 0, SEEDS)
