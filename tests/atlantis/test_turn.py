"""Chapter T: the turn, buying, moving, being stuck, what all see."""

from __future__ import annotations

import json
from typing import cast

import pytest

import landfall
from landfall.games.atlantis.rules.message_types import Drew
from landfall.games.atlantis.state import AtlantisState

from .position_builder import (
    cards_in_hand,
    events_of_kind,
    figure_location,
    list_choices,
    out_section_without_deck,
    path_text,
    phase_name,
    play_texts,
    rule_forbidding,
    state_from_text,
    tiles_held_by,
)


@pytest.mark.rule("AT.T1")
def test_a_turn_is_buy_bridge_move_pay_take_draw() -> None:
    state = state_from_text("grey2 blue1(Blue A) ~ pink2 ~ white3 brown2; Blue: white grey5 pink4 bridge; White: blue")
    assert {"buy grey5", "bridge 30", "bridge 32", "A white"} <= list_choices(state)
    play_texts(state, "buy grey5", "pink", "pink")
    assert phase_name(state) == "start"
    play_texts(state, "bridge 30", "A white")
    assert phase_name(state) == "paying"
    play_texts(state, "pay pink4")
    assert phase_name(state) == "drawing"
    assert tiles_held_by(state, 0) == ["pink2"]
    play_texts(state, "blue")
    assert (state.actor, phase_name(state)) == (1, "start")


@pytest.mark.rule("AT.T1")
def test_buying_comes_before_the_bridge_and_both_before_the_first_card() -> None:
    state = state_from_text("blue1(Blue A) ~ pink2(White A) white3; Blue: 2pink white grey5 bridge")
    after_bridge = state.copy()
    play_texts(after_bridge, "bridge 29")
    assert rule_forbidding(after_bridge, "buy grey5") == "AT.T1"
    play_texts(state, "A pink")
    assert phase_name(state) == "hopping"
    assert rule_forbidding(state, "buy grey5") == "LF.1"
    assert rule_forbidding(state, "bridge 29") == "LF.1"


@pytest.mark.rule("AT.T3")
def test_one_moves_with_cards_from_the_hand() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: pink; White: white")
    assert rule_forbidding(state, "A white") == "AT.T3"
    assert rule_forbidding(state, "A pink") is None


@pytest.mark.rule("AT.T1")
def test_one_figure_is_moved_a_turn() -> None:
    state = state_from_text("blue1(Blue A) grey1(Blue B) pink2(White A) white3 brown3; Blue: pink white brown")
    play_texts(state, "A pink")
    assert list_choices(state) == {"A white", "A brown"}
    assert rule_forbidding(state, "B white") == "AT.T3"


@pytest.mark.rule("AT.T2")
@pytest.mark.parametrize(
    ("tile", "cards"), [("grey2", 1), ("grey3", 1), ("grey4", 2), ("grey5", 2), ("grey6", 3), ("grey7", 3)]
)
def test_a_tile_buys_half_its_value_in_cards_rounded_down(tile: str, cards: int) -> None:
    state = state_from_text(f"blue1(Blue A) pink2 white3; Blue: white {tile}")
    play_texts(state, f"buy {tile}", *["pink"] * cards)
    assert phase_name(state) == "start"
    assert cards_in_hand(state, 0) == {"white": 1, "pink": cards}
    assert tiles_held_by(state, 0) == []
    assert events_of_kind(state, "bought") == [{"seat": 0, "tile": "grey", "value": int(tile[-1]), "cards": cards}]


@pytest.mark.rule("AT.T2")
def test_a_tile_of_value_1_buys_nothing() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: white grey1 brown2")
    assert rule_forbidding(state, "buy grey1") == "AT.T2"
    assert rule_forbidding(state, "buy brown2") is None


@pytest.mark.rule("AT.T2")
def test_only_one_own_tile_is_spent_a_turn() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: white grey2 brown2; White: pink4")
    assert rule_forbidding(state, "buy pink4") == "AT.T2"
    assert rule_forbidding(state, "buy pink6") == "AT.T2"
    play_texts(state, "buy grey2", "pink")
    assert rule_forbidding(state, "buy brown2") == "AT.T2"


@pytest.mark.rule("AT.T2")
def test_a_tile_taken_on_an_earlier_turn_buys_but_not_the_one_just_taken() -> None:
    state = state_from_text("blue4(Blue A) pink2 white3; Blue: white; White: grey pink5")
    play_texts(state, "A white")
    assert tiles_held_by(state, 0) == ["pink2"]
    assert why_if_asked(state, "buy pink2") == "LF.3"
    play_texts(state, "blue", "A grey", "pay pink5", "blue", "blue")
    assert rule_forbidding(state, "buy pink2") is None


