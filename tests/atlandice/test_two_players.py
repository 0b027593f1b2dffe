"""Two players and the neutral player (AD.N1, AD.N2)."""

from typing import Any, cast

import pytest

from landfall.core.state import OVER
from landfall.games.atlandice.rules.board import FORGE
from landfall.games.atlandice.rules.components import NEUTRAL

from .position_builder import (
    list_choices,
    new_game_with_tiles,
    phase_name,
    play_lines,
    points_by_holder,
    rule_forbidding,
    sector_dice,
    set_sector_pieces,
    set_stocks,
    set_up_last_visit,
    stock_pieces,
    tile_location,
)


@pytest.mark.rule("AD.N1")
def test_the_two_alternate_until_each_has_taken_three_of_seven_dice() -> None:
    s = new_game_with_tiles(players=2, dice="6666666")
    order = []
    for die in ("d6 +6g", "d6 +6g", "n6 +6g", "d6 +6b", "d6 +6b", "n6 +6b"):
        order.append(int(s.actor))
        play_lines(s, die)
    assert order == [0, 1, 0, 1, 0, 1]
    assert len(sector_dice(s)) == 0  # the round is over: all are in the first player's hand again
    assert (phase_name(s), s.first, s.hand) == ("gates", 1, 2)


@pytest.mark.rule("AD.N1")
def test_exactly_one_of_a_players_three_is_the_neutrals_named_as_it_is_taken() -> None:
    s = new_game_with_tiles(players=2, dice="6666666")
    assert list_choices(s) == ["d6", "n6"]
    play_lines(s, "n6 +6g d6 +6g")
    assert list_choices(s) == ["d6"]
    assert rule_forbidding(s, "n6") == "AD.N1"
    play_lines(s, "d6 +6g d6 +6b d6 +6b")
    assert list_choices(s) == ["n6"]  # the third, if none before
    assert rule_forbidding(s, "d6") == "AD.N1"


@pytest.mark.rule("AD.N1")
def test_with_more_players_there_is_no_neutral() -> None:
    s = new_game_with_tiles(players=3)
    assert rule_forbidding(s, "n6") == "AD.N1"
    assert all(not choice.startswith("n") for choice in list_choices(s))


@pytest.mark.rule("AD.N1")
def test_the_taker_chooses_its_pieces_the_submarines_too_and_its_effect_benefits_it() -> None:
    s = new_game_with_tiles("aaaaa", players=2)
    s.submarine = FORGE
    set_sector_pieces(s, 5, "gwwww")
    play_lines(s, "n5")
    assert s.actor == 0
    play_lines(s, "+5g +5w *2")
    assert s.actor == 0
    play_lines(s, "+5w")
    assert stock_pieces(s, NEUTRAL) == "gww"
    assert stock_pieces(s, 0) == ""
    assert s.actor == 1


@pytest.mark.rule("AD.N1")
def test_library_a_and_forge_c_for_the_neutral_give_it_the_piece() -> None:
    s = new_game_with_tiles("aaaac", players=2)
    play_lines(s, "n2 +2b *5 +1g n5 +5w *6 +6t")
    assert stock_pieces(s, NEUTRAL) == "gbtw"
    assert stock_pieces(s, 0) == stock_pieces(s, 1) == ""


@pytest.mark.rule("AD.N1", "AD.V6")
def test_jeweller_cs_second_visit_for_the_neutral_is_the_neutrals() -> None:
    s = new_game_with_tiles("caaaa", players=2)
    play_lines(s, "n1 +1g *6 *6 +6w")
    assert stock_pieces(s, NEUTRAL) == "gw"


