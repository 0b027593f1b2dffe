"""N · Dolphins: wards, and the order in which an event is finished (SV.N12). The dice are in test_dive_dice.py."""

from __future__ import annotations

import pytest

from tests.survive.position_builder import Scene


def sea(players: int = 4, crowded: bool = False) -> Scene:
    """A scene with dolphins, everybody with somebody on the island."""
    scene = Scene(players=players, dolphins=True, crowded=crowded)
    for i in range(players):
        scene.explorer("rygbow"[i] + "10", ("E5", "E6", "E7", "F5", "F8", "G4")[i])
    return scene


# --- SV.N1 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.N1")
def test_a_dolphin_back_brings_a_dolphin_and_the_remover_chooses_its_ward() -> None:
    scene = sea().explorer("r1", "F3").explorer("y1", "F3").explorer("g1", "C3").set_removing_step(0)
    left = int(scene.s.creature_left[3])
    scene.play("sink F3").chance("dolphin")
    assert scene.creatures("dolphin") == ["F3"]
    assert scene.s.creature_left[3] == left - 1
    assert scene.hand_of(0) == []
    assert scene.asked() == (0, "ward")
    assert scene.choices() == {"pick r1", "pick y1"}
    assert scene.why_not("pick g1") == "SV.N4"
    assert scene.why_not("pick y10") == "SV.N4"
    assert scene.why_not("pass") == "SV.N12"
    scene.play("pick y1")
    assert scene.wards_at("F3") == ["y1"]
    assert scene.asked() == (-1, "rolling")


@pytest.mark.rule("SV.N1")
def test_one_alone_who_fell_is_the_ward_and_with_nobody_there_is_none() -> None:
    scene = sea().explorer("y1", "F3").set_removing_step(0).play("sink F3").chance("dolphin")
    assert scene.wards_at("F3") == ["y1"]
    assert scene.asked() == (-1, "rolling")
    scene = sea().set_removing_step(0).play("sink F3").chance("dolphin")
    assert scene.wards_at("F3") == [None]


# --- SV.N4 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.N4", "SV.M12")
@pytest.mark.parametrize("kind", ["shark", "serpent"])
def test_a_dolphin_guards_one_ward_in_its_space_and_nobody_else(kind: str) -> None:
    scene = sea().explorer("y1", "L4").explorer("g1", "L4").creature("dolphin", "L4", ward="y1").creature(kind, "L3")
    scene.set_rolling_step(0).chance(kind, "1").play(f"{kind} L3 L4")
    assert (scene.at("y1"), scene.at("g1")) == ("L4", "lost")
    assert scene.wards_at("L4") == ["y1"]


@pytest.mark.rule("SV.N4")
def test_a_swimmer_has_at_most_one_guard() -> None:
    scene = sea().explorer("y1", "L4").creature("dolphin", "L4", ward="y1").creature("dolphin", "L3")
    scene.set_rolling_step(0).chance("dolphin", "1").play("dolphin L3 L4")
    assert sorted(scene.wards_at("L4"), key=str) == [None, "y1"]


@pytest.mark.rule("SV.N4", "SV.K3")
def test_passengers_are_not_guarded() -> None:
    scene = sea().ship("L4", "y1").creature("dolphin", "L4").creature("serpent", "L3")
    scene.set_rolling_step(0).chance("serpent", "1").play("serpent L3 L4")
    assert scene.at("y1") == "lost"
    assert scene.ships() == {}
    assert scene.wards_at("L4") == [None]


@pytest.mark.rule("SV.N4", "SV.K2")
def test_dolphins_go_over_sea_spaces_only_and_share_them_with_anything() -> None:
    scene = sea().creature("dolphin", "B1").creature("dolphin", "C5").ship("C4", "y1").creature("serpent", "C6")
    scene.set_rolling_step(0).chance("dolphin", "3")
    assert scene.why_not("dolphin C5 D5") == "SV.K2"
    assert not [c for c in scene.choices() if "@" in c]
    assert scene.why_not("dolphin C5 C4") is None
    assert scene.why_not("dolphin C5 C6") is None
    scene.play("dolphin C5 C4")
    assert scene.ships() == {"C4": ["y1"]}
    assert scene.creatures("dolphin") == ["B1", "C4"]


