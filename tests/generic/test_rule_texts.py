"""The rules in four languages: the same rules in the same order everywhere, each rule id in bold at its head."""

import re

import pytest

from landfall import paths, rulebook
from landfall.core.texts import LANGUAGES
from landfall.games import NAMES

pytestmark = pytest.mark.once
IDS = re.compile(r"\b(?:SV|AT|AD|LF)\.[A-Z]?\d+\b")
BOOKS = [*NAMES, rulebook.COMMON]
OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("book", BOOKS)
def test_a_translation_has_the_same_rules_in_the_same_chapters(book: str, language: str) -> None:
    assert (paths.rules_dir() / language / f"{book}.md").is_file()
    english, other = rulebook.rules(book), rulebook.rules(book, language)
    assert [rule.id for rule in other] == [rule.id for rule in english]

    def chapters(found: list[rulebook.Rule]) -> list[list[str]]:
        names = dict.fromkeys(rule.chapter for rule in found)
        return [[rule.id for rule in found if rule.chapter == name] for name in names]

    assert chapters(other) == chapters(english)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("book", BOOKS)
def test_a_translated_rule_names_the_same_rules_and_numbers(book: str, language: str) -> None:
    for english, other in zip(rulebook.rules(book), rulebook.rules(book, language)):
        assert sorted(IDS.findall(other.text)) == sorted(IDS.findall(english.text)), english.id
        assert other.text != english.text or not re.search(r"[a-z]{4}", english.text.replace(english.id, ""))


def test_a_language_without_translation_reads_in_english() -> None:
    assert rulebook.rules("survive", "xx") == rulebook.rules("survive")
