"""The effects of the fifteen tiles (AD.C3), and what another region means (AD.V7)."""

import pytest

from landfall.core.state import CHANCE
from landfall.games.atlandice.rules.board import JEWELLER

from .position_builder import (
    list_choices,
    new_game_with_tiles,
    phase_name,
    play_lines,
    rule_forbidding,
    sector_dice,
    sector_pieces,
    set_sector_pieces,
    stock_pieces,
    use_up_stacks,
)


@pytest.mark.rule("AD.C3")
@pytest.mark.parametrize(("die", "piece", "faces"), [("d1", "+1g", "135"), ("d5", "+5w", "246")])
def test_jeweller_a_and_forge_a_give_one_more_piece_here_on_their_numbers(die: str, piece: str, faces: str) -> None:
    for face in "123456":
        s = new_game_with_tiles("aaaaa")
        play_lines(s, die, piece)
        assert s.actor == CHANCE
        play_lines(s, f"*{face}")
        assert phase_name(s) == ("bonus" if face in faces else "die")
        if face in faces:
            assert list_choices(s) == [piece]
            assert rule_forbidding(s, "+6g") == "AD.C3"
            play_lines(s, piece)
            assert stock_pieces(s, 0) == piece[2] * 2
        assert s.actor == 1


@pytest.mark.rule("AD.C3", "AD.V7")
def test_jeweller_b_swaps_a_piece_here_with_one_in_another_region() -> None:
    s = new_game_with_tiles("baaaa")
    use_up_stacks(s, 4)
    play_lines(s, "d1 +1g")
    assert list_choices(s) == ["^1g"]
    assert rule_forbidding(s, "^2b") == "AD.C3"
    play_lines(s, "^1g")
    assert list_choices(s) == ["^2b", "^3p", "^5w"]
    assert rule_forbidding(s, "^6b") == rule_forbidding(s, "^1g") == rule_forbidding(s, "^4t") == "AD.V7"
    assert rule_forbidding(s, "^2g") == "AD.C3"
    play_lines(s, "^3p")
    assert (sector_pieces(s, 1), sector_pieces(s, 3)) == ("gggggp", "gpppppp")


@pytest.mark.rule("AD.C3", "AD.V7")
def test_library_a_takes_a_piece_from_another_region_on_five_and_six() -> None:
    for face in "123456":
        s = new_game_with_tiles("aaaaa")
        play_lines(s, f"d2 +2b *{face}")
        if face in "56":
            assert list_choices(s) == ["+1g", "+3p", "+4t", "+5w"]
            assert rule_forbidding(s, "+2b") == rule_forbidding(s, "+6b") == "AD.V7"
            play_lines(s, "+4t")
            assert stock_pieces(s, 0) == "bt"
        assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.C3")
def test_library_b_moves_a_piece_from_here_to_the_black_market() -> None:
    s = new_game_with_tiles("abaaa")
    set_sector_pieces(s, 2, "gbbb")
    play_lines(s, "d2 +2b")
    assert list_choices(s) == ["^2g", "^2b"]
    assert rule_forbidding(s, "^6g") == "AD.C3"
    play_lines(s, "^2g")
    assert sector_pieces(s, 2) == "bb"
    assert sector_pieces(s, 6).count("g") == 4
    assert s.actor == 1


@pytest.mark.rule("AD.C3")
def test_library_c_gives_one_more_piece_here_with_the_second_die_of_the_round() -> None:
    s = new_game_with_tiles("acaaa", dice="2266666")
    play_lines(s, "d2 +2b")
    assert (s.actor, phase_name(s)) == (1, "die")
    play_lines(s, "d6 +6g d6 +6g d2 +2b")
    assert (s.actor, phase_name(s)) == (0, "bonus")
    play_lines(s, "+2b")
    assert stock_pieces(s, 0) == "bbb"


@pytest.mark.rule("AD.C3", "AD.V8")
def test_inn_a_moves_the_clock_one_space_on_one_to_four() -> None:
    for face in "123456":
        s = new_game_with_tiles("aaaaa")
        play_lines(s, f"d3 +3p *{face}")
        assert s.hand == (1 if face in "1234" else 0)
        assert s.actor == 1


