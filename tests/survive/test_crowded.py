"""O5 · `crowded`, challenge 5: sixty explorers, two a tile, and a point for those who fell."""

from __future__ import annotations

import pytest

from landfall.core.state import CHANCE, OVER
from tests.survive.position_builder import Scene

SHORE = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "M1", "M2", "M3", "M4", "M5"]


def crowd(*on_d4: str, turn: int = 0, **options: object) -> Scene:
    """Five players, a tile to be removed; some stand on D4, all have others inland."""
    scene = Scene(5, crowded=True, **options)
    for name, at in zip(("r9", "y9", "g9", "b9", "o9"), ("G5", "G7", "H6", "H7", "F6"), strict=True):
        scene.explorer(name, at)
    for name in on_d4:
        scene.explorer(name, "D4")
    return scene.set_removing_step(turn)


# --- set-up ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.O5")
@pytest.mark.parametrize("players", [5, 6])
def test_nobody_sets_explorers_aside_and_all_have_two_ships(players: int) -> None:
    scene = Scene.set_up(players, crowded=True)
    assert scene.s.view(0)["to_place"] == {"red": [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]}
    placers = []
    while scene.asked()[1] == "placing":
        placers.append(scene.asked()[0])
        scene.s.apply(scene.s.legal_actions()[0])
    assert placers == list(range(players)) * 10
    ships = []
    while scene.asked()[1] == "ships":
        ships.append(scene.asked()[0])
        scene.s.apply(scene.s.legal_actions()[0])
    assert ships == list(range(players)) * 2


@pytest.mark.rule("SV.O5")
def test_a_second_explorer_is_added_only_once_every_tile_holds_one() -> None:
    scene = Scene.set_up(5, crowded=True)
    tiles = list(scene.tiles())
    for nth in range(39):
        seat = scene.asked()[0]
        scene.play(next(t for t in scene.choices() if t.startswith(f"{'rygbo'[seat]}{tiles[nth]}=")))
    assert scene.asked() == (4, "placing")
    assert {text.partition("=")[0] for text in scene.choices()} == {f"o{tiles[39]}"}
    assert scene.why_not(f"o{tiles[0]}={value_left(scene)}") == "SV.O5"
    scene.play(f"o{tiles[39]}={value_left(scene)}")
    # Red stands on the first tile and every fifth after it: those are closed to red, all others open.
    assert {text[1:].partition("=")[0] for text in scene.choices()} == {n for i, n in enumerate(tiles) if i % 5 != 0}
    assert scene.why_not(f"r{tiles[0]}={value_left(scene)}") == "SV.O5"  # own colour
    scene.play(f"r{tiles[2]}={value_left(scene)}")
    assert scene.why_not(f"y{tiles[2]}={value_left(scene)}") == "SV.O5"  # two are there


def value_left(scene: Scene) -> int:
    """Some value the actor has yet to place."""
    return int(next(iter(scene.choices())).partition("=")[2])


# --- the point for those who fell -----------------------------------------------------------------------------


@pytest.mark.rule("SV.O5")
def test_those_who_fell_get_a_point_each_clockwise_from_the_remover_before_the_die() -> None:
    scene = crowd("r1", "g1", "o1", turn=2).play("sink D4").chance("whale")
    assert scene.asked() == (2, "mini")
    scene.play("g1 NW")
    assert scene.asked() == (4, "mini")
    scene.play("o1 NE")
    assert scene.asked() == (0, "mini")
    scene.play("r1 W")
    assert scene.asked() == (CHANCE, "rolling")
    assert (scene.at("g1"), scene.at("o1"), scene.at("r1")) == ("C4", "C5", "D3")


@pytest.mark.rule("SV.O5")
def test_the_point_follows_any_back_that_leaves_them_alive() -> None:
    for back in ("wind", "whale", "ship", "move_shark"):
        assert crowd("r1").play("sink D4").chance(back).asked() == (0, "mini")


@pytest.mark.rule("SV.O5")
def test_the_point_may_be_declined_and_is_not_saved() -> None:
    scene = crowd("r1", "y1").play("sink D4").chance("wind").play("pass")
    assert scene.asked() == (1, "mini")
    scene.play("pass")
    assert scene.asked() == (CHANCE, "rolling")
    scene.chance("shark")
    assert scene.asked() == (1, "moving")
    scene.play("y9 E", "y9 W", "y9 E")
    assert scene.asked() == (1, "removing")


