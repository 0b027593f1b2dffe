"""N · Dive dice: what may move, how far, and where it must stop (SV.N2, SV.N3)."""

from __future__ import annotations

import pytest

from tests.survive.position_builder import Scene


def sea(squid: str = "off") -> Scene:
    """A scene with dive dice, everybody with somebody on the island."""
    scene = Scene(dolphins=True, squid=squid)
    for i in range(4):
        scene.explorer("rygb"[i] + "10", ("E5", "E6", "E7", "F5")[i])
    return scene


# --- SV.N2 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.N2", "SV.C4")
def test_step_4_rolls_both_dive_dice() -> None:
    scene = sea().creature("shark", "L5").set_rolling_step(0)
    s = scene.s
    assert {s.notation(o): w for o, w in s.chance_outcomes()} == dict.fromkeys(
        ("serpent", "shark", "whale", "dolphin", "ship", "starfish"), 1
    )
    scene.chance("shark")
    assert scene.asked() == (-1, "rolling_far")
    assert {s.notation(o): w for o, w in s.chance_outcomes()} == {"1": 2, "2": 2, "3": 1, "D": 1}
    scene.chance("1")
    assert scene.asked() == (0, "creature")


@pytest.mark.rule("SV.N2")
@pytest.mark.parametrize("kind", ["serpent", "shark", "whale", "dolphin"])
@pytest.mark.parametrize("far", [1, 2, 3])
def test_the_second_die_says_how_far_at_most_for_every_kind_alike(kind: str, far: int) -> None:
    scene = sea().creature(kind, "L3").set_rolling_step(0).chance(kind, str(far))
    for steps in range(1, far + 1):
        assert scene.why_not(f"{kind} L3 L{3 + steps}") is None
    assert scene.why_not(f"{kind} L3 L{4 + far}") == "SV.N2"
    assert scene.why_not(f"{kind} L3 L3") == "SV.K6"
    assert scene.why_not("pass") is None


@pytest.mark.rule("SV.N2")
def test_the_first_die_names_what_may_move() -> None:
    scene = sea().creature("shark", "L3").creature("whale", "L5").creature("dolphin", "A1").ship("L7")
    scene.set_rolling_step(0).chance("shark", "3")
    assert scene.why_not("whale L5 L6") == "SV.N2"
    assert scene.why_not("dolphin A1 A2") == "SV.N2"
    assert scene.why_not("L7 L8") == "SV.N2"
    assert scene.why_not("shark L3 L4") is None
    scene = sea().creature("dolphin", "A1").ship("L7").set_rolling_step(0).chance("ship", "1")
    assert scene.why_not("L7 L8") is None
    assert scene.why_not("dolphin A1 A2") == "SV.N2"


@pytest.mark.rule("SV.N2")
def test_the_starfish_moves_any_one_of_them() -> None:
    scene = sea().creature("serpent", "A1").creature("shark", "A3").creature("whale", "A5").creature("dolphin", "A7")
    scene.ship("L7").set_rolling_step(0).chance("starfish", "2")
    for text in ("serpent A1 A2", "shark A3 A4", "whale A5 A6", "dolphin A7 B8", "L7 L8"):
        assert scene.why_not(text) is None, text
    scene.play("whale A5 A6")
    assert scene.s.turn == 1


@pytest.mark.rule("SV.N2", "SV.K1")
def test_with_nothing_on_the_board_that_the_dice_name_nothing_happens() -> None:
    scene = sea().creature("shark", "L3").ship("L7", "y1").set_rolling_step(0).chance("ship", "3")
    assert scene.asked() == (1, "moving")
    scene = sea().creature("shark", "L3").set_rolling_step(0).chance("dolphin", "3")
    assert scene.asked() == (1, "moving")


@pytest.mark.rule("SV.N2", "SV.H3")
def test_d_leads_to_any_vacant_sea_space() -> None:
    scene = sea().creature("serpent", "G6").creature("whale", "A1").creature("dolphin", "A3").ship("A5")
    scene.explorer("y1", "A7").set_rolling_step(0).chance("serpent", "D")
    assert scene.why_not("serpent G6 M7") is None  # out of the lake
    for taken in ("A1", "A3", "A5", "A7", "D4"):
        assert scene.why_not(f"serpent G6 {taken}") == "SV.N2", taken
    assert scene.why_not("pass") is None
    scene.play("serpent G6 M7")
    assert scene.creatures("serpent") == ["M7"]


