"""Emptied regions (AD.V2), returned pieces and used-up stacks (AD.V3), inventory (AD.V4), the end (AD.E2)."""

import pytest

from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules.board import BLACK_MARKET, FORGE

from .position_builder import (
    events_of_kind,
    list_choices,
    new_game_with_tiles,
    phase_name,
    play_lines,
    points_by_holder,
    rule_forbidding,
    sector_dice,
    sector_pieces,
    set_dice,
    set_sector_pieces,
    set_seen_tiles,
    set_stocks,
    set_up_last_visit,
    stock_pieces,
    tile_location,
    use_up_stacks,
)


def emptied(*stocks: str, first: int = 0, players: int = 4) -> tuple[list[int], str]:
    """The forge is emptied while these stocks are held: points given, and who took the tile."""
    s = new_game_with_tiles("aaaab", players=players)
    set_stocks(s, *stocks)
    set_sector_pieces(s, 5, "")
    s.first = s.turn = s.holder = s.actor = first
    play_lines(s, "d6 +6g")
    assert phase_name(s) == "reveal"
    return points_by_holder(s), tile_location(s, "5b")


@pytest.mark.rule("AD.V2")
def test_most_takes_the_tile_and_second_most_one_point() -> None:
    assert emptied("w", "www", "ww", "") == ([0, 0, 1, 0], "1")


@pytest.mark.rule("AD.V2")
def test_tied_first_one_takes_the_tile_the_others_three_points_and_no_second() -> None:
    assert emptied("w", "ww", "ww", "ww") == ([0, 0, 3, 3], "1")
    assert emptied("w", "", "ww", "ww") == ([0, 0, 0, 3], "2")


@pytest.mark.rule("AD.V2")
def test_tied_second_one_point_each() -> None:
    assert emptied("w", "ww", "w", "w") == ([1, 0, 1, 1], "1")


@pytest.mark.rule("AD.V2")
def test_nobody_scores_for_holding_none() -> None:
    assert emptied("", "ww", "", "") == ([0, 0, 0, 0], "1")


@pytest.mark.rule("AD.V2")
def test_if_nobody_holds_any_the_tile_leaves_the_game() -> None:
    assert emptied("g", "b", "p", "t") == ([0, 0, 0, 0], "gone")


@pytest.mark.rule("AD.V2")
@pytest.mark.parametrize(("first", "taker", "others"), [(0, "0", [0, 0, 3, 0]), (1, "2", [3, 0, 0, 0])])
def test_of_those_tied_the_first_in_this_rounds_turn_order_takes_the_tile(
    first: int, taker: str, others: list[int]
) -> None:
    assert emptied("ww", "w", "ww", "", first=first) == (others, taker)


@pytest.mark.rule("AD.V2")
def test_only_a_regions_own_resource_counts() -> None:
    assert emptied("gggg", "w", "bbbbb", "") == ([0, 0, 0, 0], "1")


@pytest.mark.rule("AD.V2")
def test_the_check_comes_after_the_effect_so_a_refilled_region_is_not_scored() -> None:
    s = new_game_with_tiles("aaaba")
    s.submarine = BLACK_MARKET
    set_stocks(s, "", "w")
    set_sector_pieces(s, 4, "t")
    play_lines(s, "d4 +4t")
    assert tile_location(s, "4b") == "top"  # not before the submarine is moved
    play_lines(s, ">1")
    assert tile_location(s, "4b") == "0"
    s = new_game_with_tiles("aabaa")
    set_sector_pieces(s, 1, "")
    set_stocks(s, "g")
    play_lines(s, "d3 +3p ^6b >1")
    assert tile_location(s, "1a") == "top"


