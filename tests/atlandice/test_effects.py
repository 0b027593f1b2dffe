"""The effects of the fifteen tiles (AD.C3), and what another region means (AD.V7)."""

import pytest

from landfall.core.state import CHANCE
from landfall.games.atlandice.rules.board import JEWELLER

from .position_builder import choices, dice, held, lay, lying, phase, play, refused, table, use_up


@pytest.mark.rule("AD.C3")
@pytest.mark.parametrize(("die", "piece", "faces"), [("d1", "+1g", "135"), ("d5", "+5w", "246")])
def test_jeweller_a_and_forge_a_give_one_more_piece_here_on_their_numbers(die: str, piece: str, faces: str) -> None:
    for face in "123456":
        s = table("aaaaa")
        play(s, die, piece)
        assert s.actor == CHANCE
        play(s, f"*{face}")
        assert phase(s) == ("bonus" if face in faces else "die")
        if face in faces:
            assert choices(s) == [piece]
            assert refused(s, "+6g") == "AD.C3"
            play(s, piece)
            assert held(s, 0) == piece[2] * 2
        assert s.actor == 1


@pytest.mark.rule("AD.C3", "AD.V7")
def test_jeweller_b_swaps_a_piece_here_with_one_in_another_region() -> None:
    s = table("baaaa")
    use_up(s, 4)
    play(s, "d1 +1g")
    assert choices(s) == ["^1g"]
    assert refused(s, "^2b") == "AD.C3"
    play(s, "^1g")
    assert choices(s) == ["^2b", "^3p", "^5w"]
    assert refused(s, "^6b") == refused(s, "^1g") == refused(s, "^4t") == "AD.V7"
    assert refused(s, "^2g") == "AD.C3"
    play(s, "^3p")
    assert (lying(s, 1), lying(s, 3)) == ("gggggp", "gpppppp")


@pytest.mark.rule("AD.C3", "AD.V7")
def test_library_a_takes_a_piece_from_another_region_on_five_and_six() -> None:
    for face in "123456":
        s = table("aaaaa")
        play(s, f"d2 +2b *{face}")
        if face in "56":
            assert choices(s) == ["+1g", "+3p", "+4t", "+5w"]
            assert refused(s, "+2b") == refused(s, "+6b") == "AD.V7"
            play(s, "+4t")
            assert held(s, 0) == "bt"
        assert (s.actor, phase(s)) == (1, "die")


@pytest.mark.rule("AD.C3")
def test_library_b_moves_a_piece_from_here_to_the_black_market() -> None:
    s = table("abaaa")
    lay(s, 2, "gbbb")
    play(s, "d2 +2b")
    assert choices(s) == ["^2g", "^2b"]
    assert refused(s, "^6g") == "AD.C3"
    play(s, "^2g")
    assert lying(s, 2) == "bb"
    assert lying(s, 6).count("g") == 4
    assert s.actor == 1


@pytest.mark.rule("AD.C3")
def test_library_c_gives_one_more_piece_here_with_the_second_die_of_the_round() -> None:
    s = table("acaaa", dice="2266666")
    play(s, "d2 +2b")
    assert (s.actor, phase(s)) == (1, "die")
    play(s, "d6 +6g d6 +6g d2 +2b")
    assert (s.actor, phase(s)) == (0, "bonus")
    play(s, "+2b")
    assert held(s, 0) == "bbb"


@pytest.mark.rule("AD.C3", "AD.V8")
def test_inn_a_moves_the_clock_one_space_on_one_to_four() -> None:
    for face in "123456":
        s = table("aaaaa")
        play(s, f"d3 +3p *{face}")
        assert s.hand == (1 if face in "1234" else 0)
        assert s.actor == 1


@pytest.mark.rule("AD.C3", "AD.V7")
def test_inn_b_moves_a_piece_from_the_black_market_to_a_region_other_than_the_inn() -> None:
    s = table("aabaa")
    use_up(s, 4)
    play(s, "d3 +3p")
    assert choices(s) == ["^6g", "^6b", "^6p", "^6w"]
    assert refused(s, "^3p") == "AD.C3"
    play(s, "^6b")
    assert choices(s) == [">1", ">2", ">5"]
    assert refused(s, ">3") == "AD.C3"
    assert refused(s, ">4") == refused(s, ">6") == "AD.V7"
    play(s, ">1")
    assert lying(s, 1) == "gggggggb"
    assert lying(s, 6).count("b") == 2


@pytest.mark.rule("AD.V7", "AD.C3")
def test_inn_c_moves_one_die_of_any_sector_to_another_sector_inn_and_black_market_included() -> None:
    s = table("aacaa", dice="1333566")
    use_up(s, 4)
    play(s, "d3 +3p")
    assert choices(s) == ["c1", "c3", "c5", "c6"]
    assert refused(s, "c2") == "AD.V7"
    play(s, "c3")
    assert choices(s) == [">1", ">2", ">5", ">6"]
    assert refused(s, ">3") == refused(s, ">4") == "AD.V7"
    play(s, ">6")
    assert dice(s) == "135666"
    s = table("aacaa", dice="1333566")
    play(s, "d3 +3p c6 >3")
    assert dice(s) == "133356"


@pytest.mark.rule("AD.V7")
def test_the_die_just_taken_lies_nowhere() -> None:
    s = table("aacaa", dice="1123566")
    play(s, "d3 +3p")
    assert choices(s) == ["c1", "c2", "c5", "c6"]
    assert refused(s, "c3") == "AD.V7"


@pytest.mark.rule("AD.C3", "AD.V3")
@pytest.mark.parametrize("letter", "abc")
def test_the_workshops_move_the_submarine_to_another_sector_without_an_extra_piece(letter: str) -> None:
    s = table(f"aaa{letter}a")
    s.submarine = JEWELLER
    use_up(s, 2)
    play(s, "d4 +4t")
    assert choices(s) == [">3", ">4", ">5", ">6"]
    assert refused(s, ">1") == "AD.C3"
    assert refused(s, ">2") == "AD.V3"
    play(s, ">4")
    assert s.submarine == 3
    assert held(s, 0) == "t"
    assert (s.actor, phase(s)) == (1, "die")


@pytest.mark.rule("AD.C3", "AD.V7")
def test_forge_b_moves_a_piece_from_here_to_another_region() -> None:
    s = table("aaaab")
    use_up(s, 1)
    play(s, "d5 +5w")
    assert choices(s) == ["^5w"]
    play(s, "^5w")
    assert choices(s) == [">2", ">3", ">4"]
    assert refused(s, ">5") == refused(s, ">6") == refused(s, ">1") == "AD.V7"
    play(s, ">4")
    assert (lying(s, 4), lying(s, 5)) == ("tttttttw", "wwwww")


@pytest.mark.rule("AD.C3")
def test_forge_c_takes_a_piece_from_the_black_market_on_six() -> None:
    for face in "123456":
        s = table("aaaac")
        play(s, f"d5 +5w *{face}")
        if face == "6":
            assert choices(s) == ["+6g", "+6b", "+6p", "+6t", "+6w"]
            assert refused(s, "+5w") == "AD.C3"
            play(s, "+6g")
            assert held(s, 0) == "gw"
        assert (s.actor, phase(s)) == (1, "die")


@pytest.mark.rule("AD.C3")
def test_the_black_market_has_no_effect() -> None:
    s = table()
    play(s, "d6 +6p")
    assert (s.actor, phase(s)) == (1, "die")
    assert held(s, 0) == "p"