# --- SV.N5, SV.N6 ---------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.N5", "SV.N12")
@pytest.mark.parametrize("kind", ["shark", "serpent"])
def test_a_swimmer_that_comes_to_a_dolphin_without_a_ward_is_its_ward_and_safe(kind: str) -> None:
    scene = sea().explorer("r1", "L3").creature("dolphin", "L4").creature(kind, "L4").moving(0).play("r1 E")
    assert scene.at("r1") == "L4"
    assert scene.wards_at("L4") == ["r1"]


@pytest.mark.rule("SV.N5", "SV.M12")
def test_a_swimmer_that_comes_to_a_dolphin_with_a_ward_is_not_guarded() -> None:
    scene = sea().explorer("r1", "L3").explorer("y1", "L4").creature("dolphin", "L4", ward="y1").creature("shark", "L4")
    scene.moving(0).play("r1 E")
    assert scene.at("r1") == "lost"
    assert scene.wards_at("L4") == ["y1"]


@pytest.mark.rule("SV.N5", "SV.M3", "SV.M5")
def test_from_a_tile_or_a_ship_one_falls_in_with_the_dolphin_too() -> None:
    scene = sea().explorer("r1", "D4").creature("dolphin", "C4").creature("shark", "C4").moving(0).play("r1 NW")
    assert (scene.at("r1"), scene.wards_at("C4")) == ("C4", ["r1"])
    scene = sea().ship("L4", "r1").creature("dolphin", "L4").creature("shark", "L4").moving(0).play("r1 dive")
    assert (scene.at("r1"), scene.wards_at("L4")) == ("L4", ["r1"])


@pytest.mark.rule("SV.N5", "SV.S6")
def test_of_several_at_once_who_made_the_move_chooses() -> None:
    scene = sea().ship("L3", "r1", "y1").creature("dolphin", "L4").creature("whale", "L4").moving(1).play("L3 E")
    assert scene.ships() == {}
    assert scene.asked() == (1, "ward")
    assert scene.choices() == {"pick r1", "pick y1"}
    scene.play("pick r1")
    assert scene.wards_at("L4") == ["r1"]
    assert scene.asked() == (1, "moving")


@pytest.mark.rule("SV.N5", "SV.K5")
def test_when_a_whale_wrecks_a_ship_over_a_dolphin_the_roller_chooses_also_after_others_declined_to_defend() -> None:
    scene = sea().ship("L4", "g1", "y1").creature("dolphin", "L4").creature("whale", "L3").creature("shark", "L4")
    scene.hold(2, "whale_defence").set_rolling_step(0).chance("whale", "1").play("whale L3 L4")
    assert scene.asked() == (2, "defending")
    scene.play("pass")
    assert scene.asked() == (0, "ward")
    scene.play("pick g1")
    assert (scene.at("g1"), scene.at("y1")) == ("L4", "lost")


@pytest.mark.rule("SV.N6")
def test_a_dolphin_that_ends_its_move_where_swimmers_are_takes_one_of_the_movers_choice() -> None:
    scene = sea().creature("dolphin", "L3").explorer("y1", "L4").explorer("g1", "L4").explorer("r1", "L5")
    scene.set_rolling_step(0).chance("dolphin", "2").play("dolphin L3 L4")
    assert scene.asked() == (0, "ward")
    assert scene.choices() == {"pick g1", "pick y1"}
    scene.play("pick g1")
    assert scene.wards_at("L4") == ["g1"]
    assert scene.s.turn == 1


