"""One word for one thing: the term lists in docs/terms, and no text for players with a word they ban."""

import itertools
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from landfall.core.languages import LANGUAGES
from landfall.core.text_template import parse_template
from tests.repository_files import REPO

pytestmark = pytest.mark.once
CATALOGUES = (
    "client/src/messages/**/{language}.json",
    "client/src/games/*/card/{language}.json",
    "client/src/games/*/messages/{language}.json",
    "client/src/games/*/lesson/{language}.json",
    "src/landfall/core/texts/{language}.json",
    "src/landfall/games/*/content/texts/{language}.json",
    "src/landfall/games/*/content/texts/guides.{language}.json",
    "examples/pearls/landfall_pearls/texts/{language}.json",
)
RULES = ("survive", "atlantis", "atlandice", "landfall")


@dataclass(frozen=True)
class Term:
    """A row of a term list: the word to use, what must not be written instead, and in which files."""

    use: str
    never: tuple[re.Pattern[str], ...]
    where: str


@cache
def terms(language: str) -> tuple[Term, ...]:
    found = []
    for line in (REPO / "docs" / "terms" / f"{language}.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and cells[0] != "use" and not cells[0].startswith("---"):
            found.append(Term(cells[0], tuple(re.compile(p) for p in re.findall(r"`([^`]+)`", cells[2])), cells[3]))
    return tuple(found)


@cache
def texts(language: str) -> tuple[tuple[str, str, str], ...]:
    """All that players read in a language: file, key or rule, text."""
    found = []
    for pattern in CATALOGUES:
        for path in sorted(REPO.glob(pattern.format(language=language))):
            name = str(path.relative_to(REPO))
            found += [(name, key, text) for key, text in json.loads(path.read_text(encoding="utf-8")).items()]
    for book in RULES:
        path = REPO / "docs" / "rules" / ("" if language == "en" else language) / f"{book}.md"
        if not path.is_file():
            continue  # a language in progress
        for block in re.split(r"\n(?=\n|- |#)", path.read_text(encoding="utf-8")):
            rule = re.search(r"\*\*([A-Z]{2}\.\w+)\*\*", block)
            found.append((str(path.relative_to(REPO)), rule.group(1) if rule else "", " ".join(block.split())))
    return tuple(found)


@cache
def spell_out_forms(text: str) -> tuple[str, ...]:
    """A sentence as it reads with each of its forms: `{n} point`, `{n} points`. A rule's text is no template."""
    if not re.search(r"\{\w+, (plural|select),", text):
        return (text,)
    readings = [""]
    for part in parse_template(text):
        if isinstance(part, str):
            found = [part]
        elif part.choice:
            found = [one for _, form in part.forms for one in spell_out_forms(form.replace("#", f"{{{part.name}}}"))]
        else:
            found = [f"{{{part.name}:{part.kind}}}" if part.kind else f"{{{part.name}}}"]
        readings = [reading + one for reading in readings for one in found]
    return tuple(readings)


def violations(language: str, file: str, key: str, text: str) -> list[str]:
    """Each banned word in a text, with its place and the word to use. Arguments' names are no words."""
    return [
        f"{file} {key}: {found.group(0)!r} in {text!r}; use: {term.use}"
        for term in terms(language)
        if term.where in file
        for pattern in term.never
        for said in spell_out_forms(text)
        if (found := pattern.search(said if r"\{" in pattern.pattern else re.sub(r"\{\w+(?::\w+)?", "{", said)))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_has_a_banned_word(language: str) -> None:
    assert len(texts(language)) > (1500 if language == "en" else 0)  # others may be in progress
    assert [found for text in texts(language) for found in violations(language, *text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_bans_something_and_names_a_place_that_exists(language: str) -> None:
    files = {file for file, _, _ in texts(language)}
    assert len(terms(language)) > 25
    for term in terms(language):
        assert term.use
        assert term.never, term
        assert any(term.where in file for file in files), term


NO_SIBLINGS = {"cup.done.you"}  # beside a column's heading
LEAST_SHARED = 1 / 3  # of the words of the shorter of two sentences


def sibling_key(key: str) -> str:
    """The sentence about others, where this one says the same to the reader or with what only some may know."""
    if key in NO_SIBLINGS:
        return ""
    return key.replace("you.", "event.", 1) if key.startswith("you.") else re.sub(r"\.(you|known)$", "", key)


def word_stems(text: str) -> set[str]:
    """What two sentences are compared by: the beginnings of words, in Chinese pairs of characters."""
    words = re.sub(r"\{[^}]*\}", " ", " ".join(spell_out_forms(text))).lower()
    pairs = {pair for run in re.findall(r"[\u4e00-\u9fff]+", words) for pair in map("".join, itertools.pairwise(run))}
    return pairs or {word[:4] for word in re.findall(r"\w{4,}", words)}


def siblings_apart(found: dict[str, str]) -> list[str]:
    """Sentences that say the same in other words: one was mended, its sibling was not."""
    apart = []
    for key, text in found.items():
        other = found.get(sibling_key(key), text)
        mine, theirs = word_stems(text), word_stems(other)
        if mine and theirs and len(mine & theirs) < LEAST_SHARED * min(len(mine), len(theirs)):
            apart.append(f"{key}: {text!r} beside {other!r}")
    return apart


def catalogue(language: str, file: str) -> dict[str, str]:
    return {key: text for name, key, text in texts(language) if name == file}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_to_the_reader_and_about_others_is_said_in_the_same_words(language: str) -> None:
    files = {name for name, _, _ in texts(language) if name.endswith(".json")}
    assert [apart for file in sorted(files) for apart in siblings_apart(catalogue(language, file))] == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "You drive it off: {creature:term}."),
        ("pt", "Você expulsa: {creature:term}."),
        ("zh", "你击退：{creature:term}。"),
        ("bg", "Прогонваш: {creature:term}."),
    ],
)
def test_a_sentence_whose_sibling_alone_was_mended_is_found(language: str, text: str) -> None:
    found = catalogue(language, f"src/landfall/games/survive/content/texts/{language}.json")
    assert siblings_apart(found) == []
    assert len(siblings_apart({**found, "you.defended": text})) == 1


@pytest.mark.parametrize(
    ("language", "file", "text"),
    [
        ("en", "client/src/messages/shell/en.json", "Touch a bright space."),
        ("en", "docs/rules/survive.md", "Who has most explorers aboard steers."),
        ("pt", "src/landfall/games/survive/content/texts/pt.json", "Retire uma peça vizinha."),
        ("zh", "src/landfall/core/texts/zh.json", "您的桌子"),
        ("bg", "docs/rules/bg/atlantis.md", "Картите отиват в отбоя."),
    ],
)
def test_a_planted_word_is_found_with_its_place(language: str, file: str, text: str) -> None:
    found = violations(language, file, "some.key", text)
    assert found
    assert all(line.startswith(f"{file} some.key: ") for line in found)
    assert violations(language, file, "some.key", "") == []


def test_a_ban_holds_only_where_it_says() -> None:
    assert violations("en", "docs/rules/survive.md", "SV.R1", "It must touch a sea space.") == []
    assert violations("en", "src/landfall/games/survive/content/texts/en.json", "why.SV.R1", "Touch a sea space.")


def test_the_lists_are_of_the_languages_there_are() -> None:
    assert {path.stem for path in Path(REPO / "docs" / "terms").glob("*.md")} == set(LANGUAGES)
