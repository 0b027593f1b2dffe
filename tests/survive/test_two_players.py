"""V · Two players: two colours each, one owner."""

from __future__ import annotations

import pytest

from landfall.core.state import CHANCE
from tests.survive.position_builder import Scene


def pair(**options: object) -> Scene:
    """Red and green against yellow and blue."""
    return Scene(2, two_colours=True, **options).explorer("y9", "H7")


@pytest.mark.rule("SV.V1")
def test_each_plays_two_colours_and_places_twenty_explorers_one_at_a_time_in_turn() -> None:
    scene = Scene.set_up(2, two_colours=True)
    values = [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]
    assert scene.s.view(0)["to_place"] == {"red": values, "green": values}
    seats = []
    while scene.asked()[1] == "placing":
        seats.append(scene.asked()[0])
        scene.s.apply(scene.s.legal_actions()[0])
    assert seats == [0, 1] * 20
    placed = scene.s.view(None)["explorers"]
    assert isinstance(placed, dict)
    assert sorted({name[0] for name in placed}) == ["b", "g", "r", "y"]
    assert len(placed) == 40


@pytest.mark.rule("SV.V1")
def test_which_colour_is_placed_is_the_players_choice_each_time() -> None:
    scene = Scene.set_up(2, two_colours=True)
    assert scene.why_not("rD4=6") is None
    assert scene.why_not("gD4=6") is None
    scene.play("gD4=6", "bD5=6", "gD6=1", "yD7=6")
    assert scene.why_not("gE4=2") is None
    assert scene.why_not("gE4=6") == "SV.C2"  # green's 6 is placed
    assert scene.why_not("rE4=6") is None  # red's is not
    assert scene.why_not("rD4=6") == "SV.U3"


@pytest.mark.rule("SV.V1")
def test_ten_of_one_colour_are_placed_and_then_only_the_other_is_left() -> None:
    scene = Scene.set_up(2, two_colours=True)
    while scene.asked()[1] == "placing" and "red" in scene.s.view(0)["to_place"]:
        first = scene.asked()[0] == 0
        scene.play(min(text for text in scene.choices() if not first or text.startswith("r")))
    scene.play(min(scene.choices()))
    assert scene.asked() == (0, "placing")
    assert {text[0] for text in scene.choices()} == {"g"}
    free = next(name for name in scene.tiles() if f"g{name}=1" in scene.choices())
    assert scene.why_not(f"r{free}=1") == "SV.C2"


@pytest.mark.rule("SV.V1")
def test_one_turn_has_three_points_for_both_colours() -> None:
    scene = pair().explorer("r1", "E5").explorer("g1", "E6").moving(0).play("r1 E", "g1 E", "r1 W")
    assert scene.asked() == (0, "removing")
    scene.play("sink D4").chance("ship", "shark")
    assert scene.asked()[0] == 1  # then it is the other player's turn


@pytest.mark.rule("SV.V1", "SV.S3")
def test_both_colours_count_together_for_control() -> None:
    scene = pair().ship("A1", "r1", "g1", "y1").moving(0)
    assert scene.why_not("A1 E") is None
    scene.moving(1)
    assert scene.why_not("A1 E") == "SV.S3"
    scene = pair().ship("A1", "y1", "b1", "r1").explorer("g1", "E5").moving(0)
    assert scene.why_not("A1 E") == "SV.S3"


@pytest.mark.rule("SV.V1")
def test_both_colours_use_one_hand() -> None:
    scene = pair().explorer("r1", "A1").explorer("g1", "A3").hold(0, "dolphin").hand(0)
    assert scene.why_not("r1 A2") is None
    assert scene.why_not("g1 A2") is None
    scene.play("g1 A4")
    assert scene.at("g1") == "A4"
    assert scene.hand_of(0) == []


@pytest.mark.rule("SV.V1", "SV.D1")
@pytest.mark.parametrize("swimmer", ["r1", "g1"])
def test_one_owner_defends_both_colours(swimmer: str) -> None:
    scene = pair().explorer("r2", "E5").explorer(swimmer, "A2").creature("shark", "A1").hold(0, "shark_defence")
    scene.set_rolling_step(1).chance("shark").play("shark A1 A2")
    assert scene.asked() == (0, "defending")
    scene.play("defend")
    assert scene.at(swimmer) == "A2"


