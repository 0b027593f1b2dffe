"""Random games, small fixed counts; the full counts are `random_games.prove`."""

import os
import subprocess
import sys

import pytest

import landfall
from landfall import CHANCE, OVER, Rng
from landfall.core.errors import StateError
from landfall.core.state import playout

from .random_games import options_of_game_number, play_checked_games


def test_random_games_keep_every_property() -> None:
    found = play_checked_games(42)
    assert found["games"] == 42
    assert found["record_bytes"] <= 14 * found["actions"]
    for kind in ("emptied", "used_up", "inventory", "donation", "second_visit", "die_neutral", "end"):
        assert found[kind] > 0, kind


DIGESTS = """
import landfall
from landfall import Rng
from landfall.core.state import playout
from tests.atlandice.random_games import options_of_game_number
for number in range(30):
    state = landfall.new("atlandice", 2 + number % 3, **options_of_game_number(number))
    playout(state, Rng(number))
    print(state.digest(), state.scores(), [int(state.evaluate(seat)) for seat in range(state.players)])
"""


@pytest.mark.once
@pytest.mark.compiled_only
def test_both_engines_play_the_same_games() -> None:
    outputs = []
    for pure in ("0", "1"):
        settings = os.environ | {"LANDFALL_PURE": pure}
        code = f"import landfall; import sys; print(landfall.ENGINE, file=sys.stderr)\n{DIGESTS}"
        done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True)
        assert done.stderr.startswith("compiled" if pure == "0" else "interpreted")
        outputs.append(done.stdout)
    assert len(outputs[0].splitlines()) == 30
    assert outputs[0] == outputs[1]


def test_damaged_bytes_are_refused_or_can_be_played_to_the_end() -> None:
    game = landfall.game("atlandice")
    refused = 0
    for number in range(150):
        rng = Rng(number)
        state = landfall.new("atlandice", 2 + number % 3, **options_of_game_number(number))
        for _ in range(int(rng.randbelow(120))):
            if state.actor != OVER:
                state.apply(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))
        data = bytearray(state.to_bytes())
        for _ in range(4):
            damaged = data[:]
            damaged[int(rng.randbelow(len(damaged)))] = int(rng.randbelow(256))
            try:
                found = game.from_bytes(bytes(damaged))
            except StateError:
                refused += 1
                continue
            playout(found, rng)
        for cut in (0, 1, len(data) // 2, len(data) - 1):
            with pytest.raises(StateError):
                game.from_bytes(bytes(data[:cut]))
        with pytest.raises(StateError):
            game.from_bytes(bytes(data) + b"\1")
    assert refused > 300
