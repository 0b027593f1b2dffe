"""Whole games and made-up boards, in small fixed counts; tests.atlantis.long_checks runs more of them."""

from __future__ import annotations

import landfall
from landfall.core.errors import StateError
from landfall.core.rng import Rng
from landfall.games.atlantis.game_definition import GAME

from .long_checks import check_random_games, check_small_boards, new_state


def test_random_games_keep_every_property() -> None:
    met = check_random_games(6)
    assert met["games"] == 6
    assert met["sampled"] > 60
    assert met["record bytes"] / met["record lines"] <= 14


def test_small_boards_agree_with_brute_force() -> None:
    met = check_small_boards(300)
    assert met["stuck"] > 50
    assert met["free to move"] > 150


def test_damaged_bytes_are_refused_or_can_be_played() -> None:
    state, rng = new_state(3), Rng(2)
    for _ in range(120):
        state.apply(state.sample_chance(rng) if state.actor < 0 else state.random_action(rng))
    packed = state.to_bytes()
    refused = 0
    for at in range(len(packed)):
        for change in (1, 7):
            damaged = packed[:at] + bytes([(packed[at] + change) % 256]) + packed[at + 1 :]
            try:
                read = GAME.from_bytes(damaged)
            except StateError:
                refused += 1
                continue
            guard = 0
            while read.actor != landfall.OVER and guard < 5000:
                read.apply(read.sample_chance(rng) if read.actor < 0 else read.random_action(rng))
                guard += 1
            assert read.actor == landfall.OVER
    assert refused > len(packed)
    for cut in range(len(packed)):
        try:
            GAME.from_bytes(packed[:cut])
        except StateError:
            continue
        raise AssertionError(f"{cut} bytes were taken for a position")