@pytest.mark.rule("SV.V1", "SV.D3")
def test_nobody_defends_one_colour_against_the_other() -> None:
    scene = pair().explorer("r2", "E5").explorer("g1", "A2").creature("shark", "A1").hold(0, "shark_defence")
    scene.set_rolling_step(0).chance("shark").play("shark A1 A2")
    assert scene.at("g1") == "lost"
    assert scene.asked()[0] == 1


@pytest.mark.rule("SV.V1")
def test_the_scores_of_both_colours_are_added() -> None:
    scene = pair().explorer("r1", "@NW", value=6).explorer("g1", "@NE", value=5).explorer("y1", "@SW", value=4)
    scene.explorer("b1", "@SW", value=3)
    assert scene.s.scores() == [11, 7]


@pytest.mark.rule("SV.V1", "SV.G2")
def test_the_explorers_saved_of_both_colours_are_added_in_a_tie() -> None:
    scene = pair().explorer("r1", "@NW", value=2).explorer("g1", "@NE", value=2).explorer("y1", "@SW", value=4)
    first = scene.s.ranking()[0]
    assert (first["seats"], first["decided_by"]) == ([0], "saved")


@pytest.mark.rule("SV.V1", "SV.T4")
def test_who_has_an_explorer_of_either_colour_left_moves() -> None:
    scene = (
        pair().explorer("r1", "@NW").explorer("g1", "E5").set_removing_step(1).play("sink D4").chance("ship", "shark")
    )
    assert scene.asked() == (0, "moving")
    scene = (
        pair().explorer("r1", "@NW").explorer("g1", "@NE").set_removing_step(1).play("sink D4").chance("ship", "shark")
    )
    assert scene.asked() == (0, "removing")
    scene = pair().explorer("r1", "B1").explorer("g1", "E5").moving(0).play("r1 @NW")
    assert scene.asked() == (0, "moving")


@pytest.mark.rule("SV.V1", "SV.E1")
def test_ones_other_colour_is_no_rival_for_the_bounty() -> None:
    scene = pair(bounty=True).explorer("r1", "D4").explorer("g1", "D4").explorer("b1", "D4").set_removing_step(0)
    scene.explorer("r9", "E5").play("sink D4").chance("shark")
    assert scene.s.scores() == [1, 0]


@pytest.mark.rule("SV.V1", "SV.E2")
def test_the_isles_of_both_colours_are_counted_together() -> None:
    scene = pair(isle_hopper=True).explorer("r1", "@NW", value=1).explorer("g1", "@NW", value=1)
    scene.explorer("y1", "@NW", value=1).explorer("b1", "@SE", value=1)
    assert scene.s.scores() == [3, 4]


@pytest.mark.rule("SV.V1")
def test_without_the_option_two_play_one_colour_each() -> None:
    scene = Scene.set_up(2).play_on("ships")
    placed = scene.s.view(None)["explorers"]
    assert isinstance(placed, dict)
    assert sorted({name[0] for name in placed}) == ["r", "y"]
    assert len(placed) == 20


@pytest.mark.rule("SV.V2")
@pytest.mark.parametrize(("options", "each"), [({}, 2), ({"ships_per_colour": True}, 4)])
def test_two_ships_a_player_or_two_a_colour(options: dict[str, object], each: int) -> None:
    scene = Scene.set_up(2, two_colours=True, **options).play_on("ships")
    seats = []
    while scene.asked()[1] == "ships":
        seats.append(scene.asked()[0])
        scene.s.apply(scene.s.legal_actions()[0])
    assert seats == [0, 1] * each
    assert len(scene.ships()) == 2 * each
    assert scene.s.ships_left == 12 - 2 * each
    assert scene.asked() == (0, "moving")


@pytest.mark.rule("SV.V1", "SV.R2")
def test_both_colours_on_a_removed_tile_fall() -> None:
    scene = pair().explorer("r1", "D4").explorer("g1", "D4").explorer("g2", "E6").set_removing_step(0).play("sink D4")
    scene.chance("wind")
    assert scene.at("r1") == scene.at("g1") == "D4"
    assert scene.asked() == (CHANCE, "rolling")
