# interpreted
"""Sentences in four languages. The engine emits keys with arguments; this module turns them into words.

There is a JSON catalogue for each game and language, and one for the texts that all games share. A template may contain
`{name}` (the argument), `{name:term}` (the entry `term.<argument>`; other words work alike, as `{name:from}`, for
languages that inflect), `{name:seat}` (a player's name) and `{n|one|many}` (a word that depends on a number). Lists are
joined with the language's comma. `event.<kind>.known` is the sentence for those who may read an event's private part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from landfall import paths

LANGUAGES: Final = ("en", "pt", "zh", "bg")
SOURCE_LANGUAGE: Final = "en"  # every game has its texts in it
SLOT_PATTERN: Final = re.compile(r"\{(\w+)(?::(\w+))?((?:\|[^{}|]*)*)\}")


@cache
def load_text_catalogue(game: str, language: str) -> dict[str, str]:
    """All texts of a game ("" for the shared ones) in a language; none if nobody has translated it."""
    file = paths.texts_file(game, language)
    if language != SOURCE_LANGUAGE and not file.is_file():
        return {}
    loaded = json.loads(file.read_text(encoding="utf-8"))
    return {str(k): str(v) for k, v in loaded.items()}


def find_text_template(game: str, language: str, key: str) -> str | None:
    """The game's own text for a key, in English if it is not translated; else the shared one."""
    if game:
        for tongue in (language, SOURCE_LANGUAGE):
            own = load_text_catalogue(game, tongue).get(key)
            if own is not None:
                return own
    return load_text_catalogue("", language).get(key)


def game_title(language: str, game: str) -> str:
    """A game's short title, else its title; its name if it has neither."""
    titles = (find_text_template(game, language, key) for key in ("title.short", "game.title"))
    return next((title for title in titles if title), game.capitalize())


def template_argument_names(text: str) -> set[str]:
    """The arguments a template uses."""
    return {found.group(1) for found in SLOT_PATTERN.finditer(text)}


def join_with_list_comma(language: str, words: Iterable[str]) -> str:
    """Words one after another, with the language's comma.

    >>> join_with_list_comma("en", ["shark", "2"]), join_with_list_comma("zh", ["鲨鱼", "2"])
    ('shark, 2', '鲨鱼、2')
    """
    return load_text_catalogue("", language)["list.comma"].join(words)


def translate(
    language: str, key: str, args: Mapping[str, object] | None = None, game: str = "", names: list[str] | None = None
) -> str:
    """The sentence for a key. A missing key is shown as is, so that no message is lost.

    >>> translate("en", "error.game", {"name": "chess", "games": "survive"})
    "There is no game called 'chess'; the games are survive."
    """
    given = args or {}
    text = find_text_template(game, language, key)
    if text is None:
        return key

    def translate_argument(kind: str, value: object) -> str:
        if isinstance(value, list | tuple):
            return join_with_list_comma(language, [translate_argument(kind, v) for v in value])
        if kind == "seat" and names is not None and isinstance(value, int) and 0 <= value < len(names):
            return names[value]
        return (find_text_template(game, language, f"{kind}.{value}") if kind else None) or str(value)

    def fill_slot(found: re.Match[str]) -> str:
        name, kind, forms = found.group(1), found.group(2) or "", found.group(3)
        if name not in given:
            return found.group(0)
        value = given[name]
        if forms:
            one, *many = forms[1:].split("|")
            return one if value == 1 or not many else many[0]
        return translate_argument(kind, value)

    return SLOT_PATTERN.sub(fill_slot, text)
