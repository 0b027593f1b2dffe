"""Chance falls as it is said to: `draw`, which real matches use, beside the weights that `tests/second_implementation`
confirms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt

import pytest

import landfall
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, State
from landfall.game_checks.option_combinations import covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import BUILT_IN_GAMES

DRAWS = 3000
OF_EACH = 3  # positions of each phase and combination


def chance_positions(name: str) -> Iterator[tuple[str, State]]:
    """Some positions in which chance decides, of every phase of it that comes up."""
    for combo in covering_combinations(name)[:4]:
        met: Counter[str] = Counter()
        for state in random_game_positions(landfall.game(name).new(*combo), Rng(8)):
            if state.actor != CHANCE or len(state.chance_outcomes()) < 2:
                continue
            phase = str(state.view(None)["phase"])
            if met[phase] < OF_EACH:
                met[phase] += 1
                yield phase, state


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_chance_draws_by_the_weights_it_tells(name: str) -> None:
    rng = Rng(12)
    phases = set()
    for phase, state in chance_positions(name):
        phases.add(phase)
        weights = dict(state.chance_outcomes())
        drawn = Counter(int(state.sample_chance(rng)) for _ in range(DRAWS))
        assert drawn.keys() <= weights.keys()
        share = {outcome: DRAWS * weight / sum(weights.values()) for outcome, weight in weights.items()}
        square = sum((drawn[outcome] - due) ** 2 / due for outcome, due in share.items())
        degrees = len(weights) - 1
        assert square < degrees + 5 * sqrt(2 * degrees), (phase, weights, drawn)
    assert len(phases) >= 3
