"""The rules in other languages: the same rules in the same order everywhere, each rule id in bold at its head."""

import re

import pytest

from landfall import paths, rulebook
from landfall.core.languages import LANGUAGES
from landfall.games import BUILT_IN_GAMES, GAME_NAMES

pytestmark = pytest.mark.once
IDS = re.compile(r"\b[A-Z]{2}\.[A-Z]?\d+\b")
BOOKS = [*GAME_NAMES, rulebook.COMMON]
OURS = [*BUILT_IN_GAMES, rulebook.COMMON]
OTHERS = [language for language in LANGUAGES if (paths.rules_dir() / language).is_dir()]  # the others read English


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("book", BOOKS)
def test_a_translation_has_the_same_rules_in_the_same_chapters(book: str, language: str) -> None:
    if book not in OURS and not paths.rules_file(book, language).is_file():
        pytest.skip(f"{book} has no rules in {language}; they are shown in English")
    assert paths.rules_file(book, language).is_file()
    english, other = rulebook.load_rules(book), rulebook.load_rules(book, language)
    assert [rule.id for rule in other] == [rule.id for rule in english]

    def chapters(found: list[rulebook.Rule]) -> list[list[str]]:
        names = dict.fromkeys(rule.chapter for rule in found)
        return [[rule.id for rule in found if rule.chapter == name] for name in names]

    assert chapters(other) == chapters(english)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("book", BOOKS)
def test_a_translated_rule_names_the_same_rules_and_numbers(book: str, language: str) -> None:
    if book not in OURS and not paths.rules_file(book, language).is_file():
        pytest.skip(f"{book} has no rules in {language}")
    for english, other in zip(rulebook.load_rules(book), rulebook.load_rules(book, language)):
        assert sorted(IDS.findall(other.text)) == sorted(IDS.findall(english.text)), english.id
        assert other.text != english.text or not re.search(r"[a-z]{4}", english.text.replace(english.id, ""))


def test_a_language_without_translation_reads_in_english() -> None:
    assert rulebook.load_rules("survive", "xx") == rulebook.load_rules("survive")


# --- the trace to the books -----------------------------------------------------------------------------------

RULINGS = {
    "en": r"\b[Rr]ulings?\b",
    "pt": r"\b[Dd]ecis(?:ão|ões)\b",
    "bg": r"\b[Рр]ешени[ея]\b",
    "zh": r"裁定",
    "de": r"\bFestlegung(?:en)?\b",
    "pl": r"\b[Uu]staleni[ea]\b",
}


def sections() -> list[tuple[str, str, list[str]]]:
    """The rows of docs/rules/sources.md: book, section, rules; a book holds until the next is named."""
    found: list[tuple[str, str, list[str]]] = []
    book = ""
    for line in (paths.rules_dir() / "sources.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and IDS.search(cells[2]):
            book = cells[0] or book
            found.append((book, cells[1], cells[2].split()))
    return found


def rulings() -> set[str]:
    """The rules that say of themselves, in whole or in part, that no book does."""
    return {
        rule.id for book in BUILT_IN_GAMES for rule in rulebook.load_rules(book) if re.search(RULINGS["en"], rule.text)
    }


def test_every_rule_has_a_source_or_is_a_ruling_and_every_source_names_rules_there_are() -> None:
    known = {rule.id for book in (*BUILT_IN_GAMES, rulebook.COMMON) for rule in rulebook.load_rules(book)}
    rows = sections()
    assert {rule for _, _, ids in rows for rule in ids} | rulings() == known
    for book, section, ids in rows:
        assert book, section
        assert section, ids
        assert len(set(ids)) == len(ids), (book, section)


def test_the_sources_do_not_repeat_what_a_rule_marks_as_ours() -> None:
    ours = {rule for book, _, ids in sections() if book == "ours" for rule in ids}
    assert not ours & rulings()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("book", GAME_NAMES)
def test_a_translation_marks_as_many_decisions_of_ours(book: str, language: str) -> None:
    if book not in OURS and not paths.rules_file(book, language).is_file():
        pytest.skip(f"{book} has no rules in {language}")
    for english, other in zip(rulebook.load_rules(book), rulebook.load_rules(book, language)):
        marks = [len(re.findall(RULINGS[tongue], rule.text)) for tongue, rule in (("en", english), (language, other))]
        assert marks[0] == marks[1], f"{english.id}: {marks[0]} in English, {marks[1]} in {language}"
