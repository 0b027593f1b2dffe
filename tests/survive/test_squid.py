"""Q · Giant squid: where it comes, how it moves, whom it takes, and how it gets on with whales."""

from __future__ import annotations

import pytest

from tests.survive.position_builder import Scene


def deep(squid: str = "with_whales", dolphins: bool = False, spares: bool = False) -> Scene:
    return Scene(squid=squid, dolphins=dolphins, squid_spares_on_arrival=spares)


def crowd(scene: Scene, at: str) -> Scene:
    """Somebody of everybody's on one tile."""
    for name in ("r10", "y10", "g10", "b10"):
        scene.explorer(name, at)
    return scene


# --- SV.Q1, SV.Q2 ---------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.Q1")
def test_when_a_tile_brings_a_whale_the_remover_puts_a_squid_too() -> None:
    scene = crowd(deep(), "H6").set_removing_step(0).play("sink F3").chance("whale")
    assert scene.creatures("whale") == ["F3"]
    assert scene.asked() == (0, "squid")
    assert scene.why_not("pass") == "SV.Q1"
    left = int(scene.s.creature_left[4])
    scene.play("squid E3")
    assert scene.creatures("squid") == ["E3"]
    assert scene.s.creature_left[4] == left - 1
    assert scene.asked() == (-1, "rolling")


@pytest.mark.rule("SV.Q1")
def test_its_space_is_vacant_sea_that_touches_a_tile() -> None:
    scene = crowd(deep(), "H6").ship("C4").creature("shark", "C5").explorer("y1", "C6").creature("squid", "C7")
    scene.set_removing_step(0).play("sink F3").chance("whale")
    assert scene.why_not("squid F3") == "SV.Q1"  # the whale came first
    for taken in ("C4", "C5", "C6", "C7"):
        assert scene.why_not(f"squid {taken}") == "SV.Q1", taken
    assert scene.why_not("squid B5") == "SV.Q1"  # touches no tile
    assert scene.why_not("squid E5") == "SV.Q1"  # a tile
    assert scene.why_not("squid E3") is None
    assert scene.why_not("squid G6") is None  # the lake


@pytest.mark.rule("SV.Q1")
def test_with_no_such_space_no_squid_comes() -> None:
    scene = deep().keep_only_tiles("F3", "F6").hides("beach", "whale")
    for beside in ("E5", "E6", "F5", "F7", "G5", "G6"):
        scene.ship(beside)
    scene.set_removing_step(0).play("sink F3").chance("whale")
    assert scene.creatures("whale") == ["F3"]
    assert scene.asked() == (-1, "rolling")
    assert scene.creatures("squid") == []


@pytest.mark.rule("SV.Q1")
def test_with_none_left_in_the_supply_no_squid_comes() -> None:
    scene = deep()
    for at in ("A1", "A2", "A3", "A4", "A5"):
        scene.creature("squid", at)
    scene.set_removing_step(0).play("sink F3").chance("whale")
    assert scene.creatures("whale") == ["F3"]
    assert scene.asked() == (-1, "rolling")


@pytest.mark.rule("SV.Q1")
def test_a_whale_alone_comes_without_the_option_and_no_squid_with_other_tiles() -> None:
    scene = Scene().set_removing_step(0).play("sink F3").chance("whale")
    assert scene.asked() == (-1, "rolling")
    scene = deep().set_removing_step(0).play("sink F3").chance("shark")
    assert scene.asked() == (-1, "rolling")


@pytest.mark.rule("SV.Q2")
def test_a_squid_put_beside_tiles_with_explorers_takes_one_of_the_removers_choice() -> None:
    scene = deep().explorer("r1", "D4").explorer("y1", "D4").explorer("g1", "D5").explorer("b1", "D6")
    scene.ship("C4", "r2").set_removing_step(0).play("sink F3").chance("whale").play("squid C5")
    assert scene.asked() == (0, "prey")
    assert scene.choices() == {"pick r1", "pick y1", "pick g1"}
    assert scene.why_not("pick b1") == "SV.Q2"
    assert scene.why_not("pick r2") == "SV.Q2"
    assert scene.why_not("pass") == "SV.Q2"
    scene.play("pick g1")
    assert [scene.at(e) for e in ("r1", "y1", "g1", "b1")] == ["D4", "D4", "lost", "D6"]
    assert scene.asked() == (-1, "rolling")