@pytest.mark.rule("AD.N2")
def test_library_c_counts_the_dice_of_whom_it_benefits() -> None:
    s = new_game_with_tiles("acaaa", players=2, dice="2222666")
    play_lines(s, "n6 +6g d6 +6g d2 +2b")
    assert (s.actor, phase_name(s)) == (1, "die")  # the taker's second visit, but its first own die
    play_lines(s, "n2 +2b")
    assert (s.actor, phase_name(s)) == (1, "bonus")  # the neutral's second die, though the taker's first for it
    play_lines(s, "+2b d2 +2b")
    assert (s.actor, phase_name(s)) == (0, "bonus")  # the taker's second own die
    play_lines(s, "+2b")
    assert stock_pieces(s, NEUTRAL) == "gbb"
    assert stock_pieces(s, 0) == "bbb"


@pytest.mark.rule("AD.N2")
def test_the_neutrals_first_die_gives_nothing_at_library_c() -> None:
    s = new_game_with_tiles("acaaa", players=2, dice="2222666")
    play_lines(s, "d6 +6g d6 +6g n2 +2b")
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.N1", "AD.V2")
def test_the_neutral_scores_emptied_regions_and_returns_its_pieces() -> None:
    s = new_game_with_tiles("aaaab", players=2)
    set_stocks(s, "ww", "w", "www")
    set_sector_pieces(s, 5, "")
    play_lines(s, "d6 +6g")
    assert tile_location(s, "5b") == str(NEUTRAL)
    assert points_by_holder(s) == [1, 0, 0, 0]
    assert stock_pieces(s, NEUTRAL) == ""


@pytest.mark.rule("AD.N1", "AD.V2")
def test_of_those_tied_the_neutral_takes_the_tile_last() -> None:
    s = new_game_with_tiles("aaaab", players=2)
    set_stocks(s, "", "ww", "ww")
    set_sector_pieces(s, 5, "")
    play_lines(s, "d6 +6g")
    assert tile_location(s, "5b") == "1"
    assert points_by_holder(s) == [0, 0, 3, 0]


@pytest.mark.rule("AD.N1", "AD.V4")
def test_the_neutral_scores_inventories_alone_if_it_has_most() -> None:
    s = new_game_with_tiles(players=2)
    set_stocks(s, "b", "", "bb")
    s.hand = 3
    set_up_last_visit(s, "6", "6")
    play_lines(s, "d6 +6g")
    assert s.hand == 5
    assert points_by_holder(s) == [0, 0, 1, 0]


@pytest.mark.rule("AD.N1", "AD.V5")
def test_the_neutral_does_not_donate() -> None:
    s = new_game_with_tiles(players=2)
    set_stocks(s, "gg", "", "bbbb")
    s.hand = 1
    set_up_last_visit(s, "6", "6")
    set_sector_pieces(s, 6, "")
    play_lines(s, "d6")
    assert s.actor == 0
    play_lines(s, "pass")
    assert phase_name(s) == "gates"
    assert stock_pieces(s, NEUTRAL) == "bbbb"


@pytest.mark.rule("AD.N1", "AD.E2")
def test_the_neutral_scores_at_the_end_but_cannot_win() -> None:
    s = new_game_with_tiles(players=2)
    set_stocks(s, "g", "b", "ggbbpptt")
    s.hand = 16
    set_up_last_visit(s, "6", "6")
    set_sector_pieces(s, 6, "")
    play_lines(s, "d6")
    assert s.actor == OVER
    assert s.scores() == [1, 1]  # second to the neutral in gems and in books
    assert s.ranking()[0]["seats"] == [0, 1]
    neutral = cast("list[dict[str, Any]]", s.view(None)["holders"])[NEUTRAL]
    assert (neutral["score"], neutral["neutral"], neutral["seat"], neutral["colour"]) == (12, True, None, "black")


@pytest.mark.rule("AD.N1", "AD.P4")
def test_the_neutral_is_never_first_player() -> None:
    s = new_game_with_tiles(players=2)
    firsts = []
    for _ in range(4):
        firsts.append(int(s.first))
        set_up_last_visit(s, "6", "6")
        set_sector_pieces(s, 6, "")
        s.hand = 0
        play_lines(s, "d6 *6 *6 *6 *6 *6 *6 *6")
    assert firsts == [0, 1, 0, 1]
