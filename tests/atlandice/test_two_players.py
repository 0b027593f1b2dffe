"""Two players and the neutral player (AD.N1, AD.N2)."""

from typing import Any, cast

import pytest

from landfall.core.state import OVER
from landfall.games.atlandice.rules.board import FORGE
from landfall.games.atlandice.rules.components import NEUTRAL

from .position_builder import choices, dice, held, hold, last_visit, lay, phase, play, points, refused, table, tile_of


@pytest.mark.rule("AD.N1")
def test_the_two_alternate_until_each_has_taken_three_of_seven_dice() -> None:
    s = table(players=2, dice="6666666")
    order = []
    for die in ("d6 +6g", "d6 +6g", "n6 +6g", "d6 +6b", "d6 +6b", "n6 +6b"):
        order.append(int(s.actor))
        play(s, die)
    assert order == [0, 1, 0, 1, 0, 1]
    assert len(dice(s)) == 0  # the round is over: all are in the first player's hand again
    assert (phase(s), s.first, s.hand) == ("gates", 1, 2)


@pytest.mark.rule("AD.N1")
def test_exactly_one_of_a_players_three_is_the_neutrals_named_as_it_is_taken() -> None:
    s = table(players=2, dice="6666666")
    assert choices(s) == ["d6", "n6"]
    play(s, "n6 +6g d6 +6g")
    assert choices(s) == ["d6"]
    assert refused(s, "n6") == "AD.N1"
    play(s, "d6 +6g d6 +6b d6 +6b")
    assert choices(s) == ["n6"]  # the third, if none before
    assert refused(s, "d6") == "AD.N1"


@pytest.mark.rule("AD.N1")
def test_with_more_players_there_is_no_neutral() -> None:
    s = table(players=3)
    assert refused(s, "n6") == "AD.N1"
    assert all(not choice.startswith("n") for choice in choices(s))


@pytest.mark.rule("AD.N1")
def test_the_taker_chooses_its_pieces_the_submarines_too_and_its_effect_benefits_it() -> None:
    s = table("aaaaa", players=2)
    s.submarine = FORGE
    lay(s, 5, "gwwww")
    play(s, "n5")
    assert s.actor == 0
    play(s, "+5g +5w *2")
    assert s.actor == 0
    play(s, "+5w")
    assert held(s, NEUTRAL) == "gww"
    assert held(s, 0) == ""
    assert s.actor == 1


@pytest.mark.rule("AD.N1")
def test_library_a_and_forge_c_for_the_neutral_give_it_the_piece() -> None:
    s = table("aaaac", players=2)
    play(s, "n2 +2b *5 +1g n5 +5w *6 +6t")
    assert held(s, NEUTRAL) == "gbtw"
    assert held(s, 0) == held(s, 1) == ""


@pytest.mark.rule("AD.N1", "AD.V6")
def test_jeweller_cs_second_visit_for_the_neutral_is_the_neutrals() -> None:
    s = table("caaaa", players=2)
    play(s, "n1 +1g *6 *6 +6w")
    assert held(s, NEUTRAL) == "gw"


@pytest.mark.rule("AD.N2")
def test_library_c_counts_the_dice_of_whom_it_benefits() -> None:
    s = table("acaaa", players=2, dice="2222666")
    play(s, "n6 +6g d6 +6g d2 +2b")
    assert (s.actor, phase(s)) == (1, "die")  # the taker's second visit, but its first own die
    play(s, "n2 +2b")
    assert (s.actor, phase(s)) == (1, "bonus")  # the neutral's second die, though the taker's first for it
    play(s, "+2b d2 +2b")
    assert (s.actor, phase(s)) == (0, "bonus")  # the taker's second own die
    play(s, "+2b")
    assert held(s, NEUTRAL) == "gbb"
    assert held(s, 0) == "bbb"


@pytest.mark.rule("AD.N2")
def test_the_neutrals_first_die_gives_nothing_at_library_c() -> None:
    s = table("acaaa", players=2, dice="2222666")
    play(s, "d6 +6g d6 +6g n2 +2b")
    assert (s.actor, phase(s)) == (1, "die")


@pytest.mark.rule("AD.N1", "AD.V2")
def test_the_neutral_scores_emptied_regions_and_returns_its_pieces() -> None:
    s = table("aaaab", players=2)
    hold(s, "ww", "w", "www")
    lay(s, 5, "")
    play(s, "d6 +6g")
    assert tile_of(s, "5b") == str(NEUTRAL)
    assert points(s) == [1, 0, 0, 0]
    assert held(s, NEUTRAL) == ""


@pytest.mark.rule("AD.N1", "AD.V2")
def test_of_those_tied_the_neutral_takes_the_tile_last() -> None:
    s = table("aaaab", players=2)
    hold(s, "", "ww", "ww")
    lay(s, 5, "")
    play(s, "d6 +6g")
    assert tile_of(s, "5b") == "1"
    assert points(s) == [0, 0, 3, 0]


@pytest.mark.rule("AD.N1", "AD.V4")
def test_the_neutral_scores_inventories_alone_if_it_has_most() -> None:
    s = table(players=2)
    hold(s, "b", "", "bb")
    s.hand = 3
    last_visit(s, "6", "6")
    play(s, "d6 +6g")
    assert s.hand == 5
    assert points(s) == [0, 0, 1, 0]


@pytest.mark.rule("AD.N1", "AD.V5")
def test_the_neutral_does_not_donate() -> None:
    s = table(players=2)
    hold(s, "gg", "", "bbbb")
    s.hand = 1
    last_visit(s, "6", "6")
    lay(s, 6, "")
    play(s, "d6")
    assert s.actor == 0
    play(s, "pass")
    assert phase(s) == "gates"
    assert held(s, NEUTRAL) == "bbbb"


@pytest.mark.rule("AD.N1", "AD.E2")
def test_the_neutral_scores_at_the_end_but_cannot_win() -> None:
    s = table(players=2)
    hold(s, "g", "b", "ggbbpptt")
    s.hand = 16
    last_visit(s, "6", "6")
    lay(s, 6, "")
    play(s, "d6")
    assert s.actor == OVER
    assert s.scores() == [1, 1]  # second to the neutral in gems and in books
    assert s.ranking()[0]["seats"] == [0, 1]
    neutral = cast("list[dict[str, Any]]", s.view(None)["holders"])[NEUTRAL]
    assert (neutral["score"], neutral["neutral"], neutral["seat"], neutral["colour"]) == (12, True, None, "black")


@pytest.mark.rule("AD.N1", "AD.P4")
def test_the_neutral_is_never_first_player() -> None:
    s = table(players=2)
    firsts = []
    for _ in range(4):
        firsts.append(int(s.first))
        last_visit(s, "6", "6")
        lay(s, 6, "")
        s.hand = 0
        play(s, "d6 *6 *6 *6 *6 *6 *6 *6")
    assert firsts == [0, 1, 0, 1]
