"""Notation, words, views, previews, touches, and the table in a terminal."""

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest
from rich.cells import cell_len
from rich.text import Text

import landfall
from landfall import Match, Rng
from landfall.core.errors import NotationError
from landfall.core.languages import LANGUAGES
from landfall.core.state import list_choices_one_by_one
from landfall.core.text_catalogue import load_text_catalogue, translate
from landfall.games.atlandice.presentation.terminal import wrap_to_cells
from landfall.games.atlandice.rules.components import TILES, tile_name
from landfall.games.atlandice.rules.phases import PHASES

from .position_builder import new_game_with_tiles, phase_name, play_lines, set_stocks, set_up_last_visit

ROOM = Path(__file__).parents[2] / "src" / "landfall" / "games" / "atlandice"


@pytest.mark.parametrize(
    "text", ["", "d", "d7", "d0", "x3", "+3", "+3x", "+7g", "^", ">", "-x", "-gg", "Pass", "d3 ", "3"]
)
def test_a_text_that_names_no_choice_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(NotationError) as refusal:
        new_game_with_tiles().parse(text)
    assert repr(text) in str(refusal.value)
    assert "expected" in str(refusal.value)


def test_a_text_that_names_no_outcome_is_refused() -> None:
    s = landfall.new("atlandice", 3)
    for text in ("2a", "1d", "1", "a", "", "1aa"):
        with pytest.raises(NotationError, match="expected a tile"):
            s.parse(text)
    for _ in range(5):
        s.apply(s.chance_outcomes()[0][0])
    for text in ("0", "7", "", "11", "d1"):
        with pytest.raises(NotationError, match="expected a die's face"):
            s.parse(text)


def test_every_phase_tile_and_refusal_has_a_text() -> None:
    texts = load_text_catalogue("atlandice", "en")
    assert all(f"ask.{name}" in texts for name in PHASES)
    assert all(f"effect.{tile_name(t)}" in texts and f"term.{tile_name(t)}" in texts for t in range(TILES))
    source = "".join(path.read_text(encoding="utf-8") for path in ROOM.rglob("*.py"))
    returned = set(re.findall(r'"(AD\.[A-Z]\d+)"', source)) - {"AD.C4"}  # the option's, refused with its own reason
    assert returned == {"AD.V1", "AD.V3", "AD.V5", "AD.V7", "AD.C3", "AD.N1"}
    assert all(f"why.{rule}" in texts for rule in returned)


def test_sentences_use_the_languages_own_forms() -> None:
    event = {"seat": 0, "resource": "books", "sector": "black_market"}
    said = [translate(language, "event.take", event, "atlandice", ["Ana"]) for language in LANGUAGES]
    assert said == [
        "Ana takes a book from the black market.",
        "Ana pega um livro do mercado negro.",
        "Ana从黑市拿走一本书。",
        "Ana взема една книга от черния пазар.",
        "Ana nimmt ein Buch vom Schwarzmarkt.",
        "Ana bierze księgę z czarnego rynku.",
    ]


def test_every_event_and_choice_of_a_match_can_be_said_in_every_language() -> None:
    match = Match("atlandice", 2, seed=5)
    rng = Rng(5)
    said = 0
    while match.actor >= 0:
        for words in list_choices_one_by_one(match.state, match.actor):
            for language in LANGUAGES:
                sentence = translate(language, f"act.{words['verb']}", words, "atlandice")
                assert "{" not in sentence
                assert not sentence.startswith("act.")
        match.play(int(match.state.random_action(rng)))
    for event in match.events():
        for language in LANGUAGES:
            sentence = translate(language, f"event.{event['kind']}", event, "atlandice", ["Ana", "Bruno"])
            assert "{" not in sentence
            assert "term." not in sentence
            assert not sentence.startswith("event.")
            said += 1
    assert said > 400


def test_the_view_says_who_acts_and_what_is_asked() -> None:
    s = new_game_with_tiles("abaaa")
    play_lines(s, "d2 +2b")
    view = s.view(0)
    assert (view["game"], view["players"], view["actor"], view["phase"]) == ("atlandice", 3, 0, "move")
    assert view["ask"] == "ask.move"
    assert view["visit"] == {"seat": 0, "neutral": False, "sector": "library"}
    assert json.loads(json.dumps(view)) == view


