"""H · Hand tiles, step 1: a dolphin for a swimmer, wind for a ship, a creature sent elsewhere."""

from __future__ import annotations

import pytest

from landfall.core.errors import NotationError
from tests.survive.position_builder import Scene

# --- SV.H1: dolphin -------------------------------------------------------------------------------------------


def dolphin() -> Scene:
    return Scene().hold(0, "dolphin").explorer("r1", "L5")


@pytest.mark.rule("SV.H1")
def test_a_dolphin_tile_moves_one_own_swimmer_one_to_three_sea_spaces() -> None:
    scene = dolphin().explorer("y1", "L6").hand(0)
    for near in ("L6", "L7", "L8"):
        assert scene.why_not(f"r1 {near}") is None
    assert scene.why_not("r1 L9") == "SV.H1"
    with pytest.raises(NotationError, match="not one of yours"):
        scene.why_not("y1 L7")
    scene.play("r1 L8")
    assert scene.at("r1") == "L8"


@pytest.mark.rule("SV.H1")
def test_a_dolphin_tile_carries_swimmers_only() -> None:
    scene = dolphin().explorer("r2", "E5").ship("L7", "r3").hand(0)
    assert scene.why_not("r2 E4") == "SV.H1"
    assert scene.why_not("r3 L8") == "SV.H1"
    assert scene.why_not("r4 L8") == "SV.H1"  # lost


@pytest.mark.rule("SV.H1")
def test_a_dolphin_tile_leads_over_the_sea_only() -> None:
    scene = Scene().hold(0, "dolphin").sea("E6").explorer("r1", "G6").explorer("r2", "C5").hand(0)
    assert scene.why_not("r1 E6") == "SV.H1"  # two spaces away, across a tile
    assert scene.why_not("r2 D5") == "SV.H1"
    assert not [c for c in scene.choices() if c.startswith("r1 ")]


@pytest.mark.rule("SV.H1")
def test_carried_by_a_dolphin_a_swimmer_ends_on_another_space() -> None:
    assert dolphin().hand(0).why_not("r1 L5") == "SV.H1"


@pytest.mark.rule("SV.H1", "SV.M12")
@pytest.mark.parametrize("kind", ["shark", "serpent"])
def test_carried_by_a_dolphin_a_swimmer_meets_sharks_and_serpents_on_every_space(kind: str) -> None:
    scene = dolphin().creature(kind, "L4").hand(0)
    assert scene.why_not("r1 L2") == "SV.H1"  # the only way of three steps leads over L4
    scene.play("r1 L4")  # on purpose
    assert scene.at("r1") == "lost"


@pytest.mark.rule("SV.H1")
def test_carried_by_a_dolphin_a_swimmer_passes_whales_and_ships() -> None:
    scene = dolphin().creature("whale", "L4").ship("L3").hand(0).play("r1 L2")
    assert scene.at("r1") == "L2"


@pytest.mark.rule("SV.H1", "SV.M9")
def test_carried_by_a_dolphin_a_swimmer_may_still_act_in_step_2() -> None:
    for act, after in (("r1 E", "L9"), ("r1 board", "L8+")):
        scene = dolphin().ship("L8").hand(0).play("r1 L8")
        assert scene.asked() == (0, "moving")
        assert scene.s.points == 3
        scene.play(act)
        assert scene.at("r1") == after


@pytest.mark.rule("SV.H1", "SV.T2")
def test_without_the_tile_no_dolphin_carries_anybody() -> None:
    scene = Scene().hold(0, "wind").explorer("r1", "L5").hand(0)
    assert scene.why_not("r1 L6") == "SV.T2"
    assert scene.choices() == {"pass"}


# --- SV.H2: wind ----------------------------------------------------------------------------------------------


def wind(*crew: str) -> Scene:
    return Scene().hold(0, "wind").ship("L5", *crew)


@pytest.mark.rule("SV.H2")
def test_wind_moves_a_ship_one_controls_one_to_three_spaces() -> None:
    scene = wind("r1", "y1").hand(0)
    for near in ("L6", "L7", "L8"):
        assert scene.why_not(f"L5 {near}") is None
    assert scene.why_not("L5 L9") == "SV.H2"
    scene.play("L5 L8")
    assert scene.ships() == {"L8": ["r1", "y1"]}
    assert scene.asked() == (0, "moving")
    assert scene.s.points == 3


@pytest.mark.rule("SV.H2", "SV.S3")
def test_wind_moves_no_ship_that_another_controls_nor_an_empty_one() -> None:
    assert wind("r1", "y1", "y2").hand(0).why_not("L5 L6") == "SV.H2"
    assert wind("y1").hand(0).why_not("L5 L6") == "SV.H2"
    assert wind().hand(0).why_not("L5 L6") == "SV.H2"
    assert wind("r1", "y1", "g1").hand(0).why_not("L5 L6") is None


@pytest.mark.rule("SV.H2")
def test_before_the_wind_a_ship_ends_on_another_space() -> None:
    assert wind("r1").hand(0).why_not("L5 L5") == "SV.H2"


@pytest.mark.rule("SV.H2", "SV.S4")
def test_before_the_wind_a_ship_never_enters_nor_crosses_a_space_with_a_ship() -> None:
    scene = wind("r1").ship("L4").hand(0)
    assert scene.why_not("L5 L4") == "SV.S4"
    assert scene.why_not("L5 L2") == "SV.H2"  # three spaces away, by L4 only
    assert scene.why_not("L5 L3") is None  # around it


