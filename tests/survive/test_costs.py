"""A choice says whom of the others it would strike; what is not tried out is harmless indeed."""

from __future__ import annotations

import pytest

from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, list_choices_one_by_one
from landfall.games.survive.presentation.action_losses import find_losses_by_applying, list_immediate_losses
from landfall.games.survive.rules.phases import PLACING
from tests.survive.position_builder import Scene, state_before_island
from tests.survive.test_explain import losses


def struck(scene: Scene) -> dict[str, list[str]]:
    """The choices that would strike others."""
    choices = list_choices_one_by_one(scene.s, scene.s.actor)
    return {str(c["text"]): list(c["hits"]) for c in choices if c["hits"]}  # type: ignore[call-overload]


@pytest.mark.rule("SV.K4")
def test_a_shark_strikes_the_swimmers_of_others_whether_or_not_they_could_defend() -> None:
    scene = Scene().explorer("r1", "L4").explorer("y1", "L4").explorer("y2", "K4").creature("shark", "L3")
    scene.ship("L2", "g1").hold(1, "wind").set_rolling_step(0).chance("shark")
    assert struck(scene) == {"shark L3 L4": ["y1"], "shark L3 K4": ["y2"]}  # never a ship (SV.S7)


@pytest.mark.rule("SV.K3", "SV.K5")
def test_a_serpent_strikes_ship_and_swimmers_a_whale_the_ship() -> None:
    def scene() -> Scene:
        crewed = Scene().ship("L4", "r1", "y1", "y2").explorer("g1", "L4")
        return crewed.creature("serpent", "L3").creature("whale", "L5").set_rolling_step(0)

    assert struck(scene().chance("serpent"))["serpent L3 L4"] == ["y1", "y2", "g1"]
    whale = scene().chance("whale")
    assert struck(whale) == {"whale L5 L4": ["y1", "y2"]}
    assert losses(whale) == {}  # thrown into the water, not lost


@pytest.mark.rule("SV.Q2", "SV.Q5")
def test_a_squid_strikes_those_of_whom_it_will_take_one() -> None:
    scene = Scene(squid="with_whales").explorer("r1", "D4").explorer("y1", "D4").explorer("g1", "D4")
    scene.creature("squid", "C4").set_rolling_step(0).chance("whale")
    assert struck(scene)["squid C4 C4"] == ["y1", "g1"]
    assert losses(scene) == {}
    scene.play("squid C4 C4")
    assert struck(scene) == {"pick y1": ["y1"], "pick g1": ["g1"]}


@pytest.mark.rule("SV.Q5")
def test_a_squid_that_finds_only_one_explorer_takes_it() -> None:
    scene = Scene(squid="with_whales").explorer("r1", "D4").creature("squid", "C4").set_rolling_step(0).chance("whale")
    assert losses(scene)["squid C4 C4"] == ["r1"]
    assert struck(scene) == {}


@pytest.mark.rule("SV.N3", "SV.N5", "SV.N11")
def test_wards_are_not_struck_but_those_a_lone_dolphin_cannot_guard_are() -> None:
    def scene() -> Scene:
        guarded = Scene(dolphins=True).explorer("y1", "L4").creature("dolphin", "L4", ward="y1")
        return guarded.creature("shark", "L3").set_rolling_step(0)

    assert struck(scene().chance("shark", "1")) == {}
    assert struck(scene().explorer("g1", "L4").chance("shark", "1")) == {"shark L3 L4": ["g1"]}


@pytest.mark.rule("SV.S6", "SV.H2")
def test_to_sail_others_into_danger_strikes_them_too() -> None:
    def scene() -> Scene:
        crewed = Scene().ship("A1", "r2", "r3", "y1").explorer("r4", "E5")
        return crewed.creature("serpent", "A2").creature("whale", "B2")

    assert struck(scene().moving(0)) == {"A1 E": ["y1"], "A1 SW": ["y1"]}
    assert struck(scene().hold(0, "wind").hand(0)) == {"A1 A2": ["y1"], "A1 B2": ["y1"]}


@pytest.mark.rule("SV.D1", "SV.R2")
def test_to_let_things_happen_or_to_sink_a_tile_strikes_nobody() -> None:
    scene = Scene().explorer("y1", "L4").explorer("g1", "L4").creature("shark", "L3").hold(1, "shark_defence")
    scene.set_rolling_step(0).chance("shark").play("shark L3 L4")
    assert struck(scene) == {}
    assert struck(Scene().explorer("y1", "F3").explorer("r2", "E5").set_removing_step(0)) == {}


def test_what_is_called_harmless_without_a_trial_is_harmless() -> None:
    rng, tried, cost = Rng(5), 0, 0
    every: dict[str, object] = {"dolphins": True, "squid": "with_whales", "bounty": True}
    crowded = {**every, "crowded": True}
    tables: list[tuple[int, dict[str, object]]] = [(4, {}), (4, every), (2, {}), (5, crowded), (3, {"submerged": True})]
    for players, options in tables:
        s = state_before_island(players, **options)
        while s.actor != OVER:
            if s.actor == CHANCE:
                s.apply(s.sample_chance(rng))
                continue
            if s.phase != PLACING:
                for action in s.legal_actions():
                    found = find_losses_by_applying(s, action)
                    assert list_immediate_losses(s, action) == found, s.notation(action)
                    tried += 1
                    cost += found != ([], [])
            s.apply(s.random_action(rng))
    assert tried > 3000
    assert cost > 100