@pytest.mark.rule("AD.V2")
def test_several_empty_regions_are_scored_lowest_number_first() -> None:
    s = new_game_with_tiles("bbbbb")
    set_stocks(s, "t", "b", "ww")
    for region in (2, 4, 5):
        set_sector_pieces(s, region, "")
    play_lines(s, "d6 +6g")
    assert [e["tile"] for e in events_of_kind(s, "emptied")] == ["library_b"]
    play_lines(s, "*2a")
    assert [e["tile"] for e in events_of_kind(s, "emptied")] == ["library_b", "workshop_b"]
    play_lines(s, "*4a *5a")
    assert [e["tile"] for e in events_of_kind(s, "emptied")] == ["library_b", "workshop_b", "forge_b"]
    assert [tile_location(s, tile) for tile in ("2b", "4b", "5b")] == ["1", "0", "2"]
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.V3")
def test_all_return_that_resource_the_black_market_is_filled_up_to_three_the_rest_goes_to_the_new_tile() -> None:
    s = new_game_with_tiles("aaaab")
    set_stocks(s, "gww", "bwww", "w")
    set_sector_pieces(s, 5, "")
    set_sector_pieces(s, 6, "ggpw")
    set_sector_pieces(s, 1, "gw")
    play_lines(s, "d6 +6p *5c")
    assert [stock_pieces(s, seat) for seat in range(3)] == ["gp", "b", ""]
    assert sector_pieces(s, 6) == "ggwww"
    assert sector_pieces(s, 5) == "wwww"
    assert sector_pieces(s, 1) == "gw"  # pieces of it in other regions stay
    assert events_of_kind(s, "returned") == [{"resource": "weapons", "market": 2, "region": 4, "from": [2, 3, 1]}]


@pytest.mark.rule("AD.V3")
def test_a_black_market_that_holds_three_or_more_gets_none() -> None:
    for market in ("pwww", "pwwwww"):
        s = new_game_with_tiles("aaaab")
        set_stocks(s, "ww", "w")
        set_sector_pieces(s, 5, "")
        set_sector_pieces(s, 6, market)
        play_lines(s, "d6 +6p *5c")
        assert sector_pieces(s, 6) == market[1:]
        assert sector_pieces(s, 5) == "www"


@pytest.mark.rule("AD.V3")
def test_a_region_that_gets_no_piece_is_scored_only_once_it_has_held_one() -> None:
    s = new_game_with_tiles("aabab", dice="3335566")
    set_stocks(s, "w", "w")
    set_sector_pieces(s, 5, "")
    set_sector_pieces(s, 6, "gw")
    play_lines(s, "d6 +6g *5a")
    assert sector_pieces(s, 5) == ""
    assert (s.actor, phase_name(s)) == (1, "die")
    play_lines(s, "d5")  # forge a, empty: nothing to take, no roll, and not scored
    assert (s.actor, phase_name(s)) == (2, "die")
    assert tile_location(s, "5a") == "top"
    set_stocks(s, "", "", "w")
    play_lines(s, "d3 +3p ^6w >5")
    assert sector_pieces(s, 5) == "w"
    play_lines(s, "d5 +5w")
    assert tile_location(s, "5a") == "0"  # with the first turn of those tied


@pytest.mark.rule("AD.V3", "AD.V2")
def test_a_piece_that_came_and_went_within_one_visit_counts_as_held() -> None:
    s = new_game_with_tiles("aaaab")
    set_seen_tiles(s, 5, "acb")
    set_stocks(s, "", "ww", "b")
    set_sector_pieces(s, 5, "ww")
    set_sector_pieces(s, 2, "")
    s.held[1] = 0  # library a got no piece when it was revealed
    play_lines(s, "d5 +5w ^5w >2")
    # The forge is used up, so the weapon just moved to the library leaves the game, and the library is scored.
    assert [e["tile"] for e in events_of_kind(s, "emptied")] == ["forge_b", "library_a"]
    assert [tile_location(s, "5b"), tile_location(s, "2a")] == ["1", "2"]
    assert phase_name(s) == "reveal"