@pytest.mark.rule("SV.H2")
def test_before_the_wind_a_ship_stays_at_sea() -> None:
    scene = Scene().hold(0, "wind").ship("C5", "r1").hand(0)
    assert scene.why_not("C5 D5") in ("SV.H2", "SV.S1")


@pytest.mark.rule("SV.H2", "SV.S6")
@pytest.mark.parametrize(("kind", "fate"), [("whale", "L4"), ("serpent", "lost")])
def test_a_wreck_ends_the_wind(kind: str, fate: str) -> None:
    scene = wind("r1", "y1").creature(kind, "L4").hand(0)
    assert scene.why_not("L5 L2") == "SV.H2"  # straight on over L4
    scene.play("L5 L4")
    assert scene.ships() == {}
    assert (scene.at("r1"), scene.at("y1")) == (fate, fate)


@pytest.mark.rule("SV.H2", "SV.S7")
def test_before_the_wind_a_ship_passes_sharks_and_swimmers() -> None:
    scene = wind("r1").creature("shark", "L4").explorer("g1", "L3").hand(0).play("L5 L2")
    assert scene.ships() == {"L2": ["r1"]}
    assert scene.at("g1") == "L3"


@pytest.mark.rule("SV.H2", "SV.M9")
def test_wrecked_by_the_wind_one_does_not_swim_in_step_2() -> None:
    scene = wind("r1").explorer("r2", "E5").creature("whale", "L4").hand(0).play("L5 L4")
    assert scene.asked() == (0, "moving")
    assert scene.why_not("r1 W") == "SV.M9"


@pytest.mark.rule("SV.H2", "SV.Q7")
def test_before_the_wind_a_ship_does_not_enter_a_squids_space() -> None:
    scene = Scene(squid="with_whales").hold(0, "wind").ship("L5", "r1").creature("squid", "L4").hand(0)
    assert scene.why_not("L5 L4") == "SV.Q7"
    assert scene.why_not("L5 L2") == "SV.H2"
    assert scene.why_not("L5 L3") is None


# --- SV.H3: a creature sent elsewhere -------------------------------------------------------------------------


@pytest.mark.rule("SV.H3")
@pytest.mark.parametrize("kind", ["serpent", "shark", "whale"])
def test_a_tile_sends_one_such_creature_to_any_vacant_sea_space(kind: str) -> None:
    scene = Scene().hold(0, f"move_{kind}").explorer("r1", "E5").creature(kind, "A1").creature(kind, "G6").hand(0)
    assert scene.why_not(f"{kind} G6 M7") is None
    scene.play(f"{kind} A1 M7")
    assert sorted(scene.creatures(kind)) == ["G6", "M7"]
    assert scene.asked() == (0, "moving")


@pytest.mark.rule("SV.H3")
def test_vacant_means_no_explorer_no_ship_no_creature_and_no_tile() -> None:
    scene = Scene().hold(0, "move_shark").creature("shark", "A1").creature("whale", "A3").creature("shark", "A4")
    scene.explorer("y1", "A5").ship("A6").ship("A7", "y2").explorer("r1", "E5").hand(0)
    for taken in ("A1", "A3", "A4", "A5", "A6", "A7", "D4", "E5"):
        assert scene.why_not(f"shark A1 {taken}") == "SV.H3", taken
    assert scene.why_not("shark A1 A2") is None


@pytest.mark.rule("SV.H3")
def test_dolphins_and_squids_count_as_creatures_there() -> None:
    scene = Scene(dolphins=True, squid="with_whales").hold(0, "move_shark").creature("shark", "A1")
    scene.creature("dolphin", "A3").creature("squid", "A4").hand(0)
    assert scene.why_not("shark A1 A3") == "SV.H3"
    assert scene.why_not("shark A1 A4") == "SV.H3"
    assert scene.why_not("dolphin A3 A5") == "SV.H3"  # no tile sends a dolphin


@pytest.mark.rule("SV.H3", "SV.T2")
def test_a_tile_sends_its_own_kind_only_and_does_nothing_without_one() -> None:
    scene = Scene().hold(0, "move_shark").creature("whale", "A3").explorer("r1", "E5").hand(0)
    assert scene.asked() == (0, "hand")
    assert scene.why_not("whale A3 A4") == "SV.T2"
    assert scene.choices() == {"pass"}


# --- SV.H4 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.H4")
def test_a_played_tile_leaves_the_game() -> None:
    scene = Scene().hold(0, "wind").hold(0, "move_shark").ship("L5", "r1").creature("shark", "A1").hand(0)
    left = list(scene.s.back_left)
    scene.play("shark A1 A2")
    assert scene.hand_of(0) == ["wind"]
    assert list(scene.s.back_left) == left
    assert scene.asked() == (0, "moving")  # one tile a turn (T1)


@pytest.mark.rule("SV.H4")
def test_of_two_tiles_alike_one_leaves() -> None:
    scene = Scene().hold(0, "wind").hold(0, "wind").ship("L5", "r1").hand(0).play("L5 L6")
    assert scene.hand_of(0) == ["wind"]


@pytest.mark.rule("SV.H4", "SV.T2")
def test_a_tile_not_played_is_kept() -> None:
    scene = Scene().hold(0, "wind").ship("L5", "r1").hand(0).play("pass")
    assert scene.hand_of(0) == ["wind"]
