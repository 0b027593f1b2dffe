"""M · Movement: every step an explorer can make, and those it cannot."""

from __future__ import annotations

import pytest

from landfall.core.errors import NotationError
from tests.survive.position_builder import Scene

CROWD = [f"{colour}{i}" for colour in "ygb" for i in range(1, 11)]


def lone(at: str, name: str = "r1") -> Scene:
    """One red explorer to look at, another far off so that the turn goes on, yellow somewhere."""
    return Scene().explorer(name, at).explorer("r9", "I6").explorer("y9", "I7").moving(0)


def aboard(at: str, *crew: str) -> Scene:
    return Scene().ship(at, *(crew or ("r1",))).explorer("r9", "I6").explorer("y9", "I7").moving(0)


# --- M1 to M3: from a tile ------------------------------------------------------------------------------------


@pytest.mark.rule("SV.M1")
def test_an_explorer_walks_to_any_adjacent_tile() -> None:
    for way, target in [("NW", "E4"), ("NE", "E5"), ("E", "F6"), ("SE", "G5"), ("SW", "G4"), ("W", "F4")]:
        assert lone("F5").play(f"r1 {way}").at("r1") == target


@pytest.mark.rule("SV.M1")
def test_any_number_of_explorers_may_stand_together_on_a_tile() -> None:
    scene = lone("F5")
    for name in CROWD:
        scene.explorer(name, "F6")
    scene.play("r1 E")
    assert scene.at("r1") == "F6"
    assert all(scene.at(name) == "F6" for name in CROWD)


@pytest.mark.rule("SV.M1", "SV.M2", "SV.M4")
def test_a_step_goes_no_further_than_the_next_space() -> None:
    assert {text for text in lone("F5").choices() if text.startswith("r1")} == {
        f"r1 {way}" for way in ("NW", "NE", "E", "SE", "SW", "W")
    }
    scene = lone("D4").ship("B4")  # two spaces off
    assert scene.why_not("r1 NE ship") == "SV.M2"


@pytest.mark.rule("SV.M2")
def test_an_explorer_steps_from_a_tile_onto_an_adjacent_ship_with_a_free_seat() -> None:
    scene = lone("D4").ship("C5", "y1", "y2").ship("C4", "y3", "y4", "b1")
    scene.play("r1 NE ship")
    assert scene.ships()["C5"] == ["y1", "y2", "r1"]
    scene = lone("D4").ship("C4", "y3", "y4", "b1")
    assert scene.why_not("r1 NW ship") == "SV.S1"  # no seat
    assert scene.why_not("r1 NE ship") == "SV.M2"  # no ship
    assert scene.why_not("r1 E ship") == "SV.M2"  # a tile


@pytest.mark.rule("SV.M3")
def test_an_explorer_steps_from_a_tile_into_the_water_beside_it() -> None:
    scene = lone("D4").play("r1 NE")
    assert scene.at("r1") == "C5"
    assert lone("G5").play("r1 E").at("r1") == "G6"  # the lake


@pytest.mark.rule("SV.M3")
def test_with_a_ship_there_the_owner_chooses_ship_or_water() -> None:
    scene = lone("D4").ship("C5")
    assert scene.why_not("r1 NE") is None
    assert scene.why_not("r1 NE ship") is None
    assert scene.play("r1 NE").at("r1") == "C5"
    assert scene.ships() == {"C5": []}
    assert lone("D4").ship("C5", "y1", "y2", "y3").play("r1 NE").at("r1") == "C5"  # a full ship leaves the water


# --- M4, M5: from a ship --------------------------------------------------------------------------------------


@pytest.mark.rule("SV.M4")
def test_a_passenger_steps_to_an_adjacent_ship_with_a_free_seat_controlling_neither() -> None:
    scene = aboard("A1", "r1", "y1", "y2").ship("A2", "b1", "b2")
    assert scene.why_not("A1 SE") == "SV.S3"
    scene.play("r1 E ship")
    assert scene.ships() == {"A1": ["y1", "y2"], "A2": ["b1", "b2", "r1"]}


@pytest.mark.rule("SV.M4")
def test_a_passenger_steps_to_no_full_ship_and_no_missing_one() -> None:
    scene = aboard("A1").ship("A2", "b1", "b2", "b3").ship("A4")
    assert scene.why_not("r1 E ship") == "SV.S1"
    assert scene.why_not("r1 SE ship") == "SV.M4"


@pytest.mark.rule("SV.M4")
def test_a_passenger_may_change_ships_again_and_again() -> None:
    scene = aboard("A1").ship("A2").ship("A3").play("r1 E ship", "r1 E ship", "r1 W ship")
    assert scene.at("r1") == "A2+"