@pytest.mark.rule("AD.V3")
def test_a_new_tile_acts_from_the_next_visit_of_the_same_round() -> None:
    s = new_game_with_tiles("abaaa", dice="2266666")
    set_sector_pieces(s, 2, "b")
    set_stocks(s, "", "bb")
    play_lines(s, "d2 +2b *2a")
    set_sector_pieces(s, 2, "bbb")
    play_lines(s, "d2 +2b")
    assert (s.actor, phase_name(s)) == (CHANCE, "roll")  # library a


@pytest.mark.rule("AD.V3")
def test_with_no_tile_left_the_resource_leaves_the_game_wherever_it_is() -> None:
    s = new_game_with_tiles("aaaaa", dice="5556666")
    set_seen_tiles(s, 5, "abc")
    set_stocks(s, "gwww", "ww", "w")
    set_sector_pieces(s, 5, "")
    set_sector_pieces(s, 2, "bbw")
    play_lines(s, "d6 +6p")
    assert tile_location(s, "5c") == "0"
    assert points_by_holder(s) == [0, 1, 0, 0]
    assert [stock_pieces(s, seat) for seat in range(3)] == ["gp", "", ""]
    assert sector_pieces(s, 2) == "bb"
    assert "w" not in sector_pieces(s, 6)
    assert sector_dice(s) == "666666"  # its dice, lying there too, go to the black market
    assert rule_forbidding(s, "d5") == "AD.V3"
    assert events_of_kind(s, "used_up") == [{"sector": "forge", "resource": "weapons"}]
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.V3", "AD.V2")
def test_a_used_up_resource_empties_other_regions_which_are_scored_in_number_order() -> None:
    s = new_game_with_tiles("bbbbb")
    set_seen_tiles(s, 3, "abc")
    set_stocks(s, "pt", "gg", "b")
    set_sector_pieces(s, 3, "")
    set_sector_pieces(s, 1, "pp")
    set_sector_pieces(s, 4, "p")
    play_lines(s, "d6 +6w")
    assert [e["tile"] for e in events_of_kind(s, "emptied")] == ["inn_c", "jeweller_b"]
    play_lines(s, "*1a")
    assert [e["tile"] for e in events_of_kind(s, "emptied")] == ["inn_c", "jeweller_b", "workshop_b"]
    play_lines(s, "*4a")
    assert [tile_location(s, tile) for tile in ("3c", "1b", "4b")] == ["0", "1", "0"]
    assert sector_pieces(s, 4) == "t"  # the black market still had its three tools
    assert (s.actor, phase_name(s)) == (1, "die")


@pytest.mark.rule("AD.V3")
def test_one_used_up_stack_can_use_up_the_next() -> None:
    s = new_game_with_tiles("bbbbb")
    for region in (1, 4):
        set_seen_tiles(s, region, "abc")
    set_stocks(s, "g", "t", "")
    set_sector_pieces(s, 4, "")
    set_sector_pieces(s, 1, "t")
    play_lines(s, "d6 +6w")
    assert [e["sector"] for e in events_of_kind(s, "used_up")] == ["workshop", "jeweller"]
    assert [tile_location(s, "4c"), tile_location(s, "1c")] == ["1", "0"]
    assert sector_pieces(s, 6) == "bbbpppww"


@pytest.mark.rule("AD.V3")
def test_the_submarine_stays_at_a_used_up_stack_until_the_workshop_moves_it() -> None:
    s = new_game_with_tiles("aaaba", dice="4445566")
    set_seen_tiles(s, 5, "abc")
    s.submarine = FORGE
    set_stocks(s, "w")
    set_sector_pieces(s, 5, "")
    play_lines(s, "d6 +6g")
    assert s.submarine == 4
    play_lines(s, "d6 +6b")  # of no use: no extra piece where the forge's dice now lie
    assert (s.actor, phase_name(s)) == (2, "die")
    play_lines(s, "d4 +4t")
    assert list_choices(s) == [">1", ">2", ">3", ">4", ">6"]
    play_lines(s, ">6")
    assert s.submarine == 5


