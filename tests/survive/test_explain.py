"""Touches that are no action are told the rule; choices warn of what they would lose."""

from __future__ import annotations

import pytest

from landfall.core.state import list_choices_one_by_one
from tests.survive.position_builder import Scene, state_with_island

# --- explain --------------------------------------------------------------------------------------------------


def test_a_touch_that_is_a_choice_in_some_way_is_not_refused() -> None:
    scene = Scene().explorer("r1", "D4").ship("C4").ship("B1", "r2").explorer("r3", "B1").moving(0)
    for piece, place in (
        ("r1", "D5"),
        ("r1", "C4"),
        ("r2", "@NW"),
        ("r2", "B1"),  # to dive
        ("r3", "B1"),  # to board
        ("ship C4", "C3"),
    ):
        assert scene.s.why_cannot_move(0, piece, place) is None, (piece, place)


@pytest.mark.rule("SV.M7", "SV.M8", "SV.M10", "SV.M11", "SV.S1", "SV.S3", "SV.S4", "SV.T3")
def test_in_step_2_a_touch_names_the_rule_of_movement() -> None:
    scene = Scene().explorer("r1", "D4").explorer("r2", "C4").explorer("y1", "D5").explorer("r3", "@NW")
    scene.ship("L3", "y2").ship("L4").ship("C1").moving(0)
    for piece, place, rule in (
        ("r1", "D7", "SV.T3"),  # too far for one point
        ("y1", "D6", "SV.M11"),
        ("r2", "D4", "SV.M10"),
        ("r2", "@NW", "SV.M8"),
        ("r2", "C4", "SV.M7"),
        ("r3", "B1", "SV.M8"),
        ("ship L3", "L2", "SV.S3"),
        ("ship L4", "L3", "SV.S4"),
        ("ship L4", "L7", "SV.T3"),
        ("ship A1", "A2", "LF.1"),  # no ship there
        ("ship C1", "D1", None),
    ):
        assert scene.s.why_cannot_move(0, piece, place) == rule, (piece, place)
    beside = Scene().ship("C4").moving(0)
    assert beside.s.why_cannot_move(0, "ship C4", "D4") == "SV.S1"


@pytest.mark.rule("SV.M9")
def test_who_has_swum_learns_why_not_again() -> None:
    scene = Scene().explorer("r1", "L3").ship("L4").moving(0).play("r1 E")
    assert scene.s.why_cannot_move(0, "r1", "L5") == "SV.M9"
    assert scene.s.why_cannot_move(0, "r1", "L4") == "SV.M9"


@pytest.mark.rule("SV.R1")
def test_a_touch_of_a_tile_that_may_not_be_removed_names_the_rule() -> None:
    scene = Scene().set_removing_step(0)
    assert scene.s.why_cannot_move(0, "", "D4") is None
    assert scene.s.why_cannot_move(0, "", "E5") == "SV.R1"
    assert scene.s.why_cannot_move(0, "", "A1") == "LF.1"


@pytest.mark.rule("SV.U3", "SV.U4")
def test_set_up_touches_name_the_rule() -> None:
    s = state_with_island(players=3)
    s.apply(s.parse("rD4=6"))
    assert s.why_cannot_move(1, "", "D4") == "SV.U3"
    assert s.why_cannot_move(1, "y", "D5") is None
    assert s.why_cannot_move(1, "", "A1") == "LF.1"


@pytest.mark.rule("SV.K1", "SV.K2", "SV.K4", "SV.K6")
def test_touches_of_creatures_name_the_rule_of_the_die() -> None:
    scene = (
        Scene().creature("shark", "C4").creature("whale", "L3").explorer("r1", "D4").set_rolling_step(0).chance("shark")
    )
    assert scene.s.why_cannot_move(0, "shark C4", "C5") is None
    assert scene.s.why_cannot_move(0, "shark C4", "C8") == "SV.K4"
    assert scene.s.why_cannot_move(0, "shark C4", "D4") == "SV.K2"
    assert scene.s.why_cannot_move(0, "shark C4", "C4") == "SV.K6"
    assert scene.s.why_cannot_move(0, "whale L3", "L4") == "SV.K1"
    assert scene.s.why_cannot_move(0, "r1", "D5") == "SV.T1"  # not in this step


