"""O · Options: the challenges 1 to 4, and which options go together. Challenge 5 is in test_crowded.py."""

from __future__ import annotations

import pytest

import landfall
from landfall.core.errors import OptionError
from landfall.core.state import CHANCE, OVER
from tests.survive.position_builder import Scene

# --- O1 overpopulated -----------------------------------------------------------------------------------------

OUTER = ["D4", "D7", "E4", "F3", "F10", "G3", "G9", "J4", "J7"]
INLAND = ["E5", "F5", "G4", "G8", "I6"]
LAKESIDE = ["F6", "F7", "G5", "G7", "H6", "H7"]


@pytest.mark.rule("SV.O1")
@pytest.mark.parametrize("tile", OUTER)
def test_overpopulated_one_explorer_on_a_tile_that_touches_the_outer_sea(tile: str) -> None:
    scene = Scene.set_up(2, overpopulated=True).play(f"r{tile}=6")
    assert scene.why_not(f"y{tile}=6") == "SV.O1"


@pytest.mark.rule("SV.O1")
@pytest.mark.parametrize("tile", INLAND + LAKESIDE)
def test_overpopulated_two_explorers_on_any_other_tile(tile: str) -> None:
    scene = Scene.set_up(3, overpopulated=True).play(f"r{tile}=6", f"y{tile}=6")
    assert scene.at("r1") == scene.at("y1") == tile
    assert scene.why_not(f"g{tile}=6") == "SV.O1"


@pytest.mark.rule("SV.O1")
def test_overpopulated_the_two_may_be_of_one_colour_and_need_not_wait_for_a_full_island() -> None:
    scene = Scene.set_up(2, overpopulated=True).play("rF5=6", "yE5=6", "rF5=5", "yE5=5")
    assert scene.at("r1") == scene.at("r2") == "F5"


@pytest.mark.rule("SV.O1", "SV.X2")
def test_overpopulated_58_fit_so_the_last_of_six_need_no_third_place() -> None:
    scene = Scene.set_up(6, overpopulated=True)
    tiles = list(scene.tiles())
    for nth in range(40):  # one on each tile
        seat = scene.asked()[0]
        value = scene.s.view(seat)["to_place"][landfall.game("survive").colours[seat]][0]
        scene.play(f"{'rygbow'[seat]}{tiles[nth]}={value}")
    assert scene.asked() == (4, "placing")
    open_to_orange = {text[1:].partition("=")[0] for text in scene.choices()}
    assert len(open_to_orange) == 58 - 40
    assert not open_to_orange & set(OUTER)
    assert set(INLAND + LAKESIDE) <= open_to_orange  # own colour or not
    value = scene.s.view(4)["to_place"]["orange"][0]
    scene.play(f"oF5={value}")
    value = scene.s.view(5)["to_place"]["white"][0]
    assert scene.why_not(f"wF5={value}") == "SV.O1"


# --- O2 to_the_last -------------------------------------------------------------------------------------------


def last_one(at: str, **options: object) -> Scene:
    """Red's r1 is the last explorer on the board."""
    return Scene(2, to_the_last=True, **options).explorer("r1", at).explorer("y1", "@NE")


@pytest.mark.rule("SV.O2")
def test_to_the_last_ends_when_the_last_explorer_lands() -> None:
    assert last_one("B1").moving(0).play("r1 @NW").s.actor == OVER


@pytest.mark.rule("SV.O2")
def test_to_the_last_goes_on_while_anybody_is_on_a_tile_a_ship_or_in_the_water() -> None:
    for scene in (
        last_one("B1").explorer("y2", "E5"),
        last_one("B1").explorer("y2", "A4"),
        last_one("B1").ship("A4", "y2"),
    ):
        assert scene.moving(0).play("r1 @NW").asked() == (0, "removing")


@pytest.mark.rule("SV.O2")
def test_to_the_last_ends_at_once_in_whatever_step_the_last_one_is_lost() -> None:
    step_1 = last_one("A1").creature("shark", "A2").hold(0, "dolphin").hand(0).play("r1 A2")
    step_2 = last_one("A1").creature("shark", "A2").moving(0).play("r1 E")
    step_3 = last_one("D4").set_removing_step(0).play("sink D4").chance("shark")
    step_4 = last_one("A1").creature("shark", "A2").set_rolling_step(1).chance("shark").play("shark A2 A1")
    for scene in (step_1, step_2, step_3, step_4):
        assert scene.at("r1") == "lost"
        assert scene.s.actor == OVER


@pytest.mark.rule("SV.O2")
def test_without_the_option_the_game_goes_on_with_nobody_on_the_board() -> None:
    scene = Scene(2).explorer("r1", "B1").explorer("y1", "@NE").moving(0).play("r1 @NW")
    assert scene.asked() == (0, "removing")


