"""Two worlds on the wire, small counts: every seat, and a spectator, of each game."""

import asyncio
from pathlib import Path

import pytest

from landfall.game_checks.option_combinations import sample_combinations
from landfall.games import BUILT_IN_GAMES
from tests.server import two_worlds

pytestmark = pytest.mark.once


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_what_a_seat_cannot_know_is_in_no_byte_it_is_sent(name: str, tmp_path: Path) -> None:
    games = [(combo, seed, (0, None)[seed % 2]) for seed, combo in enumerate(sample_combinations(name, 2))]
    found = asyncio.run(two_worlds.compare_two_world_games(tmp_path, name, games, paths=1))
    assert found["games"] == len(games)
    assert found["choices"] > 100
    assert found["worlds"] > len(games)