@pytest.mark.rule("SV.M5")
def test_a_passenger_steps_into_the_water_of_its_ships_space() -> None:
    scene = aboard("A1", "r1", "y1").play("r1 dive")
    assert scene.at("r1") == "A1"
    assert scene.ships() == {"A1": ["y1"]}


@pytest.mark.rule("SV.M5")
def test_a_passenger_does_not_step_into_the_water_of_another_space() -> None:
    assert aboard("A1").why_not("r1 E") == "SV.M5"


@pytest.mark.rule("SV.M5")
def test_only_a_passenger_dives() -> None:
    assert lone("D4").why_not("r1 dive") == "SV.M5"
    assert lone("A1").why_not("r1 dive") == "SV.M5"


# --- M6 to M8: from the water ---------------------------------------------------------------------------------


@pytest.mark.rule("SV.M6")
def test_a_swimmer_swims_to_any_adjacent_sea_space() -> None:
    for way, target in [("NW", "A2"), ("NE", "A3"), ("E", "B5"), ("SE", "C5"), ("SW", "C4"), ("W", "B3")]:
        assert lone("B4").play(f"r1 {way}").at("r1") == target
    assert lone("A1").why_not("r1 NW") == "SV.B1"  # off the board


@pytest.mark.rule("SV.M6")
def test_a_swimmer_swims_into_a_space_with_a_ship_and_stays_in_the_water() -> None:
    scene = lone("B4").ship("B5").play("r1 E")
    assert scene.at("r1") == "B5"


@pytest.mark.rule("SV.M7")
def test_a_swimmer_boards_a_ship_in_its_own_space() -> None:
    scene = lone("B4").ship("B4", "y1").play("r1 board")
    assert scene.ships() == {"B4": ["y1", "r1"]}


@pytest.mark.rule("SV.M7")
def test_a_swimmer_boards_no_full_ship_no_missing_one_and_none_in_an_adjacent_space() -> None:
    assert lone("B4").ship("B4", "y1", "y2", "y3").why_not("r1 board") == "SV.S1"
    assert lone("B4").why_not("r1 board") == "SV.M7"
    assert lone("B4").ship("B5").why_not("r1 E ship") == "SV.M7"
    assert lone("D4").ship("C4").why_not("r1 board") == "SV.M7"  # not from a tile either


@pytest.mark.rule("SV.M8")
@pytest.mark.parametrize(
    ("space", "isle"),
    [
        ("B1", "@NW"),
        ("C1", "@NW"),
        ("B10", "@NE"),
        ("C11", "@NE"),
        ("K1", "@SW"),
        ("L1", "@SW"),
        ("K11", "@SE"),
        ("L10", "@SE"),
    ],
)
def test_passengers_and_swimmers_land_on_an_isle_from_either_of_its_sea_spaces(space: str, isle: str) -> None:
    scene = aboard(space, "r1", "y1").explorer("r2", space).play(f"r1 {isle}", f"r2 {isle}")
    assert scene.at("r1") == scene.at("r2") == isle
    assert scene.ships() == {space: ["y1"]}  # the ship stays


@pytest.mark.rule("SV.M8")
def test_any_isle_serves_any_colour() -> None:
    for isle, space in [("@NW", "B1"), ("@NE", "B10"), ("@SW", "K1"), ("@SE", "K11")]:
        scene = Scene().moving(2)
        scene.explorer("g1", space).explorer("g2", "E5").explorer("y1", isle).play(f"g1 {isle}")
        assert scene.at("g1") == isle


@pytest.mark.rule("SV.M8")
def test_nobody_lands_from_elsewhere() -> None:
    assert lone("B2").why_not("r1 land") == "SV.M8"
    assert aboard("C2").why_not("r1 land") == "SV.M8"
    assert lone("D4").why_not("r1 land") == "SV.M8"
    with pytest.raises(NotationError):
        lone("B1").why_not("r1 @NE")


@pytest.mark.rule("SV.M8")
def test_who_has_landed_is_safe_for_good() -> None:
    scene = aboard("C1").play("r1 @NW")
    assert scene.ships() == {"C1": []}  # the ship stays, empty
    assert not [text for text in scene.choices() if text.startswith("r1")]
    for text in ("r1 E", "r1 dive", "r1 board", "r1 land"):
        assert scene.why_not(text) == "SV.M8"
    scene.creature("shark", "C1").set_removing_step(0).play("sink D4").chance("ship", "shark").play("shark C1 B1")
    assert scene.at("r1") == "@NW"


# --- M9: once a turn ------------------------------------------------------------------------------------------


def spent(scene: Scene, *texts: str) -> None:
    for text in texts:
        assert scene.why_not(text) == "SV.M9", text
    assert not [text for text in scene.choices() if text.startswith("r1 ")]


@pytest.mark.rule("SV.M9")
def test_who_swam_neither_swims_again_nor_boards_nor_lands_that_turn() -> None:
    spent(lone("C2").ship("C1").play("r1 W"), "r1 E", "r1 board", "r1 land")


