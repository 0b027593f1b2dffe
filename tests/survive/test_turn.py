"""T · Turn: four steps in order, clockwise."""

from __future__ import annotations

import pytest

from landfall.core.state import CHANCE, OVER
from tests.survive.position_builder import Scene


def two_afloat(**options: object) -> Scene:
    """Red and yellow far apart, nothing else in the way."""
    return Scene(2, **options).explorer("r1", "E5").explorer("y1", "I6")


@pytest.mark.rule("SV.T1")
def test_a_turn_is_hand_tile_then_moves_then_a_tile_then_the_die() -> None:
    scene = two_afloat().ship("A1", "r2").hold(0, "wind").creature("shark", "M1").hand(0)
    assert scene.asked() == (0, "hand")
    scene.play("A1 A2")
    assert scene.asked() == (0, "moving")
    scene.play("r1 E", "end")
    assert scene.asked() == (0, "removing")
    scene.play("sink D4")
    assert scene.asked() == (CHANCE, "back")
    scene.chance("shark_defence")
    assert scene.asked() == (CHANCE, "rolling")
    scene.chance("shark")
    assert scene.asked() == (0, "creature")
    scene.play("shark M1 M2")
    assert scene.asked() == (1, "moving")


@pytest.mark.rule("SV.T1")
def test_turns_go_clockwise_from_the_first_player() -> None:
    scene = Scene.set_up(3).play_on("moving")
    turns = []
    for _ in range(6):
        turns.append(scene.asked()[0])
        tile = next(text for text in sorted(scene.play("end").choices()))
        scene.play(tile).chance("whale" if "whale" in scene.outcome_weights() else "shark", "shark")
        if scene.asked()[1] == "creature":
            scene.play("pass")
    assert turns == [0, 1, 2, 0, 1, 2]


@pytest.mark.rule("SV.T1", "SV.T2")
def test_at_most_one_hand_tile_is_played_a_turn() -> None:
    scene = two_afloat().ship("A1", "r2").hold(0, "wind").hold(0, "wind").hand(0)
    scene.play("A1 A2")
    assert scene.asked() == (0, "moving")
    assert scene.hand_of(0) == ["wind"]
    assert scene.why_not("A2 A5") == "SV.T1"


@pytest.mark.rule("SV.T2")
def test_playing_a_hand_tile_is_optional() -> None:
    scene = two_afloat().ship("A1", "r2").hold(0, "wind").hand(0)
    assert scene.why_not("pass") is None
    scene.play("pass")
    assert scene.asked() == (0, "moving")
    assert scene.hand_of(0) == ["wind"]
    assert scene.why_not("A1 A3") == "SV.T1"  # step 1 is over


@pytest.mark.rule("SV.T2")
def test_a_tile_gained_this_turn_waits_for_a_later_one() -> None:
    scene = two_afloat().ship("A1", "r2").set_removing_step(0).play("sink D4").chance("wind", "serpent")
    assert scene.asked() == (1, "moving")  # it was not asked for on the way
    scene.play("end", "sink D5").chance("ship", "serpent")
    assert scene.asked() == (0, "hand")
    assert scene.why_not("A1 A4") is None


@pytest.mark.rule("SV.T2")
@pytest.mark.parametrize("tile", ["wind", "dolphin", "move_shark", "shark_defence", "whale_defence"])
def test_a_tile_that_could_do_nothing_cannot_be_played_yet_its_holder_is_asked(tile: str) -> None:
    scene = two_afloat().hold(1, tile).set_removing_step(0).play("sink D4").chance("ship", "serpent")
    assert scene.asked() == (1, "hand")
    assert scene.choices() == {"pass"}
    scene.play("pass")
    assert scene.asked() == (1, "moving")
    assert scene.hand_of(1) == [tile]


@pytest.mark.rule("SV.T2")
def test_who_holds_no_tile_is_not_asked() -> None:
    scene = two_afloat().hold(0, "wind").set_removing_step(0).play("sink D4").chance("ship", "serpent")
    assert scene.asked() == (1, "moving")


@pytest.mark.rule("SV.T2")
def test_a_move_that_takes_a_tile_one_does_not_hold_is_refused() -> None:
    scene = two_afloat().ship("A1", "r2").explorer("r3", "A4").hold(0, "shark_defence").hand(0)
    assert scene.why_not("A1 A2") == "SV.T2"
    assert scene.why_not("r3 A5") == "SV.T2"