@pytest.mark.rule("SV.O2")
@pytest.mark.parametrize("option", ["to_the_last", "submerged"])
def test_the_volcano_acts_as_a_whirlpool(option: str) -> None:
    scene = Scene(2, **{option: True}).keep_only_tiles("F6", "F7", "G5").explorer("r1", "F7").explorer("y1", "F6")
    scene.explorer("y2", "E6").explorer("y3", "D5").creature("whale", "E5").set_removing_step(0)
    scene.play("sink F6").chance("volcano")
    assert scene.asked() == (CHANCE, "rolling")
    assert (scene.at("y1"), scene.at("y2"), scene.at("y3"), scene.at("r1")) == ("lost", "lost", "D5", "F7")
    assert scene.creatures("whale") == []


@pytest.mark.rule("SV.O2", "SV.T5")
def test_to_the_last_with_no_tile_left_step_3_is_skipped() -> None:
    scene = (
        Scene(2, to_the_last=True).keep_only_tiles("F6").explorer("r1", "A1").explorer("y1", "A7").set_removing_step(0)
    )
    scene.play("sink F6").chance("volcano", "shark")
    assert scene.asked() == (1, "moving")
    scene.play("end")
    assert scene.asked() == (CHANCE, "rolling")


# --- O3 all_equal ---------------------------------------------------------------------------------------------


def ranked(scene: Scene) -> list[tuple[object, object]]:
    return [(group["seats"], group["decided_by"]) for group in scene.s.ranking()]


@pytest.mark.rule("SV.O3")
def test_all_equal_the_most_explorers_saved_wins_whatever_their_values() -> None:
    scene = Scene(2, all_equal=True).explorer("r1", "@NW", value=1).explorer("r2", "@NW", value=1)
    scene.explorer("y1", "@NW", value=6)
    assert scene.s.scores() == [2, 1]
    assert ranked(scene)[0][0] == [0]
    by_value = Scene(2).explorer("r1", "@NW", value=1).explorer("r2", "@NW", value=1).explorer("y1", "@NW", value=6)
    assert ranked(by_value)[0][0] == [1]


@pytest.mark.rule("SV.O3")
def test_all_equal_tied_the_sum_of_values_then_fewer_turns_then_shared() -> None:
    scene = Scene(3, all_equal=True).explorer("r1", "@NW", value=3).explorer("y1", "@NW", value=5)
    scene.explorer("g1", "@NE", value=3)
    assert scene.s.scores() == [1, 1, 1]
    assert ranked(scene) == [([1], "value"), ([0, 2], None)]
    scene.s.turns[0], scene.s.turns[1], scene.s.turns[2] = 3, 3, 2
    assert ranked(scene) == [([1], "value"), ([2], "fewer_turns"), ([0], None)]


@pytest.mark.rule("SV.O3")
def test_all_equal_house_points_are_added_to_the_number_not_to_the_values() -> None:
    scene = Scene(2, all_equal=True, isle_hopper=True).explorer("r1", "@NW", value=6).explorer("r2", "@NW", value=5)
    scene.explorer("y1", "@NW", value=1).explorer("y2", "@SE", value=1)
    assert scene.s.scores() == [3, 4]
    scene.explorer("r3", "@NW", value=1)
    assert scene.s.scores() == [4, 4]
    keys = [group["keys"] for group in scene.s.ranking()]
    assert ranked(scene)[0] == ([0], "value")
    assert isinstance(keys[0], dict)
    assert list(keys[0].values())[:2] == [4, 12]


@pytest.mark.rule("SV.O3")
def test_all_equal_bounties_are_added_to_the_number() -> None:
    scene = Scene(2, all_equal=True, bounty=True).explorer("r1", "@NW", value=6).explorer("r2", "E5")
    scene.explorer("y1", "D4").explorer("y2", "D4").explorer("y3", "@NW", value=1).explorer("y4", "@NW", value=2)
    scene.set_removing_step(0).play("sink D4").chance("shark")
    assert scene.s.scores() == [1 + 2, 2]


# --- O4 submerged ---------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.O4")
def test_submerged_ends_at_once_when_the_last_tile_is_removed_and_its_back_does_nothing() -> None:
    scene = Scene(2, submerged=True).keep_only_tiles("F6", "F7").explorer("r1", "F6", value=6).explorer("y1", "A1")
    scene.explorer("y2", "@NW", value=2).set_removing_step(0).play("sink F7").chance("shark_defence")
    assert scene.s.actor == CHANCE  # not the last: its back counts, and the die follows
    scene.chance("shark").play("end", "sink F6")
    assert scene.s.actor == OVER  # what lies beneath, the volcano or not, is never looked at
    assert scene.s.scores() == [0, 2]
    assert scene.at("y1") == "A1"  # nothing whirled


