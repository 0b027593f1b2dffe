"""The catalogues: the same keys and placeholders in four languages, and all that random games say is there."""

import ast
from functools import cache
from pathlib import Path

import pytest

import landfall
from landfall.core.languages import LANGUAGES
from landfall.core.text_catalogue import game_title, load_text_catalogue, translate
from landfall.core.text_template import template_argument_names
from landfall.game_checks.needed_texts import (
    Spoken,
    faults_of_options,
    faults_of_questions,
    faults_of_reasons,
    faults_of_what_is_said,
    is_literal_in_sources,
    listen_to_random_games,
    plain_words,
    template_slots,
)
from landfall.games import BUILT_IN_GAMES, GAME_NAMES

ROOMS = ("", *GAME_NAMES)  # "": what is common to all games
OURS = ("", *BUILT_IN_GAMES)  # these are translated; an outside game may be in English alone
pytestmark = pytest.mark.once


@cache
def spoken(name: str) -> Spoken:
    """What some random games of each option say."""
    return listen_to_random_games(name, 3 if landfall.ENGINE == "compiled" else 1)


@pytest.mark.parametrize("room", ROOMS)
def test_all_languages_have_the_same_keys(room: str) -> None:
    english = set(load_text_catalogue(room, "en"))
    assert english
    missing = {}
    for language in LANGUAGES:
        missing[language] = english - set(load_text_catalogue(room, language))
    report_missing(room, missing)


@pytest.mark.parametrize("room", ROOMS)
def test_all_languages_have_the_same_placeholders(room: str) -> None:
    for key, text in load_text_catalogue(room, "en").items():
        assert text.strip()
        for language in LANGUAGES:
            if key not in load_text_catalogue(room, language):
                continue  # reported above
            other = load_text_catalogue(room, language)[key]
            assert other.strip(), (language, key)
            assert template_slots(other) == template_slots(text), (language, key)
            assert template_argument_names(other) <= template_argument_names(text), (language, key)


def report_missing(room: str, missing: dict[str, set[str]]) -> None:
    """Report what an outside game has not translated: it is shown in English."""
    counts = [f"{len(keys)} texts in {language}" for language, keys in missing.items() if keys]
    if counts:
        pytest.skip(f"{room} lacks {', '.join(counts)}; they are shown in English")


def test_an_outside_game_may_be_in_english_alone() -> None:
    report_missing("survive", {"en": set(), "pt": set()})
    with pytest.raises(pytest.skip.Exception, match="chess lacks 2 texts in pt, 1 texts in bg; they are shown"):
        report_missing("chess", {"en": set(), "pt": {"a", "b"}, "bg": {"a"}})


def test_whatever_a_table_refuses_has_a_text() -> None:
    """By the sources: a refusal without a rule is told by `table.<code>`."""
    found = set()
    for path in Path(landfall.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(ast.Name("Refused"), [ast.Constant(str(code)), *rest]):
                    if not rest or (isinstance(rest[0], ast.Constant) and rest[0].value is None):
                        found.add(f"table.{code}")
    assert len(found) > 50
    assert found - set(load_text_catalogue("", "en")) == set()


@pytest.mark.parametrize("name", GAME_NAMES)
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_sentences_are_translated(name: str, language: str) -> None:
    english = load_text_catalogue(name, "en")
    same = [
        key
        for key, text in load_text_catalogue(name, language).items()
        if text == english.get(key)
        and key.split(".")[0] in ("event", "ask", "wait", "why", "option")
        and any(c.isalpha() for c in plain_words(text))  # "{piece} {how:how}" has no words of its own
    ]
    assert same == []


@pytest.mark.parametrize("name", GAME_NAMES)
def test_all_that_random_games_say_has_a_text(name: str) -> None:
    assert faults_of_what_is_said(name, spoken(name)) == []


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_seats_question_is_worded_for_the_others_as_anothers_doing(name: str) -> None:
    assert faults_of_questions(name, spoken(name)) == []


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_option_and_every_word_of_it_has_a_text(name: str) -> None:
    assert faults_of_options(name) == []


@pytest.mark.parametrize("name", GAME_NAMES)
def test_no_text_of_an_event_or_a_choice_is_never_said(name: str) -> None:
    received = spoken(name).keys
    kept = [key for key in load_text_catalogue(name, "en") if key.split(".")[0] in ("event", "act", "ask", "wait")]
    silent = [key for key in kept if key not in received]
    unknown = [key for key in silent if not is_literal_in_sources(name, key.partition(".")[2])]
    assert unknown == [], f"texts that no random game says, and whose words are not in the sources: {unknown}"
    assert len(silent) < len(kept) / 4, f"random games hardly say anything: {silent}"


@pytest.mark.parametrize("name", GAME_NAMES)
def test_what_is_said_to_the_reader_is_also_said_about_others(name: str) -> None:
    """`you.took` needs no more than `event.took` is given, and no name: it is said to whoever did it."""
    english = load_text_catalogue(name, "en")
    own = [key for key in english if key.startswith("you.")]
    assert own or name not in BUILT_IN_GAMES  # an outside game may say everything by name
    for key in own:
        other = english[f"event.{key.removeprefix('you.')}"]
        assert template_argument_names(english[key]) <= template_argument_names(other) - {"seat"}, key
    acted = [key for key in english if key.startswith("event.") and english[key].startswith("{seat:seat} ")]
    if own and name != "survive":  # whose log has sentences of its own
        missing = {key for key in acted if key.replace("event.", "you.", 1) not in english}
        assert missing <= {"event.turn"}, missing


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_reason_names_a_rule_of_the_rulebook(name: str) -> None:
    assert faults_of_reasons(name) == []


def test_a_game_has_a_title_in_every_language() -> None:
    assert [game_title(language, "survive") for language in ("en", "bg")] == ["Survive", "Бягство от Атлантида"]


def test_templates_know_names_terms_seats_and_forms() -> None:
    assert translate("en", "cli.turn", {"seat": 1}, names=["Ana", "Bo"]) == "Bo to choose."
    assert translate("en", "no.such.key") == "no.such.key"
    assert translate("bg", "why.LF.2") == "Не си на ход."
