"""Guides and rule diagrams: data from a game's folder, guides.json and texts/guides.<language>.json.

A guide is a match from a prepared position with lessons. A lesson has a rule, a trigger (`when`), a goal (`until`;
without one it is only read), and things it highlights. A rule diagram is a position that illustrates a rule. This
module knows no game; docs/guides.md explains how to write a guide.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NotRequired, TypedDict

from landfall import paths
from landfall.core.languages import SOURCE_LANGUAGE

# Actions on the table itself; only a client knows of these.
UI_ACTIONS: Final = ("choose", "undo", "why", "hint", "log", "zoom")
OWN_SEAT: Final = "me"  # in a path or as a value: the guide's seat


class Lesson(TypedDict):
    """One idea. Its texts are `<guide>.<id>` and `<guide>.<id>.text`."""

    id: str
    rule: str  # rule id; empty for what no rulebook says
    symbol: str  # from the client's icon sheet
    when: dict[str, Any]
    until: NotRequired[dict[str, Any]]  # the lesson's goal
    read: NotRequired[bool]  # may also be dismissed as read
    point: NotRequired[list[Any]]
    extra: NotRequired[bool]  # the guide can end without it


class Guide(TypedDict):
    """A game explained while it is played; texts: `<guide>`, `<guide>.sum`."""

    id: str
    players: int
    options: dict[str, Any]
    seat: int
    position: str | None
    lessons: list[Lesson]
    rest: list[str]  # rules it does not cover: `<guide>.rest.<rule>` names them


class RuleDiagram(TypedDict):
    """A position that illustrates a rule; text: `figure.<rule>`."""

    rule: str
    position: str
    seat: int
    point: NotRequired[list[str]]


class GuideBook(TypedDict):
    """The contents of a game's guides.json."""

    guides: list[Guide]
    figures: list[RuleDiagram]


@cache
def load_guide_book(game: str) -> GuideBook:
    """A game's guides and diagrams; empty if it has no such file."""
    file = paths.guides_file(game)
    found: GuideBook = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"guides": [], "figures": []}
    return found


def find_guide(game: str, name: str) -> Guide | None:
    return next((one for one in load_guide_book(game)["guides"] if one["id"] == name), None)


@cache
def load_guide_texts(game: str, language: str) -> dict[str, str]:
    """All texts of a game's guides in a language; in English what it lacks."""
    files = (paths.guide_texts_file(game, one) for one in (SOURCE_LANGUAGE, language))
    return {key: text for file in files if file.is_file() for key, text in json.loads(file.read_text("utf-8")).items()}


def guides_for_client(game: str, language: str) -> list[dict[str, Any]]:
    """The guides as a client needs them: with their texts, without hidden information."""
    words = load_guide_texts(game, language)
    return [
        {
            **{key: value for key, value in one.items() if key != "position"},
            "texts": {key: text for key, text in words.items() if key.split(".")[0] == one["id"]},
        }
        for one in load_guide_book(game)["guides"]
    ]


# --- triggers ---------------------------------------------------------------------------------------------------------


class GuideContext:
    """What a seat sees: a view, its choices, and the latest events. client/src/guide/lessonTrigger.ts does the same."""

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
        """Whether all conditions of a trigger hold."""
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
        """The values at a path; `*` is every element, `me` the guide's seat, `count` the number of elements."""
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
        """Equal, one of several, within bounds, or a text with this prefix."""
        if isinstance(wanted, list):
            return any(self.matches_value(value, one) for one in wanted)
        if isinstance(wanted, dict):
            return (
                ("least" not in wanted or (isinstance(value, int) and value >= wanted["least"]))
                and ("most" not in wanted or (isinstance(value, int) and value <= wanted["most"]))
                and ("begins" not in wanted or str(value).startswith(wanted["begins"]))
            )
        return bool(value == (self.seat if wanted == f"${OWN_SEAT}" else wanted))