@pytest.mark.rule("SV.M9")
def test_who_stepped_from_a_tile_into_the_water_does_nothing_more_that_turn() -> None:
    spent(lone("D4").ship("C4").play("r1 NW"), "r1 W", "r1 board")


@pytest.mark.rule("SV.M9")
def test_who_dived_does_nothing_more_that_turn() -> None:
    spent(aboard("C1").play("r1 dive"), "r1 E", "r1 board", "r1 land")


@pytest.mark.rule("SV.M9")
def test_who_was_wrecked_with_its_ship_in_step_2_does_nothing_more_that_turn() -> None:
    scene = aboard("B2", "r1", "y1").ship("C3").creature("whale", "B1").play("B2 W")
    assert scene.at("r1") == "B1"
    spent(scene, "r1 E", "r1 land")


@pytest.mark.rule("SV.M9")
def test_a_wreck_by_wind_in_step_1_counts_too() -> None:
    scene = aboard("B2", "r1").creature("whale", "B1").hold(0, "wind").hand(0).play("B2 B1")
    assert scene.asked() == (0, "moving")
    spent(scene, "r1 E", "r1 land")


@pytest.mark.rule("SV.M9")
def test_one_swimmer_acting_leaves_the_others_their_act() -> None:
    scene = lone("C2").explorer("r2", "C2").explorer("r3", "C1").play("r1 W", "r2 E", "r3 @NW")
    assert (scene.at("r1"), scene.at("r2"), scene.at("r3")) == ("C1", "C3", "@NW")


@pytest.mark.rule("SV.M9")
def test_who_has_boarded_from_the_water_goes_on_as_a_passenger_that_turn() -> None:
    scene = lone("B2").ship("B2").ship("B1").play("r1 board", "r1 W ship", "r1 @NW")
    assert scene.at("r1") == "@NW"
    scene = lone("B2").ship("B2").play("r1 board", "B2 W", "r1 @NW")
    assert scene.at("r1") == "@NW"


@pytest.mark.rule("SV.M9")
def test_who_has_boarded_from_the_water_does_not_dive_again_that_turn() -> None:
    scene = lone("B2").ship("B2").ship("B1").play("r1 board")
    assert scene.why_not("r1 dive") == "SV.M9"
    scene.play("r1 W ship")
    assert scene.why_not("r1 dive") == "SV.M9"  # not from another ship either


@pytest.mark.rule("SV.M9")
def test_who_came_aboard_otherwise_may_dive_that_turn() -> None:
    assert lone("D4").ship("C4").play("r1 NW ship", "r1 dive").at("r1") == "C4"
    assert aboard("A1").ship("A2").play("r1 E ship", "r1 dive").at("r1") == "A2"


@pytest.mark.rule("SV.M9")
def test_a_new_turn_gives_a_new_act() -> None:
    scene = Scene(2).explorer("r1", "C3").explorer("y1", "E5").moving(0).play("r1 W", "end", "sink D4")
    scene.chance("ship", "serpent").play("end", "sink D5").chance("shark", "serpent")
    scene.play("r1 W", "end", "sink D6").chance("shark", "serpent").play("end", "sink D7").chance("shark", "serpent")
    scene.play("r1 @NW")
    assert scene.at("r1") == "@NW"


@pytest.mark.rule("SV.M9")
def test_a_wreck_on_anothers_turn_leaves_the_act_for_ones_own() -> None:
    scene = (
        Scene(2).ship("C2", "r1").creature("whale", "C3").explorer("r2", "E5").explorer("y1", "F5").set_rolling_step(1)
    )
    scene.chance("whale").play("whale C3 C2")
    assert scene.asked() == (0, "moving")
    assert scene.at("r1") == "C2"
    scene.play("r1 W")
    assert scene.at("r1") == "C1"


@pytest.mark.rule("SV.M9")
def test_whom_another_wrecked_by_sailing_has_its_act_on_its_own_turn() -> None:
    scene = Scene(2).ship("C3", "r1", "y1", "y2").creature("whale", "C2").explorer("r2", "E5").moving(1)
    scene.play("C3 W", "end", "sink D4").chance("ship", "serpent").play("r1 W")
    assert scene.at("r1") == "C1"


@pytest.mark.rule("SV.M9")
def test_falling_with_a_tile_uses_up_nothing() -> None:
    scene = Scene(5, crowded=True).explorer("r1", "D4").explorer("r2", "E6").set_removing_step(0)
    for colour in "ygbo":
        scene.explorer(f"{colour}1", "E6")
    scene.play("sink D4").chance("whale")
    assert scene.asked() == (0, "mini")
    assert scene.why_not("r1 NW") is None


