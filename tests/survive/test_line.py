"""Positions as one line: every moment of every game, read, printed back, made for a seat, and refused with a reason."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import pytest

from landfall.core.errors import PositionError
from landfall.core.languages import LANGUAGES
from landfall.core.rng import Rng
from landfall.core.state import SPECTATOR
from landfall.core.text_catalogue import translate
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import game
from landfall.games.survive.rules.message_types import View
from landfall.games.survive.rules.phases import PHASE_NAMES, Phase, Step
from landfall.games.survive.state import SurviveState

from .position_builder import Scene, state_before_island

SURVIVE = game("survive")
LINE = (
    "players: 3 dolphins squid=with_whales bounty; island: ..bb/bfffb/bbfmmfbb/bfm~mfb/bbfmmfbb/ffmmf/ffff; "
    "Red: D6=3 aboard=1 lost=2 D4=6!+ @SE=1 E4=1 E4=2 E5=3 E6=4 E7=5 bounty=1; "
    "Yellow: aboard=5 K3=1 @NW=4 E8=1 F3=1 F4=2 F5=2 F6=3 F7=3 F8=6 wind/b; "
    "Green: lost=1 lost=1 lost=1 lost=2 lost=2 lost=3 lost=3 lost=4 lost=5 lost=6; "
    "ships: C4(r2 y1) - K4; supply: 8; serpents: B1 - - - L10; sharks: A4 -; dolphins: D4(r4); "
    "gone: dolphin/b; now: ward turn=yellow asked=red round=4 points=1 by=shark2 touched=D4,D5 stirred=1"
)


def test_a_line_is_printed_back_as_it_was_read() -> None:
    assert SURVIVE.from_text(LINE).to_text() == LINE


def test_at_a_debugger_a_position_shows_its_line() -> None:
    assert LINE in repr(SURVIVE.from_text(LINE))


def test_a_line_says_what_stands_in_it() -> None:
    s = SURVIVE.from_text(LINE)
    view = cast("View", s.view(0))
    assert view["aboard"] == {"C4": ["r2", "y1"], "K4": []}
    assert view["wards"] == {"16": "r4"}
    assert view["creatures"] == [
        [0, "serpent", "B1"],
        [4, "serpent", "L10"],
        [5, "shark", "A4"],
        [16, "dolphin", "D4"],
    ]
    assert view["acted"] == ["r4"]
    assert view["supply"] == {"ship": 8, "shark": 4, "whale": 5, "dolphin": 3, "squid": 5}
    assert (view["actor"], view["turn"], view["phase"]) == (0, 1, "ward")
    assert s.scores() == [1 + 1, 4, 0]


def test_every_moment_of_a_game_has_its_line() -> None:
    """The first position of each phase in each step, over tables that together ask every question there is."""
    tables: list[tuple[int, dict[str, object]]] = [
        (6, {"crowded": True, "dolphins": True, "squid": "with_whales", "to_the_last": True, "bounty": True}),
        (5, {"crowded": True, "squid": "instead_of_whales", "open_values": True}),
        (2, {"two_colours": True, "ships_per_colour": True, "submerged": True, "isle_hopper": True}),
        (4, {"overpopulated": True, "dolphins": True, "squid": "with_whales", "squid_spares_on_arrival": True}),
    ]
    phases: set[str] = set()
    for players, options in tables:
        seen: set[tuple[Phase, Step]] = set()
        for s in random_game_positions(state_before_island(players, **options), Rng(players)):
            assert isinstance(s, SurviveState)
            if (s.phase, s.step) not in seen:
                seen.add((s.phase, s.step))
                phases.add(PHASE_NAMES[s.phase])
                assert SURVIVE.from_text(s.to_text()).to_bytes() == s.to_bytes(), s.to_text()
    assert phases == set(PHASE_NAMES)


@pytest.mark.rule("SV.U5", "SV.R8")
def test_a_line_for_a_seat_hides_values_and_hands() -> None:
    scene = Scene(players=2)
    scene.explorer("r1", "D4", value=5).explorer("y1", "D5", value=6).hold(0, "wind").hold(1, "wind")
    seats = {seat: dict(part.split(": ") for part in scene.s.to_text(seat).split("; ")) for seat in (0, 1, SPECTATOR)}
    assert seats[0]["Red"].startswith("D4=? lost=?")
    assert "lost=? wind/b" in seats[0]["Red"]
    assert "lost=? ?/b" in seats[0]["Yellow"]
    assert "lost=? wind/b" in seats[1]["Yellow"]
    assert "lost=? ?/b" in seats[SPECTATOR]["Red"]
    assert "lost=? ?/b" in seats[SPECTATOR]["Yellow"]


@pytest.mark.rule("SV.U5")
def test_a_seat_sees_its_own_values_where_it_may_look() -> None:
    scene = Scene(players=2, open_values=True)
    scene.explorer("r1", "D4", value=5).explorer("y1", "D5", value=6)
    assert "Red: D4=5 lost=1" in scene.s.to_text(0)
    assert "Yellow: D5=? lost=?" in scene.s.to_text(0)


def test_what_is_not_said_is_filled_in_by_rule() -> None:
    short = (
        "players: 2; island: ..bb/bfffb/bbfmmfbb/bfm~mfb/bbfmmfbb/ffmmf/ffff; Red: D6=3 D7; Yellow: aboard; "
        "ships: C4(y1); now: moving"
    )
    assert SURVIVE.from_text(short).to_text() == (
        "players: 2; island: ..bb/bfffb/bbfmmfbb/bfm~mfb/bbfmmfbb/ffmmf/ffff; "
        "Red: D6=3 D7=1 lost=1 lost=1 lost=2 lost=2 lost=3 lost=4 lost=5 lost=6; "
        "Yellow: aboard=1 lost=1 lost=1 lost=2 lost=2 lost=3 lost=3 lost=4 lost=5 lost=6; "
        "ships: C4(y1); supply: 11; serpents: - - - - -; gone: whale/b ship/b; now: moving turn=red"
    )


@pytest.mark.parametrize(
    ("old", "new", "quoted", "reason"),
    [
        ("players: 3", "players: 7", "7", "2 to 6"),
        ("dolphins squid", "dolphins crowded squid", "crowded", "SV.O5"),
        ("dolphins squid", "mermaids squid", "mermaids", "no option mermaids"),
        ("squid=with_whales", "squid=fried", "fried", "with_whales"),
        ("island: ..bb/", "island: ", "bfffb/", "7 rows"),
        ("..bb/", ".bb/", ".bb", "row D of the island has 4 places"),
        ("..bb/", "..bx/", "..bx", "D7: expected b, f or m"),
        ("bfm~mfb", "bfmmmfb", "bfmmmfb", "G6: expected"),
        ("..bb/", "mmbb/", "mmbb", "only 8 tiles of m"),
        ("D6=3", "Z6=3", "Z6=3", "no space Z6"),
        ("D6=3", "D6=?", "D6=?", "made for a seat"),
        ("D6=3", "D6=6", "D4=6!+", "red has no other 6"),
        ("D6=3", "D6=7", "D6=7", "expected explorers such as"),
        ("E7=5", "E7=5 E8=1", "E8=1", "red has 10 explorers"),
        ("wind/b", "?/b", "?/b", "made for a seat"),
        ("wind/b", "wand/b", "wand/b", "the backs are dolphin, wind"),
        ("wind/b", "dolphin/b", "dolphin/b", "never kept in a hand"),
        ("wind/b", "3wind/b", "3wind/b", "only 2 of wind/b"),
        ("bounty=1", "bounty=x", "bounty=x", "a number up to 60"),
        ("Green:", "White:", "white", "only red, yellow, green play"),
        ("Green:", "Red:", "Red:", "two sections red"),
        ("Green:", "Mauve:", "Mauve:", "names are players, island"),
        ("C4(r2 y1)", "C4(r2)", "y1", "of no ship's crew"),
        ("C4(r2 y1)", "C4(r2 y1 g1)", "C4(r2 y1 g1)", "g1 is not said to be aboard"),
        ("C4(r2 y1)", "C4(r2 y1", "C4(r2 y1", "expected a ship such as"),
        ("C4(r2 y1)", "@NW(r2 y1)", "@NW(r2 y1)", "expected a ship such as"),
        ("supply: 8", "supply: 13", "13", "a number up to 12"),
        ("sharks: A4", "sharks: A4(r1)", "A4(r1)", "expected a space such as C4"),
        ("sharks: A4 -", "sharks: A4 - - - - - -", "A4 -", "6 sharks"),
        ("D4(r4)", "D4(q4)", "D4(q4)", "q4 is no explorer"),
        ("D4(r4)", "D4(r4) D4(r4)", "D4(r4)", "r4 has two dolphins"),
        ("gone: dolphin/b", "gone: 9dolphin/b", "9dolphin/b", "only 3 of dolphin/b"),
        ("gone: dolphin/b", "gone: dolphin", "dolphin", "such as shark/b"),
        ("now: ward", "now: dance", "dance", "the moments are laying"),
        ("turn=yellow", "turn=blue", "turn=blue", "expected one of red, yellow, green"),
        ("by=shark2", "by=shark0", "by=shark0", "counted from 1"),
        ("by=shark2", "by=shark7", "by=shark7", "a number up to 6"),
        ("stirred=1", "shaken=1", "shaken=1", "expected step=die"),
        ("touched=D4,D5", "touched=@NW", "touched=@NW", "not an isle"),
        ("D4(r4)", "D5(r4)", "players: 3", "a ward is not with its dolphin"),
        ("K4;", "C4;", "players: 3", "two ships share a space"),
    ],
)
def test_what_is_wrong_is_quoted_with_a_reason(old: str, new: str, quoted: str, reason: str) -> None:
    assert old in LINE
    with pytest.raises(PositionError) as error:
        SURVIVE.from_text(LINE.replace(old, new, 1))
    assert quoted in str(error.value.arguments["text"])
    assert reason in str(error.value.arguments["reason"])
    for language in LANGUAGES:
        assert quoted in translate(language, error.value.key, error.value.arguments, "survive")


@pytest.mark.parametrize("name", ["players", "island", "now"])
def test_no_line_without_its_table_its_island_and_its_moment(name: str) -> None:
    text = "; ".join(part for part in LINE.split("; ") if not part.startswith(name))
    with pytest.raises(PositionError, match=f"there is no section {name}:"):
        SURVIVE.from_text(text)


def test_a_damaged_line_is_a_position_or_refused() -> None:
    """Letters changed, words lost and doubled: nothing but a position or a PositionError comes of it."""
    rng, refused = Rng(11), 0
    for _ in range(600):
        text = LINE
        for _ in range(1 + int(rng.randbelow(2))):
            at = int(rng.randbelow(len(text)))
            cut = [text[:at] + text[at + 1 :], text[:at] + "?3bD;:=-( "[rng.randbelow(10)] + text[at + 1 :]]
            words = text.split(" ")
            words[rng.randbelow(len(words))] = words[rng.randbelow(len(words))]
            text = [*cut, " ".join(words)][rng.randbelow(3)]
        try:
            s = SURVIVE.from_text(text)
        except PositionError:
            refused += 1
        else:
            assert SURVIVE.from_text(s.to_text()).to_bytes() == s.to_bytes(), text
    assert 100 < refused < 600


def test_the_lines_in_the_documentation_are_positions() -> None:
    text = (Path(__file__).parents[2] / "docs" / "positions-survive.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    (.+)$", text, re.MULTILINE)
    assert len(lines) >= 4
    for line in lines:
        s = SURVIVE.from_text(line)
        assert SURVIVE.from_text(s.to_text()).to_bytes() == s.to_bytes()
        assert s.legal_actions(), line
