"""Visits (AD.V1), second visits (AD.V6), what is public (AD.V9), what is skipped (AD.V10)."""

import pytest

from landfall.core.state import CHANCE
from landfall.games.atlandice.rules.board import BLACK_MARKET, FORGE, JEWELLER

from .position_builder import (
    list_choices,
    new_game_with_tiles,
    phase_name,
    play_lines,
    rule_forbidding,
    sector_dice,
    sector_pieces,
    set_dice,
    set_sector_pieces,
    set_stocks,
    set_up_last_visit,
    stock_pieces,
    use_up_stacks,
)


@pytest.mark.rule("AD.V1")
def test_a_die_is_taken_from_a_sector_that_has_one() -> None:
    s = new_game_with_tiles(dice="1133366")
    assert list_choices(s) == ["d1", "d3", "d6"]
    assert rule_forbidding(s, "d2") == "AD.V1"
    play_lines(s, "d3")
    assert sector_dice(s) == "113366"
    assert s.taken[0] == 1


@pytest.mark.rule("AD.V1")
def test_one_piece_of_any_kind_lying_there_is_taken() -> None:
    s = new_game_with_tiles()
    set_sector_pieces(s, 2, "bbgw")
    play_lines(s, "d2")
    assert list_choices(s) == ["+2g", "+2b", "+2w"]
    assert rule_forbidding(s, "+2t") == "AD.V1"
    assert rule_forbidding(s, "+1g") == "AD.V1"
    assert rule_forbidding(s, "pass") == "AD.V1"
    play_lines(s, "+2w")
    assert stock_pieces(s, 0) == "w"
    assert sector_pieces(s, 2) == "gbb"


@pytest.mark.rule("AD.V1")
def test_where_the_submarine_is_one_more_piece_if_there_is_one() -> None:
    s = new_game_with_tiles()
    s.submarine = BLACK_MARKET
    play_lines(s, "d6 +6g")
    assert (s.actor, phase_name(s)) == (0, "submarine_piece")
    play_lines(s, "+6t")
    assert stock_pieces(s, 0) == "gt"
    s = new_game_with_tiles()
    s.submarine = BLACK_MARKET
    set_sector_pieces(s, 6, "w")
    play_lines(s, "d6 +6w")
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.V1")
def test_effects_are_obligatory() -> None:
    s = new_game_with_tiles("abcba")
    play_lines(s, "d2 +2b")
    assert phase_name(s) == "move"
    assert rule_forbidding(s, "pass") == "AD.V1"
    for die, piece in (("d4", "+4t"), ("d3", "+3p")):
        s = new_game_with_tiles("abcba")
        s.submarine = JEWELLER
        play_lines(s, die, piece)
        assert rule_forbidding(s, "pass") == "AD.V1"


@pytest.mark.rule("AD.V6")
def test_jeweller_cs_second_visit_has_a_piece_the_submarines_piece_and_the_effect_but_takes_no_die() -> None:
    s = new_game_with_tiles("caaaa", dice="1555666")
    s.submarine = FORGE
    play_lines(s, "d1 +1g *6 *5 +5w +5w *2 +5w")
    assert stock_pieces(s, 0) == "gwww"
    assert sector_dice(s) == "555666"
    assert s.taken[0] == 1
    assert s.actor == 1


@pytest.mark.rule("AD.V6", "AD.C3")
@pytest.mark.parametrize("face", "12345")
def test_jeweller_c_below_six_is_over(face: str) -> None:
    s = new_game_with_tiles("caaaa")
    play_lines(s, f"d1 +1g *{face}")
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.V6")
def test_a_used_up_number_leads_to_the_black_market() -> None:
    s = new_game_with_tiles("caaaa")
    use_up_stacks(s, 3)
    play_lines(s, "d1 +1g *6 *3")
    assert list_choices(s) == ["+6g", "+6b", "+6t", "+6w"]


@pytest.mark.rule("AD.V6")
def test_a_one_visits_the_jeweller_again_effect_included_as_often_as_it_comes_up() -> None:
    s = new_game_with_tiles("caaaa")
    play_lines(s, "d1 +1g *6 *1 +1g *6 *1 +1g *6 *1 +1g *5")
    assert stock_pieces(s, 0) == "gggg"
    assert s.actor == 1


@pytest.mark.rule("AD.V6")
def test_library_c_by_a_second_visit_looks_at_the_dice_already_taken() -> None:
    s = new_game_with_tiles("cccca")
    play_lines(s, "d1 +1g *6 *2 +2b")
    assert (s.actor, phase_name(s)) == (1, "die")  # the die that began it was the first
    s = new_game_with_tiles("cccca")
    s.taken[0] = 1
    play_lines(s, "d1 +1g *6 *2 +2b")
    assert (s.actor, phase_name(s)) == (0, "bonus")  # the second
    play_lines(s, "+2b")
    assert stock_pieces(s, 0) == "gbb"


@pytest.mark.rule("AD.V6", "AD.V2")
def test_the_check_comes_once_after_the_whole_visit_second_visit_included() -> None:
    s = new_game_with_tiles("cbaaa")
    set_sector_pieces(s, 1, "g")
    set_stocks(s, "", "gg")
    play_lines(s, "d1 +1g *6")
    assert s.tile_place[2] == 1  # jeweller c, empty, is not scored between
    play_lines(s, "*6 +6g")
    assert s.actor == CHANCE
    assert phase_name(s) == "reveal"


