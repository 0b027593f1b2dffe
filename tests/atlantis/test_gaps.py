"""Chapter G: what gaps cost, who pays with what, and bridges."""

from __future__ import annotations

import pytest

from .position_builder import (
    cards_in_hand,
    events_of_kind,
    figure_location,
    list_choices,
    phase_name,
    play_texts,
    rule_forbidding,
    state_from_text,
    tiles_held_by,
)


def bill(line: str, *texts: str) -> int:
    """What a move costs."""
    state = state_from_text(line)
    play_texts(state, *texts)
    return int(state.bill)


RICH = "Blue: white pink6 brown6 green6"


@pytest.mark.rule("AT.G1")
@pytest.mark.parametrize(
    ("path", "price"),
    [
        ("blue5(Blue A) ~ white3", 3),
        ("blue2(Blue A) ~ white3", 2),
        ("blue4(Blue A) ~ white4", 4),
        ("blue5(Blue A) ~ ~ ~ ~ white3", 3),
        ("blue5(Blue A) ~ grey3(White A) white1", 3),
        ("blue1(Blue A) grey5(White A) ~ brown4(White B) white1", 4),
        ("blue1(Blue A) grey5 ~ ~ brown4 ~ pink2 ~ white7", 4 + 2 + 2),
        ("blue5(Blue A) = white3", 0),
        ("blue5(Blue A) ~ = ~ white3", 0),
        ("grey3 ~ brown2 white1", 2),
        ("blue1(Blue A) grey5 white1 ~ brown4", 0),
        ("grey5 ~ blue3(Blue A) white1 ~ brown4", 0),
    ],
)
def test_a_gap_costs_the_lower_of_its_two_ends_whatever_its_width_and_who_stands_there(path: str, price: int) -> None:
    assert bill(f"{path}; {RICH}", "A white") == price


@pytest.mark.rule("AT.G1", "AT.T4")
def test_to_the_mainland_all_gaps_ahead_are_crossed_and_its_shore_is_none() -> None:
    assert bill("blue5(Blue A) ~ grey3 ~ ~ brown4; Blue: white pink6", "A white") == 3 + 3


@pytest.mark.rule("AT.G2")
def test_the_price_is_fixed_before_the_move_and_paid_before_the_tile_is_taken() -> None:
    # Taking blue5 leaves a gap between grey1 and white3 that would cost 1.
    state = state_from_text("grey1 blue5(Blue A) ~ white3; Blue: white pink6")
    play_texts(state, "A white")
    assert (phase_name(state), state.bill, tiles_held_by(state, 0)) == ("paying", 3, ["pink6"])
    play_texts(state, "pay pink6")
    assert tiles_held_by(state, 0) == ["blue5"]
    kinds = [event.kind for event in state.events or []]
    assert kinds.index("paid_tile") < kinds.index("took")


@pytest.mark.rule("AT.G2", "AT.T3")
def test_the_sum_over_all_hops_is_paid_once_at_the_end() -> None:
    state = state_from_text("blue5(Blue A) ~ white3(White A) ~ grey2 brown1; Blue: white grey pink6")
    play_texts(state, "A white")
    assert phase_name(state) == "hopping"
    play_texts(state, "A grey")
    assert (phase_name(state), state.bill) == ("paying", 3 + 2)


@pytest.mark.rule("AT.G3")
def test_one_pays_with_tiles_and_cards_in_any_mix_and_stops_once_the_price_is_reached() -> None:
    state = state_from_text("blue5(Blue A) ~ white5; Blue: white 2grey pink 2brown pink2 pink1")
    play_texts(state, "A white")
    assert list_choices(state) == {"pay grey", "pay pink", "pay brown", "pay pink2", "pay pink1"}
    play_texts(state, "pay grey", "pay pink2", "pay pink1")
    assert (phase_name(state), state.paid) == ("paying", 4)
    play_texts(state, "pay brown")
    assert phase_name(state) == "drawing"
    assert cards_in_hand(state, 0) == {"grey": 1, "brown": 1, "pink": 1}
    assert tiles_held_by(state, 0) == ["blue5"]


@pytest.mark.rule("AT.G3")
def test_what_is_overpaid_is_lost() -> None:
    state = state_from_text("blue5(Blue A) ~ white1; Blue: white grey pink6")
    play_texts(state, "A white", "pay pink6")
    assert phase_name(state) == "drawing"
    assert tiles_held_by(state, 0) == ["blue5"]
    assert cards_in_hand(state, 0) == {"grey": 1}  # nothing is given back


