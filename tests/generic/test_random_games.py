"""Random games of every registered game: invariants, copies, bytes, legal lists, words, records, undo."""

import pytest

import landfall
from landfall.game_checks import match_checks, position_checks
from landfall.game_checks.option_combinations import (
    Combo,
    all_combinations,
    combination_label,
    covering_combinations,
    sample_combinations,
)
from landfall.games import GAME_NAMES

COMPILED = landfall.ENGINE == "compiled"
EACH = [
    pytest.param(name, combo, id=f"{name}-{combination_label(combo)}")
    for name in GAME_NAMES
    for combo in covering_combinations(name)
]
MANY = [
    pytest.param(name, combo, seed, id=f"{name}-{seed}-{combination_label(combo)}")
    for name in GAME_NAMES
    for seed, combo in enumerate(sample_combinations(name, 40 if COMPILED else 4, seed=2))
]


@pytest.mark.parametrize("name", GAME_NAMES)
def test_the_covering_combinations_meet_every_count_and_option(name: str) -> None:
    game = landfall.game(name)
    assert {players for players, _ in covering_combinations(name)} == set(game.player_counts)
    for option in game.options:
        reachable = {str(given[option.name]) for _, given in all_combinations(name) if option.name in given}
        assert {
            str(given[option.name]) for _, given in covering_combinations(name) if option.name in given
        } == reachable
        assert reachable or option.kind == "object", f"{option.name} can never be switched on"


@pytest.mark.parametrize(("name", "combo"), EACH)
def test_all_holds_in_a_game_of_each_option(name: str, combo: Combo) -> None:
    assert position_checks.check_whole_random_game(name, combo, seed=7, thoroughness=8 if COMPILED else 60) > 0


@pytest.mark.parametrize(("name", "combo", "seed"), MANY)
def test_all_holds_in_random_games(name: str, combo: Combo, seed: int) -> None:
    assert (
        position_checks.check_whole_random_game(name, combo, seed=100 + seed, thoroughness=20 if COMPILED else 60) > 0
    )


@pytest.mark.parametrize(("name", "combo"), EACH)
def test_legal_is_why_not_at_every_step_of_an_opening(name: str, combo: Combo) -> None:
    game = landfall.game(name)
    for state in position_checks.random_game_positions(
        game.new(*combo), landfall.Rng(11), most=150 if COMPILED else 15
    ):
        position_checks.check_legality_matches_list(game, state)


@pytest.mark.parametrize(("name", "combo"), EACH)
def test_a_match_replays_from_its_record_and_all_read_the_same_events(name: str, combo: Combo) -> None:
    match = match_checks.random_match(name, combo, seed=5)
    match_checks.check_record_replays(match)
    match_checks.check_events_numbered_alike(match)


@pytest.mark.parametrize(("name", "combo"), EACH)
def test_an_unfinished_match_replays_and_undoes_to_its_root(name: str, combo: Combo) -> None:
    match = match_checks.random_match(name, combo, seed=6, most=60 if COMPILED else 12)
    match_checks.check_record_replays(match)
    match_checks.check_events_numbered_alike(match)
    match_checks.check_undo_to_start(match)
