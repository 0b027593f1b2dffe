"""The worked examples of the rulebook, as they stand."""

from __future__ import annotations

import pytest

from tests.survive.scene import Scene


@pytest.mark.rule("SV.T3")
def test_example_1_two_explorers_embark_and_the_ship_sails_for_three_points() -> None:
    scene = Scene().explorer("r1", "D4").explorer("r2", "D5").ship("C5").moving(0)
    scene.play("r1 NE ship", "r2 NW ship", "C5 NW")
    assert scene.ships() == {"B4": ["r1", "r2"]}
    assert scene.asked() == (0, "removing")
