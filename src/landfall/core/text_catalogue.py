# interpreted
"""Sentences in the languages there are. The engine emits keys with arguments; this module turns them into words.

There is a JSON catalogue for each game and language, and one for the texts that all games share. `text_template.py`
says how a sentence names its arguments; `{name:term}` is the entry `term.<argument>` (other words work alike, as
`{name:from}`, for languages that inflect; `term` says what their lists lack) and `{name:seat}` a player's name. Lists
are joined with the language's comma. `event.<kind>.known` is the sentence for those who may read an event's private
part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache

from landfall import paths
from landfall.core.languages import SOURCE_LANGUAGE, format_number
from landfall.core.text_template import fill_template


@cache
def load_text_catalogue(game: str, language: str) -> dict[str, str]:
    """All texts of a game ("" for the shared ones) in a language; none if nobody has translated it.

    A game of one file has them in a constant `TEXTS`, by language.
    """
    file = paths.texts_file(game, language)
    if file.is_file():
        loaded = json.loads(file.read_text(encoding="utf-8"))
    else:
        loaded = (paths.literal_of_small_game(game, "TEXTS") or {}).get(language, {}) if game else {}
    return {str(k): str(v) for k, v in loaded.items()}


def find_text_template(game: str, language: str, key: str) -> str | None:
    """The game's own text for a key, else the shared one; in English if it is not translated."""
    found = (
        load_text_catalogue(room, tongue).get(key) for room in (game, "") for tongue in (language, SOURCE_LANGUAGE)
    )
    return next((text for text in found if text is not None), None)


def game_title(language: str, game: str) -> str:
    """A game's short title, else its title; its name if it has neither."""
    titles = (find_text_template(game, language, key) for key in ("title.short", "game.title"))
    return next((title for title in titles if title), game.capitalize())


def join_with_list_comma(language: str, words: Iterable[str]) -> str:
    """Words one after another, with the language's comma.

    >>> join_with_list_comma("en", ["shark", "2"]), join_with_list_comma("zh", ["鲨鱼", "2"])
    ('shark, 2', '鲨鱼、2')
    """
    return translate(language, "list.comma").join(words)


def translate(
    language: str, key: str, args: Mapping[str, object] | None = None, game: str = "", names: list[str] | None = None
) -> str:
    """The sentence for a key. A missing key is shown as is, so that no message is lost.

    >>> translate("en", "error.game", {"name": "chess", "games": "survive"})
    "There is no game called 'chess'; the games are survive."
    """
    text = find_text_template(game, language, key)
    if text is None:
        return key

    def word_argument(kind: str, value: object) -> str:
        if isinstance(value, list | tuple):
            return join_with_list_comma(language, [word_argument(kind, one) for one in value])
        if kind == "seat" and names is not None and isinstance(value, int) and 0 <= value < len(names):
            return names[value]
        lists = (kind, "term") if kind else ()
        found = (find_text_template(game, language, f"{one}.{value}") for one in lists)
        word = next((text for text in found if text is not None), None)
        if word is None and isinstance(value, int | float) and not isinstance(value, bool):
            return format_number(language, value)
        return word or str(value)

    return fill_template(text, language, args or {}, word_argument)
