"""The rules of Pearls, one by one."""

from typing import Any

import pytest
from landfall_pearls.game_definition import DONE, DRAWING, GAME, TURN, VALUES, Pearls

import landfall
from landfall.core.state import CHANCE, OVER


def at(*hands: str, depth: int = 0, deck: str = "", storm: bool = False, pearls: tuple[int, ...] = (0, 0)) -> Pearls:
    """A position in which the first seat has the turn; hands and deck as values, as "244"."""
    state = GAME.initial_state(len(hands), {"storm": storm})
    assert isinstance(state, Pearls)
    state.phase, state.actor, state.depth, state.pearls = TURN, 0, depth, list(pearls)
    state.hand = [hand.count(str(value + 1)) for hand in hands for value in range(VALUES)]
    state.deck = [deck.count(str(value + 1)) for value in range(VALUES)]
    assert GAME.find_faults(state) == []
    return state


def why(state: Pearls, text: str) -> str | None:
    return state.why_illegal(state.parse(text))


def played(state: Pearls, *texts: str) -> Pearls:
    for text in texts:
        state.play(state.parse(text))
    return state


@pytest.mark.rule("PL.S1", "PL.S2", "PL.S3")
def test_three_cards_each_are_dealt_and_seen_by_their_owners_alone() -> None:
    match = landfall.Match("pearls", players=3, seed=1)
    views: list[Any] = [match.view(seat) for seat in (None, 1)]
    assert [view["hand_total"] for view in views] == [[3, 3, 3]] * 2
    assert [view["deck_total"] for view in views] == [15, 15]
    assert [len(view["cards"]) for view in views] == [0, 3]
    assert [hand is None for hand in views[1]["hand"]] == [True, False, True]
    drew = [event for event in match.events(0, 1) if event["kind"] == "drew"]
    assert [("card" in event) for event in drew] == [event["seat"] == 1 for event in drew]


@pytest.mark.rule("PL.T1", "PL.D1", "PL.D2")
def test_one_dives_with_a_card_one_holds_and_not_below_nine() -> None:
    state = at("24", "33", depth=6, deck="11")
    assert why(state, "d3") == "PL.T1"
    assert why(state, "d4") == "PL.D2"
    played(state, "d2")
    assert (state.depth, state.held(0), state.phase, state.actor) == (8, [0, 0, 0, 1], DRAWING, CHANCE)


@pytest.mark.rule("PL.D3")
@pytest.mark.parametrize(("depth", "found"), [(1, 1), (4, 2), (7, 3), (2, 0), (5, 0)])
def test_pearls_lie_at_three_six_and_nine(depth: int, found: int) -> None:
    assert played(at("2", "3", depth=depth, deck="1", pearls=(1, 0)), "d2").scores() == [1 + found, 0]


@pytest.mark.rule("PL.U1", "PL.U2")
def test_one_comes_up_for_a_card_unless_one_is_up() -> None:
    assert why(at("2", "3", deck="1"), "u2") == "PL.U2"
    up = played(at("2", "3", depth=5, deck="1"), "u2")
    assert (up.depth, up.held(0), up.phase) == (0, [0] * VALUES, DRAWING)


@pytest.mark.rule("PL.T2", "PL.E1", "PL.E2")
def test_one_draws_while_there_are_cards_and_without_any_it_ends() -> None:
    drawn = played(at("2", "3", deck="4"), "d2", "+4")
    assert (drawn.actor, drawn.held(0), sum(drawn.deck)) == (1, [0, 0, 0, 1], 0)
    end = played(at("2", "3", depth=1, pearls=(0, 1)), "d2", "d3")
    assert (end.actor, end.phase) == (OVER, DONE)
    assert [(group["place"], group["seats"]) for group in end.ranking()] == [(1, [1]), (2, [0])]
    tie = played(at("2", "", depth=1, pearls=(0, 1)), "d2")
    assert [group["seats"] for group in tie.ranking()] == [[0, 1]]


@pytest.mark.rule("PL.O1")
def test_in_a_storm_the_rope_drifts() -> None:
    stormy = played(at("2", "3", depth=5, deck="1", storm=True), "u2")
    assert sorted(stormy.notation(outcome) for outcome, _ in stormy.chance_outcomes()) == ["s0", "s1", "s2"]
    assert (played(stormy, "s2").depth, stormy.phase) == (2, DRAWING)
