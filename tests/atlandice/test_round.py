"""The round (AD.P1, AD.P2, AD.P3, AD.P4) and the end of the game (AD.E1)."""

import pytest

from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.state import AtlandiceState

from .position_builder import (
    events_of_kind,
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
    use_up_stacks,
)


@pytest.mark.rule("AD.P1")
def test_each_die_goes_to_the_sector_of_its_number_and_sixes_to_the_black_market() -> None:
    s = new_game_with_tiles(dice="1135566")
    assert sector_dice(s) == "1135566"
    assert [s.dice[i] for i in range(6)] == [2, 0, 1, 0, 2, 2]


@pytest.mark.rule("AD.P1", "AD.V3")
def test_numbers_whose_stack_is_used_up_go_to_the_black_market() -> None:
    s = new_game_with_tiles()
    use_up_stacks(s, 2)
    set_up_last_visit(s, "6", "1")
    set_sector_pieces(s, 1, "gg")
    play_lines(s, "d1 +1g *2 *2 *2 *1 *1 *1 *1 *6")
    assert sector_dice(s) == "1111666"
    assert rule_forbidding(s, "d2") == "AD.V3"


@pytest.mark.rule("AD.P2")
@pytest.mark.parametrize(("players", "visits"), [(3, 6), (4, 8)])
def test_one_visit_each_clockwise_until_each_has_two_dice_and_one_is_left(players: int, visits: int) -> None:
    s = new_game_with_tiles(players=players, dice="6" * (7 if players == 3 else 9))
    for n in range(visits):
        assert (s.actor, phase_name(s)) == (n % players, "die")
        assert s.taken[n % players] == n // players
        play_lines(s, "d6", choices_after(s, "d6"))
    assert events_of_kind(s, "clock") == [{"sector": "black_market", "from": 0, "to": 2}]
    assert phase_name(s) == "gates"


def choices_after(s: AtlandiceState, die: str) -> str:
    """The first piece that could be taken after taking this die."""
    c = s.copy()
    c.apply(c.parse(die))
    return list_choices(c)[0]


@pytest.mark.rule("AD.P3")
def test_icons_passed_do_nothing_and_the_one_pointed_at_takes_effect() -> None:
    s = new_game_with_tiles("aaaaa")
    set_stocks(s, "g", "bb", "bbb")
    s.hand = 2  # passes donation on 3, to 4
    set_up_last_visit(s, "6", "1")
    set_sector_pieces(s, 1, "gw")
    play_lines(s, "d1 +1g *2")  # jeweller a, even: nothing
    assert (s.hand, phase_name(s)) == (4, "gates")
    assert points_by_holder(s) == [0, 0, 0, 0]
    s = new_game_with_tiles("aaaaa")
    set_stocks(s, "g", "bb", "bbb")
    s.hand = 3
    set_up_last_visit(s, "6", "1")
    set_sector_pieces(s, 1, "gw")
    play_lines(s, "d1 +1g *2")
    assert s.hand == 5
    assert points_by_holder(s) == [0, 0, 1, 0]  # inventory of books


@pytest.mark.rule("AD.P3", "AD.V3")
def test_the_tile_now_on_top_counts_for_the_clock() -> None:
    s = new_game_with_tiles("acaaa")
    set_up_last_visit(s, "2", "1")
    set_sector_pieces(s, 2, "")  # the last book is about to be gone: library c is emptied by this visit's end
    play_lines(s, "d1 +1g *2 *2a")
    assert s.hand == 1  # library a shows one hand, library c three


@pytest.mark.rule("AD.P3", "AD.C4")
def test_the_hand_stops_at_the_last_space() -> None:
    s = new_game_with_tiles("caaaa")
    s.hand = 17
    set_up_last_visit(s, "1", "6")
    play_lines(s, "d6 +6g")
    assert s.hand == 18
    assert s.actor == OVER


@pytest.mark.rule("AD.P4")
def test_the_first_player_marker_passes_to_the_left() -> None:
    s = new_game_with_tiles("aaaaa")
    for first in (0, 1, 2, 0):
        assert s.first == first
        set_up_last_visit(s, "6", "6")
        play_lines(s, "d6", choices_after(s, "d6"))
        s.hand = 0
        assert s.actor == CHANCE
        play_lines(s, "*6 *6 *6 *6 *6 *6 *6")
        assert s.actor == (first + 1) % 3


@pytest.mark.rule("AD.E1")
def test_the_game_ends_when_the_hand_is_on_the_last_space_at_the_end_of_the_clock_phase() -> None:
    s = new_game_with_tiles("aaaaa")
    s.hand = 16
    set_up_last_visit(s, "6", "6")
    play_lines(s, "d6 +6g")
    assert (s.actor, phase_name(s)) == (OVER, "finished")
    assert s.legal_actions() == []
    assert s.why_illegal(0) == "LF.4"
    s = new_game_with_tiles("aaaaa")
    s.hand = 15
    set_up_last_visit(s, "6", "6")
    play_lines(s, "d6 +6g")
    assert s.actor == CHANCE


@pytest.mark.rule("AD.V8", "AD.E1")
def test_inn_a_reaching_the_last_space_mid_round_the_round_is_played_on_and_nothing_is_triggered() -> None:
    s = new_game_with_tiles("aaaaa", dice="3333366", clock={"last": 4, "icons": {"3": "donation", "2": "gems"}})
    set_stocks(s, "gg", "g", "")
    s.hand = 3
    play_lines(s, "d3 +3p *4")
    assert s.hand == 4
    assert (s.actor, phase_name(s)) == (1, "die")
    play_lines(s, "d3 +3p")  # no roll: the clock cannot move any more
    assert (s.actor, phase_name(s)) == (2, "die")
    play_lines(s, "d3 +3p d3 +3p d3 +3p")
    assert (s.actor, phase_name(s)) == (2, "die")
    play_lines(s, "d6 +6w")
    assert s.actor == OVER
    assert s.hand == 4
    assert events_of_kind(s, "clock") == events_of_kind(s, "donation") == events_of_kind(s, "inventory") == []


@pytest.mark.rule("AD.V8")
def test_inn_a_moves_the_clock_without_its_icons_effect() -> None:
    s = new_game_with_tiles("aaaaa")
    set_stocks(s, "gg", "gg", "gg")
    s.hand = 2
    play_lines(s, "d3 +3p *1")
    assert s.hand == 3  # a donation
    assert (s.actor, phase_name(s)) == (1, "die")
    assert events_of_kind(s, "clock_inn") == [{"seat": 0, "from": 2, "to": 3}]
