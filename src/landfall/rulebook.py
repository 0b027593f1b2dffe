"""Parses the numbered rules: docs/rules/<game>.md, translations in docs/rules/<language>/.

A game in its own package has them in its folder: rules/<language>.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from landfall import paths

RULE_PATTERN: Final = re.compile(r"^- \*\*([A-Z]{2}\.[A-Z]?\d+)\b")
COMMON: Final = paths.COMMON_NAME  # the rules that apply to every table
CHAPTER_PATTERN: Final = re.compile(r"^## (.+)")


@dataclass(frozen=True)
class Rule:
    """One numbered rule: its id, its chapter, and its text as Markdown."""

    id: str
    chapter: str
    text: str


def load_rules(game: str, language: str = "en") -> list[Rule]:
    """The rules of a game in rulebook order; in English if there is no translation.

    A game of one file has them in a constant `RULES`.
    """
    written = [file for tongue in (language, "en") if (file := paths.rules_file(game, tongue)).is_file()]
    if not written and game in paths.GAME_FOLDERS:
        return parse_rules(str(paths.literal_of_small_game(game, "RULES") or ""))
    return parse_rules(written[0].read_text(encoding="utf-8"))


def parse_rules(text: str) -> list[Rule]:
    """The rules of a page."""
    out: list[Rule] = []
    chapter = ""
    lines: list[str] = []
    found = ""

    def finish() -> None:
        if found:
            out.append(Rule(found, chapter, "\n".join(lines).strip().removeprefix("- ")))

    for line in text.splitlines():
        rule, heading = RULE_PATTERN.match(line), CHAPTER_PATTERN.match(line)
        if rule or heading:
            finish()
            found, lines = (rule.group(1), []) if rule else ("", [])
        if heading:
            chapter = heading.group(1)
        lines.append(line)
    finish()
    return out
