"""What a game says: the keys its random games ask of the catalogues, and what the catalogues hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from landfall import paths
from landfall.core.rng import Rng
from landfall.core.state import OVER, State
from landfall.core.text_catalogue import SLOT_PATTERN, load_text_catalogue
from landfall.games import game as find_game
from tests.generic.option_combinations import Combo
from tests.generic.position_checks import random_game_positions

SLOT_START: Final = re.compile(r"[{}]")


@dataclass
class Spoken:
    """The keys that were needed, each with the arguments it once had."""

    keys: dict[str, dict[str, object]] = field(default_factory=dict)

    def note_key(self, key: str, args: Mapping[str, object]) -> None:
        """Remember a key; its arguments are those it had every time."""
        known = self.keys.setdefault(key, dict(args))
        for name in [n for n in known if n not in args]:
            del known[name]

    def listen(self, state: State, actions: list[int]) -> None:
        """What is said of a position and of these actions."""
        for seat in (None, *range(int(state.players))):
            ask = state.view(seat)["ask"]
            if ask:
                self.note_key(str(ask), {})
            if ask and seat == state.actor:
                self.note_key(str(ask).replace("ask.", "wait.", 1), {"who": seat})
        for action in actions:
            words = state.action_to_dict(action)
            self.note_key(f"act.{words['verb']}", words)

    def play(self, name: str, combo: Combo, seed: int, look_every: int) -> None:
        """Listen to one random game."""
        game = find_game(name)
        rng = Rng(seed)
        state = game.new(*combo)
        state.events = []
        for s in random_game_positions(state, rng):
            if s.actor == OVER or rng.randbelow(look_every) == 0:
                self.listen(s, s.legal_actions() if s.actor >= 0 else [outcome for outcome, _ in s.chance_outcomes()])
                for _ in range(100 if s.actor >= 0 else 0):
                    rule = s.why_illegal(int(rng.randbelow(game.num_actions)))
                    if rule is not None:
                        self.note_key(f"why.{rule}", {})
        assert state.actor == OVER
        for event in state.events:
            self.note_key(f"event.{event.kind}", event.public)
            if event.secret and f"event.{event.kind}.known" in load_text_catalogue(name, "en"):
                self.note_key(f"event.{event.kind}.known", event.public | event.private)
        for group in state.ranking():
            for key in group["keys"]:
                self.note_key(f"term.{key}", {})


def is_literal_in_sources(game: str, word: str) -> bool:
    """Whether a word stands as a literal in the game's sources: what random games are too few to bring up."""
    return any(f'"{word}"' in path.read_text(encoding="utf-8") for path in paths.GAME_FOLDERS[game].rglob("*.py"))


def template_slots(text: str) -> set[tuple[str, bool]]:
    """The arguments a template names, and whether as a player's name; word forms are left out, they differ."""
    return {(m.group(1), m.group(2) == "seat") for m in SLOT_PATTERN.finditer(text) if not m.group(3)}


def leftover_braces(text: str) -> str:
    """What is left of braces once all placeholders are taken out: should be nothing."""
    return "".join(SLOT_START.findall(SLOT_PATTERN.sub("", text)))


def known_texts(game: str, language: str) -> dict[str, str]:
    """All a game can say in a language: the common texts and its own."""
    return load_text_catalogue("", language) | load_text_catalogue(game, language)
