"""S · Ships: who sails them, where, and what befalls them."""

from __future__ import annotations

import pytest

from tests.survive.position_builder import Scene


def at_sea(*crew: str) -> Scene:
    """A ship at B4 with a crew; red and yellow have others on the island."""
    return Scene(3).ship("B4", *crew).explorer("r9", "I6").explorer("y9", "I7").explorer("g9", "I5").moving(0)


@pytest.mark.rule("SV.S1")
def test_a_ship_holds_three_explorers_of_any_colours() -> None:
    scene = Scene(3).ship("C5", "y1", "g1").explorer("r1", "D4").explorer("r2", "D5").moving(0)
    scene.play("r1 NE ship")
    assert scene.ships() == {"C5": ["y1", "g1", "r1"]}
    assert scene.why_not("r2 NW ship") == "SV.S1"


@pytest.mark.rule("SV.S1")
def test_ships_sail_sea_spaces_only() -> None:
    scene = Scene(2).ship("C5", "r1").ship("A1", "r2").explorer("y1", "E5").moving(0)
    assert scene.why_not("C5 SW") == "SV.S1"  # a tile
    assert scene.why_not("A1 NW") == "SV.B1"  # off the board
    assert scene.why_not("C5 NW") is None


@pytest.mark.rule("SV.S1", "SV.S4")
def test_a_ship_never_enters_a_space_with_a_ship() -> None:
    scene = at_sea("r1").ship("B5").ship("B3", "y1")
    assert scene.why_not("B4 E") == "SV.S4"
    assert scene.why_not("B4 W") == "SV.S4"
    assert scene.why_not("B5 W") == "SV.S4"  # nor an empty one


@pytest.mark.rule("SV.S4")
def test_a_ship_never_crosses_a_space_with_a_ship() -> None:
    scene = Scene(2).ship("B10", "r1").ship("B9").ship("C10").ship("C11").explorer("y1", "E5")
    scene.hold(0, "wind").hand(0)
    assert scene.why_not("B10 B8") == "SV.H2"
    assert scene.choices() == {"pass"}


@pytest.mark.rule("SV.S2")
def test_an_empty_ship_is_moved_by_anyone_for_a_point_a_space() -> None:
    for seat in range(3):
        scene = at_sea().moving(seat).play("B4 E", "B5 SE", "C6 W")
        assert scene.ships() == {"C5": []}
        assert scene.asked() == (seat, "removing")


@pytest.mark.rule("SV.S2")
def test_an_empty_ship_is_nobodys_whoever_sailed_it_before() -> None:
    scene = Scene(2).ship("C1", "r1").explorer("r2", "E5").explorer("y1", "E6").moving(0)
    scene.play("r1 @NW", "end", "sink D4").chance("ship", "serpent")
    assert scene.asked() == (1, "moving")
    assert scene.why_not("C1 E") is None


@pytest.mark.rule("SV.S3")
@pytest.mark.parametrize(
    ("crew", "controllers"),
    [
        (["r1"], {0}),
        (["r1", "r2", "y1"], {0}),
        (["r1", "y1", "y2"], {1}),
        (["r1", "y1"], {0, 1}),
        (["r1", "y1", "g1"], {0, 1, 2}),
        (["g1", "g2", "g3"], {2}),
    ],
)
def test_an_occupied_ship_is_moved_by_who_has_most_aboard_and_ties_all_control_it(
    crew: list[str], controllers: set[int]
) -> None:
    for seat in range(3):
        rule = at_sea(*crew).moving(seat).why_not("B4 E")
        assert rule == (None if seat in controllers else "SV.S3")


@pytest.mark.rule("SV.S3")
def test_control_changes_with_who_is_aboard() -> None:
    scene = at_sea("r1", "y1", "y2").explorer("r2", "B4")
    assert scene.why_not("B4 E") == "SV.S3"
    scene = at_sea("r1", "y1").explorer("r2", "B4").play("r2 board", "B4 E")
    assert scene.why_not("B5 E") is None
    scene.moving(1)
    assert scene.why_not("B5 E") == "SV.S3"


@pytest.mark.rule("SV.S5")
def test_a_ship_entering_a_space_with_swimmers_takes_nobody_aboard_by_itself() -> None:
    scene = at_sea("r1").explorer("r2", "B5").explorer("y1", "B5").play("B4 E")
    assert scene.ships() == {"B5": ["r1"]}
    assert scene.at("r2") == scene.at("y1") == "B5"
    scene.play("r2 board")
    assert scene.ships() == {"B5": ["r1", "r2"]}


@pytest.mark.rule("SV.S6")
def test_an_occupied_ship_that_enters_a_whales_space_is_wrecked_and_its_crew_swims() -> None:
    scene = at_sea("r1", "r2", "y1").creature("whale", "B5")
    assert scene.why_not("B4 E") is None  # on purpose is legal
    supply = scene.s.ships_left
    scene.play("B4 E")
    assert scene.ships() == {}
    assert scene.s.ships_left == supply  # out of the game, not back to the supply
    assert scene.at("r1") == scene.at("r2") == scene.at("y1") == "B5"
    assert scene.creatures("whale") == ["B5"]


@pytest.mark.rule("SV.S6")
def test_an_occupied_ship_that_enters_a_serpents_space_is_lost_with_all_aboard() -> None:
    scene = at_sea("r1", "y1").creature("serpent", "B5").play("B4 E")
    assert scene.ships() == {}
    assert scene.at("r1") == scene.at("y1") == "lost"


@pytest.mark.rule("SV.S6", "SV.M12")
def test_wrecked_beside_whale_and_shark_the_crew_is_removed() -> None:
    scene = at_sea("r1", "y1").creature("whale", "B5").creature("shark", "B5").play("B4 E")
    assert scene.at("r1") == scene.at("y1") == "lost"


@pytest.mark.rule("SV.S6")
def test_those_already_swimming_there_are_not_harmed_by_a_wreck() -> None:
    scene = at_sea("r1").creature("whale", "B5").explorer("r2", "B5").play("B4 E", "r2 E")
    assert (scene.at("r1"), scene.at("r2")) == ("B5", "B6")


@pytest.mark.rule("SV.S7")
def test_a_shark_never_touches_a_ship() -> None:
    scene = at_sea("r1").creature("shark", "B5").play("B4 E")
    assert scene.ships() == {"B5": ["r1"]}
    scene = at_sea("r1").creature("shark", "B5").set_rolling_step(1).chance("shark").play("shark B5 B4")
    assert scene.ships() == {"B4": ["r1"]}
    assert scene.at("r1") == "B4+"


@pytest.mark.rule("SV.S7")
@pytest.mark.parametrize("creature", ["serpent", "whale", "shark"])
def test_no_creature_touches_an_empty_ship(creature: str) -> None:
    scene = at_sea().creature(creature, "B5").play("B4 E")
    assert scene.ships() == {"B5": []}
    scene = at_sea().creature(creature, "B5").set_rolling_step(1).chance(creature).play(f"{creature} B5 B4")
    assert scene.ships() == {"B4": []}
    assert scene.creatures(creature) == ["B4"]