@pytest.mark.rule("SV.N6")
def test_where_one_swims_there_is_nothing_to_choose() -> None:
    scene = sea().creature("dolphin", "L3").explorer("y1", "L4").set_rolling_step(2).chance("dolphin", "2")
    scene.play("dolphin L3 L4")
    assert scene.wards_at("L4") == ["y1"]
    assert scene.asked() == (3, "moving")


@pytest.mark.rule("SV.N6", "SV.N4")
def test_it_takes_only_one_who_is_unguarded() -> None:
    scene = sea().explorer("y1", "L4").explorer("g1", "L4").explorer("b1", "L4").creature("dolphin", "L4", ward="y1")
    scene.creature("dolphin", "L3").set_rolling_step(0).chance("dolphin", "1").play("dolphin L3 L4")
    assert scene.choices() == {"pick g1", "pick b1"}
    assert scene.why_not("pick y1") == "SV.N4"
    scene.play("pick b1")
    assert scene.wards_at("L4") == ["y1", "b1"]


# --- SV.N7 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.N7")
def test_a_ward_that_swims_may_take_its_dolphin_along_and_is_guarded_on_arrival() -> None:
    scene = sea().explorer("r1", "L3").creature("dolphin", "L3", ward="r1").creature("shark", "L4")
    scene.creature("serpent", "L4").moving(0).play("r1 E dolphin")
    assert scene.at("r1") == "L4"
    assert scene.wards_at("L4") == ["r1"]
    assert scene.s.points == 2
    assert scene.why_not("r1 E dolphin") == "SV.M9"


@pytest.mark.rule("SV.N7")
def test_alone_it_leaves_the_dolphin_behind() -> None:
    scene = sea().explorer("r1", "L3").creature("dolphin", "L3", ward="r1").moving(0).play("r1 E")
    assert scene.wards_at("L3") == [None]
    assert scene.s.guard[0] == -1
    scene = sea().explorer("r1", "L3").creature("dolphin", "L3", ward="r1").creature("shark", "L4").moving(0)
    scene.play("r1 E")
    assert scene.at("r1") == "lost"


@pytest.mark.rule("SV.N7")
def test_only_a_guarded_swimmer_takes_a_dolphin_along_and_only_over_the_sea() -> None:
    scene = sea().explorer("r1", "L3").explorer("r2", "L3").creature("dolphin", "L3", ward="r1").ship("L4", "r3")
    scene.moving(0)
    assert scene.why_not("r2 E dolphin") == "SV.N7"
    assert scene.why_not("r10 W dolphin") == "SV.N7"
    assert scene.why_not("r3 E dolphin") is not None
    scene = sea().explorer("r1", "C4").creature("dolphin", "C4", ward="r1").moving(0)
    assert scene.why_not("r1 SE dolphin") == "SV.M10"


@pytest.mark.rule("SV.N7", "SV.N12")
def test_the_dolphin_left_behind_takes_another_whom_the_swimmers_owner_chooses() -> None:
    scene = sea().explorer("r1", "L3").explorer("y1", "L3").explorer("g1", "L3").creature("dolphin", "L3", ward="r1")
    scene.moving(0).play("r1 E")
    assert scene.asked() == (0, "ward")
    assert scene.choices() == {"pick y1", "pick g1"}
    scene.play("pick g1")
    assert scene.wards_at("L3") == ["g1"]


@pytest.mark.rule("SV.N7", "SV.O5")
def test_with_the_mini_rounds_point_too_and_the_chooser_is_not_the_turns_player() -> None:
    scene = sea(players=5, crowded=True)
    for name in ("r1", "y1", "g1"):
        scene.explorer(name, "F3")
    scene.set_removing_step(0).play("sink F3").chance("dolphin").play("pick y1", "pass")
    assert scene.asked() == (1, "mini")
    assert scene.why_not("y1 W dolphin") is None
    assert scene.s.view(1)["points"] == 1
    scene.play("y1 W")
    assert scene.asked() == (1, "ward")
    assert scene.s.view(1)["points"] == 0
    scene.play("pick g1")
    assert scene.wards_at("F3") == ["g1"]
    assert scene.asked() == (2, "mini")
    assert scene.s.view(2)["points"] == 1
    scene.play("g1 W dolphin")
    assert scene.wards_at("F2") == ["g1"]
    assert scene.asked() == (-1, "rolling")