@pytest.mark.rule("SV.T3")
def test_three_points_in_any_order_and_mix() -> None:
    scene = two_afloat().explorer("r2", "A1").ship("C5").ship("A4", "r3").moving(0)
    scene.play("A4 E", "r1 NW", "r2 E")
    assert (scene.at("r1"), scene.at("r2"), scene.at("r3")) == ("D4", "A2", "A5+")
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.T3")
def test_all_three_points_may_go_to_one_explorer_or_one_ship() -> None:
    scene = two_afloat().moving(0).play("r1 E", "r1 E", "r1 SE")
    assert scene.at("r1") == "F8"
    assert scene.asked() == (0, "removing")
    scene = two_afloat().ship("A1", "r2").moving(0).play("A1 E", "A2 E", "A3 E")
    assert scene.at("r2") == "A4+"
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.T3")
@pytest.mark.parametrize("steps", [[], ["r1 E"], ["r1 E", "r1 W"]])
def test_stopping_early_is_allowed(steps: list[str]) -> None:
    scene = two_afloat().moving(0).play(*steps, "end")
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.T3")
def test_points_are_not_saved_for_the_next_turn() -> None:
    scene = two_afloat().moving(0).play("end", "sink D4").chance("ship", "serpent")
    scene.play("end", "sink D5").chance("shark", "serpent")
    scene.play("r1 E", "r1 W", "r1 E")
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.T4")
def test_a_player_with_no_explorer_on_the_board_skips_moving_and_goes_on_with_the_rest() -> None:
    scene = Scene(2).explorer("r1", "E5").explorer("y1", "@NW").ship("C4").hold(1, "wind").set_removing_step(0)
    scene.play("sink D4").chance("shark", "serpent")
    assert scene.asked() == (1, "hand")  # step 1 is theirs
    scene.play("pass")
    assert scene.asked() == (1, "removing")  # no empty ship is moved either
    assert scene.why_not("C4 E") == "SV.T1"
    scene.play("sink D5").chance("wind", "shark")
    assert scene.asked() == (1, "creature")  # and so is the die
    assert scene.hand_of(1) == ["wind", "wind"]


@pytest.mark.rule("SV.T4")
def test_landing_the_last_explorer_ends_step_2() -> None:
    scene = Scene(2).ship("C1", "r1").explorer("y1", "E5").ship("A1").moving(0).play("r1 @NW")
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.T4")
def test_losing_the_last_explorer_ends_step_2() -> None:
    scene = Scene(2).explorer("r1", "A1").explorer("y1", "E5").creature("shark", "A2").moving(0).play("r1 E")
    assert scene.at("r1") == "lost"
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.T4")
def test_while_an_explorer_is_left_landing_one_does_not_end_step_2() -> None:
    scene = Scene(2).ship("C1", "r1").explorer("r2", "E5").explorer("y1", "E6").moving(0).play("r1 @NW")
    assert scene.asked() == (0, "moving")
    scene.play("C1 E", "r2 E")
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.T4")
def test_losing_the_last_explorer_in_step_1_skips_step_2() -> None:
    scene = Scene(2).explorer("r1", "A1").explorer("y1", "E5").creature("shark", "A2").hold(0, "dolphin").hand(0)
    scene.play("r1 A2")
    assert scene.at("r1") == "lost"
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.T5")
def test_a_tile_must_be_removed_while_any_is_left() -> None:
    scene = two_afloat().moving(0).play("end")
    assert scene.why_not("pass") == "SV.T5"
    assert all(text.startswith("sink ") for text in scene.choices())
    scene = Scene(2).keep_only_tiles("F6").explorer("r1", "F6").explorer("y1", "A1").set_removing_step(0)
    assert scene.choices() == {"sink F6"}
    assert scene.why_not("pass") == "SV.T5"


@pytest.mark.rule("SV.T1", "SV.T5")
def test_one_tile_is_removed_a_turn() -> None:
    scene = two_afloat().set_removing_step(0)
    before = len(scene.tiles())
    scene.play("sink D4").chance("wind")
    assert scene.asked() == (CHANCE, "rolling")
    assert len(scene.tiles()) == before - 1
    scene.chance("serpent")
    assert scene.asked() == (1, "moving")
    assert scene.s.actor != OVER
