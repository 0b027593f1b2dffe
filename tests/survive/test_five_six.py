"""X · Five and six players: fewer explorers, fewer ships for those who begin."""

from __future__ import annotations

import pytest

from tests.survive.position_builder import Scene


def place(scene: Scene, count: int) -> list[int]:
    """Place so many explorers anywhere; the seats that did."""
    seats = []
    for _ in range(count):
        assert scene.asked()[1] == "placing"
        seats.append(scene.asked()[0])
        scene.s.apply(scene.s.legal_actions()[0])
    return seats


def put_ships(scene: Scene) -> list[int]:
    """Put every ship anywhere; the seats that did."""
    seats = []
    while scene.asked()[1] == "ships":
        seats.append(scene.asked()[0])
        scene.s.apply(scene.s.legal_actions()[0])
    return seats


@pytest.mark.rule("SV.X1")
def test_five_set_aside_a_1_and_a_3_and_place_eight_explorers_worth_24() -> None:
    scene = Scene.set_up(5)
    values = [1, 1, 2, 2, 3, 4, 5, 6]
    for seat, colour in enumerate(("red", "yellow", "green", "blue", "orange")):
        assert scene.s.view(seat)["to_place"] == {colour: values}
    assert sum(values) == 24
    assert place(scene, 40) == list(range(5)) * 8
    assert scene.asked() == (0, "ships")
    assert len({scene.at(f"{colour}{i}") for colour in "rygbo" for i in range(1, 9)}) == 40


@pytest.mark.rule("SV.X1", "SV.X2")
def test_what_was_set_aside_is_out_of_the_game() -> None:
    scene = Scene.set_up(5).play("rD4=3", "yD5=3", "gD6=3", "bD7=3", "oE4=3")
    assert scene.why_not("rE5=3") == "SV.X1"
    assert scene.why_not("rE5=1") is None
    scene = Scene.set_up(6).play("rD4=2", "yD5=2", "gD6=2", "bD7=2", "oE4=2", "wE5=2")
    assert scene.why_not("rE6=2") == "SV.X2"
    assert scene.why_not("rE6=1") is None


@pytest.mark.rule("SV.X1", "SV.X3")
def test_five_put_1_1_2_2_2_ships_in_rounds_and_who_has_none_left_is_passed_over() -> None:
    scene = Scene.set_up(5).play_on("ships")
    assert put_ships(scene) == [0, 1, 2, 3, 4, 2, 3, 4]
    assert len(scene.ships()) == 8
    assert scene.asked() == (0, "moving")


@pytest.mark.rule("SV.X2")
def test_six_set_aside_a_1_a_2_and_a_3_and_place_seven_explorers_worth_22() -> None:
    scene = Scene.set_up(6)
    values = [1, 1, 2, 3, 4, 5, 6]
    for seat, colour in enumerate(("red", "yellow", "green", "blue", "orange", "white")):
        assert scene.s.view(seat)["to_place"] == {colour: values}
    assert sum(values) == 22
    assert place(scene, 42) == list(range(6)) * 7
    assert scene.asked() == (0, "ships")


@pytest.mark.rule("SV.X2", "SV.X3")
def test_six_put_1_1_1_1_2_2_ships_in_rounds_and_who_has_none_left_is_passed_over() -> None:
    scene = Scene.set_up(6).play_on("ships")
    assert put_ships(scene) == [0, 1, 2, 3, 4, 5, 4, 5]
    assert len(scene.ships()) == 8


def standing(scene: Scene, colour: str) -> set[str]:
    """The tiles on which a colour stands."""
    explorers = scene.s.view(None)["explorers"]
    assert isinstance(explorers, dict)
    return {str(at) for name, at in explorers.items() if name[0] == colour}


@pytest.mark.rule("SV.X2")
def test_with_the_island_full_the_last_of_the_fifth_and_sixth_go_on_any_tile_without_their_own_colour() -> None:
    scene = Scene.set_up(6)
    place(scene, 39)
    assert scene.asked() == (3, "placing")
    assert len({text.partition("=")[0] for text in scene.choices()}) == 1  # while a tile is free, only a free one
    assert scene.why_not("bD4=6") == "SV.U3"
    place(scene, 1)
    assert scene.asked() == (4, "placing")
    value = scene.s.view(4)["to_place"]["orange"][0]
    orange, white = standing(scene, "o"), standing(scene, "w")
    assert scene.choices() == {f"o{name}={value}" for name in scene.tiles() if name not in orange}
    assert scene.why_not(f"o{min(orange)}={value}") == "SV.X2"
    shared = min(standing(scene, "r"))
    scene.play(f"o{shared}={value}")
    assert scene.asked() == (5, "placing")
    value = scene.s.view(5)["to_place"]["white"][0]
    assert scene.choices() == {f"w{name}={value}" for name in scene.tiles() if name not in white}
    assert scene.why_not(f"w{min(white)}={value}") == "SV.X2"
    scene.play(f"w{shared}={value}")  # a third explorer there
    assert scene.at("o7") == scene.at("w7") == shared
    assert scene.asked() == (0, "ships")