@pytest.mark.rule("AD.V9")
def test_stocks_and_points_are_public() -> None:
    s = new_game_with_tiles()
    set_stocks(s, "ggb", "w", "")
    s.points[1] = 4
    views = [s.view(seat) for seat in (0, 1, 2, None)]
    for view in views:
        view["seat"] = None
        assert view == views[0]
    shown = views[0]["holders"]
    assert isinstance(shown, list)
    assert shown[0]["stock"] == {"gems": 2, "books": 1, "provisions": 0, "tools": 0, "weapons": 0}
    assert [holder["points"] for holder in shown] == [0, 4, 0]


@pytest.mark.rule("AD.V10")
def test_a_sector_without_pieces_may_be_visited() -> None:
    s = new_game_with_tiles()
    set_sector_pieces(s, 6, "")
    play_lines(s, "d6")
    assert (s.actor, phase_name(s)) == (1, "die")
    assert stock_pieces(s, 0) == ""


@pytest.mark.rule("AD.V10")
@pytest.mark.parametrize(
    ("tiles", "die"),
    [("aaaaa", 1), ("baaaa", 1), ("abaaa", 2), ("acaaa", 2), ("aaaaa", 5), ("aaaab", 5)],
)
def test_an_effect_on_the_pieces_here_is_skipped_without_a_roll_if_none_is_left(tiles: str, die: int) -> None:
    s = new_game_with_tiles(tiles)
    set_sector_pieces(s, die, "p")
    s.taken[0] = 1  # library c would give
    play_lines(s, f"d{die} +{die}p")
    assert phase_name(s) == "reveal"  # the visit is over: the emptied region is scored


@pytest.mark.rule("AD.V10")
def test_effects_on_other_places_are_skipped_without_a_roll_if_nothing_lies_there() -> None:
    s = new_game_with_tiles("aaaaa")  # library a: no piece in another region
    for region in (1, 3, 4, 5):
        set_sector_pieces(s, region, "")
        s.held[region - 1] = 0
    play_lines(s, "d2 +2b")
    assert (s.actor, phase_name(s)) == (1, "die")
    s = new_game_with_tiles("baaaa")  # jeweller b: nothing to swap with
    for region in (2, 3, 4, 5):
        set_sector_pieces(s, region, "")
        s.held[region - 1] = 0
    play_lines(s, "d1 +1g")
    assert (s.actor, phase_name(s)) == (1, "die")
    s = new_game_with_tiles("aabac")  # inn b and forge c: nothing in the black market
    set_sector_pieces(s, 6, "")
    play_lines(s, "d3 +3p")
    assert (s.actor, phase_name(s)) == (1, "die")
    play_lines(s, "d5 +5w")
    assert (s.actor, phase_name(s)) == (2, "die")


@pytest.mark.rule("AD.V10")
def test_a_move_to_another_region_is_skipped_if_there_is_none() -> None:
    s = new_game_with_tiles("aabab")
    use_up_stacks(s, 1, 2, 4, 5)
    set_dice(s, "3336666")
    play_lines(s, "d3 +3p")
    assert (s.actor, phase_name(s)) == (1, "die")
    s = new_game_with_tiles("aabab")
    use_up_stacks(s, 1, 2, 3, 4)
    set_dice(s, "5556666")
    play_lines(s, "d5 +5w")
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.V10")
def test_jeweller_c_is_not_rolled_if_no_second_visit_could_matter() -> None:
    s = new_game_with_tiles("cabac")
    use_up_stacks(s, 4)
    for region in (1, 2, 3, 5):
        set_sector_pieces(s, region, "")
        s.held[region - 1] = 0
    set_sector_pieces(s, 6, "")
    play_lines(s, "d1")
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.V10")
@pytest.mark.parametrize(
    ("tiles", "change"),
    [
        ("cabac", "market"),  # a piece in the black market
        ("cabab", "forge"),  # a piece in the forge
        ("cacac", "none"),  # inn c can always change a die
        ("caaac", "none"),  # inn a can move the clock
        ("cabac", "workshop"),  # the submarine can be moved
    ],
)
def test_jeweller_c_is_rolled_if_some_second_visit_could_matter(tiles: str, change: str) -> None:
    s = new_game_with_tiles(tiles)
    if change != "workshop":
        use_up_stacks(s, 4)
    for region in (1, 2, 3, 4, 5):
        set_sector_pieces(s, region, "")
        s.held[region - 1] = 0
    set_sector_pieces(s, 6, "g" if change == "market" else "")
    if change == "forge":
        set_sector_pieces(s, 5, "w")
    play_lines(s, "d1")
    assert (s.actor, phase_name(s)) == (CHANCE, "roll")


@pytest.mark.rule("AD.V10")
def test_a_swap_of_two_pieces_of_one_kind_is_allowed() -> None:
    s = new_game_with_tiles("baaaa")
    set_sector_pieces(s, 5, "gwwwwww")
    play_lines(s, "d1 +1g ^1g ^5g")
    assert sector_pieces(s, 1) == "gggggg"
    assert sector_pieces(s, 5) == "gwwwwww"


@pytest.mark.rule("AD.V10", "AD.V8")
def test_inn_a_is_not_rolled_when_the_clock_cannot_move() -> None:
    s = new_game_with_tiles("aaaaa")
    s.hand = 18
    set_up_last_visit(s, "6", "33")
    play_lines(s, "d3 +3p")
    assert phase_name(s) == "finished"