@pytest.mark.rule("SV.O5")
def test_the_point_is_for_one_of_their_explorers_that_stood_on_that_tile() -> None:
    scene = crowd("r1", "r2").explorer("r3", "C4").play("sink D4").chance("wind")
    assert scene.why_not("r3 NW") == "SV.O5"  # swims nearby
    assert scene.why_not("r9 E") == "SV.O5"  # stands inland
    assert scene.why_not("r1 land") == "SV.O5"  # no landing with it
    assert scene.why_not("r1 NW") is None
    assert scene.why_not("r2 NW") is None
    scene.play("r2 NW")
    assert scene.asked() == (CHANCE, "rolling")  # one point, whoever else fell


@pytest.mark.rule("SV.O5")
def test_who_has_nobody_fallen_is_not_asked() -> None:
    assert crowd("b1").play("sink D4").chance("wind").asked() == (3, "mini")
    assert crowd().play("sink D4").chance("wind").asked() == (CHANCE, "rolling")


@pytest.mark.rule("SV.O5")
def test_the_fallen_of_an_earlier_turn_get_no_point() -> None:
    scene = crowd("r1").play("sink D4").chance("wind").play("pass").chance("shark")
    scene.play("end", "sink D7").chance("wind")
    assert scene.asked() == (CHANCE, "rolling")


@pytest.mark.rule("SV.O5")
def test_the_point_never_moves_a_ship() -> None:
    scene = crowd("r1").ship("C4").play("sink D4").chance("ship")
    assert scene.asked() == (0, "mini")
    assert scene.why_not("D4 W") == "SV.O5"
    assert scene.why_not("C4 W") == "SV.O5"


@pytest.mark.rule("SV.O5")
def test_who_was_seated_by_the_ship_tile_may_change_ships_or_dive() -> None:
    for text, place in [("r1 NW ship", "C4+"), ("r1 dive", "D4"), ("pass", "D4+")]:
        scene = crowd("r1").ship("C4").play("sink D4").chance("ship")
        assert scene.choices() == {"r1 NW ship", "r1 dive", "pass"}
        assert scene.play(text).at("r1") == place
        assert scene.asked() == (CHANCE, "rolling")


@pytest.mark.rule("SV.O5")
def test_who_swims_may_swim_or_board_a_ship_in_its_space_and_no_other() -> None:
    scene = crowd("r1", "y1", "y2", "g1").ship("C4").play("sink D4").chance("ship")
    scene.play("pick y1", "pick y2", "pick r1")
    assert scene.asked() == (0, "mini")
    scene.play("r1 NW ship")  # a seat is free now
    assert scene.asked() == (1, "mini")
    scene.play("pass")
    assert scene.asked() == (2, "mini")
    assert scene.why_not("g1 NW ship") == "SV.M7"
    assert scene.why_not("g1 E") == "SV.M10"
    assert scene.choices() == {"g1 NW", "g1 NE", "g1 W", "g1 board", "pass"}
    scene.play("g1 board")
    assert scene.at("g1") == "D4+"


@pytest.mark.rule("SV.O5", "SV.M12")
def test_a_step_with_the_point_meets_what_any_step_meets() -> None:
    scene = crowd("r1", "y1").creature("shark", "C4").ship("C5").play("sink D4").chance("wind").play("r1 NW")
    assert scene.at("r1") == "lost"
    assert scene.asked() == (1, "mini")


@pytest.mark.rule("SV.O5")
def test_the_dead_get_no_point() -> None:
    scene = crowd("r1", "y1").play("sink D4").chance("shark")
    assert scene.asked() == (CHANCE, "rolling")


@pytest.mark.rule("SV.O5", "SV.N7")
def test_a_ward_may_take_its_dolphin_along_with_the_point() -> None:
    scene = crowd("r1", dolphins=True).creature("shark", "C4").play("sink D4").chance("dolphin")
    assert scene.wards_at("D4") == ["r1"]
    scene.play("r1 NW dolphin")
    assert scene.at("r1") == "C4"
    assert scene.wards_at("C4") == ["r1"]


@pytest.mark.rule("SV.O5")
def test_no_point_is_given_once_the_game_has_ended() -> None:
    scene = (
        Scene(5, crowded=True)
        .keep_only_tiles("F6", "F7")
        .explorer("r1", "F6")
        .explorer("y1", "F7")
        .set_removing_step(0)
    )
    assert scene.play("sink F6").chance("volcano").s.actor == OVER
    scene = Scene(5, crowded=True, to_the_last=True).explorer("r1", "D4").set_removing_step(0)
    assert scene.play("sink D4").chance("shark").s.actor == OVER


