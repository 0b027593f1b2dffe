"""Actions as short texts: every choice reads back, and a text that names none is told what was expected."""

from __future__ import annotations

from functools import cache

import pytest

from landfall.core.errors import NotationError, RecordError, clip_untrusted_text
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.state import SurviveState
from landfall.match import Match
from tests.survive.position_builder import Scene, state_before_island, state_with_island


@cache
def everywhere() -> dict[str, SurviveState]:
    """A position for each kind of question."""
    ships = state_with_island(players=3)
    rng = Rng(1)
    while ships.view(None)["phase"] == "placing":
        ships.apply(ships.random_action(rng))
    dive = Scene(dolphins=True, squid="with_whales").creature("dolphin", "L3").creature("shark", "L5").ship("L7")
    dive.explorer("y1", "K3").explorer("g1", "K3").creature("dolphin", "K3", ward="y1").creature("squid", "A1")
    held = Scene().hold(0, "dolphin").hold(0, "wind").hold(0, "move_shark").creature("shark", "A1")
    crowded = Scene(players=5, crowded=True).explorer("r1", "F3").explorer("y1", "F3").set_removing_step(0)
    fetching = Scene(players=5, crowded=True)
    for i in range(1, 11):
        fetching.ship(f"A{i}" if i < 8 else f"M{i - 7}")
    fetching.ship("M4").ship("M5", "r1").set_removing_step(0).play("sink F3").chance("ship")
    boarding = Scene().explorer("r1", "F3").explorer("r2", "F3").explorer("y1", "F3").explorer("y2", "F3")
    return {
        "laying": state_before_island(players=2),
        "placing": state_with_island(players=3),
        "placing two colours": state_with_island(players=2, two_colours=True),
        "ships": ships,
        "hand": held.explorer("r1", "L3").ship("K3", "r2").hand(0).s,
        "moving": Scene().explorer("r1", "D4").explorer("r2", "B1").ship("B1", "r3").ship("C4").moving(0).s,
        "moving two colours": Scene(players=2, two_colours=True).explorer("g1", "D4").ship("C4", "r1").moving(0).s,
        "with a dolphin": Scene(dolphins=True).explorer("r1", "L3").creature("dolphin", "L3", ward="r1").moving(0).s,
        "removing": Scene().set_removing_step(0).s,
        "back": Scene().set_removing_step(0).play("sink F3").s,
        "boarding": boarding.set_removing_step(0).play("sink F3").chance("ship").s,
        "mini": crowded.play("sink F3").chance("ship").s,
        "fetching": fetching.s,
        "rolling": Scene().set_rolling_step(0).s,
        "rolling_far": Scene(dolphins=True).set_rolling_step(0).chance("ship").s,
        "creature": Scene().creature("whale", "L3").creature("whale", "L3").set_rolling_step(0).chance("whale").s,
        "dive dice": dive.set_rolling_step(0).chance("starfish", "3").s,
        "anywhere": dive.set_rolling_step(0).chance("starfish", "D").s,
        "defending": Scene().hold(1, "wind").explorer("y1", "L3").creature("shark", "L4").set_rolling_step(0)
        .chance("shark").play("shark L4 L3").s,
        "squid": Scene(squid="with_whales").set_removing_step(0).play("sink F3").chance("whale").s,
        "prey": Scene(squid="with_whales").explorer("y1", "D4").creature("squid", "C4").set_rolling_step(0)
        .chance("whale").play("squid C4 C4").s,
        "ward": Scene(dolphins=True).explorer("y1", "F3").explorer("g1", "F3").set_removing_step(0).play("sink F3")
        .chance("dolphin").s,
    }  # fmt: skip


@pytest.mark.parametrize("name", list(everywhere()))
def test_every_choice_and_outcome_is_written_differently_and_reads_back(name: str) -> None:
    s = everywhere()[name]
    actions = [o for o, _ in s.chance_outcomes()] if s.actor == CHANCE else s.legal_actions()
    assert actions
    texts = [s.notation(a) for a in actions]
    assert len(set(texts)) == len(texts)
    assert [s.parse(text) for text in texts] == actions
    assert all(len(text.encode()) <= 20 for text in texts)


@pytest.mark.parametrize("name", list(everywhere()))
def test_what_is_no_choice_is_written_without_fail_and_never_reads_as_another(name: str) -> None:
    s = everywhere()[name]
    for action in range(0, s.num_actions(), 1 if s.actor == CHANCE else 3):
        text = s.notation(action)
        try:
            assert s.actor == CHANCE or s.parse(text) == action, text
        except NotationError:
            assert s.actor == CHANCE or s.forbidden_by(action) != "", text


@pytest.mark.rule("SV.M3", "SV.M5", "SV.M7", "SV.M8")
def test_the_manners_of_moving_an_explorer() -> None:
    scene = Scene().explorer("r1", "D4").ship("C4").ship("B1", "r2").explorer("r3", "B1").moving(0)
    assert scene.choices() >= {"r1 NW", "r1 NW ship", "r1 E", "r2 dive", "r2 @NW", "r3 board", "r3 @NW", "C4 W", "end"}
    assert scene.s.parse("r2 land") == scene.s.parse("r2 @NW")


