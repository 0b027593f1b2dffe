"""The worked examples of the rulebook, as they stand."""

import pytest

from landfall.games.atlandice.rules.board import FORGE, LIBRARY

from .position_builder import (
    new_game_with_tiles,
    phase_name,
    play_lines,
    points_by_holder,
    sector_pieces,
    set_sector_pieces,
    set_stocks,
    set_up_last_visit,
    stock_pieces,
    tile_location,
)


@pytest.mark.rule("AD.V1", "AD.C3")
def test_example_1_a_weapon_and_a_gem_with_the_submarine_then_a_six_and_another_weapon() -> None:
    s = new_game_with_tiles("aaaaa", "5512346")
    set_sector_pieces(s, 5, "gwwwwwww")
    s.submarine = FORGE
    play_lines(s, "d5 +5w +5g *6 +5w")
    assert stock_pieces(s, 0) == "gww"
    assert sector_pieces(s, 5) == "wwwww"
    assert s.actor == 1


@pytest.mark.rule("AD.P3", "AD.C4", "AD.V5")
@pytest.mark.parametrize("hand", [0, 6, 12])
def test_example_2_a_last_die_at_a_workshop_with_three_hands_brings_a_donation(hand: int) -> None:
    s = new_game_with_tiles("aaaca")
    set_stocks(s, "gg", "gg", "gg")
    s.hand = hand
    set_up_last_visit(s, "4", "6")
    play_lines(s, "d6 +6g")
    assert s.hand == hand + 3
    assert phase_name(s) == "donate"
    assert s.actor == s.first


@pytest.mark.rule("AD.V2", "AD.V3")
def test_example_3_the_library_empties_with_two_tied_for_most_books() -> None:
    ana, bruno, eric, bia = range(4)
    s = new_game_with_tiles("abaaa", "222345666", players=4)
    set_stocks(s, "bb", "bbb", "b", "")
    set_sector_pieces(s, 2, "b")
    set_sector_pieces(s, 3, "bppppppppp")
    set_sector_pieces(s, 6, "gggbpppttt")
    play_lines(s, "d2 +2b")
    assert stock_pieces(s, ana) == stock_pieces(s, bruno) == stock_pieces(s, eric) == stock_pieces(s, bia) == ""
    assert tile_location(s, "2b") == str(ana)
    assert points_by_holder(s) == [0, 3, 0, 0]
    play_lines(s, "*2c")
    assert sector_pieces(s, 6).count("b") == 3
    assert sector_pieces(s, 2) == "bbbbb"
    assert sector_pieces(s, 3).count("b") == 1
    assert s.scores() == [3, 3, 0, 0]


@pytest.mark.rule("AD.C3", "AD.V7")
def test_example_4_jeweller_b_swaps_a_gem_with_a_weapon_and_the_player_keeps_the_first_gem_only() -> None:
    s = new_game_with_tiles("baaaa")
    play_lines(s, "d1 +1g ^1g ^5w")
    assert stock_pieces(s, 0) == "g"
    assert sector_pieces(s, 1) == "gggggw"
    assert sector_pieces(s, 5) == "gwwwwww"


@pytest.mark.rule("AD.C3", "AD.V6")
def test_example_5_jeweller_c_two_sixes_lead_to_the_black_market_and_another_book() -> None:
    s = new_game_with_tiles("caaaa")
    set_sector_pieces(s, 1, "gggggggb")
    play_lines(s, "d1 +1b *6 *6 +6b")
    assert stock_pieces(s, 0) == "bb"
    assert sector_pieces(s, 6).count("b") == 2
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.C3")
def test_example_6_a_tool_and_the_submarine_from_the_library_to_the_black_market() -> None:
    s = new_game_with_tiles("aaaba")
    s.submarine = LIBRARY
    play_lines(s, "d4 +4t >6")
    assert stock_pieces(s, 0) == "t"
    assert s.submarine == 5