@pytest.mark.rule("SV.O4")
def test_submerged_the_volcano_not_being_last_does_not_end_the_game() -> None:
    scene = (
        Scene(2, submerged=True)
        .keep_only_tiles("F6", "F7")
        .explorer("r1", "I6")
        .explorer("y1", "A1")
        .set_removing_step(0)
    )
    scene.play("sink F6").chance("volcano")
    assert scene.asked() == (CHANCE, "rolling")


@pytest.mark.rule("SV.O4")
def test_submerged_crowded_has_no_mini_round_after_the_last_tile() -> None:
    scene = Scene(5, submerged=True, crowded=True).keep_only_tiles("F6").explorer("r1", "F6").explorer("y1", "A1")
    assert scene.set_removing_step(0).play("sink F6").s.actor == OVER


@pytest.mark.rule("SV.O4", "SV.O2")
def test_submerged_with_to_the_last_ends_at_whichever_comes_first() -> None:
    nobody_left = last_one("B1", submerged=True).moving(0).play("r1 @NW")
    assert nobody_left.s.actor == OVER
    assert len(nobody_left.tiles()) == 40
    last_tile = last_one("F6", submerged=True).keep_only_tiles("F6").set_removing_step(0).play("sink F6")
    assert last_tile.s.actor == OVER
    assert last_tile.at("r1") == "F6"


# --- O7 -------------------------------------------------------------------------------------------------------


def problems(players: int, **options: object) -> list[tuple[str, str, object]]:
    """What is refused: option, reason, rule."""
    try:
        landfall.new("survive", players=players, **options)
    except OptionError as error:
        refused = error
    else:
        return []
    for option, _, _, sentence in refused.problems:
        assert option in sentence
        assert sentence in str(refused)
    return [(option, key, args.get("rule")) for option, key, args, _ in refused.problems]


@pytest.mark.rule("SV.O7")
def test_two_colours_is_refused_unless_two_play() -> None:
    assert problems(2, two_colours=True) == []
    for players in (3, 4, 5, 6):
        assert problems(players, two_colours=True) == [("two_colours", "option.players", "SV.V1")]


@pytest.mark.rule("SV.O7")
def test_ships_per_colour_is_refused_without_two_colours() -> None:
    assert problems(2, two_colours=True, ships_per_colour=True) == []
    for players in (2, 4):
        assert problems(players, ships_per_colour=True) == [("ships_per_colour", "option.requires", "SV.V2")]


@pytest.mark.rule("SV.O7", "SV.O5")
def test_crowded_is_refused_unless_five_or_six_play() -> None:
    for players in (2, 3, 4):
        assert problems(players, crowded=True) == [("crowded", "option.players", "SV.O5")]
    assert problems(5, crowded=True) == problems(6, crowded=True) == []


@pytest.mark.rule("SV.O7", "SV.O1")
def test_crowded_is_refused_with_overpopulated() -> None:
    assert problems(5, crowded=True, overpopulated=True) == [("crowded", "option.excludes", "SV.O5")]
    assert problems(5, overpopulated=True) == []


@pytest.mark.rule("SV.O7")
def test_sparing_squids_are_refused_without_squids() -> None:
    refused = [("squid_spares_on_arrival", "option.requires", "SV.Q9")]
    assert problems(4, squid_spares_on_arrival=True) == refused
    assert problems(4, squid_spares_on_arrival=True, squid="off") == refused
    for squid in ("with_whales", "instead_of_whales"):
        assert problems(4, squid_spares_on_arrival=True, squid=squid) == []


@pytest.mark.rule("SV.O7")
def test_every_problem_is_named_at_once() -> None:
    found = problems(3, two_colours=True, crowded=True, overpopulated=True, squid_spares_on_arrival=True)
    assert [(option, key) for option, key, _ in found] == [
        ("two_colours", "option.players"),
        ("crowded", "option.players"),
        ("crowded", "option.excludes"),
        ("squid_spares_on_arrival", "option.requires"),
    ]


@pytest.mark.rule("SV.O7")
def test_unknown_options_and_bad_values_are_refused() -> None:
    assert problems(4, kraken=True) == [("kraken", "option.unknown", None)]
    assert problems(4, dolphins="yes") == [("dolphins", "option.bad_bool", None)]
    assert problems(4, squid="sometimes") == [("squid", "option.bad_choice", None)]


@pytest.mark.rule("SV.O7")
def test_all_else_combines() -> None:
    free = ["to_the_last", "all_equal", "submerged", "dolphins", "bounty", "isle_hopper", "open_values"]
    squids: dict[str, object] = {"squid": "with_whales", "squid_spares_on_arrival": True}
    every = dict.fromkeys(free, True) | squids
    assert problems(2, two_colours=True, ships_per_colour=True, overpopulated=True, **every) == []
    assert problems(4, overpopulated=True, **every) == []
    assert problems(6, crowded=True, **every) == []