@pytest.mark.rule("SV.H1", "SV.H2", "SV.H3")
def test_touches_in_step_1_name_the_rule_of_the_hand_tile() -> None:
    scene = Scene().hold(0, "wind").hold(0, "dolphin").hold(0, "move_shark").creature("shark", "A1").ship("L3", "r1")
    scene.explorer("r2", "K3").explorer("r3", "D4").ship("M3", "y1").hand(0)
    for piece, place, rule in (
        ("ship L3", "L6", None),
        ("ship L3", "L7", "SV.H2"),
        ("ship M3", "M4", "SV.T1"),  # one space: the step 2 move is likelier meant
        ("ship M3", "M5", "SV.H2"),
        ("r2", "K6", None),
        ("r2", "K7", "SV.H1"),
        ("r3", "D6", "SV.H1"),
        ("shark A1", "M7", None),
        ("shark A1", "L3", "SV.H3"),
    ):
        assert scene.s.why_cannot_move(0, piece, place) == rule, (piece, place)


@pytest.mark.rule("SV.N4", "SV.Q1", "SV.Q2", "SV.Q5", "SV.R5")
def test_touches_while_somebody_or_a_space_is_chosen() -> None:
    ward = Scene(dolphins=True).explorer("y1", "F3").explorer("g1", "F3").explorer("b1", "L3").set_removing_step(0)
    ward.play("sink F3").chance("dolphin")
    assert ward.s.why_cannot_move(0, "y1", "F3") is None
    assert ward.s.why_cannot_move(0, "b1", "L3") == "SV.N4"
    squid = Scene(squid="with_whales").explorer("y1", "D4").explorer("g1", "H6").set_removing_step(0).play("sink F3")
    squid.chance("whale")
    assert squid.s.why_cannot_move(0, "", "C4") is None
    assert squid.s.why_cannot_move(0, "", "A1") == "SV.Q1"
    squid.play("squid C4")
    assert squid.s.why_cannot_move(0, "y1", "D4") is None
    assert squid.s.why_cannot_move(0, "g1", "H6") == "SV.Q2"
    squid.play("pick y1").chance("whale").play("squid C4 D3")
    assert squid.s.turn == 1  # nobody beside it: nothing more to choose
    boarding = Scene().explorer("b1", "L3")
    for name in ("r1", "r2", "y1", "y2"):
        boarding.explorer(name, "F3")
    boarding.set_removing_step(0).play("sink F3").chance("ship")
    assert boarding.s.why_cannot_move(0, "y2", "F3") is None
    assert boarding.s.why_cannot_move(0, "b1", "L3") == "SV.R5"


@pytest.mark.rule("SV.O5")
def test_a_ship_to_fetch_is_touched_where_it_lies() -> None:
    scene = Scene(players=5, crowded=True)
    for at in ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "M1", "M2", "M3", "M4"):
        scene.ship(at)
    scene.ship("M5", "r1").set_removing_step(0).play("sink F3").chance("ship")
    assert scene.asked() == (0, "fetching")
    assert scene.s.why_cannot_move(0, "ship A1", "F3") is None
    assert scene.s.why_cannot_move(0, "ship M5", "F3") == "SV.O5"


def test_first_it_is_asked_whose_turn_it_is() -> None:
    scene = Scene().explorer("r1", "D4").explorer("y1", "D5").moving(0)
    assert scene.s.why_cannot_move(1, "y1", "D6") == "LF.2"
    assert Scene().set_rolling_step(0).s.why_cannot_move(0, "r1", "D5") == "LF.3"
    over = Scene().keep_only_tiles("F6").set_removing_step(0).play("sink F6").chance("volcano")
    assert over.s.why_cannot_move(0, "r1", "D5") == "LF.4"


