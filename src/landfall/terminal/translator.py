"""Turns events, choices and rankings of any game into sentences, from its text catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from landfall.core.text_catalogue import find_text_template, join_with_list_comma, translate
from landfall.core.text_template import template_argument_names

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.message_types import Rank

Words = Mapping[str, object]


class Translator:
    """Writes sentences about one match in one language. Players are named by their colours."""

    def __init__(self, game: Game, players: int, language: str) -> None:
        self.game = game
        self.language = language
        self.names = [translate(language, f"colour.{colour}") for colour in game.colours[:players]]

    def translate(self, key: str, /, **args: object) -> str:
        """A sentence from the game's catalogue or the shared one."""
        return translate(self.language, key, args, self.game.name, self.names)

    def event_sentence(self, event: Words) -> str:
        """The sentence of an event; readers of its private part get a sentence that includes it."""
        key = f"event.{event['kind']}"
        known = find_text_template(self.game.name, self.language, f"{key}.known")
        if known is not None and template_argument_names(known) <= event.keys():
            key += ".known"
        return translate(self.language, key, event, self.game.name, self.names)

    def choice_sentence(self, words: Words) -> str:
        """One action or outcome, from `State.action_to_dict`."""
        return translate(self.language, f"act.{words['verb']}", words, self.game.name, self.names)

    def translate_term(self, word: object) -> str:
        """A word of the game."""
        return find_text_template(self.game.name, self.language, f"term.{word}") or str(word)

    def rule_reason(self, rule: str) -> str:
        """A rule's id and the reason it gives."""
        return f"{rule}: {self.translate(f'why.{rule}')}"

    def ranking_lines(self, groups: list[Rank]) -> list[str]:
        """The winners, and the deciding key."""
        out = []
        for group in groups:
            listed = join_with_list_comma(
                self.language, [f"{self.translate_term(key)} {value}" for key, value in group["keys"].items()]
            )
            line = self.translate("cli.rank", place=group["place"], seats=group["seats"], keys=listed)
            if group["decided_by"] is not None:
                line += " " + self.translate("cli.decided", key=group["decided_by"])
            out.append(line)
        return out
