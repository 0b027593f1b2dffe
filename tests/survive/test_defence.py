"""D · Defence tiles: who is asked, in which order, and what a defence does."""

from __future__ import annotations

import pytest

from tests.survive.position_builder import Scene


def shark_beside(*swimmers: str, dolphins: bool = False) -> Scene:
    """A shark at L5, these swimmers at L6, everybody with somebody on the island."""
    scene = Scene(dolphins=dolphins).creature("shark", "L5")
    for i, name in enumerate("rygb"):
        scene.explorer(f"{name}10", ("E5", "E6", "E7", "F5")[i])
    for swimmer in swimmers:
        scene.explorer(swimmer, "L6")
    return scene


def whale_beside(*crew: str) -> Scene:
    scene = Scene().creature("whale", "L5").ship("L6", *crew)
    for i, name in enumerate("rygb"):
        scene.explorer(f"{name}10", ("E5", "E6", "E7", "F5")[i])
    return scene


@pytest.mark.rule("SV.D1")
def test_shark_defence_removes_the_shark_and_nobody_is_hurt() -> None:
    scene = (
        shark_beside("y1", "g1", "r1").hold(1, "shark_defence").set_rolling_step(0).chance("shark").play("shark L5 L6")
    )
    assert scene.asked() == (1, "defending")
    supply = int(scene.s.creature_left[1])
    scene.play("defend")
    assert scene.creatures("shark") == []
    assert scene.s.creature_left[1] == supply  # it leaves the game
    assert [scene.at(e) for e in ("y1", "g1", "r1")] == ["L6", "L6", "L6"]
    assert scene.hand_of(1) == []


@pytest.mark.rule("SV.D1", "SV.K4")
def test_one_may_let_the_shark_have_them() -> None:
    scene = (
        shark_beside("y1", "g1")
        .hold(1, "shark_defence")
        .set_rolling_step(0)
        .chance("shark")
        .play("shark L5 L6", "pass")
    )
    assert (scene.at("y1"), scene.at("g1")) == ("lost", "lost")
    assert scene.creatures("shark") == ["L6"]
    assert scene.hand_of(1) == ["shark_defence"]


@pytest.mark.rule("SV.D1", "SV.D2")
def test_after_a_defence_the_rollers_move_is_over() -> None:
    scene = shark_beside("y1").creature("shark", "A1").hold(1, "shark_defence").set_rolling_step(0).chance("shark")
    scene.play("shark L5 L6", "defend")
    assert scene.s.turn == 1
    assert scene.asked() == (1, "moving")
    scene = whale_beside("y1").creature("whale", "A1").hold(1, "whale_defence").set_rolling_step(0).chance("whale")
    scene.play("whale L5 L6", "defend")
    assert scene.asked() == (1, "moving")


@pytest.mark.rule("SV.D1")
def test_only_who_has_a_swimmer_there_may_defend_against_the_shark() -> None:
    scene = shark_beside("y1").hold(2, "shark_defence").ship("L6", "g1").set_rolling_step(0).chance("shark")
    scene.play("shark L5 L6")  # green's explorer is aboard: not attacked
    assert scene.at("y1") == "lost"
    assert scene.hand_of(2) == ["shark_defence"]


@pytest.mark.rule("SV.D1", "SV.N11")
def test_with_dolphins_only_an_unguarded_swimmer_counts() -> None:
    scene = shark_beside("y1", "g1", dolphins=True).creature("dolphin", "L6", ward="y1")
    scene.hold(1, "shark_defence").hold(2, "wind").set_rolling_step(0).chance("shark", "2").play("shark L5 L6")
    assert scene.asked() == (2, "defending")  # yellow's is guarded
    scene.play("pass")
    assert (scene.at("y1"), scene.at("g1")) == ("L6", "lost")
    assert scene.hand_of(1) == ["shark_defence"]


@pytest.mark.rule("SV.D2")
def test_whale_defence_removes_the_whale_and_nobody_is_hurt() -> None:
    scene = whale_beside("r1", "y1").hold(1, "whale_defence").set_rolling_step(0).chance("whale").play("whale L5 L6")
    assert scene.asked() == (1, "defending")
    scene.play("defend")
    assert scene.creatures("whale") == []
    assert scene.ships() == {"L6": ["r1", "y1"]}
    assert scene.hand_of(1) == []


@pytest.mark.rule("SV.D2", "SV.K5")
def test_one_may_let_the_whale_wreck_the_ship() -> None:
    scene = (
        whale_beside("r1", "y1")
        .hold(1, "whale_defence")
        .set_rolling_step(0)
        .chance("whale")
        .play("whale L5 L6", "pass")
    )
    assert scene.ships() == {}
    assert (scene.at("r1"), scene.at("y1")) == ("L6", "L6")


@pytest.mark.rule("SV.D2")
def test_only_who_has_an_explorer_aboard_may_defend_against_the_whale() -> None:
    scene = whale_beside("y1").explorer("g1", "L6").hold(2, "whale_defence").set_rolling_step(0).chance("whale")
    scene.play("whale L5 L6")
    assert scene.ships() == {}
    assert scene.hand_of(2) == ["whale_defence"]


@pytest.mark.rule("SV.D1", "SV.D2")
def test_each_defence_answers_its_own_kind_only() -> None:
    scene = shark_beside("y1").hold(1, "whale_defence").set_rolling_step(0).chance("shark").play("shark L5 L6")
    assert scene.why_not("defend") == "SV.D1"
    scene = whale_beside("y1").hold(1, "shark_defence").set_rolling_step(0).chance("whale").play("whale L5 L6")
    assert scene.why_not("defend") == "SV.D2"


