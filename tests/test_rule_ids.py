"""Every rule is found by one search for its id: in the code, the tests, the rules and their translations."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

from landfall import rulebook
from landfall.core.languages import LANGUAGES
from landfall.games import BUILT_IN_GAMES
from tests.repository_files import REPO

pytestmark = pytest.mark.once

IDS = [rule.id for book in (*BUILT_IN_GAMES, rulebook.COMMON) for rule in rulebook.load_rules(book)]
PLACES = [("src/landfall", "*.py"), ("tests", "*.py"), ("docs/rules", "*.md")]
WHOLE = r"\b[A-Z]{2}\.[A-Z]\d+"
# SV.K3-K5, AD.P1 to AD.P4, SV.M1, M3: ids that a search for the whole one would miss.
PARTLY = re.compile(rf"{WHOLE}(?:(?:-|–| to )(?:[A-Z]{{2}}\.)?[A-Z]\d+|(?:, | and |/)[A-Z]\d{{1,2}}\b(?![\w=(]))")

SOURCE_KINDS = {".py", ".ts", ".svelte", ".json", ".md"}


@cache
def read(folder: str, pattern: str) -> str:
    files = (path for path in (REPO / folder).rglob(pattern) if path.name != Path(__file__).name)
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def found(rule: str, text: str) -> bool:
    return re.search(re.escape(rule) + r"(?!\d)", text) is not None


@pytest.mark.parametrize(("folder", "pattern"), PLACES)
def test_every_rule_is_found_by_its_id(folder: str, pattern: str) -> None:
    assert len(IDS) > 150
    assert [rule for rule in IDS if not found(rule, read(folder, pattern))] == []


@pytest.mark.parametrize("language", [one for one in LANGUAGES if (REPO / "docs" / "rules" / one).is_dir()])
def test_every_rule_of_a_game_is_found_in_every_language(language: str) -> None:
    games = [rule.id for book in BUILT_IN_GAMES for rule in rulebook.load_rules(book)]
    assert [rule for rule in games if not found(rule, read(f"docs/rules/{language}", "*.md"))] == []


def cited_ids() -> set[str]:
    """Every id of a rule that code, client, tests and documents name."""
    letters = "|".join(sorted({rule.split(".")[0] for rule in IDS}))
    kinds = {"src/landfall": "*.py", "client/src": "*.*", "tests": "*.py", "docs": "*.md"}
    sources = (path for folder, pattern in kinds.items() for path in (REPO / folder).rglob(pattern))
    texts = (
        path.read_text(encoding="utf-8") for path in sources if path.suffix in SOURCE_KINDS and path != Path(__file__)
    )
    return {rule for text in texts for rule in re.findall(rf"\b(?:{letters})\.[A-Z]*\d+\b", text)}


def test_no_id_is_invented() -> None:
    assert cited_ids() - set(IDS) == set()


def test_ten_drawn_at_random_are_found_everywhere() -> None:
    for rule in random.sample(IDS, 10):
        for folder, pattern in PLACES:
            assert found(rule, read(folder, pattern)), f"{rule} in {folder}"


def sources() -> list[Path]:
    found = [path for folder in ("src/landfall", "tests") for path in (REPO / folder).rglob("*.py")]
    return [path for path in found if path.name != Path(__file__).name]


def test_ids_are_cited_whole() -> None:
    told = []
    for path in sources():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            told += [f"{path.relative_to(REPO)}:{number}: {part[0]}" for part in PARTLY.finditer(line)]
    assert told == []


@pytest.mark.parametrize("text", ["SV.K3-K5", "AD.P1 to AD.P4", "SV.M1, M3", "SV.M1 and M3", "(AT.R1–R3)", "SV.H1/H2"])
def test_what_is_cited_partly_is_seen(text: str) -> None:
    assert PARTLY.search(text)


@pytest.mark.parametrize("text", ["SV.K3, SV.K5", "SV.M1: D4, E5", "SV.U3 to the shore", "AD.P1 and AD.P4"])
def test_what_is_cited_whole_is_not(text: str) -> None:
    assert not PARTLY.search(text)
