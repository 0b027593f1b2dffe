"""K · Creatures on the die: who may be moved, how far, where it must stop, whom it removes."""

from __future__ import annotations

import pytest

from tests.survive.position_builder import Scene


def rolled(scene: Scene, face: str, seat: int = 0) -> Scene:
    return scene.set_rolling_step(seat).chance(face)


@pytest.mark.rule("SV.K1")
def test_the_die_names_the_kind_that_may_move() -> None:
    scene = Scene().creature("serpent", "K3").creature("shark", "K5").creature("whale", "K8")
    rolled(scene, "shark")
    assert scene.asked() == (0, "creature")
    assert scene.why_not("serpent K3 K2") == "SV.K1"
    assert scene.why_not("whale K8 K9") == "SV.K1"
    assert scene.why_not("shark K5 K6") is None


@pytest.mark.rule("SV.K1")
def test_the_roller_moves_one_creature_of_the_kind_and_chooses_which() -> None:
    scene = Scene().explorer("y1", "E5").creature("shark", "K5").creature("shark", "C5")
    rolled(scene, "shark")
    assert scene.why_not("shark C5 C4") is None
    scene.play("shark K5 K6")
    assert sorted(scene.creatures("shark")) == ["C5", "K6"]
    assert scene.asked() == (1, "moving")


@pytest.mark.rule("SV.K1")
def test_the_roller_may_move_no_creature() -> None:
    scene = Scene().explorer("y1", "E5").creature("shark", "K5")
    rolled(scene, "shark").play("pass")
    assert scene.creatures("shark") == ["K5"]
    assert scene.asked() == (1, "moving")


@pytest.mark.rule("SV.K1")
def test_with_no_creature_of_the_kind_on_the_board_nothing_happens() -> None:
    scene = Scene().explorer("y1", "E5").creature("serpent", "K5").creature("whale", "C5")
    rolled(scene, "shark")
    assert scene.asked() == (1, "moving")
    assert scene.creatures("serpent") == ["K5"]


@pytest.mark.rule("SV.K1")
def test_of_two_creatures_in_one_space_one_moves_no_matter_which() -> None:
    scene = Scene().creature("whale", "K5").creature("whale", "K5")
    rolled(scene, "whale")
    assert len([c for c in scene.choices() if c.endswith(" K8")]) == 1  # they are alike: one choice, not two
    scene.play("whale K5 K8")
    assert sorted(scene.creatures("whale")) == ["K5", "K8"]


@pytest.mark.rule("SV.K2")
def test_creatures_never_go_onto_tiles_nor_over_them() -> None:
    scene = Scene().sea("E6").creature("shark", "G6").creature("shark", "C6")
    rolled(scene, "shark")
    assert scene.why_not("shark C6 D6") == "SV.K2"
    assert scene.why_not("shark G6 E6") == "SV.K2"  # two spaces away, but across a tile
    assert {c for c in scene.choices() if c.startswith("shark G6")} == set()
    scene.sea("F6")
    assert {c for c in scene.choices() if c.startswith("shark G6")} == {"shark G6 F6", "shark G6 E6"}


@pytest.mark.rule("SV.K2")
def test_creatures_never_go_onto_an_isle() -> None:
    scene = Scene().explorer("y1", "@NW").creature("shark", "B1")
    rolled(scene, "shark")
    assert not [c for c in scene.choices() if "@" in c]
    scene.play("shark B1 C1")
    assert scene.at("y1") == "@NW"


@pytest.mark.rule("SV.K2")
def test_creatures_ignore_each_other_and_share_spaces() -> None:
    scene = Scene().creature("shark", "K5").creature("whale", "K6").creature("serpent", "K7").creature("shark", "K7")
    rolled(scene, "shark")
    assert scene.why_not("shark K5 K6") is None
    scene.play("shark K5 K7")  # past the whale, to the serpent and the other shark
    assert scene.creatures("shark") == ["K7", "K7"]
    assert scene.creatures("serpent") == ["K7"]
    assert scene.creatures("whale") == ["K6"]


@pytest.mark.rule("SV.K3")
def test_a_serpent_moves_one_space_at_most() -> None:
    scene = Scene().creature("serpent", "L5")
    rolled(scene, "serpent")
    assert scene.choices() == {"pass"} | {f"serpent L5 {at}" for at in ("K5", "K6", "L6", "M4", "M3", "L4")}
    assert scene.why_not("serpent L5 L7") == "SV.K3"


@pytest.mark.rule("SV.K3")
def test_a_serpent_removes_the_swimmers_it_meets() -> None:
    scene = Scene().explorer("r1", "K6").explorer("y1", "K6").explorer("g1", "K7").creature("serpent", "K5")
    rolled(scene, "serpent").play("serpent K5 K6")
    assert [scene.at(e) for e in ("r1", "y1", "g1")] == ["lost", "lost", "K7"]