@pytest.mark.rule("SV.Q2")
def test_the_remover_must_take_their_own_if_there_is_no_other() -> None:
    scene = deep().explorer("r1", "D4").explorer("y1", "H6").set_removing_step(0).play("sink F3").chance("whale")
    scene.play("squid C5")
    assert scene.choices() == {"pick r1"}
    scene.play("pick r1")
    assert scene.at("r1") == "lost"


# --- SV.Q3 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.Q3")
def test_when_the_die_shows_a_whale_a_squid_may_move_up_to_three() -> None:
    scene = deep().creature("squid", "L3").creature("whale", "A1").set_rolling_step(0).chance("whale")
    assert scene.why_not("squid L3 L6") is None
    assert scene.why_not("squid L3 L7") == "SV.Q3"
    assert scene.why_not("whale A1 A2") is None
    scene.play("squid L3 L6")
    assert scene.creatures("squid") == ["L6"]
    assert scene.s.turn == 1


@pytest.mark.rule("SV.Q3")
def test_also_when_no_whale_is_on_the_board_and_on_no_other_face() -> None:
    scene = deep().creature("squid", "L3").creature("shark", "A1").set_rolling_step(0).chance("whale")
    assert scene.asked() == (0, "creature")
    scene = deep().creature("squid", "L3").creature("shark", "A1").set_rolling_step(0).chance("shark")
    assert scene.why_not("squid L3 L4") == "SV.K1"


@pytest.mark.rule("SV.Q3", "SV.H3")
def test_a_move_whale_tile_may_send_a_squid_to_any_vacant_sea_space() -> None:
    scene = crowd(deep(), "H6").hold(0, "move_whale").creature("squid", "L3").creature("shark", "A1").ship("A2").hand(0)
    assert scene.why_not("squid L3 A1") == "SV.H3"
    assert scene.why_not("squid L3 A2") == "SV.H3"
    assert scene.why_not("squid L3 D4") == "SV.H3"
    scene.play("squid L3 A3")
    assert scene.creatures("squid") == ["A3"]
    assert scene.hand_of(0) == []
    assert scene.asked() == (0, "moving")


@pytest.mark.rule("SV.Q3", "SV.N2")
@pytest.mark.parametrize("face", ["whale", "starfish"])
def test_by_dive_dice_a_squid_moves_as_they_show(face: str) -> None:
    scene = deep(dolphins=True).creature("squid", "L3").set_rolling_step(0).chance(face, "2")
    assert scene.why_not("squid L3 L5") is None
    assert scene.why_not("squid L3 L6") == "SV.N2"
    scene = deep(dolphins=True).creature("squid", "L3").creature("shark", "A1").set_rolling_step(0).chance(face, "D")
    assert scene.why_not("squid L3 A2") is None
    assert scene.why_not("squid L3 A1") == "SV.N2"
    scene = (
        deep(dolphins=True).creature("squid", "L3").creature("dolphin", "A1").set_rolling_step(0).chance("dolphin", "3")
    )
    assert scene.why_not("squid L3 L4") == "SV.N2"


# --- SV.Q4 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.Q4")
def test_a_squid_must_stop_at_an_occupied_ship() -> None:
    scene = deep().creature("squid", "L3").ship("L4", "y1").set_rolling_step(0).chance("whale")
    assert scene.why_not("squid L3 L4") is None
    assert scene.why_not("squid L3 L6") == "SV.Q4"


@pytest.mark.rule("SV.Q4")
def test_a_squid_must_stop_at_a_whale() -> None:
    scene = deep().creature("squid", "L3").creature("whale", "L4").set_rolling_step(0).chance("whale")
    assert scene.why_not("squid L3 L4") is None
    assert scene.why_not("squid L3 L6") == "SV.Q4"