# --- SV.N8, SV.N9 ---------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.N8")
def test_moved_by_the_dice_a_dolphin_goes_alone() -> None:
    scene = sea().explorer("y1", "L3").creature("dolphin", "L3", ward="y1").set_rolling_step(0).chance("dolphin", "2")
    scene.play("dolphin L3 L5")
    assert scene.at("y1") == "L3"
    assert scene.wards_at("L5") == [None]
    assert scene.s.guard[10] == -1


@pytest.mark.rule("SV.N8", "SV.M12")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_ward_it_leaves_among_sharks_is_removed_whoever_moved_it(seat: int) -> None:
    scene = sea().explorer("y1", "L3").creature("dolphin", "L3", ward="y1").creature("shark", "L3")
    scene.hold(1, "shark_defence")
    scene.set_rolling_step(seat).chance("dolphin", "2").play("dolphin L3 L5")
    assert scene.at("y1") == "lost"
    assert scene.hand_of(1) == ["shark_defence"]


@pytest.mark.rule("SV.N8", "SV.N12")
def test_another_dolphin_there_without_a_ward_takes_the_one_left() -> None:
    scene = sea().explorer("y1", "L3").creature("dolphin", "L3", ward="y1").creature("dolphin", "L3")
    scene.creature("shark", "L3").set_rolling_step(0).chance("dolphin", "2").play("dolphin L3 L5")
    assert scene.at("y1") == "L3"
    assert (scene.wards_at("L3"), scene.wards_at("L5")) == (["y1"], [None])


@pytest.mark.rule("SV.N8")
def test_of_two_dolphins_in_a_space_the_mover_says_which_goes() -> None:
    scene = sea().explorer("y1", "L3").creature("dolphin", "L3", ward="y1").creature("dolphin", "L3")
    scene.creature("shark", "L3").set_rolling_step(0).chance("dolphin", "2").play("dolphin L3/2 L5")
    assert (scene.wards_at("L3"), scene.wards_at("L5")) == (["y1"], [None])


@pytest.mark.rule("SV.N9")
@pytest.mark.parametrize("far", ["1", "3", "D"])
@pytest.mark.parametrize("face", ["dolphin", "starfish"])
def test_instead_of_moving_a_dolphin_may_change_its_ward_with_any_face_of_the_second_die(face: str, far: str) -> None:
    scene = sea().explorer("y1", "L3").explorer("g1", "L3").creature("dolphin", "L3", ward="y1")
    scene.set_rolling_step(0).chance(face, far).play("dolphin L3 g1")
    assert scene.wards_at("L3") == ["g1"]
    assert scene.s.guard[10] == -1
    assert scene.s.turn == 1


@pytest.mark.rule("SV.N9")
def test_the_new_ward_must_be_unguarded_and_swim_in_the_dolphins_space() -> None:
    scene = sea().explorer("y1", "L3").explorer("g1", "L3").creature("dolphin", "L3", ward="y1")
    scene.creature("dolphin", "L3", ward="g1").explorer("b1", "L4").ship("L3", "r1").set_rolling_step(0).chance(
        "dolphin", "1"
    )
    assert scene.why_not("dolphin L3 g1") == "SV.N9"
    assert scene.why_not("dolphin L3 y1") == "SV.N9"
    assert scene.why_not("dolphin L3 b1") == "SV.N9"
    assert scene.why_not("dolphin L3 r1") == "SV.N9"
    assert scene.why_not("dolphin L3 r10") == "SV.N9"
    scene = sea().explorer("y1", "L3").explorer("g1", "L3").creature("dolphin", "L3", ward="y1").creature("shark", "A1")
    scene.set_rolling_step(0).chance("shark", "1")
    assert scene.why_not("dolphin L3 g1") == "SV.N2"


