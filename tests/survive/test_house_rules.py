"""E · House rules: bounty and isle hopper."""

from __future__ import annotations

import pytest

from landfall.games.survive.rules import piece_positions
from tests.survive.position_builder import Scene, explorer_number


def hunt(players: int = 4, crowded: bool = False, dolphins: bool = False, squid: str = "off") -> Scene:
    """A scene with bounties, everybody with somebody on the island."""
    scene = Scene(players=players, bounty=True, crowded=crowded, dolphins=dolphins, squid=squid)
    for i in range(players):
        scene.explorer("rygbow"[i] + "10", "H6" if i < 3 else "H7")
    return scene


def bounties(scene: Scene) -> list[int]:
    return [int(n) for n in scene.s.bounties[: scene.s.players]]


# --- SV.E1 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.E1", "SV.G4")
def test_each_rival_explorer_removed_on_ones_own_turn_is_worth_a_point_ones_own_are_not() -> None:
    scene = hunt().explorer("y1", "L4").explorer("y2", "L4").explorer("g1", "L4").explorer("r1", "L4")
    scene.creature("shark", "L3").set_rolling_step(0).chance("shark").play("shark L3 L4")
    assert bounties(scene) == [3, 0, 0, 0]
    assert scene.s.scores() == [3, 0, 0, 0]


@pytest.mark.rule("SV.E1")
def test_without_the_option_nothing_is_gained() -> None:
    scene = Scene().explorer("y1", "L4").creature("shark", "L3").set_rolling_step(0).chance("shark").play("shark L3 L4")
    assert scene.s.scores() == [0, 0, 0, 0]
    assert all("bounty" not in seat for seat in scene.s.view(0)["seats"])


@pytest.mark.rule("SV.E1")
def test_it_counts_in_every_step_of_ones_turn() -> None:
    wind = hunt().hold(0, "wind").ship("L3", "r1", "y1").creature("serpent", "L4").hand(0).play("L3 L4")
    assert bounties(wind) == [1, 0, 0, 0]
    sailed = hunt().ship("L3", "r1", "r2", "y1").creature("serpent", "L4").moving(0).play("L3 E")
    assert bounties(sailed) == [1, 0, 0, 0]


@pytest.mark.rule("SV.E1", "SV.D5")
def test_those_who_decline_to_defend_still_fall_to_the_roller() -> None:
    scene = hunt().explorer("y1", "L4").explorer("g1", "L4").creature("shark", "L3").hold(1, "shark_defence")
    scene.set_rolling_step(2).chance("shark").play("shark L3 L4", "pass")
    assert bounties(scene) == [0, 0, 1, 0]  # green rolled: yellow's counts, its own does not


@pytest.mark.rule("SV.E1", "SV.R6")
def test_a_whirlpool_counts() -> None:
    scene = (
        hunt()
        .explorer("y1", "G6")
        .ship("G6", "g1", "r1")
        .keep_only_tiles("F6", "F7", "G5", "G7", "H6", "H7", "I6", "I7")
    )
    scene.set_removing_step(0).play("sink F6").chance("whirlpool")
    assert bounties(scene) == [2, 0, 0, 0]


@pytest.mark.rule("SV.E1", "SV.R3")
def test_a_tiles_shark_counts() -> None:
    scene = hunt().explorer("y1", "F3").explorer("r1", "F3").set_removing_step(0).play("sink F3").chance("shark")
    assert bounties(scene) == [1, 0, 0, 0]


@pytest.mark.rule("SV.E1", "SV.Q2", "SV.Q5")
def test_squids_count_on_arrival_and_when_moved() -> None:
    scene = (
        hunt(squid="with_whales").explorer("y1", "D4").explorer("r1", "D4").explorer("g1", "D4").set_removing_step(0)
    )
    scene.play("sink F3").chance("whale").play("squid C4", "pick y1")
    assert bounties(scene) == [1, 0, 0, 0]
    scene.chance("whale").play("squid C4 C4", "pick g1")
    assert bounties(scene) == [2, 0, 0, 0]
    scene.set_rolling_step(1).chance("whale").play("squid C4 C4", "pick r1")
    assert bounties(scene) == [2, 1, 0, 0]


@pytest.mark.rule("SV.E1", "SV.N8")
def test_a_ward_left_among_sharks_counts() -> None:
    scene = hunt(dolphins=True).explorer("y1", "L4").creature("dolphin", "L4", ward="y1").creature("shark", "L4")
    scene.set_rolling_step(0).chance("dolphin", "1").play("dolphin L4 L5")
    assert bounties(scene) == [1, 0, 0, 0]