@pytest.mark.rule("SV.Q4")
def test_a_squid_must_stop_beside_a_tile_with_explorers() -> None:
    scene = deep().explorer("y1", "D4").creature("squid", "C3").set_rolling_step(0).chance("whale")
    assert scene.why_not("squid C3 C4") is None  # beside D4
    assert scene.why_not("squid C3 D3") is None  # beside D4
    assert scene.why_not("squid C3 C6") == "SV.Q4"  # by C4 and C5, both beside D4
    assert scene.why_not("squid C3 B5") is None  # around
    empty = deep().creature("squid", "C3").set_rolling_step(0).chance("whale")
    assert empty.why_not("squid C3 C6") is None


@pytest.mark.rule("SV.Q4")
def test_a_squid_need_not_stop_at_empty_ships_swimmers_or_other_creatures() -> None:
    scene = deep().creature("squid", "L3").ship("L4").explorer("y1", "L4").creature("shark", "A1")
    scene.creature("squid", "L5").creature("serpent", "M4").set_rolling_step(0).chance("whale").play("squid L3 L6")
    assert scene.creatures("squid") == ["L6", "L5"]
    assert scene.at("y1") == "L4"


@pytest.mark.rule("SV.Q4", "SV.Q5")
def test_staying_counts_as_a_move_by_the_die_the_tile_and_the_dive_dice() -> None:
    def scenes() -> list[Scene]:
        return [
            deep()
            .creature("squid", "C4")
            .explorer("y1", "D4")
            .explorer("y2", "H6")
            .set_rolling_step(0)
            .chance("whale"),
            deep().creature("squid", "C4").explorer("y1", "D4").explorer("r1", "H6").hold(0, "move_whale").hand(0),
            deep(dolphins=True).creature("squid", "C4").explorer("y1", "D4").set_rolling_step(0).chance("whale", "1"),
            deep(dolphins=True)
            .creature("squid", "C4")
            .explorer("y1", "D4")
            .set_rolling_step(0)
            .chance("starfish", "D"),
        ]

    for scene in scenes():
        scene.play("squid C4 C4")
        assert scene.asked() == (0, "prey")
        scene.play("pick y1")
        assert scene.at("y1") == "lost"
        assert scene.creatures("squid") == ["C4"]
    played = scenes()[1].play("squid C4 C4", "pick y1")
    assert played.hand_of(0) == []
    assert played.asked() == (0, "moving")


@pytest.mark.rule("SV.Q4")
def test_staying_is_offered_without_prey_too() -> None:
    scene = deep().creature("squid", "L3").explorer("y1", "H6").set_rolling_step(0).chance("whale")
    assert scene.why_not("squid L3 L3") is None
    scene.play("squid L3 L3")
    assert scene.asked() == (1, "moving")


# --- SV.Q5 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.Q5")
def test_after_a_move_every_whale_in_its_space_is_removed() -> None:
    scene = deep().creature("squid", "L3").creature("whale", "L4").creature("whale", "L4").creature("whale", "L5")
    left = int(scene.s.creature_left[2])
    scene.set_rolling_step(0).chance("whale").play("squid L3 L4")
    assert scene.creatures("whale") == ["L5"]
    assert scene.creatures("squid") == ["L4"]
    assert scene.s.creature_left[2] == left


@pytest.mark.rule("SV.Q5")
def test_then_the_mover_must_remove_one_explorer_from_a_tile_it_touches_or_from_the_ship_never_both() -> None:
    scene = deep().ship("C4", "r1", "y1").explorer("g1", "D4").explorer("b1", "D3").explorer("b2", "D6")
    scene.creature("squid", "B3").explorer("y2", "C4").set_rolling_step(0).chance("whale").play("squid B3 C4")
    assert scene.asked() == (0, "prey")
    assert scene.choices() == {"pick r1", "pick y1", "pick g1"}
    assert scene.why_not("pass") == "SV.Q5"
    assert scene.why_not("pick y2") == "SV.Q5"  # swimmers are no prey
    assert scene.why_not("pick b1") == "SV.Q5"  # nor beside it
    assert scene.why_not("pick b2") == "SV.Q5"  # too far
    scene.play("pick y1")
    assert scene.ships() == {"C4": ["r1"]}
    assert scene.at("g1") == "D4"
    assert scene.s.turn == 1