@pytest.mark.rule("AT.G3")
def test_what_is_paid_leaves_the_game() -> None:
    state = state_from_text("blue5(Blue A) ~ white3; Blue: white 2grey pink1")
    play_texts(state, "A white", "pay grey", "pay pink1", "pay grey")
    assert list(state.out_cards) == [0, 2, 0, 0, 0, 0, 0]
    assert list(state.discard) == [0, 0, 1, 0, 0, 0, 0]
    assert list(state.tile_at).count(2) == 1  # out of the game


@pytest.mark.rule("AT.G3")
def test_one_pays_only_with_what_one_has() -> None:
    state = state_from_text("blue5(Blue A) ~ white3; Blue: white grey pink6; White: brown green6")
    play_texts(state, "A white")
    for text in ("pay brown", "pay white", "pay green6", "pay pink5", "pay white3", "pay blue5"):
        assert rule_forbidding(state, text) == "AT.G3"


BOUGHT = "blue5(Blue A) ~ white3; Blue: white {old} brown6 {tiles}"


@pytest.mark.rule("AT.G3", "AT.G4")
def test_cards_bought_this_turn_do_not_pay() -> None:
    state = state_from_text(BOUGHT.format(old="2grey", tiles="pink1"))
    play_texts(state, "buy brown6", "yellow", "yellow", "grey", "A white")
    assert list_choices(state) == {"pay grey", "pay pink1"}
    assert rule_forbidding(state, "pay yellow") == "AT.G3"
    play_texts(state, "pay grey", "pay grey")
    assert cards_in_hand(state, 0) == {"grey": 1, "yellow": 2}
    assert rule_forbidding(state, "pay grey") == "AT.G3"  # the one left was bought
    play_texts(state, "pay pink1")
    assert phase_name(state) == "drawing"


@pytest.mark.rule("AT.G3", "AT.G4")
def test_a_move_that_only_bought_cards_could_pay_for_is_not_allowed() -> None:
    state = state_from_text(BOUGHT.format(old="grey", tiles="C@mainland B@mainland"))
    assert rule_forbidding(state, "A white") is None  # brown6 would pay
    play_texts(state, "buy brown6", "yellow", "yellow", "pink")
    assert rule_forbidding(state, "A white") == "AT.G4"
    assert rule_forbidding(state, "A grey") == "AT.G4"
    assert list_choices(state) == {"show"}  # three cards more in hand, and two that may pay 3


@pytest.mark.rule("AT.G3")
def test_of_equal_cards_bought_ones_are_played_first() -> None:
    # One white was held, one is bought. The bought one is played, so the old one pays.
    state = state_from_text("blue5(Blue A) ~ white1; Blue: white grey2 B@mainland C@mainland")
    assert rule_forbidding(state, "A white") is None
    play_texts(state, "buy grey2", "white")
    play_texts(state, "A white")
    assert list_choices(state) == {"pay white"}
    play_texts(state, "pay white")
    assert tiles_held_by(state, 0) == ["blue5"]


@pytest.mark.rule("AT.G3")
def test_with_a_card_of_another_kind_bought_the_old_one_is_played_and_nothing_is_left_to_pay() -> None:
    state = state_from_text("blue5(Blue A) ~ white1; Blue: white grey2 B@mainland C@mainland")
    play_texts(state, "buy grey2", "yellow")
    assert rule_forbidding(state, "A white") == "AT.G4"
    assert rule_forbidding(state, "A yellow") is None  # bought: played, the white one pays
    play_texts(state, "A yellow", "pay white")
    assert figure_location(state, 0, "A") == "mainland"


@pytest.mark.rule("AT.G3")
def test_bought_cards_count_as_held_from_the_next_turn_on() -> None:
    state = state_from_text("blue5(Blue A) grey1 ~ white1 pink2; Blue: grey white brown3")
    play_texts(state, "buy brown3", "yellow", "A grey", "blue")
    play_texts(state, "show", "blue", "blue")  # White has no cards
    play_texts(state, "A white", "pay yellow")
    assert figure_location(state, 0, "A") == "white1"


@pytest.mark.rule("AT.G4")
def test_a_move_that_cannot_be_paid_for_is_not_allowed() -> None:
    line = "blue5(Blue A) ~ white3; Blue: white B@mainland C@mainland"
    for means, rule in (("", "AT.G4"), ("2grey", "AT.G4"), ("3grey", None), ("pink2", "AT.G4"), ("pink2 grey", None)):
        assert rule_forbidding(state_from_text(f"{line} {means}"), "A white") == rule


