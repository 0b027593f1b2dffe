"""Chapters C and U: what is in the box, and how the game begins."""

from __future__ import annotations

from collections import Counter

import pytest

import landfall
from landfall.core.errors import OptionError
from landfall.core.rng import Rng
from landfall.games.atlantis.rules.codes import TILE
from landfall.games.atlantis.rules.components import (
    COLOURS,
    KINDS,
    NUM_CARDS,
    NUM_TILES,
    TILE_FACE,
    TILE_KIND,
    TILE_VALUE,
    TILES_A_BACK,
    UNSEEN,
)
from landfall.games.atlantis.state import AtlantisState

from .position_builder import cards_in_hand, list_choices, path_text, phase_name, play_texts, state_from_text


def dealt(players: int, seed: int = 3) -> AtlantisState:
    """A new game, played by chance up to the first choice."""
    state = landfall.new("atlantis", players)
    assert isinstance(state, AtlantisState)
    rng = Rng(seed)
    while state.actor == landfall.CHANCE:
        state.apply(state.sample_chance(rng))
    return state


@pytest.mark.rule("AT.C1")
def test_there_are_84_tiles_42_with_each_back_and_the_highest_is_6_on_one_and_7_on_the_other() -> None:
    assert NUM_TILES == 84
    low_a = {"blue", "grey", "white", "yellow"}
    for kind_number, kind in enumerate(KINDS):
        for back in (0, 1):
            tiles = [t for t in range(back * TILES_A_BACK, back * TILES_A_BACK + 42) if TILE_KIND[t] == kind_number]
            best = 6 if (kind in low_a) == (back == 0) else 7
            assert sorted(TILE_VALUE[t] for t in tiles) == [1, 2, 3, 4, 5, best]


@pytest.mark.rule("AT.C2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_105_cards_15_a_kind_three_figures_and_a_bridge_each(players: int) -> None:
    state = dealt(players)
    cards = [int(state.deck[kind]) for kind in range(7)]
    for seat in range(players):
        for kind in range(7):
            cards[kind] += int(state.hand[seat * 7 + kind])
    assert cards == [15] * 7
    assert sum(cards) == NUM_CARDS == 105
    view = state.view(None)
    seats = view["seats"]
    assert isinstance(seats, list)
    assert [seat["colour"] for seat in seats] == list(COLOURS[:players])
    assert all(seat["bridge"] and seat["figures"].keys() == {"A", "B", "C"} for seat in seats)


@pytest.mark.rule("AT.C2")
@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(players: int) -> None:
    with pytest.raises(OptionError):
        landfall.new("atlantis", players)


@pytest.mark.rule("AT.U1")
def test_the_path_is_stacks_singles_stacks_a_gap_and_the_same_mirrored() -> None:
    state = dealt(2)
    heights = [(1 if state.top[at] >= 0 else 0) + int(state.below[at]) for at in range(53)]
    assert heights == [2] * 10 + [1] * 10 + [2] * 6 + [0] + [2] * 6 + [1] * 10 + [2] * 10
    assert all(state.top[at] < TILES_A_BACK for at in range(26))
    assert all(state.top[at] >= TILES_A_BACK for at in range(27, 53))
    assert path_text(state).count("|") == 1
    assert "~" not in path_text(state)


@pytest.mark.rule("AT.U1")
@pytest.mark.parametrize("seed", range(4))
def test_only_the_top_of_a_stack_is_known_to_anyone(seed: int) -> None:
    state = dealt(2, seed)
    rng = Rng(seed)
    while phase_name(state) != "uncovering":
        state.apply(state.sample_chance(rng) if state.actor < 0 else state.random_action(rng))
    start = 0 if state.spot < 26 else TILES_A_BACK
    seen = {int(TILE_FACE[t]) for t in range(start, start + 42) if state.tile_at[t] != UNSEEN}
    outcomes = state.chance_outcomes()
    assert len(outcomes) + len(seen) == 42
    assert not {outcome - TILE for outcome, _ in outcomes} & seen
    assert all(weight == 1 for _, weight in outcomes)  # every tile of that back not yet seen is equally likely


@pytest.mark.rule("AT.U1")
def test_tops_are_drawn_one_by_one_from_the_tiles_of_their_back() -> None:
    state = landfall.new("atlantis", 2)
    assert len(state.chance_outcomes()) == 42
    rng = Rng(5)
    for laid in range(52):
        outcomes = state.chance_outcomes()
        assert len(outcomes) == 42 - (laid if laid < 26 else laid - 26)
        state.apply(state.sample_chance(rng))
    assert isinstance(state, AtlantisState)
    assert phase_name(state) == "dealing"


@pytest.mark.rule("AT.U2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_figures_start_on_atlantis_and_hands_are_4_5_6_7(players: int) -> None:
    state = dealt(players)
    assert [sum(cards_in_hand(state, seat).values()) for seat in range(players)] == [4, 5, 6, 7][:players]
    assert all(state.figure_at[i] == -1 for i in range(players * 3))
    assert state.actor == 0
    assert list_choices(state)


@pytest.mark.rule("AT.U2")
def test_first_hands_are_drawn_by_chance_and_secret_to_their_owner() -> None:
    match = landfall.Match("atlantis", 3, seed=4)
    draws = [(entry.secret, entry.text, entry.masked) for entry in match.log[52:]]
    assert Counter(secret for secret, _, _ in draws) == {1: 4, 2: 5, 3: 6}
    assert all(text in KINDS and masked == "?" for _, text, masked in draws)
    assert match.log_lines(1)[52 : 52 + 4] == ["*?"] * 4
    assert "*?" not in match.log_lines(1)[56:61]


@pytest.mark.rule("AT.C2")
def test_water_never_runs_out() -> None:
    state = state_from_text(
        "blue1(Blue A) " + "~ " * 24 + "grey2; turn: Blue; Blue: 2grey"
    )  # the box has 24 water tiles
    play_texts(state, "A grey", "pay grey", "blue")
    assert path_text(state) == "@53 grey2"

    state = state_from_text("white6(Blue A) yellow1 " + "~ " * 24 + "| grey2 ~ grey3; Blue: 3grey grey1")
    play_texts(state, "A grey")
    assert state.bill == 1