@pytest.mark.rule("AD.C3", "AD.V7")
def test_inn_b_moves_a_piece_from_the_black_market_to_a_region_other_than_the_inn() -> None:
    s = new_game_with_tiles("aabaa")
    use_up_stacks(s, 4)
    play_lines(s, "d3 +3p")
    assert list_choices(s) == ["^6g", "^6b", "^6p", "^6w"]
    assert rule_forbidding(s, "^3p") == "AD.C3"
    play_lines(s, "^6b")
    assert list_choices(s) == [">1", ">2", ">5"]
    assert rule_forbidding(s, ">3") == "AD.C3"
    assert rule_forbidding(s, ">4") == rule_forbidding(s, ">6") == "AD.V7"
    play_lines(s, ">1")
    assert sector_pieces(s, 1) == "gggggggb"
    assert sector_pieces(s, 6).count("b") == 2


@pytest.mark.rule("AD.V7", "AD.C3")
def test_inn_c_moves_one_die_of_any_sector_to_another_sector_inn_and_black_market_included() -> None:
    s = new_game_with_tiles("aacaa", dice="1333566")
    use_up_stacks(s, 4)
    play_lines(s, "d3 +3p")
    assert list_choices(s) == ["c1", "c3", "c5", "c6"]
    assert rule_forbidding(s, "c2") == "AD.V7"
    play_lines(s, "c3")
    assert list_choices(s) == [">1", ">2", ">5", ">6"]
    assert rule_forbidding(s, ">3") == rule_forbidding(s, ">4") == "AD.V7"
    play_lines(s, ">6")
    assert sector_dice(s) == "135666"
    s = new_game_with_tiles("aacaa", dice="1333566")
    play_lines(s, "d3 +3p c6 >3")
    assert sector_dice(s) == "133356"


@pytest.mark.rule("AD.V7")
def test_the_die_just_taken_lies_nowhere() -> None:
    s = new_game_with_tiles("aacaa", dice="1123566")
    play_lines(s, "d3 +3p")
    assert list_choices(s) == ["c1", "c2", "c5", "c6"]
    assert rule_forbidding(s, "c3") == "AD.V7"


@pytest.mark.rule("AD.C3", "AD.V3")
@pytest.mark.parametrize("letter", "abc")
def test_the_workshops_move_the_submarine_to_another_sector_without_an_extra_piece(letter: str) -> None:
    s = new_game_with_tiles(f"aaa{letter}a")
    s.submarine = JEWELLER
    use_up_stacks(s, 2)
    play_lines(s, "d4 +4t")
    assert list_choices(s) == [">3", ">4", ">5", ">6"]
    assert rule_forbidding(s, ">1") == "AD.C3"
    assert rule_forbidding(s, ">2") == "AD.V3"
    play_lines(s, ">4")
    assert s.submarine == 3
    assert stock_pieces(s, 0) == "t"
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.C3", "AD.V7")
def test_forge_b_moves_a_piece_from_here_to_another_region() -> None:
    s = new_game_with_tiles("aaaab")
    use_up_stacks(s, 1)
    play_lines(s, "d5 +5w")
    assert list_choices(s) == ["^5w"]
    play_lines(s, "^5w")
    assert list_choices(s) == [">2", ">3", ">4"]
    assert rule_forbidding(s, ">5") == rule_forbidding(s, ">6") == rule_forbidding(s, ">1") == "AD.V7"
    play_lines(s, ">4")
    assert (sector_pieces(s, 4), sector_pieces(s, 5)) == ("tttttttw", "wwwww")


@pytest.mark.rule("AD.C3")
def test_forge_c_takes_a_piece_from_the_black_market_on_six() -> None:
    for face in "123456":
        s = new_game_with_tiles("aaaac")
        play_lines(s, f"d5 +5w *{face}")
        if face == "6":
            assert list_choices(s) == ["+6g", "+6b", "+6p", "+6t", "+6w"]
            assert rule_forbidding(s, "+5w") == "AD.C3"
            play_lines(s, "+6g")
            assert stock_pieces(s, 0) == "gw"
        assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.C3")
def test_the_black_market_has_no_effect() -> None:
    s = new_game_with_tiles()
    play_lines(s, "d6 +6p")
    assert (s.actor, phase_name(s)) == (1, "die")
    assert stock_pieces(s, 0) == "p"
