"""Positions as one line: read, written back, and refused with a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from landfall.core.errors import PositionError
from landfall.core.languages import LANGUAGES
from landfall.core.state import CHANCE, SPECTATOR
from landfall.core.text_catalogue import translate
from landfall.games.atlandice.game_definition import GAME
from landfall.games.atlandice.rules.board import WORKSHOP
from landfall.games.atlandice.state import AtlandiceState

from .position_builder import (
    new_game_with_tiles,
    play_lines,
    points_by_holder,
    sector_dice,
    sector_pieces,
    stock_pieces,
    tile_location,
)

CITY = "1a: 6g d; 2b: 7b 2d; 3-:; 4c: 7t sub; 5a: 7w d; 6: 3g 3b 3t 3w 2d; "
LINE = CITY + "Red: g d points=3; Blue: tiles=3a; Neutral:; gone: 3b 3c; clock: 2; now: roll round=1"


def position(line: str) -> AtlandiceState:
    state = GAME.from_text(line)
    assert isinstance(state, AtlandiceState)
    return state


def test_a_line_is_written_back_as_it_was_read() -> None:
    assert position(LINE).to_text() == LINE
    assert [position(LINE).to_text(seat) for seat in (0, 1, SPECTATOR)] == [LINE] * 3


def test_a_line_says_what_stands_in_it() -> None:
    s = position(LINE)
    assert (s.players, s.actor, s.round, s.hand) == (2, CHANCE, 1, 2)
    assert [sector_pieces(s, sector) for sector in (1, 3, 6)] == ["g" * 6, "", "gggbbbtttwww"]
    assert (sector_dice(s), s.submarine) == ("122566", WORKSHOP)
    assert (stock_pieces(s, 0), stock_pieces(s, 1)) == ("g", "")
    assert points_by_holder(s) == [3, 0, 0, 0]
    assert [tile_location(s, tile) for tile in ("1a", "1b", "3a", "3b")] == ["top", "unseen", "1", "gone"]


def test_a_clock_of_ones_own_stands_in_the_line() -> None:
    hands = {"black_market": 5}
    s = new_game_with_tiles(clock={"last": 6, "icons": {"2": "gems", "4": "donation"}, "hands": hands})
    play_lines(s, "d1", "+1g")
    assert "clock: 0 last=6 icons=2:gems,4:donation hands=1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,5;" in s.to_text()
    assert position(s.to_text()).to_bytes() == s.to_bytes()


@pytest.mark.parametrize(
    ("old", "new", "quoted", "reason"),
    [
        ("1a:", "7a:", "7a", "names are 1a to 5c"),
        ("6g d;", "6g 2x;", "2x", "pieces such as 2g"),
        ("2b:", "2b: bare extra", "extra", "pieces such as 2g"),
        ("Neutral:", "Green: g; Neutral:", "neutral", "expected one of red, blue, green"),
        ("tiles=3a", "tiles=3d", "3d", "number of a region"),
        ("gone: 3b", "gone: 3a 3b", "3a", "only one such tile"),
        ("gone: 3b", "gone: 1a 3b", "1a", "only one such tile"),
        ("Neutral:", "Neutral: 2q", "2q", "points=4"),
        ("clock: 2", "clock: 99", "99", "last space is 18"),
        ("clock: 2", "clock: two", "two", "where the hand points"),
        ("clock: 2", "clock: 2 last=1 icons=none", "2", "last space is 1"),
        ("clock: 2", "clock: 2 last=9 icons=9:gems", "9:gems", "before the last"),
        ("clock: 2", "clock: 2 hands=1,2", "1,2", "16 hands"),
        ("now: roll", "now: dance", "dance", "moments of a game"),
        ("round=1", "round=1 at=7", "at=7", "expected one of 1, 2"),
        ("round=1", "round=1 when=7", "when=7", "expected round="),
        ("round=1", "round=1 turn=Green", "turn=green", "expected one of Red, Blue"),
        ("round=1", "round=1 for=Green", "for=green", "expected one of Red, Blue, Neutral"),
        ("6g d;", "5g d;", "1a", "gems instead of"),
    ],
)
def test_what_is_wrong_is_quoted_with_a_reason(old: str, new: str, quoted: str, reason: str) -> None:
    assert old in LINE
    with pytest.raises(PositionError) as error:
        GAME.from_text(LINE.replace(old, new, 1))
    assert quoted in str(error.value.arguments["text"])
    assert reason in str(error.value.arguments["reason"])
    for language in LANGUAGES:
        assert quoted in translate(language, error.value.key, error.value.arguments, "atlandice")


def test_the_lines_in_the_documentation_are_positions() -> None:
    text = (Path(__file__).parents[2] / "docs" / "positions-atlandice.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    (.+)$", text, re.MULTILINE)
    assert len(lines) >= 4
    for line in lines:
        assert GAME.from_text(line).to_text() == line
