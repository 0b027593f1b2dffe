"""Guides as data: every line readable, every word there in four languages, every lesson met in play."""

import json
import re
from typing import Any

import pytest

from landfall import guides, paths, rulebook
from landfall.core import options as opt
from landfall.core.languages import LANGUAGES
from landfall.games import BUILT_IN_GAMES, GAME_NAMES
from landfall.games import game as find_game
from landfall.guides import UI_ACTIONS, Guide, GuideContext
from landfall.match import Match
from landfall.tables.protocol.errors import Refused
from landfall.tables.teaching import rule_diagrams
from tests.guide_walkthrough import Course

GUIDES = [(game, guide) for game in GAME_NAMES for guide in guides.load_guide_book(game)["guides"]]
EACH = pytest.mark.parametrize(("game", "guide"), GUIDES, ids=[f"{game}-{guide['id']}" for game, guide in GUIDES])
KEYS = {"mine", "view", "choice", "event", "met", "deed", "not", "any"}


def test_every_game_of_ours_is_explained() -> None:
    assert [game for game in BUILT_IN_GAMES if guides.find_guide(game, "first") is None] == []


@EACH
def test_its_beginning_can_be_played(game: str, guide: Guide) -> None:
    match = Match(game, guide["players"], seed=1, position=guide["position"], **guide["options"])
    assert match.actor == guide["seat"]
    assert match.legal_actions()
    found = find_game(game)
    assert opt.find_option_problems(found.options, found.player_counts, guide["players"], guide["options"]) == []
    again = Match.replay(match.record())
    assert again.state.to_bytes() == match.state.to_bytes()
    assert match.view(guide["seat"]) == again.view(guide["seat"])


@EACH
def test_its_lessons_name_rules_and_symbols_there_are(game: str, guide: Guide) -> None:
    known = {rule.id for rule in rulebook.load_rules(game)}
    sheet = paths.visual_asset_file("symbols.svg").read_text(encoding="utf-8")
    names = [lesson["id"] for lesson in guide["lessons"]]
    assert len(set(names)) == len(names)
    assert {lesson["rule"] for lesson in guide["lessons"]} - known <= {""}
    assert set(guide["rest"]) <= known
    assert [one["symbol"] for one in guide["lessons"] if f'id="{one["symbol"]}"' not in sheet] == []
    for lesson in guide["lessons"]:
        for trigger in (lesson["when"], lesson.get("until", {})):
            check_trigger(trigger, names)


def check_trigger(trigger: dict[str, object], names: list[str]) -> None:
    """Nothing in it is misspelt."""
    assert set(trigger) <= KEYS, trigger
    for key, inner in trigger.items():
        if key == "any":
            assert isinstance(inner, list)
            for one in inner:
                check_trigger(one, names)
        elif key == "not":
            assert isinstance(inner, dict)
            check_trigger(inner, names)
        elif key == "met":
            assert isinstance(inner, list)
            assert set(inner) <= set(names)
        elif key == "deed":
            assert inner in UI_ACTIONS


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_it_is_said_in_every_language(game: str, language: str) -> None:
    book = guides.load_guide_book(game)
    wanted = {f"figure.{figure['rule']}" for figure in book["figures"]}
    for guide in book["guides"]:
        name = guide["id"]
        wanted |= {name, f"{name}.sum", *(f"{name}.rest.{rule}" for rule in guide["rest"])}
        wanted |= {f"{name}.{lesson['id']}{end}" for lesson in guide["lessons"] for end in ("", ".text")}
    said, file = guides.load_guide_texts(game, language), paths.guide_texts_file(game, language)
    own = json.loads(file.read_text()) if file.is_file() else {}  # the others are said in English
    assert set(said) == wanted
    assert [key for key, text in said.items() if not text.strip()] == []
    if language != "en":
        english = guides.load_guide_texts(game, "en")
        assert [key for key in own if said[key] == english[key]] == []
    if language in ("zh", "bg"):
        letters = {"zh": r"[一-鿿]", "bg": r"[а-яА-Я]"}[language]
        assert [key for key in own if not re.search(letters, said[key])] == []


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_what_a_language_lacks_is_said_in_english(game: str) -> None:
    assert guides.load_guide_texts(game, "xx") == guides.load_guide_texts(game, "en") != {}


