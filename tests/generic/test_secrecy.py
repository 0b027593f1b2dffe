"""Worlds that differ only in what a seat cannot know: it must not notice, through whole games."""

from typing import Any, cast

import pytest

import landfall
from landfall.core.rng import Rng
from landfall.core.state import State
from landfall.game_checks import two_world_comparison
from landfall.game_checks.option_combinations import Combo, combination_label, covering_combinations
from landfall.game_checks.position_checks import random_game_positions, sampling_interval
from landfall.games import BUILT_IN_GAMES, GAME_NAMES

COMPILED = landfall.ENGINE == "compiled"
EACH = [
    pytest.param(name, combo, seat, id=f"{name}-{combination_label(combo)}-{seat}")
    for name in GAME_NAMES
    for combo in covering_combinations(name)
    for seat in ((None, 0, combo[0] - 1) if COMPILED else (0,))
]


@pytest.mark.parametrize(("name", "combo", "seat"), EACH)
def test_a_seat_cannot_tell_two_worlds_apart(name: str, combo: Combo, seat: int | None) -> None:
    done = two_world_comparison.compare_two_worlds(
        name, combo, seed=3, seat=seat, look_every=sampling_interval(name, 3 if COMPILED else 40)
    )
    assert done.compared > (3 if name in BUILT_IN_GAMES else 0), "the match was over before anything was compared"
    assert done.worlds > 0


@pytest.mark.parametrize(
    ("name", "combo"), [(name, combo) for name in GAME_NAMES for combo in covering_combinations(name)]
)
def test_what_a_seat_imagines_depends_only_on_what_it_knows(name: str, combo: Combo) -> None:
    rng = Rng(9)
    looked = 0
    for state in random_game_positions(landfall.game(name).new(*combo), Rng(8)):
        if rng.randbelow(sampling_interval(name, 10 if COMPILED else 60)) == 0 and state.actor != landfall.OVER:
            looked += 1
            for seat in range(int(state.players)):
                two_world_comparison.check_samples_hide_truth(state, seat, rng)
    assert looked > 0, "no position was looked at: random games of this game are too short"


@pytest.mark.parametrize(
    ("name", "combo"), [(name, combo) for name in GAME_NAMES for combo in covering_combinations(name)]
)
def test_what_the_log_shows_a_seat_it_knows_for_good(name: str, combo: Combo) -> None:
    rng, game, looked = Rng(9), landfall.game(name), 0
    for state in random_game_positions(game.new(*combo), Rng(8)):
        actions = state.legal_actions() or [outcome for outcome, _ in state.chance_outcomes()]
        if len(actions) < 2 or rng.randbelow(sampling_interval(name, 5 if COMPILED else 40)):
            continue
        pair = actions[int(rng.randbelow(len(actions)))], actions[int(rng.randbelow(len(actions)))]
        for seat in (None, *range(int(state.players))):
            looked += two_world_comparison.check_log_tells_no_more(game, state, seat, pair, rng)
    assert looked > 0, "no two actions that a seat reads differently were met"


class Leaky:
    """A position whose views tell its digest: the planted fault the two-worlds test must find."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def view(self, seat: int | None) -> dict[str, object]:
        return self.state.view(seat) | {"leak": self.state.digest()}


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_leak_would_be_found(name: str) -> None:
    game = landfall.game(name)
    comparison = two_world_comparison.Comparison(game, 0, Rng(1))
    hidden = 0
    for combo in covering_combinations(name):
        for state in random_game_positions(game.new(*combo), Rng(2), most=200):
            if state.actor == landfall.OVER:
                break
            other = state.resample(0, comparison.rng)
            if other.digest() == state.digest():
                continue
            hidden += 1
            a, b = two_world_comparison.World.of(state), two_world_comparison.World.of(other)
            a.first_event = len(state.events or [])
            comparison.look(a, b)
            a.state, b.state = cast(State, Leaky(state)), cast(State, Leaky(other))
            with pytest.raises(AssertionError, match="leak"):
                comparison.look(a, b)
            break
    assert bool(hidden) == game.hides, (
        f"{hidden} positions hid something from seat 0 (resample changed them), but Game.hides is {game.hides}"
    )


@pytest.mark.parametrize("name", [name for name in GAME_NAMES if not landfall.game(name).hides])
def test_what_is_declared_open_is_open(name: str) -> None:
    """Every seat sees what a spectator sees, and no action is secret: several people may share a device."""
    game = landfall.game(name)
    for combo in covering_combinations(name):
        for state in random_game_positions(game.new(*combo), Rng(3)):
            actions = state.legal_actions() or [outcome for outcome, _ in state.chance_outcomes()]
            assert not any(state.secret_code(action) for action in actions)
            public = state.view(None)
            for seat in range(int(state.players)):
                assert {**state.view(seat), "seat": None} == {**public, "seat": None}, f"seat {seat} sees more"
