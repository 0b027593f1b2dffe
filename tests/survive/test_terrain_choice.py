"""SV.R8: of two hand tiles of one kind and different terrain, the holder chooses which to play."""

from __future__ import annotations

from collections import Counter

import pytest

import landfall
from landfall.core.errors import NotationError
from landfall.core.state import list_choices_one_by_one
from landfall.games.survive.ai.action_features import encode_action_row
from landfall.games.survive.rules import codes
from tests.survive.position_builder import Scene


def terrains_of(scene: Scene, seat: int) -> list[str]:
    return [f"{tile['tile']}/{tile['terrain'][0]}" for tile in scene.s.view(seat)["hand"]]


def both_sharks() -> Scene:
    scene = Scene().hold(0, "move_shark", "beach").hold(0, "move_shark", "forest").explorer("r1", "E5")
    return scene.creature("shark", "A1")


@pytest.mark.rule("SV.R8", "SV.H3", "SV.H4")
@pytest.mark.parametrize(("text", "left"), [("shark A1 M7", "move_shark/f"), ("shark A1 M7 f", "move_shark/b")])
def test_a_creature_is_sent_by_the_tile_of_either_terrain(text: str, left: str) -> None:
    scene = both_sharks().hand(0)
    choices = scene.choices()
    assert {c for c in choices if not c.endswith(" f")} - {"pass"} == {c[:-2] for c in choices if c.endswith(" f")}
    scene.play(text)
    assert scene.creatures("shark") == ["M7"]
    assert terrains_of(scene, 0) == [left]


@pytest.mark.rule("SV.R8", "SV.H1")
def test_a_swimmer_is_carried_by_the_tile_of_either_terrain() -> None:
    scene = Scene().hold(0, "dolphin", "forest").hold(0, "dolphin", "beach").explorer("r1", "L5").hand(0)
    assert {"r1 L6", "r1 L6 f"} <= scene.choices()
    assert terrains_of(scene.play("r1 L6 f"), 0) == ["dolphin/b"]


@pytest.mark.rule("SV.R8", "SV.Q4")
def test_a_squid_may_stay_by_the_tile_of_either_terrain() -> None:
    scene = Scene(squid="with_whales").hold(0, "move_whale", "forest").hold(0, "move_whale", "beach")
    scene.creature("squid", "A1").explorer("r1", "E5").hand(0)
    assert {"squid A1 A1", "squid A1 A1 f", "squid A1 A2", "squid A1 A2 f"} <= scene.choices()
    assert terrains_of(scene.play("squid A1 A1 f"), 0) == ["move_whale/b"]


@pytest.mark.rule("SV.R8", "SV.D1")
@pytest.mark.parametrize(("text", "left"), [("defend", "fm"), ("defend f", "bm"), ("defend m", "bf")])
def test_a_defence_is_played_with_the_tile_of_any_terrain(text: str, left: str) -> None:
    scene = Scene().explorer("y1", "L4").explorer("r1", "E5").creature("shark", "L3")
    for terrain in ("beach", "forest", "mountain"):
        scene.hold(1, "shark_defence", terrain)
    scene.set_rolling_step(0).chance("shark").play("shark L3 L4")
    assert scene.choices() == {"pass", "defend", "defend f", "defend m"}
    scene.play(text)
    assert terrains_of(scene, 1) == [f"shark_defence/{letter}" for letter in left]


@pytest.mark.rule("SV.R8", "SV.D2")
def test_only_a_higher_terrain_than_the_lowest_is_named() -> None:
    scene = Scene().hold(0, "move_shark", "forest").creature("shark", "A1").explorer("r1", "E5").hand(0)
    assert scene.why_not("shark A1 M7") is None
    assert scene.why_not("shark A1 M7 f") == "SV.R8"
    assert terrains_of(scene.play("shark A1 M7"), 0) == []
    beach = Scene().hold(0, "move_shark", "beach").creature("shark", "A1").explorer("r1", "E5").hand(0)
    assert beach.why_not("shark A1 M7 f") == "SV.R8"
    whale = Scene().hold(1, "whale_defence", "mountain").hold(1, "whale_defence", "forest").creature("whale", "L5")
    whale.ship("L6", "y1").explorer("r1", "E5").set_rolling_step(0).chance("whale").play("whale L5 L6")
    assert whale.choices() == {"pass", "defend", "defend m"}
    for text in ("shark A1 M7 m", "r1 SE f", "pass f", "f", "shark A1 M7 f f"):
        with pytest.raises(NotationError):
            both_sharks().hand(0).s.parse(text)


@pytest.mark.rule("SV.R8", "SV.H3")
def test_no_terrain_is_chosen_by_the_dice() -> None:
    scene = both_sharks().set_rolling_step(0).chance("shark")
    assert not [c for c in scene.choices() if c.endswith(" f")]
    assert scene.why_not("shark A1 A2 f") == "LF.1"


@pytest.mark.rule("SV.R8")
def test_each_choice_says_its_terrain_and_all_see_it_played() -> None:
    scene = both_sharks().hand(0)
    terrains = {c["text"]: c["terrain"] for c in list_choices_one_by_one(scene.s, 0) if c["verb"] == "send"}
    assert (terrains["shark A1 M7"], terrains["shark A1 M7 f"]) == ("beach", "forest")
    scene.s.events = []
    scene.play("shark A1 M7 f")
    assert {"kind": "tile_played", "seat": 0, "tile": "move_shark", "terrain": "forest"} in [
        event.public for event in scene.s.events
    ]


@pytest.mark.rule("SV.R8")
def test_the_others_do_not_see_that_there_was_a_choice() -> None:
    scene = both_sharks().hand(0)
    s, chosen = scene.s, scene.s.parse("shark A1 M7 f")
    code = s.secret_code(chosen)
    assert [s.can_read(seat, code) for seat in (0, 1, None)] == [True, False, False]
    alone = Scene().hold(0, "move_shark", "forest").creature("shark", "A1").explorer("r1", "E5").hand(0).s
    only = alone.parse("shark A1 M7")
    assert s.notation(chosen, masked=True) == alone.notation(only) == "shark A1 M7"
    assert alone.secret_code(only) == 0


@pytest.mark.rule("SV.R8")
def test_a_playout_samples_both_terrains_alike() -> None:
    s, rng = both_sharks().hand(0).s, landfall.Rng(5)
    found = Counter(s.notation(int(s.random_action(rng)))[-2:] == " f" for _ in range(4000))
    assert abs(found[True] - 2000) < 200


def test_nets_see_both_as_one() -> None:
    s = both_sharks().hand(0).s
    actions = [s.parse(text) for text in ("shark A1 M7", "shark A1 M7 f")]
    assert encode_action_row(actions[0]) == encode_action_row(actions[1])


def test_numbers_of_older_actions_stand() -> None:
    assert int(codes.SEND_FOREST) == int(codes.CHANGE) + 4 * 60 == 9040
