"""The rules of Pearls, one by one. Positions are written as lines (landfall_pearls/position_text.py)."""

from typing import cast

import pytest
from landfall_pearls.message_types import View

import landfall
from landfall.core.state import OVER
from landfall.games import game

PEARLS = game("pearls")


def at(line: str) -> landfall.State:
    """The position a line describes."""
    return PEARLS.from_text(line)


def why(state: landfall.State, text: str) -> str | None:
    return state.why_illegal(state.parse(text))


def played(line: str, *texts: str) -> landfall.State:
    state = at(line)
    for text in texts:
        assert why(state, text) is None, text
        state.apply(state.parse(text))
    return state


@pytest.mark.rule("PL.S1", "PL.S2", "PL.S3")
def test_three_cards_each_are_dealt_and_seen_by_their_owners_alone() -> None:
    match = landfall.Match("pearls", players=3, seed=1)
    public = cast("View", match.view(None))
    assert public["cards"] == [3, 3, 3]
    assert public["deck"] == 15
    assert len(match.view(1)["hand"]) == 3  # type: ignore[typeddict-item]
    assert "hand" not in match.view(None)
    drew = [event for event in match.events(0, 1) if event["kind"] == "drew"]
    assert [("card" in event) for event in drew] == [event["seat"] == 1 for event in drew]


@pytest.mark.rule("PL.T1", "PL.D1", "PL.D2")
def test_one_dives_with_a_card_one_holds_and_not_below_nine() -> None:
    line = "turn red; depth 6; deck 11; red 24 +0; yellow 33 +0"
    assert why(at(line), "d3") == "PL.T1"
    assert why(at(line), "d4") == "PL.D2"
    assert played(line, "d2").to_text() == "drawing red; depth 8; deck 11; red 4 +0; yellow 33 +0"


@pytest.mark.rule("PL.D3")
@pytest.mark.parametrize(("depth", "found"), [(1, 1), (4, 2), (7, 3), (2, 0), (5, 0)])
def test_pearls_lie_at_three_six_and_nine(depth: int, found: int) -> None:
    assert played(f"turn red; depth {depth}; deck 1; red 2 +1; yellow 3 +0", "d2").scores() == [1 + found, 0]


@pytest.mark.rule("PL.U1", "PL.U2")
def test_one_comes_up_for_a_card_unless_one_is_up() -> None:
    assert why(at("turn red; depth 0; deck 1; red 2 +0; yellow 3 +0"), "u2") == "PL.U2"
    up = played("turn red; depth 5; deck 1; red 2 +0; yellow 3 +0", "u2")
    assert up.to_text() == "drawing red; depth 0; deck 1; red +0; yellow 3 +0"


@pytest.mark.rule("PL.T2", "PL.E1", "PL.E2")
def test_one_draws_while_there_are_cards_and_without_any_it_ends() -> None:
    drawn = played("turn red; depth 0; deck 4; red 2 +0; yellow 3 +0", "d2", "+4")
    assert drawn.to_text() == "turn yellow; depth 2; deck; red 4 +0; yellow 3 +0"
    end = played("turn red; depth 1; deck; red 2 +0; yellow 3 +1", "d2", "d3")
    assert end.actor == OVER
    assert [(group["place"], group["seats"]) for group in end.ranking()] == [(1, [1]), (2, [0])]
    tie = played("turn red; depth 1; deck; red 2 +0; yellow +1", "d2")
    assert [group["seats"] for group in tie.ranking()] == [[0, 1]]


@pytest.mark.rule("PL.O1")
def test_in_a_storm_the_rope_drifts() -> None:
    stormy = played("turn red; depth 5; storm; deck 1; red 2 +0; yellow 3 +0", "u2")
    assert sorted(stormy.notation(outcome) for outcome, _ in stormy.chance_outcomes()) == ["s0", "s1", "s2"]
    stormy.apply(stormy.parse("s2"))
    assert stormy.to_text() == "drawing red; depth 2; storm; deck 1; red +0; yellow 3 +0"
