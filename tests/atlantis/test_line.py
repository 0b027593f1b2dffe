"""Positions as one line: read, printed back, and refused with a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from landfall.core.errors import PositionError
from landfall.core.languages import LANGUAGES
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, SPECTATOR
from landfall.core.text_catalogue import translate
from landfall.games.atlantis.game_definition import GAME

from .long_checks import new_state
from .position_builder import list_choices, state_from_text

LINE = (
    "pink7+ ~ blue6(Red A) |= yellow4+(Blue B) = grey2 ~ ~ white7(Black A); turn: Red; "
    "Blue: 2grey! pink yellow7 A@mainland; White:; Black: blue; Red: green pink3 pink3b bridge; "
    "discard: 3brown; out: 2white blue3"
)


def test_a_line_is_printed_back_as_it_was_read() -> None:
    assert GAME.from_text(LINE).to_text() == LINE


def test_a_line_says_what_stands_in_it() -> None:
    state = state_from_text(LINE)
    assert (state.players, state.actor) == (4, 3)
    assert [int(state.top[at] >= 0) for at in range(23, 34)] == [1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    assert [at for at in range(53) if state.bridge[at]] == [26, 28]
    assert [at for at in range(53) if state.below[at]] == [23, 27]
    assert list(state.figure_at) == [53, 27, -1, -1, -1, -1, 32, -1, -1, 25, -1, -1]
    assert (sum(state.deck), sum(state.discard), sum(state.out_cards)) == (95, 3, 2)
    assert list(state.known)[:7] == [0, 2, 0, 0, 0, 0, 0]
    assert list(state.holds_bridge) == [0, 0, 0, 1]


def test_a_line_for_a_seat_hides_what_the_seat_cannot_know() -> None:
    line = "blue5(Blue A); turn: Blue; Blue: grey! white 2yellow; White: 2brown; now: start bought=2 fresh=2yellow"
    state = state_from_text(line)
    assert state.to_text() == line
    assert state.to_text(0) == line.replace("2brown", "2?")
    assert state.to_text(1) == line.replace("white 2yellow", "3?").replace(" fresh=2yellow", "")
    assert state.to_text(SPECTATOR) == state.to_text(1).replace("2brown", "2?")


def test_a_line_says_who_drew_what_since_the_deck_was_shuffled() -> None:
    line = "blue5; turn: Blue; Blue: grey; White: brown; discard: pink; drawn: Blue=pink White=brown"
    state = state_from_text(line)
    assert state.to_text() == line
    assert list(state.shuffled) == [15, 14, 15, 15, 15, 15, 15]
    public = "blue5; turn: Blue; Blue: 1?; White: brown; discard: pink; drawn: "
    assert state.to_text(1) == public + "of=15blue,14grey,15white,15yellow,15brown,15green,15pink"


@pytest.mark.parametrize("seed", range(3))
def test_every_position_of_a_game_survives_its_line(seed: int) -> None:
    state, rng = new_state(2 + seed), Rng(seed)
    while state.actor != OVER:
        state.apply(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))
        assert GAME.from_text(state.to_text()).to_bytes() == state.to_bytes()


@pytest.mark.parametrize(
    ("line", "quoted", "reason"),
    [
        ("blue1 mauve2", "mauve2", "one of blue, grey"),
        ("blue1 blue9", "blue9", "value from 1 to 7"),
        ("blue1 & grey2", "&", "expected a tile"),
        ("blue1 blue1", "blue1", "only one blue1"),
        ("pink7", "pink7", "back B"),
        ("blue7 | grey2", "blue7", "no blue7 has back A"),
        ("blue1(Green A)", "Green A", "player's colour"),
        ("blue1(Blue A) grey1(Blue A)", "Blue A", "stands elsewhere"),
        ("blue1; hello", "hello", "name: content"),
        ("blue1; Blue: 16grey", "grey", "only 15 cards"),
        ("blue1; Blue: orange", "orange", "the kinds are"),
        ("blue1; Blue: grey9", "grey9", "no such tile"),
        ("blue1; Blue: A@moon", "a@moon", "mainland"),
        ("blue1; players: 7", "7", "2, 3 or 4"),
        ("blue1; turn: Red; players: 2", "Red", "expected one of blue, white"),
        ("blue1; Blue: 2?", "2?", "for a seat hides cards"),
        ("blue1; drawn: Green=grey", "green=grey", "what a player drew"),
        ("blue1; Blue: grey; drawn: Blue=grey9", "grey9", "the kinds are"),
        ("blue1; Blue: grey; drawn: Blue=2grey", "grey", "only 15 cards"),
        ("blue1; now: dancing", "dancing", "moments of a turn"),
        ("blue1; now: paying x=1", "x=1", "expected figure="),
        ("blue1 " + "~ " * 30 + "grey2", "~", "26 positions"),
        ("@60 blue1", "@60", "positions are 1 to 53"),
        ("blue1 = grey2; Blue: bridge; White: bridge", "blue1 = grey2", "more bridges"),
        ("blue1(Blue A) grey2; now: hopping figure=A from=28 on=29", "hopping", "not occupied"),
    ],
)
def test_what_is_wrong_is_quoted_with_a_reason(line: str, quoted: str, reason: str) -> None:
    with pytest.raises(PositionError) as error:
        GAME.from_text(line)
    assert quoted in str(error.value.arguments["text"])
    assert reason in str(error.value.arguments["reason"])
    for language in LANGUAGES:
        assert quoted in translate(language, error.value.key, error.value.arguments, "atlantis")


@pytest.mark.rule("AT.G3")
@pytest.mark.parametrize("paid", [2, 3, 4])
def test_in_the_middle_of_a_payment_something_is_left_to_pay(paid: int) -> None:
    line = f"blue5 ~ white3(Blue A); turn: Blue; Blue: 4grey; now: paying figure=A from=28 bill=3 paid={paid}"
    if paid < 3:
        assert list_choices(state_from_text(line)) == {"pay grey"}
    else:
        with pytest.raises(PositionError) as error:
            GAME.from_text(line)
        assert error.value.arguments["reason"] == "nothing is left to pay"


def test_the_lines_in_the_documentation_are_positions() -> None:
    text = (Path(__file__).parents[2] / "docs" / "positions-atlantis.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    (.+)$", text, re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        state = GAME.from_text(line)
        assert GAME.from_text(state.to_text()).to_bytes() == state.to_bytes()