def why_if_asked(state: AtlantisState, text: str) -> str | None:
    return state.why_illegal(state.parse(text))


@pytest.mark.rule("AT.T2", "AT.T7")
def test_nothing_is_bought_when_there_is_nothing_to_draw() -> None:
    line = "blue1(Blue A) pink2 white3; Blue: white grey4;"
    empty = state_from_text(f"{line} {out_section_without_deck({'white': 1})}")
    assert rule_forbidding(empty, "buy grey4") == "AT.T2"
    one = state_from_text(f"{line} {out_section_without_deck({'white': 1, 'pink': 1})}; discard: pink")
    play_texts(one, "buy grey4", "pink")  # worth two cards, but there is only one
    assert phase_name(one) == "start"
    assert cards_in_hand(one, 0) == {"white": 1, "pink": 1}


@pytest.mark.rule("AT.T3")
def test_a_card_moves_to_the_nearest_tile_of_its_kind_ahead() -> None:
    state = state_from_text("pink5 blue1(Blue A) white3 pink2 pink4; Blue: pink")
    play_texts(state, "A pink")
    assert figure_location(state, 0, "A") == "pink2"


@pytest.mark.rule("AT.T3")
@pytest.mark.parametrize("who", ["Blue B", "White A"])
def test_from_an_occupied_tile_another_card_must_be_played_whoever_stands_there(who: str) -> None:
    state = state_from_text(f"blue1(Blue A) pink2({who}) white3 pink4; Blue: pink white")
    play_texts(state, "A pink")
    assert (phase_name(state), state.actor) == ("hopping", 0)
    assert list_choices(state) == {"A white"}
    play_texts(state, "A white")
    assert figure_location(state, 0, "A") == "white3"


@pytest.mark.rule("AT.T3")
def test_hops_go_on_over_several_tiles_with_cards_of_any_kind() -> None:
    state = state_from_text(
        "blue1(Blue A) pink2(White A) white3(White B) pink4(White C) brown2 grey1; Blue: 2pink white grey"
    )
    play_texts(state, "A pink", "A white", "A pink", "A grey")
    assert figure_location(state, 0, "A") == "grey1"
    assert tiles_held_by(state, 0) == ["brown2"]


@pytest.mark.rule("AT.T3")
def test_only_an_occupied_tile_lets_one_play_more_than_one_card() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3 ~ grey1; Blue: pink white bridge")
    play_texts(state, "A pink")
    assert phase_name(state) == "bridging"
    assert rule_forbidding(state, "A white") == "LF.1"


@pytest.mark.rule("AT.T3")
def test_a_card_is_refused_if_the_move_could_not_be_finished() -> None:
    state = state_from_text("blue1(Blue A) pink2(White A) white3; Blue: pink")
    assert rule_forbidding(state, "A pink") == "AT.T3"
    two = state_from_text("blue1(Blue A) pink2(White A) pink3(White B) white3; Blue: 2pink")
    assert rule_forbidding(two, "A pink") == "AT.T3"  # both tiles of that kind are occupied
    three = state_from_text("blue1(Blue A) pink2(White A) pink3(White B) white3; Blue: 3pink")
    assert rule_forbidding(three, "A pink") is None  # the third leads to the mainland


@pytest.mark.rule("AT.T3", "AT.G4")
def test_a_card_is_refused_if_the_move_could_be_finished_but_not_paid_for() -> None:
    dear = "blue1(Blue A) pink2(White A) ~ white3; Blue: pink white"
    assert rule_forbidding(state_from_text(dear), "A pink") == "AT.G4"
    assert rule_forbidding(state_from_text(f"{dear} brown2"), "A pink") is None


@pytest.mark.rule("AT.T3")
def test_while_hopping_only_cards_that_finish_the_move_are_offered() -> None:
    state = state_from_text("blue1(Blue A) pink2(White A) white3(White B) ~ brown4 grey1; Blue: pink white grey brown2")
    play_texts(state, "A pink")
    assert list_choices(state) == {"A grey"}  # brown2 and the white card pay for it; over white3 they could not
    assert rule_forbidding(state, "A white") == "AT.G4"


@pytest.mark.rule("AT.T4")
def test_a_kind_that_shows_nowhere_ahead_leads_to_the_mainland() -> None:
    state = state_from_text("pink5 blue1(Blue A) white3 brown2; Blue: pink")
    play_texts(state, "A pink")
    assert figure_location(state, 0, "A") == "mainland"
    assert tiles_held_by(state, 0) == ["brown2"]