def test_the_preview_says_where_the_clock_would_go_for_each_remaining_sector() -> None:
    s = new_game_with_tiles("abcaa", dice="1122336")
    s.hand = 15
    assert s.preview(0) == {
        "clock": {
            "jeweller": {"to": 16, "icon": None, "ends": False},
            "library": {"to": 17, "icon": None, "ends": False},
            "inn": {"to": 18, "icon": None, "ends": True},
            "black_market": {"to": 17, "icon": None, "ends": False},
        }
    }
    s.hand = 12
    assert cast("Any", s.preview(0))["clock"]["inn"] == {"to": 15, "icon": "donation", "ends": False}
    s.hand = 18
    assert cast("Any", s.preview(0))["clock"]["inn"] == {"to": 18, "icon": None, "ends": True}


def test_the_preview_comes_true() -> None:
    for sector, name in enumerate(("jeweller", "library", "inn", "workshop", "forge", "black_market"), 1):
        s = new_game_with_tiles("abcbc")
        set_up_last_visit(s, str(sector), "6")
        told = cast("Any", s.preview(0))["clock"][name]["to"]
        play_lines(s, "d6 +6w")
        assert s.hand == told


def test_a_touch_is_answered_with_the_rule_that_forbids_it() -> None:
    s = new_game_with_tiles("aabaa", dice="1133366")
    assert s.why_cannot_move(1, "die", "inn") == "LF.2"
    assert s.why_cannot_move(0, "die", "inn") is None
    assert s.why_cannot_move(0, "die", "library") == "AD.V1"
    assert s.why_cannot_move(0, "neutral_die", "inn") == "AD.N1"
    assert s.why_cannot_move(0, "gems", "jeweller") == "LF.1"
    assert s.why_cannot_move(0, "crown", "jeweller") == s.why_cannot_move(0, "die", "harbour") == "LF.1"
    play_lines(s, "d3")
    assert s.why_cannot_move(0, "provisions", "inn") is None
    assert s.why_cannot_move(0, "gems", "jeweller") == "AD.V1"
    play_lines(s, "+3p ^6g")
    assert s.why_cannot_move(0, "gems", "inn") == "AD.C3"
    assert s.why_cannot_move(0, "gems", "library") is None
    assert s.why_cannot_move(0, "books", "library") == "LF.1"


def test_only_a_donation_costs_a_piece() -> None:
    s = new_game_with_tiles()
    set_stocks(s, "gg", "", "")
    s.hand = 1
    set_up_last_visit(s, "6", "6")
    play_lines(s, "d6 +6w")
    assert phase_name(s) == "donate"
    assert [(words["text"], words["loses"]) for words in list_choices_one_by_one(s, 0)] == [
        ("-g", ["gems"]),
        ("pass", []),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_draws_the_whole_table_and_labels_the_default_clock(language: str) -> None:
    rng = Rng(9)
    for players in (2, 3, 4):
        match = Match("atlandice", players, seed=players)
        while match.actor >= 0:
            for _ in range(40):
                if match.actor >= 0:
                    match.play(int(match.state.random_action(rng)))
            drawn = Text.from_markup(match.game.render_terminal(match.view(0), language))
            for name in ("gems", "weapons", "black_market"):
                assert translate(language, f"term.{name}", {}, "atlandice") in drawn.plain
            for key in ("label.default_clock", "label.default_hands"):
                assert translate(language, key, {}, "atlandice") in drawn.plain
            boxes = [line for line in drawn.plain.splitlines() if line.startswith(("╭", "│", "╰"))]
            assert {Text(line).cell_len for line in boxes} == {94}
            assert (translate(language, "term.neutral", {}, "atlandice") in drawn.plain) == (players == 2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_effect_in_the_terminal_is_broken_into_lines_and_keeps_its_words_in_order(language: str) -> None:
    for key in (key for key in load_text_catalogue("atlandice", "en") if key.startswith("effect.")):
        text = translate(language, key, {}, "atlandice")
        lines = wrap_to_cells(text, 28, 9)
        assert len(lines) == 9
        assert all(cell_len(line) <= 28 for line in lines)
        assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_tables_own_clock_is_not_labelled_as_ours() -> None:
    s = new_game_with_tiles(clock={"last": 5, "icons": {"3": "gems"}, "hands": {"black_market": 9}})
    drawn = landfall.game("atlandice").render_terminal(s.view(0), "en")
    assert "are ours" not in drawn
    assert translate("en", "label.custom_clock", {}, "atlandice") in drawn