@pytest.mark.rule("SV.Q5")
def test_whale_and_prey_in_one_move() -> None:
    scene = (
        deep().creature("whale", "C4").explorer("g1", "D4").creature("squid", "B3").set_rolling_step(0).chance("whale")
    )
    scene.play("squid B3 C4")
    assert scene.creatures("whale") == []
    scene.play("pick g1")
    assert scene.at("g1") == "lost"


@pytest.mark.rule("SV.Q5", "SV.S2")
def test_a_ship_that_loses_its_last_passenger_stays_empty() -> None:
    scene = (
        deep()
        .ship("L4", "y1")
        .creature("squid", "L3")
        .set_rolling_step(0)
        .chance("whale")
        .play("squid L3 L4", "pick y1")
    )
    assert scene.ships() == {"L4": []}
    assert scene.at("y1") == "lost"


@pytest.mark.rule("SV.Q5")
def test_sent_by_a_hand_tile_it_takes_one_too() -> None:
    scene = deep().hold(0, "move_whale").creature("squid", "L3").explorer("r1", "D4").explorer("y1", "E4").hand(0)
    scene.play("squid L3 D3")
    assert scene.asked() == (0, "prey")
    scene.play("pick y1")
    assert scene.asked() == (0, "moving")
    assert scene.s.points == 3


@pytest.mark.rule("SV.Q5", "SV.T4")
def test_who_loses_their_last_explorer_to_their_own_squid_skips_step_2() -> None:
    scene = deep().hold(0, "move_whale").creature("squid", "L3").explorer("r1", "D4").hand(0)
    scene.play("squid L3 C4", "pick r1")
    assert scene.asked() == (0, "removing")


# --- SV.Q6 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.Q6")
def test_a_whale_must_stop_on_entering_a_squids_space_and_every_squid_there_is_removed() -> None:
    scene = deep().creature("whale", "L3").creature("squid", "L4").creature("squid", "L4").creature("squid", "L5")
    left = int(scene.s.creature_left[4])
    scene.set_rolling_step(0).chance("whale")
    assert scene.why_not("whale L3 L6") == "SV.Q6"
    scene.play("whale L3 L4")
    assert scene.creatures("squid") == ["L5"]
    assert scene.creatures("whale") == ["L4"]
    assert scene.s.creature_left[4] == left


@pytest.mark.rule("SV.Q6", "SV.D2")
def test_then_it_attacks_an_occupied_ship_there_and_only_then_is_the_defence_asked() -> None:
    scene = crowd(deep(), "H6").creature("whale", "L3").creature("squid", "L4").ship("L4", "y1")
    scene.hold(1, "whale_defence").set_rolling_step(0).chance("whale").play("whale L3 L4")
    assert scene.asked() == (1, "defending")
    assert scene.creatures("squid") == []
    scene.play("defend")
    assert scene.creatures("whale") == []
    assert scene.ships() == {"L4": ["y1"]}
    assert scene.s.turn == 1


@pytest.mark.rule("SV.Q6", "SV.K5")
def test_undefended_the_ship_is_wrecked() -> None:
    scene = crowd(deep(), "H6").creature("whale", "L3").creature("squid", "L4").ship("L4", "y1")
    scene.hold(1, "whale_defence").set_rolling_step(0).chance("whale").play("whale L3 L4", "pass")
    assert scene.creatures("whale") == ["L4"]
    assert scene.ships() == {}
    assert scene.at("y1") == "L4"