# --- SV.N10, SV.N11 -------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.N10", "SV.N12")
def test_a_ward_that_boards_frees_its_dolphin_which_takes_another_of_the_boarders_owners_choice() -> None:
    scene = sea().explorer("r1", "L3").explorer("y1", "L3").explorer("g1", "L3").ship("L3")
    scene.creature("dolphin", "L3", ward="r1").moving(0).play("r1 board")
    assert scene.at("r1") == "L3+"
    assert scene.asked() == (0, "ward")
    scene.play("pick g1")
    assert scene.wards_at("L3") == ["g1"]
    assert scene.asked() == (0, "moving")


@pytest.mark.rule("SV.N10")
def test_a_ward_that_lands_frees_its_dolphin() -> None:
    scene = sea().explorer("r1", "B1").explorer("y1", "B1").creature("dolphin", "B1", ward="r1").moving(0)
    scene.play("r1 @NW")
    assert scene.at("r1") == "@NW"
    assert scene.wards_at("B1") == ["y1"]
    scene = sea().explorer("r1", "B1").creature("dolphin", "B1", ward="r1").moving(0).play("r1 @NW")
    assert scene.wards_at("B1") == [None]


@pytest.mark.rule("SV.N10", "SV.R6")
def test_whirlpools_take_dolphins_and_wards_alike() -> None:
    scene = Scene(dolphins=True).keep_only_tiles("F6", "F7", "G5", "G7", "H6", "H7", "I6", "I7")
    scene.explorer("y1", "G6").explorer("y2", "G7").explorer("g1", "H8").creature("dolphin", "G6", ward="y1")
    scene.creature("dolphin", "H8", ward="g1").set_removing_step(0).play("sink F6").chance("whirlpool")
    assert (scene.at("y1"), scene.at("y2"), scene.at("g1")) == ("lost", "G7", "H8")
    assert scene.creatures("dolphin") == ["H8"]


@pytest.mark.rule("SV.N11")
@pytest.mark.parametrize("kind", ["shark", "serpent"])
def test_neither_shark_nor_serpent_need_stop_for_guarded_swimmers_alone_nor_harms_them(kind: str) -> None:
    scene = sea().explorer("y1", "L4").creature("dolphin", "L4", ward="y1").creature(kind, "L3")
    scene.hold(1, "shark_defence").set_rolling_step(0).chance(kind, "3")
    beyond, there = f"{kind} L3 L6", f"{kind} L3 L4"
    assert scene.why_not(beyond) is None
    scene.play(there)
    assert scene.at("y1") == "L4"
    assert scene.asked() == (1, "hand")  # nobody was attacked, nobody asked


@pytest.mark.rule("SV.N11", "SV.K4")
def test_an_unguarded_swimmer_beside_a_ward_stops_the_shark() -> None:
    scene = sea().explorer("y1", "L4").explorer("g1", "L4").creature("dolphin", "L4", ward="y1").creature("shark", "L3")
    scene.set_rolling_step(0).chance("shark", "3")
    assert scene.why_not("shark L3 L6") == "SV.K4"


# --- SV.N12 ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.N12", "SV.M13")
@pytest.mark.parametrize("kind", ["serpent", "whale"])
def test_a_ward_that_boards_an_empty_ship_beside_a_serpent_is_wrecked_and_guarded_again(kind: str) -> None:
    scene = sea().explorer("r1", "L3").creature("dolphin", "L3", ward="r1").creature(kind, "L3").ship("L3").moving(0)
    scene.play("r1 board")
    assert scene.ships() == {}
    assert scene.at("r1") == "L3"
    assert scene.wards_at("L3") == ["r1"]