@pytest.mark.rule("SV.K3", "SV.S7")
def test_a_serpent_removes_an_occupied_ship_with_all_aboard_and_spares_an_empty_one() -> None:
    scene = Scene().ship("K6", "r1", "y1").ship("K4").explorer("g1", "K6").creature("serpent", "K5")
    rolled(scene, "serpent")
    spared = Scene().ship("K4").creature("serpent", "K5")
    scene.play("serpent K5 K6")
    assert scene.ships() == {"K4": []}
    assert [scene.at(e) for e in ("r1", "y1", "g1")] == ["lost", "lost", "lost"]
    rolled(spared, "serpent").play("serpent K5 K4")
    assert spared.ships() == {"K4": []}


@pytest.mark.rule("SV.K4")
def test_a_shark_moves_two_spaces_at_most() -> None:
    scene = Scene().creature("shark", "K5")
    rolled(scene, "shark")
    assert scene.why_not("shark K5 K6") is None
    assert scene.why_not("shark K5 K7") is None
    assert scene.why_not("shark K5 K8") == "SV.K4"


@pytest.mark.rule("SV.K4")
def test_a_shark_must_stop_on_entering_a_space_with_swimmers_and_removes_all_of_them() -> None:
    scene = Scene().explorer("r1", "L6").explorer("y1", "L6").creature("shark", "L5")
    rolled(scene, "shark")
    assert scene.why_not("shark L5 L7") == "SV.K4"  # the only way of two steps leads over L6
    assert scene.why_not("shark L5 K6") is None
    scene.play("shark L5 L6")
    assert [scene.at(e) for e in ("r1", "y1")] == ["lost", "lost"]


@pytest.mark.rule("SV.K4")
def test_a_shark_may_go_around_swimmers() -> None:
    scene = Scene().explorer("y1", "L6").creature("shark", "L5")
    rolled(scene, "shark")
    assert scene.why_not("shark L5 K7") is None  # by K6
    scene.play("shark L5 K7")
    assert scene.at("y1") == "L6"


@pytest.mark.rule("SV.K4", "SV.S7")
def test_a_shark_passes_ships_and_harms_no_passenger() -> None:
    scene = Scene().ship("L6", "y1").ship("L7", "g1").creature("shark", "L5")
    rolled(scene, "shark").play("shark L5 L7")
    assert scene.ships() == {"L6": ["y1"], "L7": ["g1"]}


@pytest.mark.rule("SV.K4", "SV.S7")
def test_a_shark_takes_the_swimmer_beside_a_ship_and_not_the_crew() -> None:
    scene = Scene().ship("L6", "y1").explorer("y2", "L6").creature("shark", "L5")
    rolled(scene, "shark").play("shark L5 L6")
    assert (scene.at("y1"), scene.at("y2")) == ("L6+", "lost")


@pytest.mark.rule("SV.K5")
def test_a_whale_moves_three_spaces_at_most() -> None:
    scene = Scene().creature("whale", "K5")
    rolled(scene, "whale")
    assert scene.why_not("whale K5 K8") is None
    assert scene.why_not("whale K5 K9") == "SV.K5"


@pytest.mark.rule("SV.K5")
def test_a_whale_must_stop_on_entering_a_space_with_an_occupied_ship_whose_passengers_become_swimmers() -> None:
    scene = Scene().ship("L6", "r1", "y1").creature("whale", "L5")
    rolled(scene, "whale")
    assert scene.why_not("whale L5 L7") is None  # around, in three steps
    assert scene.why_not("whale L5 L8") == "SV.K5"  # straight on would be over the ship
    scene.play("whale L5 L6")
    assert scene.ships() == {}
    assert [scene.at(e) for e in ("r1", "y1")] == ["L6", "L6"]


@pytest.mark.rule("SV.K5", "SV.M12")
def test_those_a_whale_throws_among_sharks_are_removed() -> None:
    scene = Scene().ship("L6", "y1").creature("shark", "L6").creature("whale", "L5")
    rolled(scene, "whale").play("whale L5 L6")
    assert scene.ships() == {}
    assert scene.at("y1") == "lost"


@pytest.mark.rule("SV.K5", "SV.S7")
def test_a_whale_harms_no_swimmer_and_no_empty_ship_and_passes_both() -> None:
    scene = Scene().explorer("y1", "L6").ship("L7").creature("whale", "L5")
    rolled(scene, "whale").play("whale L5 L8")
    assert scene.at("y1") == "L6"
    scene = Scene().explorer("y1", "L6").ship("L6").creature("whale", "L5")
    rolled(scene, "whale").play("whale L5 L6")
    assert scene.at("y1") == "L6"
    assert scene.ships() == {"L6": []}


@pytest.mark.rule("SV.K6")
@pytest.mark.parametrize("kind", ["serpent", "shark", "whale"])
def test_a_creature_that_moves_ends_on_another_space_than_it_left(kind: str) -> None:
    scene = Scene().creature(kind, "K5")
    rolled(scene, kind)
    assert scene.why_not(f"{kind} K5 K5") == "SV.K6"


@pytest.mark.rule("SV.K6", "SV.Q4")
def test_a_squid_may_move_by_staying() -> None:
    scene = Scene(squid="with_whales").creature("squid", "K5").creature("whale", "C5")
    rolled(scene, "whale")
    assert scene.why_not("whale C5 C5") == "SV.K6"
    assert scene.why_not("squid K5 K5") is None