@pytest.mark.rule("AT.T4")
def test_so_it_does_from_where_the_hop_stands() -> None:
    state = state_from_text("blue1(Blue A) pink2(White A) white3 brown2; Blue: 2pink")
    play_texts(state, "A pink", "A pink")
    assert figure_location(state, 0, "A") == "mainland"


@pytest.mark.rule("AT.T4")
def test_a_tile_below_another_does_not_show() -> None:
    state = state_from_text("blue1(Blue A) white3+ brown2; Blue: pink")
    play_texts(state, "A pink")
    assert figure_location(state, 0, "A") == "mainland"


@pytest.mark.rule("AT.T5")
def test_any_number_stands_on_atlantis_or_the_mainland_and_they_move_no_more_from_there() -> None:
    state = state_from_text(
        "blue1(Blue A) white3 brown2; Blue: 2pink white B@mainland; White: A@mainland B@mainland pink"
    )
    assert rule_forbidding(state, "B white") == "AT.T5"
    assert rule_forbidding(state, "C white") is None  # from Atlantis, where White's C is too
    play_texts(state, "A pink")
    assert [figure_location(state, 0, f) for f in "ABC"] == ["mainland", "mainland", "atlantis"]


@pytest.mark.rule("AT.T5")
@pytest.mark.parametrize("seed", range(3))
def test_one_figure_a_tile(seed: int) -> None:
    match = landfall.Match("atlantis", 4, seed=seed)
    rng = landfall.Rng(seed)
    while match.actor >= 0:
        match.play(int(match.state.random_action(rng)))
        if match.actor >= 0 and match.view(None)["phase"] != "hopping":
            seats = match.view(None)["seats"]
            places = [at for seat in seats for at in seat["figures"].values() if at not in ("atlantis", "mainland")]
            assert len(places) == len(set(places))


@pytest.mark.rule("AT.T6")
def test_who_can_move_no_figure_shows_the_hand_draws_two_and_the_turn_ends() -> None:
    state = state_from_text("blue1(Blue A) pink2(White A) white3; Blue: pink B@mainland C@mainland")
    assert list_choices(state) == {"show"}
    play_texts(state, "show")
    assert events_of_kind(state, "shown") == [{"seat": 0, "cards": ["pink"]}]
    play_texts(state, "blue", "grey")  # two, though figures are on the mainland: the whole draw
    assert state.actor == 1
    assert cards_in_hand(state, 0) == {"blue": 1, "grey": 1, "pink": 1}


@pytest.mark.rule("AT.T6")
def test_who_can_move_must() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: pink grey4 bridge")
    assert rule_forbidding(state, "show") == "AT.T6"
    only_c = state_from_text("pink2(White A) white3 grey1(Blue A); Blue: pink B@mainland")
    assert list_choices(only_c) == {"A pink"}  # C on Atlantis cannot move, A can
    assert rule_forbidding(only_c, "show") == "AT.T6"


@pytest.mark.rule("AT.T6")
def test_buying_first_is_allowed_but_never_forced_and_being_stuck_is_judged_after_it() -> None:
    line = "pink2(White A) pink3(White B) brown4; Blue: pink grey2"
    state = state_from_text(line)
    assert list_choices(state) == {"show", "buy grey2"}
    still = state.copy()
    still.events = []
    play_texts(still, "buy grey2", "pink")
    assert rule_forbidding(still, "show") is None
    play_texts(still, "show")
    assert events_of_kind(still, "shown")[0]["cards"] == ["pink", "pink"]  # the bought card too
    play_texts(state, "buy grey2", "brown")
    assert rule_forbidding(state, "show") == "AT.T6"  # now it can move: it must


@pytest.mark.rule("AT.T6", "AT.G5")
def test_a_bridge_is_never_forced_but_once_laid_it_counts() -> None:
    state = state_from_text("blue5(Blue A) ~ white3 brown4; Blue: white bridge B@mainland C@mainland")
    assert list_choices(state) == {"show", "bridge 29"}
    play_texts(state, "bridge 29")
    assert list_choices(state) == {"A white"}
    assert rule_forbidding(state, "show") == "AT.T6"


@pytest.mark.rule("AT.T6")
def test_with_no_cards_at_all_one_is_stuck() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: grey1")
    assert list_choices(state) == {"show"}
    play_texts(state, "show")
    assert events_of_kind(state, "shown") == [{"seat": 0, "cards": ["none"]}]


