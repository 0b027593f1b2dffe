"""Many choices, asked for in steps: first what distinguishes them best (as a rule the piece), then the rest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from landfall.text.wording import Teller, Words

MANY: Final = 14  # as many lines as stand below a board without scrolling it away
LINE: Final = 78  # characters
OPEN: Final = "…"
NOT_WORDS: Final = ("action", "text", "loses", "hits")


@dataclass(frozen=True)
class Item:
    """One line of a menu: its words, and the choices it leads to."""

    label: str
    choices: list[Words]

    @property
    def action(self) -> int | None:
        """The action, if it is a single choice."""
        action = self.choices[0]["action"]
        assert isinstance(action, int)
        return action if len(self.choices) == 1 else None


def menu(choices: list[Words], teller: Teller) -> list[Item]:
    """The lines to show for these choices."""
    groups = split(choices) if len(choices) > MANY else None
    if groups is None:
        return [Item(single(words, teller), [words]) for words in choices]
    return [Item(single(g[0], teller) if len(g) == 1 else shared(g, teller), g) for g in groups]


def lines(items: list[Item], teller: Teller) -> list[str]:
    """A menu as numbered lines; many single choices as what they share and their notations side by side."""
    if len(items) <= MANY or any(item.action is None for item in items):
        return [f"{n + 1:3}  {item.label}" for n, item in enumerate(items)]
    cells = [f"{n + 1:3}  {item.choices[0]['text']}" for n, item in enumerate(items)]
    width = max(len(cell) for cell in cells) + 2
    a_line = max(1, LINE // width)
    rows = ["".join(cell.ljust(width) for cell in cells[i : i + a_line]).rstrip() for i in range(0, len(cells), a_line)]
    return ["  " + shared([item.choices[0] for item in items], teller), *rows]


def single(words: Words, teller: Teller) -> str:
    """One choice: its sentence, its notation, and what it costs."""
    line = f"{teller.choice(words)}  ({words['text']})"
    return f"{line}  {teller.say('cli.loses', pieces=words['loses'])}" if words["loses"] else line


def shared(group: list[Words], teller: Teller) -> str:
    """What some choices have in common; an ellipsis where they differ."""
    verbs = list(dict.fromkeys(words["verb"] for words in group))
    lines = []
    for verb in verbs:
        alike = [words for words in group if words["verb"] == verb]
        known = {key: value if all(w.get(key) == value for w in alike) else OPEN for key, value in alike[0].items()}
        lines.append(teller.choice(known))
    return " / ".join(lines) + f"  ({len(group)})"


def split(choices: list[Words]) -> list[list[Words]] | None:
    """The choices grouped by the one of their words that keeps both menus short; None if no word helps."""
    best: list[list[Words]] | None = None
    longest = len(choices)
    for key in dict.fromkeys(key for words in choices for key in words if key not in NOT_WORDS):
        groups: dict[str, list[Words]] = {}
        for words in choices:
            groups.setdefault(json.dumps(words.get(key), sort_keys=True), []).append(words)
        if max(len(groups), *(len(g) for g in groups.values())) < longest:
            best = list(groups.values())
            longest = max(len(groups), *(len(g) for g in best))
    return best
