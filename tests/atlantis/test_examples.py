"""The rulebook's three worked examples, as they stand."""

from __future__ import annotations

import pytest

from landfall.games.atlantis.rules import scoring

from .position_builder import figure_location, path_text, phase_name, play_texts, state_from_text, tiles_held_by

EXAMPLE_1 = (
    "blue1(Red A) yellow4(Blue A) pink4 brown6(Blue B) grey2(Black A) green3 green4(Black B) pink1 yellow2 white7 "
    "brown4(Red B) blue7 grey5"
)
EXAMPLE_2 = (
    "brown6(Blue A) grey2(Black) green3(Red) ~ pink1(Black) yellow2 white7 brown4(Red) ~ grey5(Blue B) brown5 ~ ~ "
    "white3 = yellow5(Black) blue2 green1"
)
EXAMPLE_3 = (
    "brown6 grey2 green3(Red A) ~ pink1 yellow2 white7 brown4 ~ grey5(Blue) brown5 ~ ~ ~ = yellow5 blue2(Red B) green1 "
    "= grey4 ~ white1"
)
BLUE, WHITE, BLACK, RED = range(4)


@pytest.mark.rule("AT.T3", "AT.R1")
def test_example_1_black_plays_pink_with_b() -> None:
    state = state_from_text(f"{EXAMPLE_1}; turn: Black; Black: pink")
    play_texts(state, "B pink")
    assert figure_location(state, BLACK, "B") == "pink1"
    assert tiles_held_by(state, BLACK) == ["green4"]


@pytest.mark.rule("AT.T3", "AT.R1")
def test_example_1_red_plays_green_with_a_and_takes_pink4_over_two_occupied_tiles() -> None:
    state = state_from_text(f"{EXAMPLE_1}; turn: Red; Red: green")
    play_texts(state, "A green")
    assert figure_location(state, RED, "A") == "green3"
    assert tiles_held_by(state, RED) == ["pink4"]


@pytest.mark.rule("AT.T3", "AT.R1", "AT.D1")
def test_example_1_blue_plays_grey_grey_with_a_over_grey2_to_grey5_and_draws_one() -> None:
    state = state_from_text(f"{EXAMPLE_1}; turn: Blue; Blue: 2grey")
    play_texts(state, "A grey")
    assert (phase_name(state), figure_location(state, BLUE, "A")) == ("hopping", "grey2")
    play_texts(state, "A grey")
    assert figure_location(state, BLUE, "A") == "grey5"
    assert tiles_held_by(state, BLUE) == ["blue7"]
    assert state.to_draw == 1
    play_texts(state, "white")
    assert state.actor == WHITE


@pytest.mark.rule("AT.G1", "AT.R3")
def test_example_1_in_sequence_blue_would_owe_5() -> None:
    state = state_from_text(f"{EXAMPLE_1}; turn: Black; Black: pink; Red: green; Blue: 2grey 5white")
    play_texts(state, "B pink", "white", "A green", "white")
    play_texts(state, "A grey", "A grey")
    assert state.bill == 5


@pytest.mark.rule("AT.G1", "AT.G2", "AT.G5", "AT.R3")
def test_example_2_blue_a_pays_8_and_takes_white3_and_the_merged_gap_is_free_thanks_to_the_bridge() -> None:
    state = state_from_text(f"{EXAMPLE_2}; turn: Blue; Blue: blue white1 pink7")
    assert [gap["price"] for gap in state.view(None)["gaps"]] == [1, 4, 3, 0]
    play_texts(state, "A blue")
    assert figure_location(state, BLUE, "A") == "blue2"
    assert state.bill == 1 + 4 + 3 + 0
    play_texts(state, "pay pink7", "pay white1")
    assert tiles_held_by(state, BLUE) == ["white3"]
    last = state.view(None)["gaps"][-1]
    assert (last["price"], last["bridge"]) == (0, True)
    without = state_from_text(path_text(state).replace("=", "~"))
    assert without.view(None)["gaps"][-1]["price"] == 5


@pytest.mark.rule("AT.E2")
def test_example_3_red_pays_6_and_1_with_one_7_and_blue_pays_1() -> None:
    line = f"{EXAMPLE_3}; turn: Black; Black: A@mainland B@mainland C@mainland blue5; White: A@mainland B@mainland"
    line += " C@mainland; Red: C@mainland pink6 white2 grey7; Blue: B@mainland C@mainland grey"
    state = state_from_text(f"{line}; now: done figure=C from=49")
    total = state.toll[54]
    red_a, red_b = state.figure_at[RED * 3], state.figure_at[RED * 3 + 1]
    assert total - state.toll[red_a + 1] == 1 + 4 + 0 + 0 + 1
    assert total - state.toll[red_b + 1] == 0 + 1
    assert scoring.smallest_payment_sum(state, RED, 7) == 7
    assert state.scores() == [0, 0, 5, 6 + 2]
