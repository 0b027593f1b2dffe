"""U · Set-up: tiles, explorers and their secret values, ships."""

from __future__ import annotations

import pytest

import landfall
from landfall.core.errors import NotationError, OptionError
from landfall.core.int_vectors import to_list
from landfall.core.rng import Rng
from landfall.games.survive.rules.board import NAMES, SHORE
from tests.survive.position_builder import Scene, default_island, state_before_island, state_with_island


def seats_asked(scene: Scene, phase: str, count: int) -> list[int]:
    """Who is asked the next so many questions of a phase; the first legal choice is taken each time."""
    seats = []
    for _ in range(count):
        assert scene.asked()[1] == phase
        seats.append(scene.asked()[0])
        scene.s.apply(scene.s.legal_actions()[0])
    return seats


@pytest.mark.rule("SV.U1")
def test_tiles_are_laid_at_random_on_the_forty_slots_terrain_side_up() -> None:
    state = state_before_island()
    for slot, terrain in enumerate(default_island()):
        assert state.actor == landfall.CHANCE
        left = default_island()[slot:]
        weights = {state.notation(outcome): weight for outcome, weight in state.chance_outcomes()}
        assert weights == {t: left.count(t) for t in ("beach", "forest", "mountain") if t in left}
        state.apply(state.parse(terrain))
    assert state.actor == 0
    shown = state.view(None)["tiles"]
    assert isinstance(shown, dict)
    assert list(shown.values()) == default_island()


@pytest.mark.rule("SV.U1")
def test_nobody_knows_any_back() -> None:
    first = Scene().explorer("r1", "F5").set_removing_step(0).play("sink D4").outcome_weights()
    second = Scene().explorer("r1", "F5").set_removing_step(0).play("sink H10").outcome_weights()
    assert first == second  # the terrain says all there is to know
    assert len(first) > 1


