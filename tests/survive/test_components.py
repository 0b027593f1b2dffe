"""C · Components: tiles, explorers, supply and dice, as they are met in play."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from landfall.core.rng import Rng
from tests.survive.position_builder import Scene, default_island, state_before_island, state_with_island

TABLE = {  # the table of the rules: beach, forest, mountain
    "shark": (3, 2, 1),
    "whale": (3, 2, 0),
    "ship": (1, 3, 0),
    "whirlpool": (0, 2, 4),
    "volcano": (0, 0, 1),
    "dolphin": (3, 1, 0),
    "wind": (2, 0, 0),
    "move_serpent": (1, 1, 0),
    "move_shark": (1, 1, 0),
    "move_whale": (1, 1, 0),
    "shark_defence": (1, 1, 1),
    "whale_defence": (0, 2, 1),
}
AT_ONCE = {"shark", "whale", "ship", "whirlpool", "volcano"}


def terrains(*wanted: str) -> list[str]:
    """The tiles of the island that are of these terrains."""
    return [name for name, terrain in Scene().tiles().items() if terrain in wanted]


def sunk(column: int) -> Scene:
    """A scene in which the first tile of a terrain has just been removed, and chance is to say what it hides."""
    left = ("beach", "forest", "mountain")[column:]
    scene = Scene().keep_only_tiles(*terrains(*left)).explorer("r1", "A1").set_removing_step(0)
    return scene.play(sorted(scene.choices())[0])


@pytest.mark.rule("SV.C1")
@pytest.mark.parametrize(("column", "total"), [(0, 16), (1, 16), (2, 8)])
def test_backs_are_as_many_as_the_table_says(column: int, total: int) -> None:
    weights = sunk(column).outcome_weights()
    assert weights == {back: row[column] for back, row in TABLE.items() if row[column] > 0}
    assert sum(weights.values()) == total


@pytest.mark.rule("SV.C1")
@pytest.mark.parametrize(("back", "column"), [(b, c) for b, row in TABLE.items() for c in range(3) if row[c]])
def test_a_back_is_used_at_once_or_kept_as_the_table_says(back: str, column: int) -> None:
    scene = sunk(column).chance(back)
    assert scene.hand_of(0) == ([] if back in AT_ONCE else [back])


@pytest.mark.rule("SV.C1", "SV.U1")
def test_a_back_that_has_been_seen_is_not_drawn_again() -> None:
    scene = Scene().explorer("r1", "F5").set_removing_step(0).play("sink D4").chance("ship", "shark")
    scene.set_removing_step(1).play("sink D5")
    assert "ship" not in scene.outcome_weights()
    assert sum(scene.outcome_weights().values()) == 15


@pytest.mark.rule("SV.C2")
def test_ten_explorers_a_colour_are_worth_1112233456() -> None:
    state = state_with_island(4)
    for seat, colour in enumerate(("red", "yellow", "green", "blue")):
        assert state.view(seat)["to_place"] == {colour: [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]}


@pytest.mark.rule("SV.C2")
def test_a_value_can_be_given_only_as_often_as_there_are_explorers_worth_it() -> None:
    scene = Scene.set_up(2).play("rD4=6", "yD5=1")
    assert scene.why_not("rD6=6") == "SV.C2"
    scene.play("rD6=1", "yE4=2", "rE5=1", "yE6=3", "rE7=1", "yE8=4")
    assert scene.why_not("rF4=1") == "SV.C2"
    assert scene.why_not("rF4=2") is None


@pytest.mark.rule("SV.C2")
def test_the_supply_holds_five_serpents_six_sharks_five_whales_twelve_ships() -> None:
    scene = Scene.set_up(4)
    supply = scene.s.view(None)["supply"]
    assert isinstance(supply, dict)
    assert (supply["shark"], supply["whale"], supply["ship"]) == (6, 5, 12)
    assert len(scene.creatures("serpent")) == 5
    assert "serpent" not in supply  # all of them are on the board
    scene.play_on("moving")
    assert scene.s.view(None)["supply"] == {**supply, "ship": 4}


@pytest.mark.rule("SV.C3")
def test_the_creature_die_shows_serpent_shark_whale_equally_often() -> None:
    assert set(Scene().set_rolling_step(0).outcome_weights()) == {"serpent", "shark", "whale"}
    assert len(set(Scene().set_rolling_step(0).outcome_weights().values())) == 1


@pytest.mark.rule("SV.C4")
def test_the_first_dive_die_shows_six_faces_and_the_second_1_1_2_2_3_d() -> None:
    scene = Scene(dolphins=True).explorer("r1", "E5").creature("shark", "A1").set_rolling_step(0)
    first = scene.outcome_weights()
    assert set(first) == {"serpent", "shark", "whale", "dolphin", "ship", "starfish"}
    assert len(set(first.values())) == 1
    scene.chance("shark")
    second = scene.outcome_weights()
    assert set(second) == {"1", "2", "3", "D"}
    assert [second[face] * 6 for face in ("1", "2", "3", "D")] == [n * sum(second.values()) for n in (2, 2, 1, 1)]


@pytest.mark.rule("SV.C4", "SV.Q8")
def test_there_are_two_more_colours_four_dolphins_and_five_squids() -> None:
    state = state_before_island(6, dolphins=True, squid="with_whales")
    seats = state.view(None)["seats"]
    assert isinstance(seats, list)
    assert [seat["colours"] for seat in seats] == [[c] for c in ("red", "yellow", "green", "blue", "orange", "white")]
    supply = state.view(None)["supply"]
    assert isinstance(supply, dict)
    assert (supply["dolphin"], supply["squid"]) == (4, 5)
    assert state_before_island(4).view(None)["supply"] == {
        "ship": 12,
        "shark": 6,
        "whale": 5,
    }  # no expansion, none of its pieces
    assert state_before_island(4, squid="instead_of_whales").view(None)["supply"] == {
        "ship": 12,
        "shark": 6,
        "squid": 5,
    }


@pytest.mark.rule("SV.C1", "SV.U1")
def test_there_are_sixteen_beaches_sixteen_forests_eight_mountains() -> None:
    scene = Scene()
    scene.s = state_before_island()
    assert scene.outcome_weights() == {"beach": 16, "forest": 16, "mountain": 8}
    assert [default_island().count(t) for t in ("beach", "forest", "mountain")] == [16, 16, 8]
    scene.chance(*["mountain"] * 8)
    assert scene.outcome_weights() == {"beach": 16, "forest": 16}


def before_laying() -> Scene:
    scene = Scene()
    scene.s = state_before_island()
    return scene


@pytest.mark.rule("SV.C1", "SV.C3", "SV.C4", "SV.U1")
@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(before_laying, id="terrain"),
        pytest.param(lambda: sunk(0), id="beach"),
        pytest.param(lambda: sunk(2), id="mountain"),
        pytest.param(lambda: Scene().set_rolling_step(0), id="creature die"),
        pytest.param(lambda: Scene(dolphins=True).set_rolling_step(0), id="first dive die"),
        pytest.param(lambda: Scene(dolphins=True).set_rolling_step(0).chance("ship"), id="second dive die"),
    ],
)
def test_what_is_drawn_comes_as_often_as_its_weight_says(asked: Callable[[], Scene]) -> None:
    scene = asked()
    rng = Rng(1)
    drawn = [scene.s.notation(int(scene.s.sample_chance(rng))) for _ in range(3000)]
    weights = scene.outcome_weights()
    assert set(drawn) == set(weights)
    for outcome, weight in weights.items():
        assert drawn.count(outcome) == pytest.approx(3000 * weight / sum(weights.values()), rel=0.25)
