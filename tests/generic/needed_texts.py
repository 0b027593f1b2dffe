"""What a game says: the keys its random games ask of the catalogues, and what the catalogues hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from landfall import paths
from landfall.core.rng import Rng
from landfall.core.state import OVER, State
from landfall.core.text_catalogue import load_text_catalogue
from landfall.core.text_template import list_slots, parse_template
from landfall.games import game as find_game
from tests.generic.option_combinations import Combo
from tests.generic.position_checks import random_game_positions


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
    """The arguments a template shows, and whether as a player's name; what only bends words is left out: it differs."""
    shown = (slot for slot in list_slots(text) if not slot.choice or any("#" in form for _, form in slot.forms))
    return {(slot.name, slot.kind == "seat") for slot in shown}


def plain_words(text: str) -> str:
    """A template's own words, without its slots; the words of forms are its own."""
    return "".join(
        part if isinstance(part, str) else "".join(plain_words(form) for _, form in part.forms)
        for part in parse_template(text)
    )


def known_texts(game: str, language: str) -> dict[str, str]:
    """All a game can say in a language: the common texts and its own."""
    return load_text_catalogue("", language) | load_text_catalogue(game, language)
