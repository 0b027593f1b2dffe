"""Menus for many choices, in steps: first the most distinctive key (usually the piece), then the rest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from landfall.terminal.translator import Translator, Words

MAX_MENU_LINES: Final = 14  # fits below a board without scrolling
LINE_WIDTH: Final = 78  # characters
ELLIPSIS: Final = "…"
NON_WORD_KEYS: Final = ("action", "text", "loses", "hits")


@dataclass(frozen=True)
class MenuItem:
    """One line of a menu: its text, and the choices it leads to."""

    label: str
    choices: list[Words]

    @property
    def action(self) -> int | None:
        """The action, if it is a single choice."""
        action = self.choices[0]["action"]
        assert isinstance(action, int)
        return action if len(self.choices) == 1 else None


def build_menu(choices: list[Words], teller: Translator) -> list[MenuItem]:
    """The lines to show for these choices."""
    groups = group_choices(choices) if len(choices) > MAX_MENU_LINES else None
    if groups is None:
        return [MenuItem(format_choice(words, teller), [words]) for words in choices]
    return [MenuItem(format_choice(g[0], teller) if len(g) == 1 else format_group(g, teller), g) for g in groups]


def format_menu(items: list[MenuItem], teller: Translator) -> list[str]:
    """A menu as numbered lines; many single choices as their common text and their notations in columns."""
    if len(items) <= MAX_MENU_LINES or any(item.action is None for item in items):
        return [f"{n + 1:3}  {item.label}" for n, item in enumerate(items)]
    cells = [f"{n + 1:3}  {item.choices[0]['text']}" for n, item in enumerate(items)]
    width = max(len(cell) for cell in cells) + 2
    a_line = max(1, LINE_WIDTH // width)
    rows = ["".join(cell.ljust(width) for cell in cells[i : i + a_line]).rstrip() for i in range(0, len(cells), a_line)]
    return ["  " + format_group([item.choices[0] for item in items], teller), *rows]


def format_choice(words: Words, teller: Translator) -> str:
    """One choice: its sentence, its notation, and its losses."""
    line = f"{teller.choice_sentence(words)}  ({words['text']})"
    return f"{line}  {teller.translate('cli.loses', pieces=words['loses'])}" if words["loses"] else line


def format_group(group: list[Words], teller: Translator) -> str:
    """The common text of several choices, with an ellipsis where they differ."""
    verbs = list(dict.fromkeys(words["verb"] for words in group))
    lines = []
    for verb in verbs:
        alike = [words for words in group if words["verb"] == verb]
        known = {key: value if all(w.get(key) == value for w in alike) else ELLIPSIS for key, value in alike[0].items()}
        lines.append(teller.choice_sentence(known))
    return " / ".join(lines) + f"  ({len(group)})"


def group_choices(choices: list[Words]) -> list[list[Words]] | None:
    """The choices grouped by the key that keeps both menus short; None if none does."""
    best: list[list[Words]] | None = None
    longest = len(choices)
    for key in dict.fromkeys(key for words in choices for key in words if key not in NON_WORD_KEYS):
        groups: dict[str, list[Words]] = {}
        for words in choices:
            groups.setdefault(json.dumps(words.get(key), sort_keys=True), []).append(words)
        if max(len(groups), *(len(g) for g in groups.values())) < longest:
            best = list(groups.values())
            longest = max(len(groups), *(len(g) for g in best))
    return best
