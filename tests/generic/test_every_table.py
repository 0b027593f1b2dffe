"""docs/rules/landfall.md: what forbids an action in every game."""

import pytest

import landfall
from landfall.core.errors import IllegalAction
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State, playout
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import BUILT_IN_GAMES, GAME_NAMES


def first_choice(name: str) -> State:
    """A position in which some seat chooses for the first time."""
    state = landfall.new(name, landfall.game(name).player_counts[0])
    rng = Rng(1)
    while state.actor == CHANCE:
        state.apply(state.sample_chance(rng))
    return state


@pytest.mark.rule("LF.1")
@pytest.mark.parametrize("name", GAME_NAMES)
def test_what_no_rule_gives_to_anyone_is_no_choice(name: str) -> None:
    state = first_choice(name)
    for action in (-1, state.num_actions(), 10**9):
        assert state.why_illegal(action) == "LF.1"
    assert state.why_illegal(state.legal_actions()[0]) is None


@pytest.mark.rule("LF.2")
@pytest.mark.parametrize("name", GAME_NAMES)
def test_another_seat_learns_whose_turn_it_is_before_anything_else(name: str) -> None:
    state = first_choice(name)
    other = (int(state.actor) + 1) % int(state.players)
    for action in (-1, state.legal_actions()[0], state.num_actions() - 1):
        assert state.why_illegal(action, other) == "LF.2"
    assert state.why_illegal(state.legal_actions()[0], int(state.actor)) is None
    assert state.why_cannot_move(other, "", "") == "LF.2"


@pytest.mark.rule("LF.3")
@pytest.mark.parametrize("name", GAME_NAMES)
def test_while_chance_decides_no_seat_does(name: str) -> None:
    state = next(
        (
            s
            for s in random_game_positions(landfall.new(name, landfall.game(name).player_counts[0]), Rng(1))
            if s.actor == CHANCE
        ),
        None,
    )
    if state is None and name not in BUILT_IN_GAMES:
        pytest.skip(f"chance decides nothing in {name}")
    assert state is not None
    assert state.legal_actions() == []
    outcome = state.chance_outcomes()[0][0]
    assert state.why_illegal(0) == "LF.3"
    assert state.why_illegal(outcome, 0) == "LF.3"
    assert state.why_illegal(outcome) is None


@pytest.mark.rule("LF.4")
@pytest.mark.parametrize("name", GAME_NAMES)
def test_after_the_end_nothing_is_played(name: str) -> None:
    state = landfall.new(name, landfall.game(name).player_counts[0])
    playout(state, Rng(2))
    assert state.actor == OVER
    assert state.legal_actions() == []
    assert state.why_illegal(0) == "LF.4"
    match = landfall.Match(name, landfall.game(name).player_counts[0], seed=3)
    while match.actor != OVER:
        match.play(match.legal_actions()[0])
    with pytest.raises(IllegalAction) as refused:
        match.play(0)
    assert refused.value.rule == "LF.4"
