"""Numbers, their forms and lists: Python says what a browser's `Intl` says, and both fill templates alike."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from landfall import paths
from landfall.api import games
from landfall.cli import app, texts
from landfall.core import languages, text_catalogue
from landfall.core.languages import LANGUAGE_TABLE, LANGUAGES, format_number, join_names, plural_category
from landfall.core.text_template import fill_template, list_slots, parse_template
from tests import cldr
from tests.conftest import lacking
from tests.repository_files import REPO

pytestmark = pytest.mark.once
NUMBERS = [0, 1, 2, 3, 5, 11, 21, 22, 111, 1000, 1_000_000, 1234567, 0.5, 1.5, 1.25, 2.125, 1234.5]
NAMES = [["Ana"], ["Ana", "Bo"], ["Ana", "Bo", "Cy"], ["Ana", "Bo", "Cy", "Di", "Eva"]]
POINTS = "{n, plural, =0 {zero} one {one #} two {two #} few {few #} many {many #} other {other #}}"
ASK_INTL = """
const [tags, numbers, names] = JSON.parse(process.argv[1])
console.log(JSON.stringify(tags.map((tag) => [
  numbers.map((n) => new Intl.PluralRules(tag).select(n)),
  numbers.map((n) => n.toLocaleString(tag, { useGrouping: 'always' })),
  names.map((list) => new Intl.ListFormat(tag, { type: 'conjunction' }).format(list)),
])))
"""


def ask_browser_rules(tags: list[str]) -> Any:
    path = f"{REPO / '.node' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    node = shutil.which("node", path=path) or lacking("Node")
    command = [node, "-e", ASK_INTL, json.dumps([tags, NUMBERS, NAMES])]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)


def test_python_counts_writes_and_lists_as_a_browser_does() -> None:
    told = ask_browser_rules([LANGUAGE_TABLE[language]["tag"] for language in LANGUAGES])
    for language, (categories, numbers, lists) in zip(LANGUAGES, told):
        assert [plural_category(language, number) for number in NUMBERS] == categories, language
        assert [format_number(language, number) for number in NUMBERS] == numbers, language
        assert [join_names(language, names) for names in NAMES] == lists, language


@pytest.mark.parametrize("tag", ["pl", "ru", "ar", "cs", "de", "lt", "ga", "sl", "fr", "es", "ja", "hu", "uk"])
def test_the_rules_of_languages_to_come_are_read_as_a_browser_reads_them(
    tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LANGUAGE_TABLE, "xx", {"name": tag, "tag": tag})
    rules = json.loads(cldr.render_cldr_rules())
    monkeypatch.setattr(languages, "load_cldr_rules", lambda: rules)
    ((categories, numbers, lists),) = ask_browser_rules([tag])
    assert [plural_category("xx", number) for number in NUMBERS] == categories
    assert [format_number("xx", number) for number in NUMBERS] == numbers
    assert [join_names("xx", names) for names in NAMES] == lists


def test_the_table_is_what_the_repository_of_locales_says() -> None:
    assert cldr.FILE.read_text(encoding="utf-8") == cldr.render_cldr_rules(), "run: python -m tests.cldr"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{n} of {m:term}", "1,234 of m"),
        ("{n, plural, one {# point} other {# points}}", "1,234 points"),
        ("{one, plural, one {# point} other {# points}} #", "1 point #"),
        ("{none, plural, =0 {nothing} one {#} other {#}}", "nothing"),
        ("{why, select, left {{n, plural, one {a} other {# went}}} other {stayed}}", "1,234 went"),
        ("{n, plural, one {a} other {# with {why, select, left {#} other {b}}}}", "1,234 with 1,234"),
        ("{word, plural, one {a} other {# b}}", "few b"),
        ("{missing} {lost, plural, other {#}}", "{missing} {lost, plural, other {#}}"),
    ],
)
def test_slots_are_filled(template: str, said: str) -> None:
    given = {"n": 1234, "one": 1, "none": 0, "m": "m", "why": "left", "word": "few"}
    shown = fill_template(
        template,
        "en",
        given,
        lambda _, value: format_number("en", value) if isinstance(value, int) else str(value),
    )
    assert shown == said


def test_a_language_takes_the_forms_it_has() -> None:
    said = [
        fill_template(POINTS, "bg", {"n": n}, lambda _, value: format_number("bg", float(str(value))))
        for n in (0, 1, 2, 1.5)
    ]
    assert said == ["zero", "one 1", "other 2", "other 1,5"]
    assert [slot.name for slot in list_slots("{a, plural, one {{b}} other {{c:term}}}")] == ["a", "b", "c"]


@pytest.mark.parametrize("text", ["{n", "n}", "{n, plural, one {a}}", "{n, plural, one {a} b}", "{n m}", "{n|a|b}"])
def test_what_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"braces|slot|forms"):
        parse_template(text)


def test_a_text_that_a_language_lacks_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = text_catalogue.load_text_catalogue

    def load_without(game: str, language: str) -> dict[str, str]:
        lost = {"bg": {"table.banned", "why.SV.M9"}}.get(language, set())
        return {key: text for key, text in whole(game, language).items() if key not in lost}

    monkeypatch.setattr(text_catalogue, "load_text_catalogue", load_without)
    monkeypatch.setattr(games, "load_text_catalogue", load_without)
    assert text_catalogue.translate("bg", "table.banned", {"reason": "Spam."}) == (
        "You have been banned from this server. Spam."
    )
    sent = games.get_catalogue_texts("survive", "bg")
    for room, key in (("", "table.banned"), ("survive", "why.SV.M9")):
        assert sent[key] == whole(room, "en")[key] == text_catalogue.find_text_template("survive", "bg", key)
    assert sent["why.SV.M8"] == whole("survive", "bg")["why.SV.M8"]


@pytest.mark.parametrize(
    ("language", "text", "fault"),
    [
        ("bg", "{n, plural, one {# точка} other {# точки}}", []),
        ("bg", "{n, plural, other {# точки}}", ["{n} has no form for one"]),
        ("zh", "{n, plural, other {# 分}}", []),
        ("bg", "{n} точки", []),
        ("bg", "точки", ["{n} is missing"]),
        ("bg", "{n} {m}", ["{m} is not in the English text"]),
        ("bg", "{n", ["braces do not match: {n"]),
    ],
)
def test_faults_of_a_translation_are_named(language: str, text: str, fault: list[str]) -> None:
    assert texts.find_text_faults(language, "{n, plural, one {# point} other {# points}}", text) == fault


def test_polish_needs_three_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGE_TABLE, "pl", {"name": "Polski", "tag": "pl"})
    rules = json.loads(cldr.render_cldr_rules())
    monkeypatch.setattr(languages, "load_cldr_rules", lambda: rules)
    english = "{n, plural, one {# point} other {# points}}"
    polish = "{n, plural, one {# punkt} few {# punkty} many {# punktów} other {# punktu}}"
    said = [fill_template(polish, "pl", {"n": n}, lambda _, value: str(value)) for n in (0, 1, 2, 5, 21, 1.5)]
    assert said == ["0 punktów", "1 punkt", "2 punkty", "5 punktów", "21 punktów", "1.5 punktu"]
    assert texts.find_text_faults("pl", english, polish) == []
    assert texts.find_text_faults("pl", english, polish.replace("few {# punkty} ", "")) == ["{n} has no form for few"]


def test_a_language_is_checked_file_by_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "core" / "texts"
    folder.mkdir(parents=True)
    (folder / "en.json").write_text('{"a": "{n} of {m}", "b": "lost"}')
    (folder / "bg.json").write_text('{"a": "{n}", "c": "?"}')
    monkeypatch.setattr(texts, "list_english_catalogues", lambda: [folder / "en.json"])
    monkeypatch.setattr(paths, "PACKAGE", tmp_path / "src" / "landfall")
    told = CliRunner().invoke(app, ["texts", "check", "bg", "--missing"])
    assert told.exit_code == 1
    for line in ("a: {m} is missing", "c: is not in the English file", "lacks 1 of 2 texts", "b: lost", "1 of 2"):
        assert line in told.output


def test_a_language_may_have_word_lists_that_english_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    english = {"sunk": "The {tile:term} sinks.", "term.beach": "beach", "term.forest": "forest"}
    words = {"der.beach": "der Strand", "term.beach": "Strand", "term.forest": "Wald"}
    german = {"sunk": "{tile:der} sinkt.", **words}
    assert texts.find_catalogue_faults("bg", english, german) == []
    assert texts.find_catalogue_faults("bg", english, german | {"der.lake": "der See", "den.beach": "den Strand"}) == [
        ("der.lake", "is not in the English file"),
        ("den.beach", "is not in the English file"),
    ]
    assert texts.find_catalogue_faults("bg", english, german | {"sunk": "{tile:dre} sinkt."}) == [
        ("sunk", "no key begins with dre."),
        ("der.beach", "is not in the English file"),
    ]
    catalogues = {"en": english, "bg": german}
    monkeypatch.setattr(text_catalogue, "load_text_catalogue", lambda game, language: catalogues[language])
    said = [text_catalogue.translate("bg", "sunk", {"tile": tile}) for tile in ("beach", "forest", "lake")]
    assert said == ["der Strand sinkt.", "Wald sinkt.", "lake sinkt."]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_has_a_fault(language: str) -> None:
    told = CliRunner().invoke(app, ["texts", "check", language])
    assert told.exit_code == 0, told.output
    assert " 0 wrong" in told.output
