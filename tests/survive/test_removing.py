"""R · Removing a tile: which may go, and what its back does."""

from __future__ import annotations

import pytest

from landfall.core.state import CHANCE, OVER
from tests.survive.position_builder import Scene

BEACHES = [name for name, terrain in Scene().tiles().items() if terrain == "beach"]
FORESTS = [name for name, terrain in Scene().tiles().items() if terrain == "forest"]
MOUNTAINS = [name for name, terrain in Scene().tiles().items() if terrain == "mountain"]


def to_remove(*on_d4: str) -> Scene:
    """Red's step 3; some explorers stand on D4, all have others inland."""
    scene = Scene().explorer("r9", "G5").explorer("y9", "G7").explorer("g9", "H6").explorer("b9", "H7")
    for name in on_d4:
        scene.explorer(name, "D4")
    return scene.set_removing_step(0)


# --- R1, R2 ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.R1")
def test_beaches_go_first_then_forests_then_mountains() -> None:
    scene = to_remove()
    assert scene.choices() == {f"sink {name}" for name in BEACHES}
    assert scene.why_not("sink J4") == "SV.R1"  # a forest by the sea
    assert scene.why_not("sink F6") == "SV.R1"  # a mountain by the lake
    scene.sea(*BEACHES)
    assert scene.why_not("sink J4") is None
    assert scene.why_not("sink F6") == "SV.R1"
    scene.sea(*FORESTS)
    assert scene.choices() == {f"sink {name}" for name in MOUNTAINS}


@pytest.mark.rule("SV.R1")
def test_one_beach_left_keeps_every_forest() -> None:
    scene = to_remove().sea(*(name for name in BEACHES if name != "H10"))
    assert scene.choices() == {"sink H10"}


@pytest.mark.rule("SV.R1")
def test_the_tile_must_touch_a_sea_space() -> None:
    scene = to_remove().tile("E5", "beach").tile("F6", "beach")
    assert scene.why_not("sink E5") == "SV.R1"
    assert scene.why_not("sink F6") is None  # the lake is sea
    scene.sea("D5")
    assert scene.why_not("sink E5") is None


@pytest.mark.rule("SV.R1")
def test_if_no_tile_of_that_terrain_touches_the_sea_any_of_it_may_be_taken() -> None:
    scene = to_remove().swap_tiles("F5", "E4").swap_tiles("F4", "J4").swap_tiles("F8", "E8").swap_tiles("F9", "J5")
    assert scene.why_not("sink F5") == "SV.R1"
    scene.sea(*(name for name, terrain in scene.tiles().items() if terrain == "beach" and name not in ("F5", "F8")))
    assert scene.choices() == {"sink F5", "sink F8"}
    assert scene.why_not("sink F5") is None
    assert scene.why_not("sink E4") == "SV.R1"  # a forest by the sea
    scene.sea("E4")
    assert scene.choices() == {"sink F5"}  # now one of them touches it


@pytest.mark.rule("SV.R1")
def test_a_place_without_a_tile_cannot_be_removed_again() -> None:
    assert to_remove().sea("D4").why_not("sink D4") == "SV.R1"


@pytest.mark.rule("SV.R2")
def test_explorers_on_it_become_swimmers_in_its_space() -> None:
    scene = to_remove("r1", "r2", "y1").play("sink D4")
    assert "D4" not in scene.tiles()
    scene.chance("wind", "serpent")
    assert scene.at("r1") == scene.at("r2") == scene.at("y1") == "D4"
    scene.moving(0).play("r1 NW")  # swims
    assert scene.why_not("r2 E") == "SV.M10"


@pytest.mark.rule("SV.R2")
def test_only_the_remover_sees_a_back_that_is_kept() -> None:
    wind = to_remove("r1").play("sink D4")
    outcome = wind.s.parse("wind")
    assert wind.s.notation(outcome, masked=True) == "?"
    code = wind.s.secret_code(outcome)
    assert [wind.s.can_read(seat, code) for seat in (0, 1, 2, 3, None)] == [True, False, False, False, False]
    wind.chance("wind")
    other = to_remove("r1").play("sink D4").chance("shark_defence")
    for seat in (1, 2, 3, None):
        assert wind.s.view(seat) == other.s.view(seat)
    assert wind.s.view(0)["hand"] == [{"tile": "wind", "terrain": "beach"}]


