"""Playouts draw a choice without listing all of them: each of `legal()` must be exactly as likely as any other."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import sqrt
from typing import Final

import pytest

import landfall
from landfall.core.rng import Rng
from landfall.core.state import State
from landfall.game_checks.option_combinations import Combo, covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import BUILT_IN_GAMES, GAME_NAMES

EACH: Final = 40  # draws a choice, on average
MOST_PATHS: Final = 400  # runs of draws that are followed to their end


def kinds_of_choice(name: str, combos: list[Combo]) -> list[State]:
    """Positions with a real choice, the first of each kind (by its last verb) with each of these sets of options."""
    found: list[State] = []
    for combo in combos:
        seen: set[str] = set()
        for state in random_game_positions(landfall.game(name).new(*combo), Rng(7)):
            legal = state.legal_actions()
            if len(legal) > 1:
                kind = str(state.action_to_dict(legal[-1])["verb"])
                if kind not in seen:
                    seen.add(kind)
                    found.append(state.copy())
    return found


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_choice_is_drawn_about_as_often_as_any_other(name: str) -> None:
    """By counting: the sum of squares over what was expected, within five of its own deviations."""
    rng, kinds = Rng(8), 0
    for state in kinds_of_choice(name, covering_combinations(name)):
        legal = state.legal_actions()
        counts = Counter(int(state.random_action(rng)) for _ in range(EACH * len(legal)))
        assert set(counts) <= set(legal), f"{state.to_text()}: random_action draws what fill_legal does not list"
        off = sum((counts[action] - EACH) ** 2 for action in legal) / EACH
        free = len(legal) - 1
        assert abs(off - free) < 5 * sqrt(2 * free) + 5, f"{state.to_text()}: {off:.0f}, expected {free}"
        kinds += 1
    assert kinds > (2 if name in BUILT_IN_GAMES else 0), "no position of a random game has two legal actions"


class Wanted(Exception):
    """One more draw was asked for than is written down: below how many?"""


def exact(state: State) -> dict[int, dict[int, Fraction]]:
    """By number of draws: how likely each choice is after so many, exactly; as many draws as can be followed."""
    found: dict[int, dict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    open_paths: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_paths:
        longer: list[tuple[tuple[int, ...], Fraction]] = []
        for draws, chance in open_paths:
            try:
                action = int(state.random_action(Script(draws)))
                found[len(draws)][action] += chance
            except Wanted as wanted:
                below = wanted.args[0]
                longer += [((*draws, i), chance / below) for i in range(below)]
        open_paths = longer if len(longer) <= MOST_PATHS else []
    return found


if landfall.ENGINE != "compiled":  # a compiled generator cannot be replaced by a script; this is run interpreted

    class Script(Rng):
        """Draws as they are written down."""

        def __init__(self, draws: tuple[int, ...]) -> None:
            super().__init__(0)
            self.draws, self.asked = draws, 0

        def randbelow(self, n: int) -> int:
            if self.asked == len(self.draws):
                raise Wanted(int(n))
            self.asked += 1
            return self.draws[self.asked - 1]

    @pytest.mark.parametrize("name", GAME_NAMES)
    def test_every_choice_is_exactly_as_likely_as_any_other(name: str) -> None:
        """By following every run of draws: after any number of them all choices are equally likely, or none is made."""
        followed = 0
        for state in kinds_of_choice(name, covering_combinations(name)[:1]):
            legal = set(state.legal_actions())
            for draws, chances in exact(state).items():
                assert set(chances) == legal, f"{state.to_text()}: after {draws} draws"
                assert len(set(chances.values())) == 1, f"{state.to_text()}: after {draws} draws"
                followed += 1
        assert followed > (2 if name in BUILT_IN_GAMES else 0), "no position of a random game has two legal actions"