@pytest.mark.rule("SV.N2", "SV.N3")
def test_d_serves_empty_ships_and_dolphins_too() -> None:
    scene = sea().ship("L7").ship("A5").creature("dolphin", "A3").set_rolling_step(0).chance("starfish", "D")
    assert scene.why_not("L7 A5") == "SV.N2"
    assert scene.why_not("L7 A3") == "SV.N2"
    assert scene.why_not("dolphin A3 L7") == "SV.N2"
    assert scene.why_not("dolphin A3 M7") is None
    scene.play("L7 G6")
    assert sorted(scene.ships()) == ["A5", "G6"]


# --- SV.N3 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.N3", "SV.K4")
def test_moved_by_the_dice_a_shark_stops_and_attacks_as_ever() -> None:
    scene = sea().creature("shark", "L3").explorer("y1", "L4").set_rolling_step(0).chance("shark", "3")
    assert scene.why_not("shark L3 L6") == "SV.K4"
    scene.play("shark L3 L4")
    assert scene.at("y1") == "lost"


@pytest.mark.rule("SV.N3", "SV.K5")
def test_moved_by_the_dice_a_whale_stops_and_attacks_as_ever() -> None:
    scene = sea().creature("whale", "L3").ship("L4", "y1").set_rolling_step(0).chance("whale", "3")
    assert scene.why_not("whale L3 L6") == "SV.K5"
    scene.play("whale L3 L4")
    assert scene.ships() == {}
    assert scene.at("y1") == "L4"


@pytest.mark.rule("SV.N3", "SV.K3")
def test_a_serpent_too_must_stop_at_an_unguarded_swimmer_or_an_occupied_ship() -> None:
    scene = sea().creature("serpent", "L3").explorer("y1", "L4").set_rolling_step(0).chance("serpent", "3")
    assert scene.why_not("serpent L3 L6") == "SV.N3"
    scene.play("serpent L3 L4")
    assert scene.at("y1") == "lost"
    scene = sea().creature("serpent", "L3").ship("L4", "y1").set_rolling_step(0).chance("serpent", "3")
    assert scene.why_not("serpent L3 L6") == "SV.N3"
    scene.play("serpent L3 L4")
    assert scene.ships() == {}
    assert scene.at("y1") == "lost"


@pytest.mark.rule("SV.N3")
def test_an_occupied_ship_is_never_moved_by_the_dice() -> None:
    scene = sea().ship("L3", "r1").ship("L7").set_rolling_step(0).chance("ship", "3")
    assert scene.why_not("L3 L4") == "SV.N3"
    assert not [c for c in scene.choices() if c.startswith("L3")]


@pytest.mark.rule("SV.N3", "SV.S4")
def test_an_empty_ship_sails_up_to_that_far_and_past_no_ship() -> None:
    scene = sea().ship("L3").ship("L4", "y1").set_rolling_step(0).chance("ship", "3")
    assert scene.why_not("L3 L4") == "SV.S4"
    assert scene.why_not("L3 L6") == "SV.N3"  # three spaces, by L4 only
    assert scene.why_not("L3 L7") == "SV.N2"
    assert scene.why_not("L3 L3") == "SV.N3"
    scene.play("L3 K6")
    assert scene.ships() == {"K6": [], "L4": ["y1"]}
    scene = sea().ship("C5").set_rolling_step(0).chance("ship", "1")
    assert scene.why_not("C5 D5") == "SV.S1"


@pytest.mark.rule("SV.N3", "SV.S5", "SV.S7")
def test_an_empty_ship_adrift_passes_swimmers_creatures_and_squids_and_takes_nobody_aboard() -> None:
    scene = sea(squid="with_whales").ship("L3").explorer("y1", "L4").creature("squid", "L5").creature("serpent", "L6")
    scene.set_rolling_step(0).chance("ship", "3")
    assert scene.why_not("L3 L5") is None
    scene.play("L3 L6")
    assert scene.ships() == {"L6": []}
    scene = sea().ship("L3").explorer("y1", "L4").set_rolling_step(0).chance("ship", "3").play("L3 L4")
    assert scene.ships() == {"L4": []}
    assert scene.at("y1") == "L4"