def test_of_several_alike_in_a_space_the_second_bears_a_number() -> None:
    scene = (
        Scene(dolphins=True)
        .creature("dolphin", "L3")
        .creature("dolphin", "L3")
        .set_rolling_step(0)
        .chance("dolphin", "1")
    )
    assert {"dolphin L3 L4", "dolphin L3/2 L4"} <= scene.choices()
    assert scene.s.parse("dolphin L3/1 L4") == scene.s.parse("dolphin L3 L4")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("fly", "a piece and where it goes is expected, or end, pass, defend"),
        ("r1", "a piece and where it goes is expected"),
        ("x1 NE", "no explorer; they are r1 to w10"),
        ("r11 NE", "no explorer"),
        ("r0 NE", "no explorer"),
        ("y1 NE", "y1 is not one of yours"),
        ("r1 UP", "there is no space 'UP'; they are A1 to M7"),
        ("r1 NE shark", "after NE only ship or dolphin may stand"),
        ("r1 NE ship ship", "after NE only ship or dolphin may stand"),
        ("r1 dive deep", "too many words"),
        ("r1 @NW", "r1 does not touch @NW"),
        ("r4 @NW", "r4 does not touch @NW"),
        ("r1 Z9", "there is no space 'Z9'"),
        ("A1 NE", "there is no ship at A1"),
        ("C4 Z9", "there is no space 'Z9'"),
        ("ship Z9", "there is no space 'Z9'"),
        ("squid @NW", "there is no space '@NW'"),
        ("sink A1", "A1 is no place of the island"),
        ("sink A99", "there is no space 'A99'"),
        ("pick q7", "no explorer"),
        ("fetch A1", "there is no ship at A1"),
        ("shark A1 A2", "there is no shark at A1"),
        ("whale L3/2 L4", "there is no whale at L3/2"),
        ("whale L3/0 L4", "there is no whale at L3/0"),
        ("whale L3/x L4", "a number is expected after the stroke"),
        ("whale L3/ L4", "a number is expected after the stroke"),
        ("whale L3 L99", "there is no space 'L99'"),
        ("dolphin K3 z1", "no explorer"),
        ("rD4=7", "the value must be 1 to 6"),
        ("rD4=", "the value must be 1 to 6"),
        ("rD4=?", "the value must be 1 to 6"),
        ("rA1=1", "A1 is no place of the island"),
        ("r=1", "there is no space ''"),
        ("=1", "the letter of an own colour"),
        ("yD4=1", "the letter of an own colour"),
    ],
)
def test_a_text_that_names_no_action_is_quoted_with_what_was_expected(text: str, expected: str) -> None:
    scene = Scene(dolphins=True).explorer("r1", "D4").ship("C4").creature("whale", "L3").creature("dolphin", "K3")
    with pytest.raises(NotationError) as error:
        scene.moving(0).s.parse(text)
    assert repr(text) in str(error.value)
    assert expected in str(error.value)
    assert error.value.key == "error.notation"
    assert error.value.arguments["text"] == text


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("laying", "one of beach, forest, mountain is expected"),
        ("back", "one of dolphin, wind, move_serpent, "),
        ("rolling", "one of serpent, shark, whale, dolphin, ship, starfish is expected"),
        ("rolling_far", "one of 1, 2, 3, D is expected"),
    ],
)
def test_an_illegal_outcome_is_refused_with_the_possible_ones(phase: str, expected: str) -> None:
    s = everywhere()[phase]
    for text in ("lava", "end", "r1 NE"):
        with pytest.raises(NotationError) as error:
            s.parse(text)
        assert repr(text) in str(error.value)
        assert expected in str(error.value)


ODD = (
    *("ship", "r1 r1 r1 r1", "é1 NE", "r\u0661 NE", "\x00", "shark L3/\u00b2 L4", "=", "==", "r1=", "A1", "@NW @NE"),
    *("dolphin", "dolphin K3", "r1 NE " * 50, "D4 D4", "pick", "sink", "whale L3/9999999999 L4", "#3 NE", "A1 #4"),
)


def test_no_text_makes_parsing_fail_in_another_way() -> None:
    for name, s in everywhere().items():
        for text in ODD:
            try:
                action, said = s.parse(text), ""
            except NotationError as error:
                action, said = -1, str(error)
            assert action >= 0 or repr(clip_untrusted_text(text)) in said, (name, text)
            assert action < s.num_actions() + 25


def test_a_whole_match_is_replayed_from_its_record_and_lines_are_short() -> None:
    match = Match("survive", players=4, seed=3, dolphins=True, squid="with_whales", bounty=True)
    rng = Rng(3)
    while match.actor != OVER:
        match.play(int(match.state.random_action(rng)))
    again = Match.replay(match.record())
    assert again.state.digest() == match.state.digest()
    assert again.record() == match.record()
    lines = match.log_lines()
    assert sum(len(line) for line in lines) / len(lines) <= 14


def test_a_record_with_a_wrong_line_names_the_line() -> None:
    match = Match("survive", players=2, seed=3)
    text = match.record()
    number = len(text.split("\n"))
    with pytest.raises(RecordError, match=f"line {number}.*'rZ9=1'.*no space 'Z9'"):
        Match.replay(text + "rZ9=1\n")
    with pytest.raises(RecordError, match=r"forbidden by SV\.V1"):
        Match.replay(text + "gD4=1\n")