@pytest.mark.rule("SV.N12", "SV.M13")
def test_from_a_tile_onto_an_empty_ship_beside_a_serpent_the_wreck_comes_first_then_the_dolphin() -> None:
    scene = sea().explorer("r1", "D4").ship("C4").creature("serpent", "C4").creature("dolphin", "C4").moving(0)
    scene.play("r1 NW ship")
    assert (scene.at("r1"), scene.wards_at("C4"), scene.ships()) == ("C4", ["r1"], {})
    scene = sea().explorer("r1", "D4").ship("C4").creature("serpent", "C4").moving(0).play("r1 NW ship")
    assert scene.at("r1") == "lost"


@pytest.mark.rule("SV.N12", "SV.S6")
def test_two_dolphins_take_two_of_three_and_the_third_is_removed_only_then() -> None:
    scene = sea().ship("L3", "r1", "r2", "y1").creature("serpent", "L4").creature("dolphin", "L4")
    scene.creature("dolphin", "L4").moving(0).play("L3 E")
    assert scene.asked() == (0, "ward")
    assert [scene.at(e) for e in ("r1", "r2", "y1")] == ["L4", "L4", "L4"]
    scene.play("pick y1")
    assert scene.asked() == (0, "ward")
    assert scene.choices() == {"pick r1", "pick r2"}
    scene.play("pick r1")
    assert [scene.at(e) for e in ("r1", "r2", "y1")] == ["L4", "lost", "L4"]
    assert sorted(scene.wards_at("L4"), key=str) == ["r1", "y1"]
    assert scene.asked() == (0, "moving")


@pytest.mark.rule("SV.N12", "SV.S6")
def test_with_as_many_dolphins_as_swimmers_nobody_chooses() -> None:
    scene = sea().ship("L3", "r1", "y1").creature("serpent", "L4").creature("dolphin", "L4").creature("dolphin", "L4")
    scene.moving(0).play("L3 E")
    assert scene.asked() == (0, "moving")
    assert sorted(scene.wards_at("L4"), key=str) == ["r1", "y1"]


@pytest.mark.rule("SV.N12", "SV.N6", "SV.N8")
def test_both_spaces_a_dolphin_touches_are_settled_before_anybody_is_removed() -> None:
    scene = sea().explorer("y1", "L3").creature("dolphin", "L3", ward="y1").creature("shark", "L3")
    scene.explorer("g1", "L4").explorer("b1", "L4").set_rolling_step(0).chance("dolphin", "1").play("dolphin L3 L4")
    assert scene.asked() == (0, "ward")
    assert scene.choices() == {"pick g1", "pick b1"}
    assert scene.at("y1") == "L3"
    scene.play("pick b1")
    assert scene.at("y1") == "lost"
    assert scene.wards_at("L4") == ["b1"]


@pytest.mark.rule("SV.N12", "SV.N7", "SV.N5")
def test_a_ward_may_swim_alone_to_another_dolphin() -> None:
    scene = sea().explorer("r1", "L3").creature("dolphin", "L3", ward="r1").creature("shark", "L3")
    scene.creature("dolphin", "L4").creature("shark", "L4").moving(0).play("r1 E")
    assert scene.at("r1") == "L4"
    assert (scene.wards_at("L3"), scene.wards_at("L4")) == ([None], ["r1"])


@pytest.mark.rule("SV.N12", "SV.O2")
def test_the_game_is_over_only_when_the_dolphins_have_had_their_turn() -> None:
    scene = Scene(players=2, dolphins=True, to_the_last=True).ship("L3", "r1", "r2").creature("serpent", "L4")
    scene.creature("dolphin", "L4").moving(0).play("L3 E", "pick r2")
    assert (scene.at("r1"), scene.at("r2")) == ("lost", "L4")
    assert scene.asked() == (0, "moving")