# --- SV.Q7 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.Q7")
def test_an_occupied_ship_may_not_enter_a_squids_space_an_empty_one_may() -> None:
    scene = deep().ship("L3", "r1").ship("L5").creature("squid", "L4").moving(0)
    assert scene.why_not("L3 E") == "SV.Q7"
    scene.play("L5 W")
    assert scene.ships() == {"L3": ["r1"], "L4": []}


@pytest.mark.rule("SV.Q7", "SV.M4", "SV.M7")
def test_boarding_an_empty_ship_in_a_squids_space_is_harmless_until_a_squid_moves() -> None:
    scene = deep().ship("L3", "r1").ship("L4").explorer("r2", "L4").explorer("y1", "H6").creature("squid", "L4")
    scene.moving(0).play("r1 E ship", "r2 board")
    assert scene.ships() == {"L3": [], "L4": ["r1", "r2"]}
    scene.set_rolling_step(1).chance("whale").play("squid L4 L4")
    assert scene.asked() == (1, "prey")
    assert scene.choices() == {"pick r1", "pick r2"}


@pytest.mark.rule("SV.Q7")
def test_a_ship_boarded_in_a_squids_space_may_leave_it() -> None:
    scene = deep().ship("L4", "r1").creature("squid", "L4").moving(0).play("L4 E")
    assert scene.ships() == {"L5": ["r1"]}


@pytest.mark.rule("SV.Q7", "SV.R6")
def test_whirlpools_take_squids() -> None:
    scene = deep().keep_only_tiles("F6", "F7", "G5", "G7", "H6", "H7", "I6", "I7").creature("squid", "G6")
    scene.creature("squid", "A1").set_removing_step(0).play("sink F6").chance("whirlpool")
    assert scene.creatures("squid") == ["A1"]


@pytest.mark.rule("SV.Q7")
def test_squid_serpent_shark_and_dolphin_ignore_each_other() -> None:
    for kind in ("serpent", "shark", "dolphin"):
        scene = deep(dolphins=True).creature(kind, "L3").creature("squid", "L4").set_rolling_step(0).chance(kind, "2")
        assert scene.why_not(f"{kind} L3 L5") is None
        scene.play(f"{kind} L3 L4")
        assert (scene.creatures(kind), scene.creatures("squid")) == (["L4"], ["L4"])
        scene = (
            deep(dolphins=True).creature(kind, "L4").creature("squid", "L3").set_rolling_step(0).chance("whale", "2")
        )
        assert scene.why_not("squid L3 L5") is None
        scene.play("squid L3 L4")
        assert (scene.creatures(kind), scene.creatures("squid")) == (["L4"], ["L4"])


@pytest.mark.rule("SV.Q7")
def test_swimmers_pass_a_squid_unharmed() -> None:
    scene = deep().explorer("r1", "L3").explorer("r2", "H6").creature("squid", "L4").moving(0).play("r1 E")
    assert scene.at("r1") == "L4"


# --- SV.Q8, SV.Q9, SV.Q10 -------------------------------------------------------------------------------------


@pytest.mark.rule("SV.Q8")
def test_instead_of_whales_a_whale_tile_brings_one_squid_and_no_whale() -> None:
    scene = deep("instead_of_whales").explorer("y1", "D4").set_removing_step(0).play("sink F3").chance("whale")
    assert scene.creatures("whale") == []
    assert scene.asked() == (0, "squid")
    assert scene.why_not("squid F3") is None  # the sunk tile's own space: vacant, and touches tiles
    assert scene.why_not("squid A1") == "SV.Q1"
    scene.play("squid C4")
    assert scene.creatures("squid") == ["C4"]
    assert scene.choices() == {"pick y1"}  # Q2
    scene.play("pick y1")
    assert scene.asked() == (-1, "rolling")