@pytest.mark.rule("SV.R2")
@pytest.mark.parametrize("back", ["shark", "whale", "ship"])
def test_all_see_a_back_that_is_used_at_once(back: str) -> None:
    scene = to_remove("r1").play("sink D4")
    assert scene.s.secret_code(scene.s.parse(back)) == 0


# --- R3 to R5 -------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.R3")
def test_a_shark_arrives_and_removes_the_swimmers_there() -> None:
    scene = to_remove("r1", "y1").explorer("g1", "C4").play("sink D4").chance("shark")
    assert scene.creatures("shark") == ["D4"]
    assert scene.at("r1") == scene.at("y1") == "lost"
    assert scene.at("g1") == "C4"  # only there
    assert scene.s.creature_left[1] == 5
    assert scene.asked() == (CHANCE, "rolling")
    assert scene.hand_of(0) == []


@pytest.mark.rule("SV.R3", "SV.D3")
def test_a_shark_that_a_tile_brings_cannot_be_defended_against() -> None:
    scene = to_remove("y1").hold(1, "shark_defence").play("sink D4").chance("shark")
    assert scene.at("y1") == "lost"
    assert scene.asked() == (CHANCE, "rolling")
    assert scene.hand_of(1) == ["shark_defence"]


@pytest.mark.rule("SV.R4")
def test_a_whale_arrives_and_does_swimmers_no_harm() -> None:
    scene = to_remove("r1", "y1").play("sink D4").chance("whale")
    assert scene.creatures("whale") == ["D4"]
    assert scene.at("r1") == scene.at("y1") == "D4"
    assert scene.s.creature_left[2] == 4
    assert scene.asked() == (CHANCE, "rolling")


@pytest.mark.rule("SV.R5")
@pytest.mark.parametrize("swimmers", [[], ["r1"], ["y1", "r1"], ["r1", "r2", "b1"]])
def test_a_ship_arrives_and_takes_up_to_three_swimmers_aboard(swimmers: list[str]) -> None:
    scene = to_remove(*swimmers).explorer("g1", "C4").play("sink D4")
    supply = int(scene.s.ships_left)
    scene.chance("ship")
    assert sorted(scene.ships()["D4"]) == sorted(swimmers)
    assert scene.s.ships_left == supply - 1
    assert scene.at("g1") == "C4"  # not those in other spaces
    assert scene.asked() == (CHANCE, "rolling")


@pytest.mark.rule("SV.R5")
def test_of_more_than_three_swimmers_the_remover_chooses_who_boards() -> None:
    scene = to_remove("r1", "y1", "y2", "g1", "b1").explorer("b2", "C4").play("sink D4").chance("ship")
    assert scene.asked() == (0, "boarding")
    assert scene.choices() == {"pick r1", "pick y1", "pick y2", "pick g1", "pick b1"}
    assert scene.why_not("pick b2") == "SV.R5"
    assert scene.why_not("pass") == "SV.R5"  # all seats are taken
    scene.play("pick y2")
    assert scene.why_not("pick y2") == "SV.R5"
    scene.play("pick b1", "pick r1")
    assert scene.asked() == (CHANCE, "rolling")
    assert sorted(scene.ships()["D4"]) == ["b1", "r1", "y2"]
    assert scene.at("y1") == scene.at("g1") == "D4"


# --- R6, R7 ---------------------------------------------------------------------------------------------------


def whirlpool() -> Scene:
    """The tile at J4 is the next to go: forests are in turn, and it lies at the shore."""
    return to_remove().sea(*BEACHES)


@pytest.mark.rule("SV.R6")
def test_a_whirlpool_removes_all_on_its_space_and_the_adjacent_sea_spaces() -> None:
    scene = whirlpool().explorer("r1", "J4").explorer("y1", "K4").ship("K5", "g1", "r2").ship("J3")
    scene.creature("shark", "K5").creature("whale", "J3").creature("serpent", "J3")
    supply = int(scene.s.ships_left), [int(n) for n in scene.s.creature_left]
    scene.play("sink J4").chance("whirlpool")
    for name in ("r1", "y1", "g1", "r2"):
        assert scene.at(name) == "lost"
    assert scene.ships() == {}
    assert [scene.creatures(kind) for kind in ("shark", "whale", "serpent")] == [[], [], []]
    # From the game: nothing goes back to the supply.
    assert (int(scene.s.ships_left), [int(n) for n in scene.s.creature_left]) == supply
    assert scene.asked() == (CHANCE, "rolling")


