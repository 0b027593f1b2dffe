"""A touch is answered alike in every game when the one who touches is not to choose: over, chance's turn, another's."""

from __future__ import annotations

import pytest

import landfall
from landfall.core.state import CHANCE, OVER, State
from landfall.game_checks.option_combinations import covering_combinations
from landfall.game_checks.position_checks import random_game_positions, sampling_interval
from landfall.games import BUILT_IN_GAMES, GAME_NAMES

# Pieces and places of all three games, and what is neither: who is not asked is told so whatever they touch.
TOUCHES = [("r1", "D4"), ("A", "31"), ("die", "inn"), ("bridge", "27"), ("", "G6"), ("submarine", "library"), ("?", "")]


def expected(state: State, seat: int) -> str | None:
    """LF.4 when it is over, LF.3 when chance decides, LF.2 when another is to choose; None for who is."""
    if state.actor == OVER:
        return "LF.4"
    if state.actor == CHANCE:
        return "LF.3"
    return "LF.2" if seat != state.actor else None


@pytest.mark.rule("LF.2", "LF.3", "LF.4")
@pytest.mark.parametrize("name", GAME_NAMES)
def test_who_is_not_to_choose_reads_so_whatever_they_touch(name: str) -> None:
    met, chance = set(), False
    for number, state in enumerate(
        random_game_positions(landfall.game(name).new(*covering_combinations(name)[0]), landfall.Rng(4))
    ):
        chance = chance or state.actor == CHANCE
        if number % sampling_interval(name, 7) and state.actor != OVER:
            continue
        for seat in range(state.players):
            answer = expected(state, seat)
            met.add(answer)
            if answer is not None:
                assert {state.why_cannot_move(seat, *touch) for touch in TOUCHES} == {answer}
                assert state.why_illegal(0, seat) == answer
            else:
                assert state.why_cannot_move(seat, "?", "") == "LF.1"
    assert chance or name not in BUILT_IN_GAMES
    assert met == {"LF.2", "LF.4", None} | ({"LF.3"} if chance else set())
