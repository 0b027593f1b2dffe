"""The worked examples of the rulebook, as they stand."""

import pytest

from landfall.games.atlandice.rules.board import FORGE, LIBRARY

from .position_builder import held, hold, last_visit, lay, lying, phase, play, points, table, tile_of


@pytest.mark.rule("AD.V1", "AD.C3")
def test_example_1_a_weapon_and_a_gem_with_the_submarine_then_a_six_and_another_weapon() -> None:
    s = table("aaaaa", "5512346")
    lay(s, 5, "gwwwwwww")
    s.submarine = FORGE
    play(s, "d5 +5w +5g *6 +5w")
    assert held(s, 0) == "gww"
    assert lying(s, 5) == "wwwww"
    assert s.actor == 1


@pytest.mark.rule("AD.P3", "AD.C4", "AD.V5")
@pytest.mark.parametrize("hand", [0, 6, 12])
def test_example_2_a_last_die_at_a_workshop_with_three_hands_brings_a_donation(hand: int) -> None:
    s = table("aaaca")
    hold(s, "gg", "gg", "gg")
    s.hand = hand
    last_visit(s, "4", "6")
    play(s, "d6 +6g")
    assert s.hand == hand + 3
    assert phase(s) == "donate"
    assert s.actor == s.first


@pytest.mark.rule("AD.V2", "AD.V3")
def test_example_3_the_library_empties_with_two_tied_for_most_books() -> None:
    ana, bruno, eric, bia = range(4)
    s = table("abaaa", "222345666", players=4)
    hold(s, "bb", "bbb", "b", "")
    lay(s, 2, "b")
    lay(s, 3, "bppppppppp")
    lay(s, 6, "gggbpppttt")
    play(s, "d2 +2b")
    assert held(s, ana) == held(s, bruno) == held(s, eric) == held(s, bia) == ""
    assert tile_of(s, "2b") == str(ana)
    assert points(s) == [0, 3, 0, 0]
    play(s, "*2c")
    assert lying(s, 6).count("b") == 3
    assert lying(s, 2) == "bbbbb"
    assert lying(s, 3).count("b") == 1
    assert s.scores() == [3, 3, 0, 0]


@pytest.mark.rule("AD.C3", "AD.V7")
def test_example_4_jeweller_b_swaps_a_gem_with_a_weapon_and_the_player_keeps_the_first_gem_only() -> None:
    s = table("baaaa")
    play(s, "d1 +1g ^1g ^5w")
    assert held(s, 0) == "g"
    assert lying(s, 1) == "gggggw"
    assert lying(s, 5) == "gwwwwww"


@pytest.mark.rule("AD.C3", "AD.V6")
def test_example_5_jeweller_c_two_sixes_lead_to_the_black_market_and_another_book() -> None:
    s = table("caaaa")
    lay(s, 1, "gggggggb")
    play(s, "d1 +1b *6 *6 +6b")
    assert held(s, 0) == "bb"
    assert lying(s, 6).count("b") == 2
    assert (s.actor, phase(s)) == (1, "die")


@pytest.mark.rule("AD.C3")
def test_example_6_a_tool_and_the_submarine_from_the_library_to_the_black_market() -> None:
    s = table("aaaba")
    s.submarine = LIBRARY
    play(s, "d4 +4t >6")
    assert held(s, 0) == "t"
    assert s.submarine == 5