@pytest.mark.rule("AT.T8")
def test_hands_are_secret_their_size_public_and_tiles_open() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: pink 2grey grey4; White: 3brown pink5")
    for seat, mine in ((0, {"pink": 1, "grey": 2}), (1, {"brown": 3}), (None, None)):
        view = state.view(seat)
        seats = view["seats"]
        assert isinstance(seats, list)
        assert [s["cards"] for s in seats] == [3, 3]
        assert [s["tiles"] for s in seats] == [[{"kind": "grey", "value": 4}], [{"kind": "pink", "value": 5}]]
        for other in (0, 1):
            assert seats[other]["hand"] == (mine if other == seat else None)
        assert json.loads(json.dumps(view)) == view


@pytest.mark.rule("AT.T8")
def test_cards_shown_played_or_paid_are_seen_by_all() -> None:
    state = state_from_text("blue1(Blue A) ~ pink2 white3; Blue: pink grey; White: 2brown! pink")
    play_texts(state, "A pink", "pay grey")
    view = state.view(None)
    seats = view["seats"]
    assert isinstance(seats, list)
    assert view["discard"] == {"pink": 1}
    assert view["out"] == {"grey": 1}
    assert seats[1]["known"] == {"brown": 2}
    assert events_of_kind(state, "moved")[0]["card"] == "pink"
    assert events_of_kind(state, "paid_card")[0]["card"] == "grey"


@pytest.mark.rule("AT.T8")
def test_a_drawn_card_is_revealed_to_its_owner_only() -> None:
    match = landfall.Match("atlantis", 2, seed=1)
    drawn = [[cast("Drew", e) for e in match.events(0, seat) if e["kind"] == "drew"] for seat in (0, 1)]
    mine, theirs = ([e["card"] for e in told if e["seat"] == 0] for told in drawn)
    assert "hidden" not in mine
    assert theirs == ["hidden"] * 4


@pytest.mark.rule("AT.T7")
def test_the_discard_pile_is_shuffled_only_when_a_card_is_needed_and_the_deck_has_none() -> None:
    rest = out_section_without_deck({"pink": 3, "white": 1, "blue": 1})
    state = state_from_text(f"blue1(Blue A) pink2 white3; Blue: pink; White: white; discard: 2pink; {rest}")
    assert sum(state.deck) == 1
    play_texts(state, "A pink", "blue")
    assert (sum(state.deck), sum(state.discard)) == (0, 3)  # the deck is empty, yet nobody needs a card
    assert events_of_kind(state, "shuffled") == []
    play_texts(state, "A white")
    assert events_of_kind(state, "shuffled") == [{"cards": 4}]
    assert state.chance_outcomes() == [(state.parse("white"), 1), (state.parse("pink"), 3)]


@pytest.mark.rule("AT.T7")
def test_a_card_played_this_turn_may_be_drawn_at_its_end_but_a_paid_one_never() -> None:
    rest = out_section_without_deck({"pink": 1, "grey": 1})
    state = state_from_text(f"blue1(Blue A) ~ pink2 white3; Blue: pink grey; {rest}")
    play_texts(state, "A pink", "pay grey")
    assert state.chance_outcomes() == [(state.parse("pink"), 1)]


@pytest.mark.rule("AT.T7")
def test_with_both_empty_one_draws_what_there_is() -> None:
    rest = out_section_without_deck({"pink": 1, "grey": 1})
    state = state_from_text(f"blue1(Blue A) pink2 white3; Blue: pink B@mainland C@mainland; White: grey; {rest}")
    play_texts(state, "A pink")  # three cards are due
    play_texts(state, "pink")  # there is one
    assert state.actor == 1
    state = state_from_text(f"pink2(White A); Blue: ; White: pink; {out_section_without_deck({'pink': 1})}")
    play_texts(state, "show")
    assert (state.actor, sum(cards_in_hand(state, 0).values())) == (1, 0)


@pytest.mark.rule("AT.R1", "AT.T1")
def test_the_tile_is_taken_before_the_bridge_and_the_draw() -> None:
    state = state_from_text("blue1(Blue A) grey2 ~ pink2 white3; Blue: white bridge pink2")
    play_texts(state, "A white")
    assert phase_name(state) == "paying"
    play_texts(state, "pay pink2")
    assert (phase_name(state), tiles_held_by(state, 0)) == ("bridging", ["pink2"])
    assert path_text(state) == "blue1 grey2 ~ ~ white3"