@pytest.mark.rule("SV.Q8", "SV.N1", "SV.Q1")
def test_the_supply_that_all_see_holds_what_the_options_let_into_the_game() -> None:
    def supply(scene: Scene) -> set[str]:
        shown = scene.s.view(None)["supply"]
        assert isinstance(shown, dict)
        return set(shown) - {"serpent"}

    assert supply(Scene()) == {"ship", "shark", "whale"}
    assert supply(deep()) == {"ship", "shark", "whale", "squid"}
    assert supply(deep("instead_of_whales")) == {"ship", "shark", "squid"}
    assert supply(Scene(dolphins=True)) == {"ship", "shark", "whale", "dolphin"}


@pytest.mark.rule("SV.Q8")
def test_the_sunk_tiles_own_space_serves_only_if_vacant_and_beside_a_tile() -> None:
    scene = deep("instead_of_whales").explorer("y1", "F3").set_removing_step(0).play("sink F3").chance("whale")
    assert scene.at("y1") == "F3"
    assert scene.why_not("squid F3") == "SV.Q1"
    scene = deep("instead_of_whales").keep_only_tiles("F3", "F6").hides("beach", "whale").set_removing_step(0)
    scene.play("sink F3").chance("whale")
    assert scene.why_not("squid F3") == "SV.Q1"
    assert scene.choices() == {f"squid {at}" for at in ("E5", "E6", "F5", "F7", "G5", "G6")}


@pytest.mark.rule("SV.Q8")
def test_instead_of_whales_what_moves_a_whale_moves_a_squid() -> None:
    scene = deep("instead_of_whales").creature("squid", "L3").explorer("y1", "H6").set_rolling_step(0).chance("whale")
    scene.play("squid L3 L6")
    assert scene.creatures("squid") == ["L6"]
    scene = deep("instead_of_whales").creature("squid", "L3").hold(0, "move_whale").explorer("r1", "H6").hand(0)
    scene.play("squid L3 A1")
    assert scene.creatures("squid") == ["A1"]


@pytest.mark.rule("SV.Q8", "SV.Q10")
@pytest.mark.parametrize("squid", ["instead_of_whales", "with_whales"])
def test_whale_defence_answers_no_squid(squid: str) -> None:
    scene = deep(squid).creature("squid", "L3").ship("L4", "y1").explorer("y2", "H6").hold(1, "whale_defence")
    scene.set_rolling_step(0).chance("whale").play("squid L3 L4")
    assert scene.asked() == (0, "prey")
    assert scene.why_not("defend") == "SV.D3"
    scene.play("pick y1")
    assert scene.at("y1") == "lost"
    assert scene.hand_of(1) == ["whale_defence"]


@pytest.mark.rule("SV.Q8", "SV.R8")
def test_instead_of_whales_whale_defence_tiles_stay_in_the_game() -> None:
    scene = deep("instead_of_whales").keep_only_tiles("G4", "F6").hides("forest", "whale_defence").set_removing_step(0)
    scene.play("sink G4").chance("whale_defence")
    assert scene.hand_of(0) == ["whale_defence"]


@pytest.mark.rule("SV.Q9", "SV.Q5")
def test_spared_on_arrival_nobody_is_taken_until_the_squid_moves() -> None:
    scene = deep(spares=True).explorer("y1", "D4").set_removing_step(0).play("sink F3").chance("whale").play("squid C4")
    assert scene.asked() == (-1, "rolling")
    assert scene.at("y1") == "D4"
    scene.chance("whale").play("squid C4 C4")
    assert scene.asked() == (0, "prey")


@pytest.mark.rule("SV.Q10")
def test_an_explorer_in_a_squids_grasp_cannot_be_defended_not_even_when_a_whale_was_there() -> None:
    scene = deep().creature("squid", "B3").creature("whale", "C4").explorer("y1", "D4").explorer("y2", "H6")
    scene.hold(1, "whale_defence").hold(1, "shark_defence").set_rolling_step(0).chance("whale").play("squid B3 C4")
    assert scene.asked() == (0, "prey")
    scene.play("pick y1")
    assert scene.at("y1") == "lost"
    assert scene.hand_of(1) == ["shark_defence", "whale_defence"]
