"""G · End and score: the volcano, ties, ten quiet rounds, and what counts at every end."""

from __future__ import annotations

import pytest

from tests.survive.position_builder import Scene

OVER = (-2, "ended")


def volcano(scene: Scene, seat: int = 0) -> Scene:
    """The seat removes the last tile, a mountain with the volcano."""
    return scene.keep_only_tiles("F6").set_removing_step(seat).play("sink F6").chance("volcano")


def places(scene: Scene) -> list[list[int]]:
    """The groups of seats, best first."""
    return [group["seats"] for group in scene.s.ranking()]


def decided(scene: Scene) -> list[object]:
    return [group["decided_by"] for group in scene.s.ranking()]


def turns(scene: Scene, *begun: int) -> Scene:
    """How many turns each seat has begun."""
    for seat, n in enumerate(begun):
        scene.s.turns[seat] = n
    return scene


# --- SV.G1, SV.G4 ---------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.G1", "SV.G4", "SV.R7")
def test_at_the_volcano_only_explorers_on_isles_count_by_their_values() -> None:
    scene = Scene(players=3).explorer("r1", "@NW", value=6).explorer("r2", "@SE", value=1).explorer("r3", "F6", value=5)
    scene.explorer("y1", "B1", value=6).ship("C1", "y2").explorer("y3", "@NE", value=4)
    volcano(scene)
    assert scene.asked() == OVER
    assert scene.s.scores() == [7, 4, 0]
    assert places(scene) == [[0], [1], [2]]


@pytest.mark.rule("SV.G1")
def test_most_points_win_not_most_explorers() -> None:
    scene = (
        Scene(players=2).explorer("r1", "@NW", value=5).explorer("y1", "@NW", value=1).explorer("y2", "@NE", value=2)
    )
    scene.explorer("y3", "@NE", value=1)
    volcano(scene)
    assert scene.s.scores() == [5, 4]
    assert places(scene) == [[0], [1]]
    assert decided(scene) == ["points", None]


@pytest.mark.rule("SV.G1")
def test_the_volcano_ends_the_game_at_once_no_die_follows() -> None:
    scene = volcano(Scene(players=2).explorer("r1", "@NW"))
    assert scene.asked() == OVER
    assert scene.s.legal_actions() == []
    assert scene.s.chance_outcomes() == []
    assert scene.s.why_illegal(0) == "LF.4"


# --- SV.G2 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.G2")
def test_tied_on_points_most_explorers_saved_win() -> None:
    scene = (
        Scene(players=2).explorer("r1", "@NW", value=5).explorer("y1", "@NW", value=3).explorer("y2", "@NE", value=2)
    )
    volcano(scene)
    assert scene.s.scores() == [5, 5]
    assert places(scene) == [[1], [0]]
    assert decided(scene) == ["saved", None]


@pytest.mark.rule("SV.G2")
def test_tied_on_number_too_fewer_turns_win_then_the_victory_is_shared() -> None:
    scene = Scene(players=3)
    for name in "ryg":
        scene.explorer(f"{name}1", "@NW", value=5)
    turns(scene, 4, 3, 3)
    volcano(scene)
    assert places(scene) == [[1, 2], [0]]
    assert decided(scene) == ["fewer_turns", None]
    assert [group["place"] for group in scene.s.ranking()] == [1, 3]


@pytest.mark.rule("SV.G2")
def test_a_turn_begun_counts_as_taken() -> None:
    scene = Scene(players=2).explorer("r1", "@NW", value=5).explorer("y1", "@NW", value=5).explorer("r2", "F6")
    turns(scene, 1, 1).set_rolling_step(1).chance("shark")  # nothing happens, red's second turn begins
    assert scene.asked() == (0, "moving")
    assert list(scene.s.turns[:2]) == [2, 1]
    scene.keep_only_tiles("F6").play("end", "sink F6").chance("volcano")  # the turn is not finished
    assert places(scene) == [[1], [0]]


@pytest.mark.rule("SV.G2")
def test_example_3_of_five_players_the_tie_goes_to_who_has_had_a_turn_less_and_is_shared_by_two_who_have() -> None:
    def example(*tied: str) -> Scene:
        scene = Scene(players=5)
        for name in tied:
            scene.explorer(f"{name}1", "@NW", value=5)
        return volcano(turns(scene, 6, 6, 6, 5, 5), seat=2)

    assert places(example("y", "b"))[0] == [3]  # B and D: D wins
    assert places(example("b", "o"))[0] == [3, 4]  # D and E: shared


