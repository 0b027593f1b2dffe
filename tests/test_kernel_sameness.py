"""Kernels, compiled here, play the engine's matches: actions, outcomes, and what players and nets are given."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import landfall
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, ActionList, State
from landfall.games import BUILT_IN_GAMES
from landfall.games.observation_and_feature_layouts import feature_layout, tensor_layout
from landfall.kernels.host import DEBUG, RELEASE, HostKernel, build_kernel, find_compiler
from landfall.kernels.program import ALL_ENTRIES, NET_ENTRIES
from tests.conftest import lacking

MATCHES = 1000 if os.environ.get("LANDFALL_PROOF") else 20 if landfall.ENGINE == "compiled" else 2
SEED_HASH, PRIME, BITS = 1469598103934665603, 1099511628211, (1 << 64) - 1
SURVIVE: list[tuple[int, dict[str, object]]] = [
    (2, {"two_colours": True}),
    (2, {"two_colours": True, "ships_per_colour": True, "dolphins": True}),
    (3, {"overpopulated": True, "to_the_last": True, "submerged": True, "squid": "instead_of_whales"}),
    (3, {"bounty": True, "isle_hopper": True, "squid": "with_whales"}),
    (4, {"dolphins": True}),
    (4, {"squid": "with_whales", "squid_spares_on_arrival": True, "all_equal": True}),
    (4, {"to_the_last": True, "dolphins": True, "squid": "with_whales"}),
    (5, {"all_equal": True, "dolphins": True, "squid": "with_whales", "open_values": True}),
    (5, {"crowded": True, "isle_hopper": True}),
    (6, {"dolphins": True, "squid": "with_whales", "bounty": True, "isle_hopper": True, "crowded": True}),
    (6, {"submerged": True, "open_values": True}),
    (6, {"overpopulated": True, "bounty": True}),
]
TABLES = [
    (name, players, options)
    for name in BUILT_IN_GAMES
    for players, options in [(n, {}) for n in landfall.game(name).player_counts]
    + (SURVIVE if name == "survive" else [])
]


def mix(total: int, number: Any) -> int:
    return ((total ^ (int(number) & BITS)) * PRIME) & BITS


def play_with_engine(game: str, state: State, rng: Rng, everything: bool) -> int:
    """What `play.h` computes, by the engine."""
    total = SEED_HASH
    row, features, moves = RowBuffer(tensor_layout(game), 1), RowBuffer(feature_layout(game), 1), ActionList()
    while state.actor != OVER:
        if state.actor == CHANCE:
            action = state.sample_chance(rng)
        else:
            if everything:
                total = mix_views(total, state, row, features, moves)
            action = state.random_action(rng)
        total = mix(total, action)
        state.apply(action)
    return mix_result(total, state) if everything else total


def mix_views(total: int, state: State, row: RowBuffer, features: RowBuffer, moves: ActionList) -> int:
    moves.count = 0
    state.fill_legal(moves)
    for i in range(moves.count):
        total = mix(total, moves.items[i])
    row.restart_at_first_row()
    state.write_observation(state.actor, row)
    row.seats[0] = state.actor
    for word in row.words:
        total = mix(total, word)
    total = mix(total, state.turn_key())
    total = mix(total, state.evaluate(state.actor))
    features.restart_at_first_row()
    state.write_features(state.actor, features)
    for word in [*features.words, *state.saved_pieces(state.actor), state.is_setup()]:
        total = mix(total, word)
    return total


def mix_result(total: int, state: State) -> int:
    for seat, score in enumerate(state.scores()):
        total = mix(total, score)
        if hasattr(state, "tie_break_key"):
            for nth in (1, 2):
                total = mix(total, state.tie_break_key(seat, nth))
    return total


@cache
def kernel(game: str, flags: tuple[str, ...], folder: Path) -> HostKernel:
    return build_kernel(landfall.game(game), folder / str(hash(flags)), flags, (*ALL_ENTRIES, *NET_ENTRIES))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_compiler() is None:
        lacking("a C compiler")
    return tmp_path_factory.mktemp("kernels")


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_a_kernel_plays_the_engines_matches(game: str, players: int, options: dict[str, object], folder: Path) -> None:
    start = landfall.new(game, players, **options)
    seeds = list(range(MATCHES))
    hashes, _ = kernel(game, RELEASE, folder).play_matches(start, seeds)
    assert hashes == [play_with_engine(game, start.copy(), Rng(seed), False) for seed in seeds]


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_the_debug_build_sees_the_same_and_breaks_no_bound(
    game: str, players: int, options: dict[str, object], folder: Path
) -> None:
    start = landfall.new(game, players, **options)
    seeds = list(range(MATCHES, MATCHES + max(2, MATCHES // 10)))
    hashes, decisions = kernel(game, DEBUG, folder).play_matches(start, seeds, everything=True)
    assert decisions > 0
    assert hashes == [play_with_engine(game, start.copy(), Rng(seed), True) for seed in seeds]


def test_what_is_stored_is_read_back_into_memory(folder: Path) -> None:
    """The layouts of Python and C agree field by field: a position that was played on is no start."""
    start = landfall.new("atlantis", 3)
    rng = Rng(5)
    for _ in range(120):
        start.apply(start.sample_chance(rng) if start.actor == CHANCE else start.random_action(rng))
    hashes, _ = kernel("atlantis", RELEASE, folder).play_matches(start, [9])
    assert hashes == [play_with_engine("atlantis", start.copy(), Rng(9), False)]
