"""A word of a position string is written and read from one declaration."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Final

import pytest

from landfall.core.errors import PositionError
from landfall.core.position_words import Word, choice_word, format_words, number_word, parse_words
from landfall.games import BUILT_IN_GAMES

pytestmark = pytest.mark.once
WORDS: Final = (
    number_word("round", "round", 20),
    number_word("points", "points", 3, lambda s: s.points == s.usual),
    choice_word("die", "face", ("Shark", "Whale"), lambda s: s.face < 0),
    choice_word("far", "far", ("1", "2", "D"), lambda s: s.far == 0, first=1),
    choice_word("turn", "turn", lambda s: ["Red", "Blue", "Green"][: s.players]),
)


def usual_position() -> SimpleNamespace:
    return SimpleNamespace(round=0, points=2, usual=2, face=-1, far=0, turn=0, players=2)


def test_usual_values_are_left_out() -> None:
    s = usual_position()
    assert format_words(WORDS, s) == []
    s.points, s.turn = 0, 1
    assert format_words(WORDS, s) == ["points=0", "turn=Blue"]


def test_what_is_written_is_read_again() -> None:
    s, again = usual_position(), usual_position()
    s.round, s.points, s.face, s.far, s.turn = 7, 3, 1, 3, 1
    written = format_words(WORDS, s)
    assert written == ["round=7", "points=3", "die=Whale", "far=D", "turn=Blue"]
    parse_words(WORDS, again, written, "")
    assert again == s


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("round=21", "expected a number up to 20"),
        ("round=", "expected a number up to 20"),
        ("round=٣", "expected a number up to 20"),
        ("die=squid", "expected one of Shark, Whale"),
        ("turn=Green", "expected one of Red, Blue"),
        ("weather=fine", "expected round=2"),
        ("round", "expected a number up to 20"),
    ],
)
def test_what_is_wrong_is_quoted_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_words(WORDS, usual_position(), [text], "expected round=2")
    assert error.value.arguments["reason"] == reason
    assert str(error.value.arguments["text"]).lower() == text.lower()


@pytest.mark.parametrize(
    "module",
    [f"{name}.presentation.position_text{'_turn_state' if name == 'survive' else ''}" for name in BUILT_IN_GAMES],
)
def test_no_word_of_a_game_is_declared_twice(module: str) -> None:
    words: tuple[Word, ...] = import_module(f"landfall.games.{module}").WORDS
    assert len(words) >= 10
    assert len({word.name for word in words}) == len(words)