@pytest.mark.rule("SV.D1")
def test_nothing_defends_against_a_serpent() -> None:
    scene = Scene().creature("serpent", "L5").explorer("y1", "L6").explorer("y2", "E5")
    scene.hold(1, "shark_defence").hold(1, "whale_defence").set_rolling_step(0).chance("serpent").play("serpent L5 L6")
    assert scene.at("y1") == "lost"
    assert scene.asked() == (1, "hand")


@pytest.mark.rule("SV.D3")
def test_never_on_ones_own_turn() -> None:
    scene = shark_beside("r1").hold(0, "shark_defence").set_rolling_step(0).chance("shark")
    assert scene.why_not("defend") == "SV.D3"
    scene.play("shark L5 L6")
    assert scene.at("r1") == "lost"
    assert scene.hand_of(0) == ["shark_defence"]
    scene = whale_beside("r1").hold(0, "whale_defence").set_rolling_step(0).chance("whale").play("whale L5 L6")
    assert scene.ships() == {}
    assert scene.hand_of(0) == ["whale_defence"]


@pytest.mark.rule("SV.D3", "SV.R3")
def test_never_against_a_placed_shark() -> None:
    scene = Scene().explorer("y1", "F3").explorer("y2", "E5").hold(1, "shark_defence").set_removing_step(0)
    scene.play("sink F3").chance("shark")
    assert scene.at("y1") == "lost"
    assert scene.hand_of(1) == ["shark_defence"]


@pytest.mark.rule("SV.D3", "SV.S6")
def test_never_for_a_ship_or_a_swimmer_that_came_to_the_creature() -> None:
    scene = Scene().ship("L5", "r1", "r2", "y1").creature("whale", "L6").hold(1, "whale_defence").moving(0)
    scene.play("L5 E")
    assert scene.ships() == {}
    assert scene.hand_of(1) == ["whale_defence"]
    scene = Scene().ship("L5", "r1", "r2", "y1").creature("serpent", "L6").creature("shark", "L6")
    scene.hold(1, "shark_defence").explorer("r3", "E5").moving(0).play("L5 E")
    assert scene.at("y1") == "lost"
    assert scene.hand_of(1) == ["shark_defence"]
    assert scene.asked() == (0, "moving")


@pytest.mark.rule("SV.D3", "SV.K5")
def test_a_shark_that_is_there_when_a_whale_wrecks_a_ship_was_not_moved() -> None:
    scene = whale_beside("y1").creature("shark", "L6").hold(1, "shark_defence").set_rolling_step(0).chance("whale")
    scene.play("whale L5 L6")
    assert scene.asked() == (1, "defending")
    assert scene.why_not("defend") == "SV.D2"
    scene.play("pass")
    assert scene.at("y1") == "lost"


@pytest.mark.rule("SV.D4")
def test_those_attacked_are_asked_clockwise_from_the_mover() -> None:
    scene = shark_beside("y1", "b1", "r1", "g1")
    for seat in (0, 1, 2, 3):
        scene.hold(seat, "move_whale" if seat < 2 else "shark_defence")
    scene.set_rolling_step(2).chance("shark").play("shark L5 L6")
    assert scene.asked() == (3, "defending")
    scene.play("pass")
    assert scene.asked() == (0, "defending")
    scene.play("pass")
    assert scene.asked() == (1, "defending")
    scene.play("pass")
    assert [scene.at(e) for e in ("r1", "y1", "g1", "b1")] == ["lost"] * 4


@pytest.mark.rule("SV.D4")
def test_the_first_to_play_saves_all_and_the_others_keep_theirs() -> None:
    scene = shark_beside("y1", "g1", "b1").hold(1, "shark_defence").hold(2, "shark_defence").hold(3, "shark_defence")
    scene.set_rolling_step(0).chance("shark").play("shark L5 L6", "pass")
    assert scene.asked() == (2, "defending")
    scene.play("defend")
    assert [scene.at(e) for e in ("y1", "g1", "b1")] == ["L6", "L6", "L6"]
    assert [scene.hand_of(seat) for seat in (1, 2, 3)] == [["shark_defence"], [], ["shark_defence"]]
    assert scene.s.turn == 1


@pytest.mark.rule("SV.D5")
def test_every_attacked_player_with_a_tile_is_asked_whatever_the_tile() -> None:
    scene = shark_beside("y1", "g1").hold(1, "wind").set_rolling_step(0).chance("shark").play("shark L5 L6")
    assert scene.asked() == (1, "defending")
    assert scene.choices() == {"pass"}
    scene.play("pass")  # green's hand is empty: not asked
    assert (scene.at("y1"), scene.at("g1")) == ("lost", "lost")
    assert scene.s.turn == 1


@pytest.mark.rule("SV.D5")
def test_who_is_not_attacked_is_not_asked() -> None:
    scene = whale_beside("g1").hold(1, "whale_defence").hold(2, "wind").set_rolling_step(0).chance("whale")
    scene.play("whale L5 L6")
    assert scene.asked() == (2, "defending")
    scene.play("pass")
    assert scene.ships() == {}


@pytest.mark.rule("SV.D4", "SV.V1")
def test_with_two_colours_ones_own_second_colour_is_not_anothers() -> None:
    scene = Scene(players=2, two_colours=True).creature("shark", "L5").explorer("g1", "L6").explorer("y1", "E5")
    scene.hold(0, "shark_defence").set_rolling_step(0).chance("shark").play("shark L5 L6")
    assert scene.at("g1") == "lost"
    scene = Scene(players=2, two_colours=True).creature("shark", "L5").explorer("b1", "L6").explorer("y1", "E5")
    scene.hold(1, "shark_defence").set_rolling_step(0).chance("shark").play("shark L5 L6")
    assert scene.asked() == (1, "defending")