@pytest.mark.rule("SV.E1", "SV.G1")
def test_the_volcanos_end_does_not_count() -> None:
    scene = Scene(bounty=True).explorer("y1", "F6").explorer("g1", "A1").keep_only_tiles("F6").set_removing_step(0)
    scene.play("sink F6").chance("volcano")
    assert scene.s.scores() == [0, 0, 0, 0]


@pytest.mark.rule("SV.E1", "SV.O5")
def test_a_step_another_player_makes_in_the_mini_round_does_not_count() -> None:
    scene = hunt(players=5, crowded=True).explorer("y1", "F3").creature("shark", "F2").set_removing_step(0)
    scene.play("sink F3").chance("whale")
    assert scene.asked() == (1, "mini")
    scene.play("y1 W")
    assert scene.at("y1") == "lost"
    assert bounties(scene) == [0] * 5
    scene.chance("shark").play("pass")  # the turn goes on as ever
    assert scene.s.turn == 1


@pytest.mark.rule("SV.E1", "SV.O5")
def test_the_turns_players_own_step_in_the_mini_round_would_count() -> None:
    # No step of O5 can remove a rival as the rules stand, so the bookkeeping is asked itself.
    scene = hunt(players=5, crowded=True).explorer("r1", "F3").explorer("y1", "F3").set_removing_step(0)
    scene.play("sink F3").chance("whale")
    assert scene.asked() == (0, "mini")
    piece_positions.remove_explorer(scene.s, explorer_number("y1"), "shark")
    assert bounties(scene) == [1, 0, 0, 0, 0]


@pytest.mark.rule("SV.E1", "SV.V1")
def test_ones_own_second_colour_is_no_rival() -> None:
    scene = Scene(players=2, two_colours=True, bounty=True).explorer("g1", "L4").explorer("b1", "L4")
    scene.explorer("y10", "H6").creature("shark", "L3").set_rolling_step(0).chance("shark").play("shark L3 L4")
    assert scene.s.scores() == [1, 0]


@pytest.mark.rule("SV.E1")
def test_all_see_the_bounties() -> None:
    scene = hunt().explorer("y1", "L4").creature("shark", "L3").set_rolling_step(0).chance("shark").play("shark L3 L4")
    for reader in (None, 0, 3):
        seats = scene.s.view(reader)["seats"]
        assert isinstance(seats, list)
        assert [seat["bounty"] for seat in seats] == [1, 0, 0, 0]


# --- SV.E2 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.E2", "SV.G4")
def test_a_point_for_each_different_isle_that_holds_one_of_theirs() -> None:
    for hopper, points in ((True, 2), (False, 0)):
        scene = Scene(isle_hopper=hopper).explorer("r1", "@NW", value=1).explorer("r2", "@NW", value=1)
        scene.explorer("r3", "@SE", value=1).explorer("y1", "@NE", value=6).explorer("r4", "B10")
        assert scene.s.scores() == [3 + points, 6 + points // 2, 0, 0]


@pytest.mark.rule("SV.E2", "SV.V1")
def test_all_of_a_players_colours_together_four_points_at_most() -> None:
    scene = Scene(players=2, two_colours=True, isle_hopper=True, all_equal=True)
    for i, isle in enumerate(("@NW", "@NE", "@SW", "@SE")):
        scene.explorer(f"r{i + 1}", isle).explorer(f"g{i + 1}", isle)
    scene.explorer("y1", "@NW").explorer("b1", "@NW").explorer("b2", "@SW")
    assert scene.s.scores() == [8 + 4, 3 + 2]


@pytest.mark.rule("SV.E2")
def test_an_isle_may_earn_several_players_a_point_each() -> None:
    scene = Scene(isle_hopper=True, all_equal=True).explorer("r1", "@NW").explorer("y1", "@NW")
    assert scene.s.scores() == [2, 2, 0, 0]


@pytest.mark.rule("SV.E2", "SV.O3", "SV.G4")
def test_with_all_equal_the_points_are_added_to_the_number_and_not_to_the_values_that_break_the_tie() -> None:
    scene = Scene(players=2, isle_hopper=True, all_equal=True)
    scene.explorer("r1", "@NW", value=1).explorer("r2", "@NE", value=1)  # 2 saved, 2 isles, worth 2
    scene.explorer("y1", "@NW", value=1).explorer("y2", "@NW", value=1).explorer("y3", "@NW", value=1)  # 3, 1, worth 3
    assert scene.s.scores() == [4, 4]
    assert [group["seats"] for group in scene.s.ranking()] == [[1], [0]]
    assert scene.s.ranking()[0]["keys"] == {"points": 4, "value": 3, "fewer_turns": -1}