# --- SV.G3 ----------------------------------------------------------------------------------------------------


def quiet(scene: Scene, rounds: int) -> Scene:
    """Whole rounds in which each player ends step 2 and the die moves nothing."""
    for _ in range(rounds * int(scene.s.players)):
        assert scene.asked() != OVER
        scene.play("end").chance("whale")
    return scene


def last_tile(seat: int, **explorers: str) -> Scene:
    """Two players; the seat removes the last tile, a mountain that hides a whirlpool, and rolls for nothing."""
    scene = Scene(players=2, to_the_last=True).keep_only_tiles("F6")
    for name, at in explorers.items():
        scene.explorer(name, at)
    return scene.set_removing_step(seat).play("sink F6").chance("volcano").chance("shark")


@pytest.mark.rule("SV.G3")
def test_with_no_tile_left_ten_quiet_rounds_end_the_game() -> None:
    scene = last_tile(1, r1="A1", y1="M7", y2="@NW")
    quiet(scene, 9)
    assert scene.asked() == (0, "moving")
    scene.play("end").chance("shark").play("end")
    assert scene.asked() == (-1, "rolling")  # the tenth round is not over
    scene.chance("shark")
    assert scene.asked() == OVER
    assert scene.s.scores()[0] == 0


@pytest.mark.rule("SV.G3")
def test_a_round_counts_only_if_it_began_with_no_tile_left() -> None:
    scene = last_tile(0, r1="A1", y1="M7")
    scene.play("end").chance("shark")  # yellow's turn of the round in which the last tile went
    quiet(scene, 9)
    assert scene.asked() == (0, "moving")
    quiet(scene, 1)
    assert scene.asked() == OVER


@pytest.mark.rule("SV.G3")
@pytest.mark.parametrize(("text", "fate"), [("r2 @NW", "@NW"), ("r2 E", "lost")])
def test_a_landing_or_a_removal_restarts_the_count(text: str, fate: str) -> None:
    scene = quiet(last_tile(1, r1="A1", r2="B1", y1="M7").creature("shark", "B2"), 5)
    scene.play(text, "end").chance("whale").play("end").chance("whale")
    assert scene.at("r2") == fate
    quiet(scene, 9)
    assert scene.asked() == (0, "moving")
    quiet(scene, 1)
    assert scene.asked() == OVER


@pytest.mark.rule("SV.G3")
def test_while_tiles_are_left_quiet_rounds_do_not_matter() -> None:
    scene = Scene(players=2, to_the_last=True).explorer("r1", "A1").explorer("y1", "M7").moving(0)
    while scene.s.turns[0] <= 12:
        if scene.s.actor == -1:
            scene.s.apply(scene.s.chance_outcomes()[0][0])
        else:
            texts = sorted(scene.choices(), key=lambda text: (text not in ("pass", "end"), text))
            scene.play(texts[0])
    assert (scene.at("r1"), scene.at("y1")) == ("A1", "M7")
    assert len(scene.tiles()) == 16
    assert scene.s.quiet_rounds == 0


# --- SV.G4 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.G4", "SV.O2")
def test_when_nobody_is_left_only_isles_count() -> None:
    scene = Scene(players=2, to_the_last=True).explorer("r1", "@NW", value=3).ship("B1", "y1").moving(1)
    scene.give_value(10, 6)
    scene.play("y1 @NW")
    assert scene.asked() == OVER
    assert scene.s.scores() == [3, 6]


@pytest.mark.rule("SV.G4", "SV.O4")
def test_when_the_last_tile_sinks_only_isles_count() -> None:
    scene = Scene(players=2, submerged=True).explorer("r1", "@NW", value=3).explorer("y1", "F6", value=6)
    scene.keep_only_tiles("F6").set_removing_step(0).play("sink F6")
    assert scene.asked() == OVER
    assert scene.s.scores() == [3, 0]


@pytest.mark.rule("SV.G4", "SV.O3", "SV.E1", "SV.E2")
def test_the_score_is_the_values_or_one_each_plus_bounties_and_isles() -> None:
    for all_equal, score in ((False, 11), (True, 7)):
        scene = Scene(players=2, bounty=True, isle_hopper=True, all_equal=all_equal)
        scene.explorer("r1", "@NW", value=1).explorer("r2", "@SE", value=5).explorer("r3", "@SE", value=1)
        scene.explorer("y1", "L5").explorer("y2", "L5").creature("shark", "L6")
        scene.set_rolling_step(0).chance("shark").play("shark L6 L5")
        volcano(scene, seat=1)
        assert scene.s.scores() == [score, 0]