def at_icon(space: int, *stocks: str, players: int = 3) -> list[int]:
    """Points once the hand has come to this space of the default clock, these stocks being held."""
    s = new_game_with_tiles("aaaaa", players=players)
    set_stocks(s, *stocks)
    s.hand = space - 2
    set_up_last_visit(s, "6", "1")
    set_sector_pieces(s, 1, "gg")
    play_lines(s, "d1 +1g *2")
    assert s.hand == space
    assert phase_name(s) == "gates"
    assert stock_pieces(s, 0) == stocks[0]  # nothing is returned
    return points_by_holder(s)[:players]


@pytest.mark.rule("AD.V4")
def test_inventory_gives_a_point_for_most_of_the_named_resource_to_all_tied() -> None:
    assert at_icon(5, "bb", "b", "") == [1, 0, 0]
    assert at_icon(5, "bb", "bb", "b") == [1, 1, 0]
    assert at_icon(8, "bb", "p", "") == [0, 1, 0]
    assert at_icon(11, "t", "p", "t") == [1, 0, 1]
    assert at_icon(14, "ggwww", "pppppppp", "w") == [1, 0, 0]
    assert at_icon(2, "g", "gg", "g") == [0, 1, 1]  # the last visit took the third's second gem


@pytest.mark.rule("AD.V4")
def test_inventory_of_the_whole_stock_counts_all_pieces_together() -> None:
    assert at_icon(6, "gbptw", "bbbb", "www") == [1, 0, 0]
    assert at_icon(12, "gbpt", "bbbb", "www") == [1, 1, 1]


@pytest.mark.rule("AD.V4")
def test_nobody_scores_an_inventory_with_none() -> None:
    assert at_icon(5, "gg", "p", "w") == [0, 0, 0]


@pytest.mark.rule("AD.V4", "AD.V3")
def test_an_inventory_of_a_used_up_resource_scores_nobody() -> None:
    s = new_game_with_tiles("aaaaa")
    set_stocks(s, "bb", "b", "")
    use_up_stacks(s, 2)
    s.hand = 3
    set_up_last_visit(s, "6", "1")
    set_sector_pieces(s, 1, "gg")
    play_lines(s, "d1 +1g *2")
    assert s.hand == 5
    assert points_by_holder(s) == [0, 0, 0, 0]


@pytest.mark.rule("AD.E2")
def test_the_final_scoring_by_resource_tiles_and_points() -> None:
    s = new_game_with_tiles("aaaaa", players=4)
    set_stocks(s, "gggb", "gbpp", "gpp", "pt")
    s.points[3] = 2
    s.tile_place[14] = 3 + 1  # forge c is seat 1's
    s.hand = 16
    set_dice(s, "66")
    set_up_last_visit(s, "6", "6")
    set_sector_pieces(s, 6, "w")
    assert "ranking" not in s.view(0)
    play_lines(s, "d6 +6w")
    assert s.actor == OVER
    # Gems 3, 1, 1; books tied for 3; provisions tied for 3, so no second; tools and the last weapon to seat 3.
    assert s.scores() == [3 + 3, 1 + 3 + 3 + 3, 1 + 3, 3 + 3 + 2]
    assert s.ranking()[0] == {"place": 1, "seats": [1], "keys": {"points": 10}, "decided_by": "points"}
    assert s.view(0)["ranking"] == s.view(None)["ranking"] == s.ranking()


@pytest.mark.rule("AD.E2")
def test_ties_share_the_victory_and_nobody_scores_with_none() -> None:
    s = new_game_with_tiles("aaaaa")
    set_stocks(s, "g", "g", "")
    s.hand = 16
    set_up_last_visit(s, "6", "6")
    set_sector_pieces(s, 6, "")
    play_lines(s, "d6")
    assert s.scores() == [3, 3, 0]
    assert s.ranking()[0]["seats"] == [0, 1]


@pytest.mark.rule("AD.E2")
def test_a_used_up_resource_does_not_score_at_the_end() -> None:
    s = new_game_with_tiles("aaaaa")
    set_stocks(s, "bb", "b", "g")
    use_up_stacks(s, 2)
    assert s.scores() == [0, 0, 3]
