"""Chapter R: the tile taken, and what it leaves."""

from __future__ import annotations

from typing import cast

import pytest

from landfall.core.state import State
from landfall.games.atlantis.rules.message_types import View

from .position_builder import (
    events_of_kind,
    path_text,
    phase_name,
    play_texts,
    rule_forbidding,
    state_from_text,
    tiles_held_by,
)


def gap_prices(state: State) -> list[int]:
    gaps = cast("View", state.view(None))["gaps"]
    return [gap["price"] for gap in gaps]


@pytest.mark.rule("AT.R1")
def test_the_first_free_tile_behind_the_tile_entered_is_taken() -> None:
    state = state_from_text("blue1(Blue A) grey5 pink2 brown3; Blue: brown")
    play_texts(state, "A brown")
    assert tiles_held_by(state, 0) == ["pink2"]


@pytest.mark.rule("AT.R1")
def test_gaps_and_occupied_tiles_are_skipped() -> None:
    state = state_from_text("blue1(Blue A) grey5 pink2(White A) = white3(White B) ~ = brown3; Blue: brown")
    play_texts(state, "A brown")
    assert tiles_held_by(state, 0) == ["grey5"]


@pytest.mark.rule("AT.R1")
def test_the_tile_the_figure_just_left_counts() -> None:
    state = state_from_text("grey7 blue1(Blue A) pink2; Blue: pink")
    play_texts(state, "A pink")
    assert tiles_held_by(state, 0) == ["blue1"]


@pytest.mark.rule("AT.R1")
def test_arriving_on_the_mainland_one_takes_the_free_tile_nearest_to_it() -> None:
    state = state_from_text("blue1(Blue A) grey5 pink2 brown3(White A); Blue: white")
    play_texts(state, "A white")
    assert tiles_held_by(state, 0) == ["pink2"]


@pytest.mark.rule("AT.R1")
def test_a_tile_hopped_over_is_not_taken_while_its_figure_stands_there() -> None:
    state = state_from_text("blue1(Blue A) grey5(Blue B) pink2; Blue: grey pink")
    play_texts(state, "A grey", "A pink")
    assert tiles_held_by(state, 0) == ["blue1"]


@pytest.mark.rule("AT.R1", "AT.R3")
def test_only_the_top_of_a_stack_is_taken_and_the_tile_below_is_turned_up_at_once_for_all() -> None:
    state = state_from_text("blue1(Blue A) grey5+ pink2; Blue: pink bridge; White: white")
    play_texts(state, "A pink")
    assert (phase_name(state), tiles_held_by(state, 0)) == ("uncovering", ["grey5"])
    play_texts(state, "yellow3")
    assert path_text(state) == "blue1 yellow3 pink2"
    assert events_of_kind(state, "uncovered") == [{"at": 29, "tile": "yellow", "value": 3}]
    assert state.actor == -1
    play_texts(state, "blue")
    assert rule_forbidding(state, "A white") is None


@pytest.mark.rule("AT.R2")
def test_with_no_free_tile_behind_nothing_is_taken() -> None:
    state = state_from_text("pink2 brown3; Blue: pink")
    play_texts(state, "A pink")
    assert tiles_held_by(state, 0) == []
    assert events_of_kind(state, "took_nothing") == [{"seat": 0}]
    assert phase_name(state) == "drawing"
    crowded = state_from_text("blue1(White A) pink2 brown3; Blue: pink")
    play_texts(crowded, "A pink")
    assert tiles_held_by(crowded, 0) == []


@pytest.mark.rule("AT.R3")
def test_a_position_left_without_a_tile_is_a_gap() -> None:
    state = state_from_text("blue4(White A) grey5 pink2 brown3; Blue: brown; White: brown")
    play_texts(state, "A brown")
    assert path_text(state) == "blue4 grey5 ~ brown3"
    assert gap_prices(state) == [3]


@pytest.mark.rule("AT.R3", "AT.G1")
def test_adjacent_gaps_are_one_gap() -> None:
    state = state_from_text("blue4(White A) grey5 ~ pink2 ~ brown3; Blue: brown 4grey")
    assert gap_prices(state) == [2, 2]
    play_texts(state, "A brown", "pay grey", "pay grey", "pay grey", "pay grey")
    assert path_text(state) == "blue4 grey5 ~ ~ ~ brown3"
    assert gap_prices(state) == [3]


@pytest.mark.rule("AT.R3")
def test_a_gap_next_to_atlantis_closes_up_with_any_bridge_in_it() -> None:
    state = state_from_text("blue4 = pink2 ~ grey3 brown3(Blue A); Blue: pink; White: A@mainland")
    play_texts(state, "B pink")
    assert tiles_held_by(state, 0) == ["blue4"]
    assert path_text(state) == "@30 pink2 ~ grey3 brown3"
    assert sum(state.bridge) == 0
    assert gap_prices(state) == [2]
    assert events_of_kind(state, "bridge_lost") == [{"at": 29}]
    assert list(state.holds_bridge) == [0, 0, 0, 0]  # not given back


@pytest.mark.rule("AT.R3")
def test_a_gap_next_to_the_mainland_closes_up_with_any_bridge_in_it() -> None:
    state = state_from_text("blue4 pink2(Blue A) ~ grey3(White A) = brown3; Blue: white 2grey")
    play_texts(state, "A white")
    assert state.bill == 2
    play_texts(state, "pay grey", "pay grey")
    assert tiles_held_by(state, 0) == ["brown3"]
    assert path_text(state) == "blue4 pink2 ~ grey3"
    assert sum(state.bridge) == 0
    assert gap_prices(state) == [2]


@pytest.mark.rule("AT.R3")
def test_the_first_gap_closes_up_too_when_nothing_is_left_before_it() -> None:
    state = state_from_text("pink7 |= brown3 white2; Blue: brown")
    play_texts(state, "A brown")
    assert tiles_held_by(state, 0) == ["pink7"]
    assert gap_prices(state) == []
    assert sum(state.bridge) == 0


@pytest.mark.rule("AT.R3")
def test_a_stack_at_the_shore_does_not_close_up_while_a_tile_is_left() -> None:
    state = state_from_text("blue4+ = pink2 grey3; Blue: pink")
    play_texts(state, "A pink", "yellow1")
    assert path_text(state) == "yellow1 = pink2 grey3"
    assert sum(state.bridge) == 1


@pytest.mark.rule("AT.R3", "AT.G5")
def test_two_bridged_gaps_that_merge_are_one_bridged_gap() -> None:
    state = state_from_text("blue4(White A) = pink2 = brown3 grey1; Blue: brown; White: brown grey bridge; players: 3")
    play_texts(state, "A brown")
    assert tiles_held_by(state, 0) == ["pink2"]
    gaps = state.view(None)["gaps"]
    assert gaps == [{"at": 29, "to": 31, "price": 0, "bridge": True}]
    play_texts(state, "white")
    assert rule_forbidding(state, "bridge 29") == "AT.G5"


@pytest.mark.rule("AT.R3", "AT.G5")
def test_a_bridged_gap_stays_bridged_when_it_merges_with_one_that_is_not() -> None:
    state = state_from_text("blue4(White A) ~ pink2 = brown3; Blue: brown 2grey")
    assert gap_prices(state) == [2, 0]
    play_texts(state, "A brown", "pay grey", "pay grey")
    assert gap_prices(state) == [0]