# --- M10 to M13 -----------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.M10")
def test_who_has_left_the_island_never_returns_to_a_tile() -> None:
    assert lone("C4").why_not("r1 SE") == "SV.M10"
    assert aboard("C4").why_not("r1 SE") == "SV.M10"
    assert lone("G6").why_not("r1 E") == "SV.M10"
    scene = Scene(2).ship("C4").explorer("r1", "D4").explorer("r2", "E5").moving(0).play("r1 NW ship")
    assert scene.why_not("r1 SE") == "SV.M10"


@pytest.mark.rule("SV.M11")
def test_only_ones_own_explorers_move() -> None:
    scene = lone("D4").explorer("y1", "D4").ship("A1", "y2")
    assert not [text for text in scene.choices() if text.startswith("y")]
    with pytest.raises(NotationError):
        scene.why_not("y1 NW")
    assert scene.s.why_cannot_move(0, "y1", "C4") == "SV.M11"
    assert scene.s.why_cannot_move(0, "r1", "C4") is None


@pytest.mark.rule("SV.M11")
def test_a_sea_space_holds_any_number_of_swimmers() -> None:
    scene = lone("B4")
    for name in CROWD:
        scene.explorer(name, "B5")
    scene.play("r1 E")
    assert scene.at("r1") == scene.at("y1") == scene.at("b10") == "B5"


@pytest.mark.rule("SV.M12")
@pytest.mark.parametrize("creature", ["shark", "serpent"])
def test_a_swimmer_that_comes_to_a_shark_or_serpent_is_removed_at_once_and_may_do_so(creature: str) -> None:
    swim = lone("B4").creature(creature, "B5").play("r1 E")
    step = lone("D4").creature(creature, "C4").play("r1 NW")
    assert swim.at("r1") == step.at("r1") == "lost"
    assert swim.creatures(creature) == ["B5"]


@pytest.mark.rule("SV.M12", "SV.S7")
def test_who_dives_beside_a_shark_is_removed_while_those_aboard_are_not() -> None:
    scene = aboard("A1", "r1", "r2").creature("shark", "A1").play("r1 dive")
    assert (scene.at("r1"), scene.at("r2")) == ("lost", "A1+")


@pytest.mark.rule("SV.M12")
def test_whales_leave_swimmers_alone() -> None:
    scene = lone("B4").creature("whale", "B5").play("r1 E")
    assert scene.at("r1") == "B5"


@pytest.mark.rule("SV.M12")
def test_nobody_swims_through_a_space_with_a_shark() -> None:
    scene = lone("A1").creature("shark", "A2").hold(0, "dolphin").hand(0)
    assert scene.why_not("r1 A2") is None  # a death of its own choosing
    scene = Scene().explorer("r1", "B10").explorer("r9", "I6").hold(0, "dolphin")
    scene.creature("shark", "B9").creature("serpent", "C11").creature("shark", "C10").hand(0)
    assert scene.choices() == {"r1 B9", "r1 C10", "r1 C11", "pass"}  # all ways lead through them
    assert scene.why_not("r1 B8") == "SV.H1"


@pytest.mark.rule("SV.M12")
def test_a_ward_is_not_removed() -> None:
    scene = Scene(dolphins=True).explorer("r1", "B4").creature("dolphin", "B4", ward="r1").explorer("r9", "I6")
    scene.creature("shark", "B5").moving(0).play("r1 E dolphin")
    assert scene.at("r1") == "B5"


@pytest.mark.rule("SV.M13")
def test_boarding_an_empty_ship_beside_a_whale_wrecks_it() -> None:
    for scene, text, space in [
        (lone("D4").ship("C4").creature("whale", "C4"), "r1 NW ship", "C4"),
        (aboard("A1").ship("A2").creature("whale", "A2"), "r1 E ship", "A2"),
        (lone("B4").ship("B4").creature("whale", "B4"), "r1 board", "B4"),
    ]:
        scene.play(text)
        assert scene.at("r1") == space  # a swimmer
        assert space not in scene.ships()
        spent(scene, "r1 W")  # the wreck was its act


@pytest.mark.rule("SV.M13")
def test_boarding_an_empty_ship_beside_a_serpent_costs_ship_and_explorer() -> None:
    for scene, text in [
        (lone("D4").ship("C4").creature("serpent", "C4"), "r1 NW ship"),
        (aboard("A1").ship("A2").creature("serpent", "A2"), "r1 E ship"),
    ]:
        scene.play(text)
        assert scene.at("r1") == "lost"
        assert scene.ships() in ({}, {"A1": []})


@pytest.mark.rule("SV.M13", "SV.S7")
def test_boarding_an_empty_ship_beside_a_shark_is_harmless() -> None:
    scene = lone("D4").ship("C4").creature("shark", "C4").play("r1 NW ship")
    assert scene.at("r1") == "C4+"