def test_nonsense_is_no_choice() -> None:
    scene = Scene().explorer("r1", "D4").moving(0)
    for piece, place in (("r1", "Z9"), ("", "D5"), ("r99", "D5"), ("ship", "C4"), ("ship Z9", "C4"), ("é", "D5")):
        assert scene.s.why_cannot_move(0, piece, place) == "LF.1", (piece, place)
    assert scene.s.why_cannot_move(0, "r2", "D5") == "LF.1"  # lost


# --- loses ----------------------------------------------------------------------------------------------------


def losses(scene: Scene) -> dict[str, list[str]]:
    """The choices that would cost the actor something."""
    choices = list_choices_one_by_one(scene.s, scene.s.actor)
    return {str(c["text"]): list(c["loses"]) for c in choices if c["loses"]}  # type: ignore[call-overload]


@pytest.mark.rule("SV.M12", "SV.S6")
def test_steps_into_danger_warn_of_the_explorers_they_cost() -> None:
    scene = Scene().explorer("r1", "L3").creature("shark", "L4").ship("A1", "r2", "r3", "y1").creature("serpent", "A2")
    scene.creature("whale", "B2").explorer("r4", "E5").moving(0)
    before = scene.s.digest()
    assert losses(scene) == {"r1 E": ["r1"], "A1 E": ["r2", "r3"]}  # a whale only wrecks
    assert scene.s.digest() == before


@pytest.mark.rule("SV.M12", "SV.N7")
def test_a_wards_warning_knows_of_its_dolphin() -> None:
    scene = Scene(dolphins=True).explorer("r1", "L3").creature("dolphin", "L3", ward="r1").creature("shark", "L4")
    assert losses(scene.explorer("r4", "E5").moving(0)) == {"r1 E": ["r1"]}


@pytest.mark.rule("SV.K3", "SV.K4")
def test_a_creatures_move_warns_of_own_explorers_only() -> None:
    scene = Scene().explorer("r1", "L4").explorer("y1", "L4").explorer("y2", "K4").creature("shark", "L3")
    scene.set_rolling_step(0).chance("shark")
    assert losses(scene) == {"shark L3 L4": ["r1"]}


@pytest.mark.rule("SV.D1")
def test_to_decline_a_defence_warns_of_what_it_costs() -> None:
    scene = Scene().explorer("y1", "L4").explorer("g1", "L4").creature("shark", "L3").hold(1, "shark_defence")
    scene.set_rolling_step(0).chance("shark").play("shark L3 L4")
    assert losses(scene) == {"pass": ["y1"]}


@pytest.mark.rule("SV.Q5")
def test_to_feed_ones_own_to_the_squid_warns() -> None:
    scene = Scene(squid="with_whales").explorer("r1", "D4").explorer("y1", "D4").creature("squid", "C4")
    scene.set_rolling_step(0).chance("whale").play("squid C4 C4")
    assert losses(scene) == {"pick r1": ["r1"]}


@pytest.mark.rule("SV.H1", "SV.H2")
def test_hand_tiles_warn_too() -> None:
    scene = Scene().hold(0, "dolphin").hold(0, "wind").explorer("r1", "L3").creature("shark", "L4").ship("A1", "r2")
    scene.creature("serpent", "A2").explorer("r4", "E5").hand(0)
    assert losses(scene) == {"r1 L4": ["r1"], "A1 A2": ["r2"]}


@pytest.mark.rule("SV.R2")
def test_what_chance_has_yet_to_show_is_no_warning() -> None:
    scene = Scene().explorer("r1", "F3").explorer("r2", "E5").set_removing_step(0)
    assert losses(scene) == {}


def test_a_warning_does_not_count_on_somebody_elses_defence() -> None:
    scene = (
        Scene()
        .sea("E4")
        .explorer("r1", "C4")
        .explorer("y1", "C4")
        .creature("shark", "B3")
        .hold(1, "wind")
        .set_rolling_step(0)
    )
    scene.chance("shark")
    assert scene.s.immediate_losses(scene.s.parse("shark B3 C4"))[0] == ["r1"]