@pytest.mark.rule("SV.R6")
def test_a_whirlpool_takes_squids_and_dolphins_with_their_wards() -> None:
    scene = Scene(dolphins=True, squid="with_whales").sea(*BEACHES).explorer("r9", "G5").explorer("y1", "K4")
    scene.creature("dolphin", "K4", ward="y1").creature("squid", "K5").set_removing_step(0).play("sink J4").chance(
        "whirlpool"
    )
    assert scene.at("y1") == "lost"
    assert scene.creatures("dolphin") == scene.creatures("squid") == []


@pytest.mark.rule("SV.R6")
def test_a_whirlpool_leaves_tiles_isles_and_farther_spaces_alone() -> None:
    scene = whirlpool().explorer("r1", "J5").explorer("y1", "I4").explorer("g1", "K6").ship("L4", "b1")
    scene.explorer("b2", "@SW").creature("shark", "L3").play("sink J4").chance("whirlpool")
    assert scene.at("r1") == "J5"
    assert scene.at("y1") == "I4"
    assert scene.at("g1") == "K6"
    assert scene.at("b1") == "L4+"
    assert scene.at("b2") == "@SW"
    assert scene.creatures("shark") == ["L3"]
    assert {"J5", "I4", "I5"} <= set(scene.tiles())


@pytest.mark.rule("SV.R7", "SV.G1")
def test_the_volcano_ends_the_game_at_once() -> None:
    scene = (
        Scene(2)
        .keep_only_tiles("F6", "F7")
        .explorer("r1", "F7", value=6)
        .explorer("y1", "@NW", value=1)
        .set_removing_step(0)
    )
    scene.play("sink F6").chance("volcano")
    assert scene.s.actor == OVER  # no die is rolled
    assert scene.s.scores() == [0, 1]


# --- R8, R9 ---------------------------------------------------------------------------------------------------

KEPT = ["dolphin", "wind", "move_serpent", "move_shark", "move_whale", "shark_defence"]


@pytest.mark.rule("SV.R8")
@pytest.mark.parametrize("back", KEPT)
def test_any_other_back_goes_face_down_into_the_removers_hand(back: str) -> None:
    scene = to_remove("y1").play("sink D4").chance(back)
    assert scene.hand_of(0) == [back]
    assert scene.asked() == (CHANCE, "rolling")
    assert scene.at("y1") == "D4"


@pytest.mark.rule("SV.R8")
def test_whale_defence_goes_to_the_hand_too() -> None:
    scene = whirlpool().play("sink J4").chance("whale_defence")
    assert scene.hand_of(0) == ["whale_defence"]


@pytest.mark.rule("SV.R8")
def test_hands_have_no_limit_and_their_size_and_terrain_sides_are_public() -> None:
    scene = to_remove()
    for tile, terrain in [("wind", "beach"), ("wind", "beach"), ("dolphin", "forest"), ("dolphin", "beach")]:
        scene.hold(0, tile, terrain)
    for tile in ("whale_defence", "move_whale", "move_shark", "move_serpent", "shark_defence"):
        scene.hold(0, tile, "forest")
    tile = next(text for text in sorted(scene.choices()))
    scene.play(tile).chance("shark_defence")
    assert len(scene.hand_of(0)) == 10
    for seat in (1, None):
        view = scene.s.view(seat)
        seats = view["seats"]
        assert isinstance(seats, list)
        assert sorted(seats[0]["hand"]) == ["beach"] * 4 + ["forest"] * 6
        assert not [tile for tile in KEPT if f"'{tile}'" in str(view)]


@pytest.mark.rule("SV.R9")
def test_nothing_is_placed_from_an_empty_supply() -> None:
    for back, kind in [("shark", 1), ("whale", 2)]:
        scene = to_remove("r1")
        scene.s.creature_left[kind] = 0
        scene.play("sink D4").chance(back)
        assert scene.creatures(back) == []
        assert scene.at("r1") == "D4"
        assert scene.asked() == (CHANCE, "rolling")
    scene = to_remove("r1")
    scene.s.ships_left = 0
    scene.play("sink D4").chance("ship")
    assert scene.ships() == {}
    assert scene.at("r1") == "D4"
    assert scene.asked() == (CHANCE, "rolling")
