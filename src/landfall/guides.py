"""Guides and positions to learn from: data of a game's own folder, guides.json, and texts/guides.<language>.json.

A guide is a match with a prepared beginning (a position's line) and lessons: each has a rule, what brings it (`when`),
what it waits for (`until`, else it is read), and what it points at. Nothing here knows a game; docs/guides.md says how
one is written. A figure is a position beside a rule of the rulebook.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NotRequired, TypedDict

from landfall import paths

# What a person can do with the table itself; only a client knows of these.
UI_ACTIONS: Final = ("choose", "undo", "why", "hint", "log", "zoom")
OWN_SEAT: Final = "me"  # in a path or as a value: the seat of the guide


class Lesson(TypedDict):
    """One idea. Its words are `<guide>.<id>` and `<guide>.<id>.text`."""

    id: str
    rule: str  # where it stands; empty for what no rulebook says
    symbol: str  # of the client's sheet
    when: dict[str, Any]
    until: NotRequired[dict[str, Any]]  # the lesson waits for this
    read: NotRequired[bool]  # and may as well be put away
    point: NotRequired[list[Any]]
    extra: NotRequired[bool]  # the guide ends without it


class Guide(TypedDict):
    """One game explained while it is played; words: `<guide>`, `<guide>.sum`."""

    id: str
    players: int
    options: dict[str, Any]
    seat: int
    position: str | None
    lessons: list[Lesson]
    rest: list[str]  # rules it says nothing of: `<guide>.rest.<rule>` names them


class RuleDiagram(TypedDict):
    """A position that shows a rule; words: `figure.<rule>`."""

    rule: str
    position: str
    seat: int
    point: NotRequired[list[str]]


class GuideBook(TypedDict):
    """All that a game's file says."""

    guides: list[Guide]
    figures: list[RuleDiagram]


@cache
def load_guide_book(game: str) -> GuideBook:
    """What a game brings; nothing, if it has no such file."""
    file = paths.guides_file(game)
    found: GuideBook = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"guides": [], "figures": []}
    return found


def find_guide(game: str, name: str) -> Guide | None:
    return next((one for one in load_guide_book(game)["guides"] if one["id"] == name), None)


@cache
def load_guide_texts(game: str, language: str) -> dict[str, str]:
    """All that a game's guides say in a language."""
    file = paths.guide_texts_file(game, language)
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def guides_for_client(game: str, language: str) -> list[dict[str, Any]]:
    """The guides as a client needs them: without what their players may not know, with their words."""
    words = load_guide_texts(game, language)
    return [
        {
            **{key: value for key, value in one.items() if key != "position"},
            "texts": {key: text for key, text in words.items() if key.split(".")[0] == one["id"]},
        }
        for one in load_guide_book(game)["guides"]
    ]


# --- what brings a lesson ---------------------------------------------------------------------------------------------


class GuideContext:
    """What a seat sees: a view, its choices, and what happened just now. client/src/guide/condition.ts reads the
    same."""

    def __init__(
        self,
        seat: int,
        view: Mapping[str, Any],
        choices: Sequence[Mapping[str, Any]] = (),
        event: Mapping[str, Any] | None = None,
        met: Sequence[str] = (),
        deeds: Sequence[str] = (),
    ) -> None:
        self.seat, self.view, self.choices, self.event = seat, view, choices, event
        self.met, self.deeds = met, deeds

    def satisfies(self, when: Mapping[str, Any]) -> bool:
        """Whether all that a trigger says is so."""
        return all(self.satisfies_condition(key, wanted) for key, wanted in when.items())

    def satisfies_condition(self, key: str, wanted: Any) -> bool:
        match key:
            case "mine":
                return bool((self.view["actor"] == self.seat and len(self.choices) > 0) == wanted)
            case "view":
                return all(
                    any(self.matches_value(x, w) for x in self.values_at(self.view, path)) for path, w in wanted.items()
                )
            case "choice":
                return any(self.matches_all(choice, wanted) for choice in self.choices)
            case "event":
                return self.event is not None and self.matches_all(self.event, wanted)
            case "met":
                return all(one in self.met for one in wanted)
            case "deed":
                return wanted in self.deeds
            case "not":
                return not self.satisfies(wanted)
            case "any":
                return any(self.satisfies(one) for one in wanted)
        raise ValueError(f"no trigger is called {key!r}")

    def matches_all(self, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
        return all(any(self.matches_value(x, w) for x in self.values_at(found, path)) for path, w in wanted.items())

    def values_at(self, tree: Any, path: str) -> Iterator[Any]:
        """What lies at a path; `*` is every part there, `me` the guide's seat, `count` how many parts there are."""
        head, _, rest = path.partition(".")
        if not path:
            yield tree
        elif head == "count" and isinstance(tree, dict | list):
            yield len(tree)
        elif isinstance(tree, dict):
            for one in tree.values() if head == "*" else [tree[head]] if head in tree else []:
                yield from self.values_at(one, rest)
        elif isinstance(tree, list):
            at = self.seat if head == OWN_SEAT else int(head) if head.isdecimal() else -1
            for one in tree if head == "*" else tree[at : at + 1] if at >= 0 else []:
                yield from self.values_at(one, rest)

    def matches_value(self, value: Any, wanted: Any) -> bool:
        """Equal; one of several; within bounds; a text that begins so."""
        if isinstance(wanted, list):
            return any(self.matches_value(value, one) for one in wanted)
        if isinstance(wanted, dict):
            return (
                ("least" not in wanted or (isinstance(value, int) and value >= wanted["least"]))
                and ("most" not in wanted or (isinstance(value, int) and value <= wanted["most"]))
                and ("begins" not in wanted or str(value).startswith(wanted["begins"]))
            )
        return bool(value == (self.seat if wanted == f"${OWN_SEAT}" else wanted))
