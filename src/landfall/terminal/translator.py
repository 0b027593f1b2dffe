"""Events, choices and rankings of any game as sentences, from its catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from landfall.core.texts import find_template, template_arguments, translate

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.messages import Rank

Words = Mapping[str, object]


class Translator:
    """Says things of one match in one language. Players are called by their colours."""

    def __init__(self, game: Game, players: int, language: str) -> None:
        self.game = game
        self.language = language
        self.names = [translate(language, f"colour.{colour}") for colour in game.colours[:players]]

    def translate(self, key: str, /, **args: object) -> str:
        """A sentence of the game's catalogue or the common one."""
        return translate(self.language, key, args, self.game.name, self.names)

    def event(self, event: Words) -> str:
        """What happened, as far as the event was told: who may know its private part has a sentence with it."""
        key = f"event.{event['kind']}"
        known = find_template(self.game.name, self.language, f"{key}.known")
        if known is not None and template_arguments(known) <= event.keys():
            key += ".known"
        return translate(self.language, key, event, self.game.name, self.names)

    def choice(self, words: Words) -> str:
        """One action or outcome, from `State.describe`."""
        return translate(self.language, f"act.{words['verb']}", words, self.game.name, self.names)

    def term(self, word: object) -> str:
        """A word of the game."""
        return find_template(self.game.name, self.language, f"term.{word}") or str(word)

    def why(self, rule: str) -> str:
        """A rule's id and why it forbids."""
        return f"{rule}: {self.translate(f'why.{rule}')}"

    def ranking(self, groups: list[Rank]) -> list[str]:
        """Who won, and by what."""
        out = []
        for group in groups:
            listed = ", ".join(f"{self.term(key)} {value}" for key, value in group["keys"].items())
            line = self.translate("cli.rank", place=group["place"], seats=group["seats"], keys=listed)
            if group["decided_by"] is not None:
                line += " " + self.translate("cli.decided", key=group["decided_by"])
            out.append(line)
        return out