@pytest.mark.rule("SV.O5")
def test_without_the_option_five_get_no_point() -> None:
    scene = Scene(5).explorer("r1", "D4").explorer("y1", "E5").set_removing_step(0).play("sink D4").chance("wind")
    assert scene.asked() == (CHANCE, "rolling")


# --- ships ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.O5")
def test_ships_destroyed_go_back_to_the_supply_however_it_happened() -> None:
    wrecked = crowd().ship("A1", "r1").creature("whale", "A2").moving(0)
    before = int(wrecked.s.ships_left)
    assert wrecked.play("A1 E").s.ships_left == before + 1
    eaten = (
        crowd().ship("A1", "r1").creature("serpent", "A2").set_rolling_step(1).chance("serpent").play("serpent A2 A1")
    )
    assert eaten.s.ships_left == before + 1
    rammed = crowd().ship("A1", "r1").creature("whale", "A2").set_rolling_step(1).chance("whale").play("whale A2 A1")
    assert rammed.s.ships_left == before + 1
    beaches = [name for name, terrain in crowd().tiles().items() if terrain == "beach"]
    swallowed = crowd().sea(*beaches).ship("K4").set_removing_step(0).play("sink J4").chance("whirlpool")
    assert swallowed.s.ships_left == before + 1
    assert swallowed.ships() == {}


def no_supply(*on_d4: str, crews: int) -> Scene:
    """All twelve ships are on the board; the first so many have one blue or orange explorer aboard."""
    scene = crowd(*on_d4)
    sailors = [f"b{i}" for i in range(1, 9)] + [f"o{i}" for i in range(1, 9)]
    for nth, at in enumerate(SHORE):
        scene.ship(at, *([sailors[nth]] if nth < crews else []))
    assert scene.s.ships_left == 0
    return scene


@pytest.mark.rule("SV.O5")
def test_with_an_empty_supply_a_ship_tile_fetches_an_empty_ship_from_anywhere() -> None:
    scene = no_supply("r1", "y1", crews=10).play("sink D4").chance("ship")
    assert scene.asked() == (0, "fetching")
    assert scene.choices() == {"fetch M4", "fetch M5"}
    assert scene.why_not("fetch A1") == "SV.O5"  # occupied
    assert scene.why_not("pass") == "SV.O5"  # it must be done
    scene.play("fetch M5")
    assert "M5" not in scene.ships()
    assert sorted(scene.ships()["D4"]) == ["r1", "y1"]  # as by R5
    assert scene.asked() == (0, "mini")


@pytest.mark.rule("SV.O5", "SV.R5")
def test_of_more_than_three_the_remover_chooses_whom_a_fetched_ship_takes() -> None:
    scene = no_supply("r1", "y1", "y2", "g1", crews=11).play("sink D4").chance("ship").play("fetch M5")
    assert scene.asked() == (0, "boarding")
    scene.play("pick g1", "pick y1", "pick y2")
    assert sorted(scene.ships()["D4"]) == ["g1", "y1", "y2"]
    assert scene.at("r1") == "D4"


@pytest.mark.rule("SV.O5", "SV.R9")
def test_with_no_empty_ship_on_the_board_nothing_comes() -> None:
    scene = no_supply("r1", crews=12).play("sink D4").chance("ship")
    assert scene.asked() == (0, "mini")
    assert scene.at("r1") == "D4"
    assert "D4" not in scene.ships()


@pytest.mark.rule("SV.O5")
def test_while_the_supply_lasts_no_ship_is_fetched() -> None:
    scene = crowd("r1").ship("A1").play("sink D4").chance("ship")
    assert scene.ships() == {"A1": [], "D4": ["r1"]}


@pytest.mark.rule("SV.O5", "SV.S2")
def test_a_ship_that_went_back_to_the_supply_comes_again() -> None:
    scene = no_supply("r1", crews=11).explorer("r2", "E5").creature("whale", "M6").moving(0)
    scene.play("M5 E")
    assert scene.s.ships_left == 0  # empty: the whale lets it be
    scene = no_supply("r1", crews=12).creature("whale", "M6").moving(4).play("M5 E", "end", "sink D4")
    assert scene.s.ships_left == 1
    scene.chance("ship")
    assert scene.ships()["D4"] == ["r1"]
    assert scene.s.ships_left == 0