@pytest.mark.rule("AT.G4", "AT.G3")
def test_the_card_played_does_not_pay_too() -> None:
    line = "blue5(Blue A) ~ white1; Blue: {}white B@mainland C@mainland"
    assert rule_forbidding(state_from_text(line.format("")), "A white") == "AT.G4"
    assert rule_forbidding(state_from_text(line.format("2")), "A white") is None


@pytest.mark.rule("AT.G5")
def test_a_bridge_is_laid_on_any_gap_once_a_game_and_everybody_crosses_free() -> None:
    state = state_from_text("blue5(Blue A) ~ white3 ~ grey4; Blue: white bridge; White: white bridge")
    assert {"bridge 29", "bridge 31"} <= list_choices(state)
    play_texts(state, "bridge 29")
    assert rule_forbidding(state, "bridge 31") == "AT.G5"  # only one each
    play_texts(state, "A white")
    assert state.bill == 0  # it already counts for this move
    assert phase_name(state) == "drawing"  # no second bridge
    play_texts(state, "pink")
    # White's gap: blue5 was taken, so the path begins at white3 now.
    assert rule_forbidding(state, "bridge 29") == "AT.G5"
    assert rule_forbidding(state, "bridge 31") is None


@pytest.mark.rule("AT.G5")
def test_a_bridge_goes_on_a_gap_and_not_on_a_tile_a_shore_or_a_bridged_gap() -> None:
    state = state_from_text("blue5(Blue A) ~ = white3 ~ ~ grey4; Blue: white bridge")
    for place in ("1", "27", "28", "29", "30", "31", "33", "34", "35", "53"):
        assert rule_forbidding(state, f"bridge {place}") == "AT.G5"
    assert rule_forbidding(state, "bridge 32") is None  # a gap is named by its first position


@pytest.mark.rule("AT.G5")
def test_the_second_moment_is_after_the_tile_is_taken_and_before_drawing() -> None:
    state = state_from_text("blue5(Blue A) grey2 white3 pink2; Blue: white bridge")
    assert not [text for text in list_choices(state) if text.startswith("bridge")]
    play_texts(state, "A white")
    assert (phase_name(state), tiles_held_by(state, 0)) == ("bridging", ["grey2"])
    assert list_choices(state) == {"bridge 29", "no bridge"}  # the gap just made
    play_texts(state, "bridge 29")
    assert (phase_name(state), state.holds_bridge[0]) == ("drawing", 0)


@pytest.mark.rule("AT.G5")
def test_a_bridge_may_be_kept() -> None:
    state = state_from_text("blue5(Blue A) grey2 white3 pink2; Blue: white bridge; White: white")
    play_texts(state, "A white", "no bridge", "blue")
    assert (state.actor, state.holds_bridge[0]) == (1, 1)


@pytest.mark.rule("AT.G5", "AT.R2")
def test_the_second_moment_comes_also_when_there_was_no_tile_to_take() -> None:
    state = state_from_text("blue5 ~ white3 pink2; Blue: blue bridge")
    play_texts(state, "A blue")
    assert events_of_kind(state, "took_nothing")
    assert list_choices(state) == {"bridge 29", "no bridge"}


@pytest.mark.rule("AT.G5", "AT.E1")
def test_the_second_moment_comes_also_on_the_turn_that_ends_the_game() -> None:
    state = state_from_text("blue5 ~ white3(White A) pink2(Blue A); Blue: grey bridge B@mainland C@mainland")
    play_texts(state, "A grey")
    assert list_choices(state) == {"bridge 29", "no bridge"}
    play_texts(state, "bridge 29", "blue", "blue", "blue", "blue")
    assert state.actor == -2


@pytest.mark.rule("AT.G5", "AT.T6")
def test_a_stuck_player_has_only_the_first_moment() -> None:
    state = state_from_text("blue5(Blue A) ~ white3(White A) ~ grey4; Blue: white bridge B@mainland C@mainland")
    assert list_choices(state) == {"show", "bridge 29", "bridge 31"}
    play_texts(state, "show")
    assert (phase_name(state), state.actor) == ("stuck", -1)


@pytest.mark.rule("AT.G5")
def test_a_bridge_serves_also_when_its_gap_grows() -> None:
    state = state_from_text("blue5(White A) grey2 = white3 pink2; Blue: white; White: pink")
    play_texts(state, "A white")
    assert tiles_held_by(state, 0) == ["grey2"]
    play_texts(state, "blue", "A pink")
    assert (state.bill, figure_location(state, 1, "A")) == (0, "pink2")


@pytest.mark.rule("AT.G1", "AT.R3")
def test_from_atlantis_the_first_tiles_shore_costs_nothing() -> None:
    assert bill("@40 grey3 white1; Blue: white", "A white") == 0
