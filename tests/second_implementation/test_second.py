"""The engine and the second reading agree: choices, odds, the table after every action, scores, places."""

from __future__ import annotations

import itertools

import pytest

import landfall
from landfall.core import options as opt
from landfall.game_checks.option_combinations import Combo, combination_label, covering_combinations
from landfall.games import BUILT_IN_GAMES
from landfall.lab import rule_test_coverage
from tests.second_implementation import survive, survive_board
from tests.second_implementation.engine_comparison import READINGS, compare_random_game, random_combination

COMPILED = landfall.ENGINE == "compiled"
GAMES = {"survive": 20, "atlantis": 8, "atlandice": 24} if COMPILED else {"survive": 3, "atlantis": 2, "atlandice": 3}


def set_ups(name: str) -> list[Combo]:
    """The covering ones, then others drawn from all."""
    return [
        *covering_combinations(name),
        *(random_combination(name, seed) for seed in range(len(covering_combinations(name)), GAMES[name])),
    ][: GAMES[name]]


EACH = [
    pytest.param(name, combo, seed, id=f"{name}-{seed}-{combination_label(combo)}"[:80])
    for name in BUILT_IN_GAMES
    for seed, combo in enumerate(set_ups(name))
]


@pytest.mark.parametrize(("name", "combo", "seed"), EACH)
def test_a_game_played_twice_is_one_game(name: str, combo: Combo, seed: int) -> None:
    done = compare_random_game(name, combo, seed)
    assert done["positions"] > 50
    assert done["choices"] > done["positions"]


@pytest.mark.rule("SV.O7")
@pytest.mark.once
def test_the_second_reading_refuses_the_same_set_ups() -> None:
    game = landfall.game("survive")
    named = "two_colours", "ships_per_colour", "overpopulated", "crowded", "squid", "squid_spares_on_arrival"
    every: list[list[object]] = [[*o.choices] or [False, True] for o in game.options if o.name in named]
    for players, others in itertools.product(game.player_counts, (False, True)):
        for chosen in itertools.product(*every):
            options: dict[str, object] = {o.name: others for o in game.options}
            options.update(zip(named, chosen, strict=True))
            refused = bool(opt.find_option_problems(game.options, game.player_counts, players, options))
            assert refused != survive.are_options_allowed(players, options), (players, options)


@pytest.mark.once
def test_every_game_has_a_second_reading() -> None:
    assert set(READINGS) == set(BUILT_IN_GAMES)


@pytest.mark.once
def test_every_rule_of_every_game_is_read_a_second_time() -> None:
    folder = rule_test_coverage.tests_dir()
    assert folder is not None
    found = rule_test_coverage.measure_coverage(list(BUILT_IN_GAMES), folder)
    assert found.second == found.tests.keys()


@pytest.mark.rule("SV.B1", "SV.B2", "SV.B3", "SV.B4")
@pytest.mark.once
def test_the_picture_of_the_rules_has_the_facts_to_test_the_board_with() -> None:
    near, drawn = survive_board.NEAR, survive_board.DRAWN
    land = set(survive_board.LAND)
    sea = [space for space in drawn if space not in land]
    assert (len(drawn), len(land), len(sea)) == (133, 40, 93)
    assert len(survive_board.OUTER) == 22
    assert sum(any(n not in land for n in near[space].values()) for space in land) == 28
    outer = [space for space in sea if drawn[space] != "L"]
    assert sum(any(n in land for n in near[space].values()) for space in outer) == 28
    assert [len(row) for row in survive_board.PICTURE] == [7, 10, 11, 10, 11, 12, 11, 12, 11, 10, 11, 10, 7]
    assert all(drawn[space] in "So" for spaces in survive_board.ISLES.values() for space in spaces)
