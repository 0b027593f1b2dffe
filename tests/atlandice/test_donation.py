"""Donation (AD.V5)."""

import pytest

from landfall.games.atlandice.state import AtlandiceState

from .position_builder import (
    events_of_kind,
    list_choices,
    new_game_with_tiles,
    phase_name,
    play_lines,
    points_by_holder,
    rule_forbidding,
    sector_pieces,
    set_sector_pieces,
    set_stocks,
    set_up_last_visit,
    stock_pieces,
)


def called(*stocks: str, first: int = 0) -> AtlandiceState:
    """The clock has just come to a donation; these stocks are held."""
    s = new_game_with_tiles("aaaaa")
    set_stocks(s, *stocks)
    s.first = first
    s.hand = 1
    set_up_last_visit(s, "6", "3")
    set_sector_pieces(s, 3, "")
    s.held[2] = 0
    play_lines(s, "d3 *6")
    assert s.hand == 3
    return s


@pytest.mark.rule("AD.V5")
def test_two_pieces_for_a_point_returned_to_their_own_regions() -> None:
    s = called("gw", "", "")
    before = len(sector_pieces(s, 1)), len(sector_pieces(s, 5))
    assert list_choices(s) == ["-g", "-w", "pass"]
    play_lines(s, "-g")
    assert points_by_holder(s)[0] == 0
    assert list_choices(s) == ["-w"]
    assert rule_forbidding(s, "pass") == "AD.V5"
    play_lines(s, "-w")
    assert points_by_holder(s)[0] == 1
    assert stock_pieces(s, 0) == ""
    assert (len(sector_pieces(s, 1)), len(sector_pieces(s, 5))) == (before[0] + 1, before[1] + 1)
    assert phase_name(s) == "gates"


@pytest.mark.rule("AD.V5")
def test_as_often_as_one_likes_and_of_any_kind() -> None:
    s = called("ggggb", "", "")
    play_lines(s, "-g -g -g -b")
    assert points_by_holder(s)[0] == 2
    assert stock_pieces(s, 0) == "g"
    assert phase_name(s) == "gates"  # one piece is no donation


@pytest.mark.rule("AD.V5")
def test_one_may_give_none() -> None:
    s = called("gggg", "bb", "")
    play_lines(s, "pass")
    assert s.actor == 1
    assert points_by_holder(s) == [0, 0, 0, 0]
    assert stock_pieces(s, 0) == "gggg"


@pytest.mark.rule("AD.V5")
def test_in_turn_order_from_this_rounds_first_player_one_pass() -> None:
    s = called("gg", "bb", "tttt", first=1)
    asked = []
    while phase_name(s).startswith("donate"):
        asked.append(int(s.actor))
        play_lines(s, "pass")
    assert asked == [1, 2, 0]
    assert s.first == 2


@pytest.mark.rule("AD.V5")
def test_who_holds_fewer_than_two_is_passed_over() -> None:
    s = called("g", "", "tt")
    assert s.actor == 2
    s = called("g", "", "t")
    assert phase_name(s) == "gates"
    assert len(events_of_kind(s, "donation")) == 1


@pytest.mark.rule("AD.V5")
def test_only_pieces_of_ones_own_stock_are_given() -> None:
    s = called("gg", "bb", "")
    assert rule_forbidding(s, "-b") == "AD.V5"


@pytest.mark.rule("AD.V5", "AD.V3")
def test_a_donated_piece_lets_an_empty_new_tile_have_held_one() -> None:
    s = called("pp", "", "")
    assert s.held[2] == 0
    play_lines(s, "-p -p")
    assert sector_pieces(s, 3) == "pp"
    assert s.held[2] == 1