@EACH
def test_a_lesson_is_short_enough_to_be_read_at_a_glance(game: str, guide: Guide) -> None:
    for language in LANGUAGES:
        said = guides.load_guide_texts(game, language)
        long = {
            lesson["id"]: len(said[f"{guide['id']}.{lesson['id']}.text"])
            for lesson in guide["lessons"]
            if len(said[f"{guide['id']}.{lesson['id']}.text"]) > 175
        }
        assert long == {}, language


@EACH
def test_what_it_sets_out_to_teach_is_met_in_play(game: str, guide: Guide) -> None:
    """From its beginning, played as bots do: whatever the dice bring, within a few turns."""
    for seed in range(3):
        course = Course(game, guide, seed)
        for _ in course.steps(60):
            if course.done:
                break
        assert [name for name in course.core if name not in course.met] == [], seed


def test_a_client_does_not_get_what_its_player_may_not_know() -> None:
    for game, guide in GUIDES:
        told = next(one for one in guides.guides_for_client(game, "en") if one["id"] == guide["id"])
        assert "position" not in told
        assert str(guide["position"]) not in json.dumps(told)


def test_triggers_are_read_as_they_are_meant() -> None:
    view = {"actor": 1, "phase": "a", "seats": [{"n": 0}, {"n": 2}], "tiles": {"x": "beach"}}
    here = GuideContext(
        1, view, [{"verb": "go", "bill": 3}], {"kind": "moved", "seat": 1, "piece": "r3"}, ["one"], ["undo"]
    )
    true: tuple[dict[str, Any], ...] = (
        {"mine": True}, {"view": {"phase": ["a", "b"], "seats.me.n": 2}}, {"view": {"tiles.*": "beach"}},
        {"view": {"seats.count": {"least": 2, "most": 2}}}, {"choice": {"verb": "go", "bill": {"least": 3}}},
        {"event": {"kind": "moved", "seat": "$me", "piece": {"begins": "r"}}}, {"met": ["one"]}, {"deed": "undo"},
        {"not": {"met": ["two"]}}, {"any": [{"mine": False}, {"deed": "undo"}]},
    )  # fmt: skip
    false: tuple[dict[str, Any], ...] = (
        {"mine": False}, {"view": {"phase": "b"}}, {"view": {"seats.me.n": 0}}, {"view": {"tiles.*": "forest"}},
        {"choice": {"verb": "stay"}}, {"choice": {"bill": {"most": 2}}}, {"event": {"kind": "moved", "seat": 0}},
        {"met": ["two"]}, {"deed": "hint"}, {"any": []}, {"view": {"nowhere.at.all": 1}},
    )  # fmt: skip
    assert [one for one in true if not here.satisfies(one)] == []
    assert [one for one in false if here.satisfies(one)] == []


@pytest.mark.parametrize("game", GAME_NAMES)
def test_figures_show_a_choice_and_answer_why_not(game: str) -> None:
    """Each is a position in which its seat is asked; a touch at nothing is answered by a rule or by none."""
    known = {rule.id for rule in rulebook.load_rules(game)} | {rule.id for rule in rulebook.load_rules(rulebook.COMMON)}
    told = rule_diagrams.list_rule_diagrams(game, "en")
    assert [one["rule"] for one in told] == [one["rule"] for one in guides.load_guide_book(game)["figures"]]
    for one in told:
        assert one["rule"] in known
        assert one["view"]["actor"] == one["seat"]
        assert one["choices"]
        assert one["text"]
        assert rule_diagrams.find_rule_forbidding_diagram_move(game, one["rule"], "", "nowhere") in known | {None}
    with pytest.raises(Refused):
        rule_diagrams.find_rule_forbidding_diagram_move(game, "XX.1", "", "")
