"""The worked examples of the rulebook, as they stand."""

from __future__ import annotations

import pytest

from landfall.core.state import CHANCE, OVER
from tests.survive.position_builder import Scene


@pytest.mark.rule("SV.T3")
def test_example_1_two_explorers_embark_and_the_ship_sails_for_three_points() -> None:
    scene = Scene().explorer("r1", "D4").explorer("r2", "D5").ship("C5").moving(0)
    scene.play("r1 NE ship", "r2 NW ship", "C5 NW")
    assert scene.ships() == {"B4": ["r1", "r2"]}
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.O5", "SV.R3")
def test_example_2_crowded_a_shark_under_a_tile_takes_all_who_stood_on_it_and_their_points() -> None:
    scene = Scene(5, crowded=True).explorer("r1", "D4").explorer("y1", "D4").explorer("r9", "E5").set_removing_step(0)
    scene.play("sink D4").chance("shark")
    assert scene.at("r1") == scene.at("y1") == "lost"
    assert scene.asked() == (CHANCE, "rolling")


def five_until_c_reveals_the_volcano(saved: dict[str, tuple[str, int]]) -> list[list[int]]:
    """A to E, A first; the places of the ranking, best first. All others are at sea."""
    scene = Scene(5).keep_only_tiles("F6", "F7", "G5")
    for name, at in [("r8", "A1"), ("y8", "A3"), ("g8", "A5"), ("b8", "A7"), ("o8", "M1")]:
        scene.explorer(name, at)
    for name, (isle, value) in saved.items():
        scene.explorer(name, isle, value)
    scene.moving(0)
    for seat in range(1, 5):
        scene.s.turns[seat] = 0  # A's first turn
    for tile, back in [("F6", "shark_defence"), ("F7", "whale_defence")]:
        scene.play("end", f"sink {tile}").chance(back, "shark")
    scene.play("end", "sink G5").chance("volcano")
    assert scene.s.actor == OVER
    return [group["seats"] for group in scene.s.ranking()]


@pytest.mark.rule("SV.G2")
def test_example_3_a_tie_of_b_and_d_goes_to_d_who_has_had_a_turn_less() -> None:
    assert five_until_c_reveals_the_volcano({"y1": ("@NW", 5), "b1": ("@SE", 5)})[:2] == [[3], [1]]


@pytest.mark.rule("SV.G2")
def test_example_3_a_tie_of_d_and_e_is_shared() -> None:
    assert five_until_c_reveals_the_volcano({"b1": ("@NW", 5), "o1": ("@SE", 5)})[0] == [3, 4]