@pytest.mark.rule("SV.U2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_takes_a_colour_ten_explorers_and_two_ships(players: int) -> None:
    scene = Scene.set_up(players)
    colours = ["red", "yellow", "green", "blue"]
    for seat in range(players):
        assert scene.s.view(seat)["to_place"] == {colours[seat]: [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]}
    assert seats_asked(scene, "placing", 10 * players) == list(range(players)) * 10
    assert seats_asked(scene, "ships", 2 * players) == list(range(players)) * 2
    assert scene.asked() == (0, "moving")
    assert len(scene.ships()) == 2 * players


@pytest.mark.rule("SV.U2")
@pytest.mark.parametrize("players", [0, 1, 7])
def test_fewer_than_two_or_more_than_six_cannot_play(players: int) -> None:
    with pytest.raises(OptionError) as refused:
        landfall.new("survive", players=players)
    assert [problem[0] for problem in refused.value.problems] == ["players"]


@pytest.mark.rule("SV.U2")
def test_two_colours_pairs_red_with_green_and_yellow_with_blue() -> None:
    seats = state_with_island(2, two_colours=True).view(None)["seats"]
    assert isinstance(seats, list)
    assert [seat["colours"] for seat in seats] == [["red", "green"], ["yellow", "blue"]]


@pytest.mark.rule("SV.U3")
def test_explorers_are_placed_one_at_a_time_clockwise_from_the_first_player() -> None:
    scene = Scene.set_up(3)
    assert scene.asked() == (0, "placing")
    scene.play("rD4=6")
    assert scene.asked() == (1, "placing")
    scene.play("yD5=6", "gD6=6")
    assert scene.asked() == (0, "placing")
    assert scene.at("r1") == "D4"
    assert scene.why_not("ship C4") == "LF.1"


@pytest.mark.rule("SV.U3")
def test_an_explorer_goes_on_a_tile_without_an_explorer() -> None:
    scene = Scene.set_up(2).play("rD4=6")
    assert scene.why_not("yD4=1") == "SV.U3"
    assert scene.why_not("yG5=1") is None  # any tile will do, near the sea or not
    scene.play("yG5=1")
    assert scene.why_not("rD4=1") == "SV.U3"  # nor a second of one's own
    assert scene.why_not("rG5=1") == "SV.U3"
    assert len(scene.choices()) == 38 * 5  # every free tile, every value left but the 6
    with pytest.raises(NotationError):
        scene.why_not("rG6=1")  # the lake is no tile
    with pytest.raises(NotationError):
        scene.why_not("yD6=1")  # not one's own colour


@pytest.mark.rule("SV.U3")
def test_the_owner_picks_which_value_goes_where_and_the_others_do_not_see_it() -> None:
    scene = Scene.set_up(2)
    action = scene.s.parse("rD4=6")
    assert scene.s.notation(action, masked=True) == "rD4=?"
    code = scene.s.secret_code(action)
    assert code
    scene.play("rD4=6")
    assert scene.s.view(0)["values"] == {"r1": 6}
    for other in (1, None):
        view = scene.s.view(other)
        assert "values" not in view
        assert view["explorers"] == {"r1": "D4"}
        assert not scene.s.can_read(other, code)
    assert scene.s.can_read(0, code)
    assert scene.s.view(0)["to_place"] == {"red": [1, 1, 1, 2, 2, 3, 3, 4, 5]}
    assert scene.s.view(1)["to_place"] == {"yellow": [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]}


@pytest.mark.rule("SV.U3")
def test_explorers_are_distinguished_by_the_order_in_which_they_were_placed() -> None:
    high_first = Scene.set_up(2).play("rD4=6", "yE5=2", "rD6=1", "yG5=3")
    low_first = Scene.set_up(2).play("rD4=1", "yE5=3", "rD6=6", "yG5=2")
    for scene in (high_first, low_first):
        assert scene.s.view(None)["explorers"] == {"r1": "D4", "r2": "D6", "y1": "E5", "y2": "G5"}
    assert high_first.s.view(None) == low_first.s.view(None)


@pytest.mark.rule("SV.U4")
def test_then_ships_are_put_one_at_a_time_clockwise_from_the_first_player() -> None:
    scene = Scene.set_up(3).play_on("ships")
    assert scene.asked() == (0, "ships")
    scene.play("ship C4", "ship C5")
    assert scene.asked() == (2, "ships")
    assert scene.ships() == {"C4": [], "C5": []}
    scene.play("ship C6")
    assert scene.asked() == (0, "ships")
    scene.play("ship C7", "ship D3", "ship D8")
    assert scene.asked() == (0, "moving")  # nobody holds a tile yet


@pytest.mark.rule("SV.U4")
def test_a_ship_starts_on_a_sea_space_that_touches_a_tile_without_ship_or_serpent() -> None:
    scene = Scene.set_up(2).play_on("ships")
    assert scene.choices() == {f"ship {NAMES[at]}" for at in to_list(SHORE) if NAMES[at] != "G6"}
    assert len(scene.choices()) == 28
    assert scene.why_not("ship G6") == "SV.U4"  # the lake's serpent
    assert scene.why_not("ship B4") == "SV.U4"  # touches no tile
    assert scene.why_not("ship D4") == "SV.U4"  # a tile
    scene.play("ship C4")
    assert scene.why_not("ship C4") == "SV.U4"
    assert scene.why_not("ship C5") is None


@pytest.mark.rule("SV.U5")
def test_once_play_begins_nobody_sees_a_value_again_until_scoring() -> None:
    scene = Scene.set_up(2).play("rD4=6").play_on("ships")
    code = scene.s.secret_code(Scene.set_up(2).s.parse("rD4=6"))
    values = scene.s.view(0)["values"]
    assert isinstance(values, dict)
    assert len(values) == 10
    assert values["r1"] == 6
    scene.play_on("moving")
    for seat in (0, 1, None):
        assert "values" not in scene.s.view(seat)
        assert "scores" not in scene.s.view(seat)
        assert not scene.s.can_read(seat, code)


def ended(**options: object) -> Scene:
    """A match that is about to end: red has one safe, one lost, one afloat."""
    scene = Scene(2, **options).keep_only_tiles("F6").explorer("r1", "@NW", value=6).explorer("r2", "A1", value=5)
    return scene.explorer("y1", "A2", value=4).explorer("y2", "@NE", value=3).set_removing_step(0)


@pytest.mark.rule("SV.U5")
def test_safe_and_lost_explorers_keep_their_secret_too_and_no_sum_is_shown() -> None:
    scene = ended()
    view = scene.s.view(0)
    assert "values" not in view
    seats = view["seats"]
    assert isinstance(seats, list)
    assert seats[0]["saved"] == 1
    assert not {"score", "scores", "sum", "points"} & set(seats[0])
    assert not {"score", "scores", "sum", "ranking"} & set(view)


@pytest.mark.rule("SV.U5")
def test_with_open_values_an_owner_may_look_at_their_own_and_no_others() -> None:
    scene = ended(open_values=True)
    values = scene.s.view(0)["values"]
    assert isinstance(values, dict)
    assert (values["r1"], values["r2"]) == (6, 5)
    assert len(values) == 10  # safe, lost and afloat
    assert {name[0] for name in values} == {"r"}
    assert "values" not in scene.s.view(None)


@pytest.mark.rule("SV.U5")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_at_the_end_all_values_are_shown(seat: int | None) -> None:
    scene = ended().play("sink F6").chance("volcano")
    values = scene.s.view(seat)["values"]
    assert isinstance(values, dict)
    assert len(values) == 20
    assert (values["r1"], values["y1"]) == (6, 4)
    assert scene.s.view(seat)["scores"] == [6, 3]


@pytest.mark.rule("SV.U5")
def test_bots_hold_what_a_perfect_memory_would() -> None:
    scene = ended()
    mine = to_list(scene.s.value)[:10]
    theirs = to_list(scene.s.value)[10:20]
    redrawn = [scene.s.resample(0, Rng(seed)) for seed in range(20)]
    assert all(to_list(world.value)[:10] == mine for world in redrawn)
    assert any(to_list(world.value)[10:20] != theirs for world in redrawn)
    assert all(sorted(to_list(world.value)[10:20]) == sorted(theirs) for world in redrawn)


@pytest.mark.rule("SV.U3", "SV.U5")
def test_the_log_shows_values_to_their_owner_during_set_up_only() -> None:
    match = landfall.Match("survive", players=2, seed=1)
    match.play_text("rD4=6")
    assert match.log_lines(0)[-1] == "rD4=6"
    assert match.log_lines(1)[-1] == "rD4=?"
    placed = len(match.log_lines(0))
    while match.state.view(None)["phase"] != "moving":
        match.play(match.legal_actions()[0])
    assert match.log_lines(0)[placed - 1] == "rD4=?"
