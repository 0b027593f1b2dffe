"""The round (AD.P1, AD.P2, AD.P3, AD.P4) and the end of the game (AD.E1)."""

import pytest

from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.state import AtlandiceState

from .position_builder import (
    choices,
    dice,
    happened,
    hold,
    last_visit,
    lay,
    phase,
    play,
    points,
    refused,
    table,
    use_up,
)


@pytest.mark.rule("AD.P1")
def test_each_die_goes_to_the_sector_of_its_number_and_sixes_to_the_black_market() -> None:
    s = table(dice="1135566")
    assert dice(s) == "1135566"
    assert [s.dice[i] for i in range(6)] == [2, 0, 1, 0, 2, 2]


@pytest.mark.rule("AD.P1", "AD.V3")
def test_numbers_whose_stack_is_used_up_go_to_the_black_market() -> None:
    s = table()
    use_up(s, 2)
    last_visit(s, "6", "1")
    lay(s, 1, "gg")
    play(s, "d1 +1g *2 *2 *2 *1 *1 *1 *1 *6")
    assert dice(s) == "1111666"
    assert refused(s, "d2") == "AD.V3"


@pytest.mark.rule("AD.P2")
@pytest.mark.parametrize(("players", "visits"), [(3, 6), (4, 8)])
def test_one_visit_each_clockwise_until_each_has_two_dice_and_one_is_left(players: int, visits: int) -> None:
    s = table(players=players, dice="6" * (7 if players == 3 else 9))
    for n in range(visits):
        assert (s.actor, phase(s)) == (n % players, "die")
        assert s.taken[n % players] == n // players
        play(s, "d6", choices_after(s, "d6"))
    assert happened(s, "clock") == [{"sector": "black_market", "from": 0, "to": 2}]
    assert phase(s) == "gates"


def choices_after(s: AtlandiceState, die: str) -> str:
    """The first piece that could be taken after taking this die."""
    c = s.copy()
    c.apply(c.parse(die))
    return choices(c)[0]


@pytest.mark.rule("AD.P3")
def test_icons_passed_do_nothing_and_the_one_pointed_at_takes_effect() -> None:
    s = table("aaaaa")
    hold(s, "g", "bb", "bbb")
    s.hand = 2  # passes donation on 3, to 4
    last_visit(s, "6", "1")
    lay(s, 1, "gw")
    play(s, "d1 +1g *2")  # jeweller a, even: nothing
    assert (s.hand, phase(s)) == (4, "gates")
    assert points(s) == [0, 0, 0, 0]
    s = table("aaaaa")
    hold(s, "g", "bb", "bbb")
    s.hand = 3
    last_visit(s, "6", "1")
    lay(s, 1, "gw")
    play(s, "d1 +1g *2")
    assert s.hand == 5
    assert points(s) == [0, 0, 1, 0]  # inventory of books


@pytest.mark.rule("AD.P3", "AD.V3")
def test_the_tile_now_on_top_counts_for_the_clock() -> None:
    s = table("acaaa")
    last_visit(s, "2", "1")
    lay(s, 2, "")  # the last book is about to be gone: library c is emptied by this visit's end
    play(s, "d1 +1g *2 *2a")
    assert s.hand == 1  # library a shows one hand, library c three


@pytest.mark.rule("AD.P3", "AD.C4")
def test_the_hand_stops_at_the_last_space() -> None:
    s = table("caaaa")
    s.hand = 17
    last_visit(s, "1", "6")
    play(s, "d6 +6g")
    assert s.hand == 18
    assert s.actor == OVER


@pytest.mark.rule("AD.P4")
def test_the_first_player_marker_passes_to_the_left() -> None:
    s = table("aaaaa")
    for first in (0, 1, 2, 0):
        assert s.first == first
        last_visit(s, "6", "6")
        play(s, "d6", choices_after(s, "d6"))
        s.hand = 0
        assert s.actor == CHANCE
        play(s, "*6 *6 *6 *6 *6 *6 *6")
        assert s.actor == (first + 1) % 3


@pytest.mark.rule("AD.E1")
def test_the_game_ends_when_the_hand_is_on_the_last_space_at_the_end_of_the_clock_phase() -> None:
    s = table("aaaaa")
    s.hand = 16
    last_visit(s, "6", "6")
    play(s, "d6 +6g")
    assert (s.actor, phase(s)) == (OVER, "finished")
    assert s.legal_actions() == []
    assert s.why_illegal(0) == "LF.4"
    s = table("aaaaa")
    s.hand = 15
    last_visit(s, "6", "6")
    play(s, "d6 +6g")
    assert s.actor == CHANCE


@pytest.mark.rule("AD.V8", "AD.E1")
def test_inn_a_reaching_the_last_space_mid_round_the_round_is_played_on_and_nothing_is_triggered() -> None:
    s = table("aaaaa", dice="3333366", clock={"last": 4, "icons": {"3": "donation", "2": "gems"}})
    hold(s, "gg", "g", "")
    s.hand = 3
    play(s, "d3 +3p *4")
    assert s.hand == 4
    assert (s.actor, phase(s)) == (1, "die")
    play(s, "d3 +3p")  # no roll: the clock cannot move any more
    assert (s.actor, phase(s)) == (2, "die")
    play(s, "d3 +3p d3 +3p d3 +3p")
    assert (s.actor, phase(s)) == (2, "die")
    play(s, "d6 +6w")
    assert s.actor == OVER
    assert s.hand == 4
    assert happened(s, "clock") == happened(s, "donation") == happened(s, "inventory") == []


@pytest.mark.rule("AD.V8")
def test_inn_a_moves_the_clock_without_its_icons_effect() -> None:
    s = table("aaaaa")
    hold(s, "gg", "gg", "gg")
    s.hand = 2
    play(s, "d3 +3p *1")
    assert s.hand == 3  # a donation
    assert (s.actor, phase(s)) == (1, "die")
    assert happened(s, "clock_inn") == [{"seat": 0, "from": 2, "to": 3}]
