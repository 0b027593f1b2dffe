"""What a game says: the keys its random games ask of the catalogues, and what the catalogues hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from landfall import paths
from landfall.core.rng import Rng
from landfall.core.state import OVER, State
from landfall.core.text_catalogue import load_text_catalogue
from landfall.core.text_template import list_slots, parse_template, template_argument_names
from landfall.game_checks.option_combinations import Combo, covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import game as find_game
from landfall.rulebook import load_rules


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


def listen_to_random_games(name: str, games: int) -> Spoken:
    """What so many random games of each option say."""
    received = Spoken()
    for combo in covering_combinations(name):
        for seed in range(games):
            received.play(name, combo, seed, look_every=4)
    return received


def faults_of_what_is_said(name: str, received: Spoken) -> list[str]:
    """Keys that random games need and no text has, and texts that name what they are not always given."""
    texts = known_texts(name, "en")
    missing = [key for key in received.keys if key not in texts]
    return [f"the texts lack {', '.join(missing)}"] * bool(missing) + [
        f"{key} uses what it is not always given: {texts[key]!r} {args}"
        for key, args in received.keys.items()
        if key in texts and not template_argument_names(texts[key]) <= set(args)
    ]


def faults_of_questions(name: str, received: Spoken) -> list[str]:
    """`ask.moving` is for who moves; `wait.moving` says to the others who is doing what, in no words of command."""
    english = load_text_catalogue(name, "en")
    told = {key.removeprefix("wait.") for key in english if key.startswith("wait.")}
    missing = sorted({key for key in received.keys if key.startswith("wait.")} - set(english))
    faults = [f"the texts lack {', '.join(missing)}: what the others read, with {{who:seat}}"] * bool(missing)
    for word in sorted(told):
        text = english[f"wait.{word}"]
        if f"ask.{word}" not in english:
            faults.append(f"wait.{word} without its ask.{word}")
        if "{who:seat}" not in text:
            faults.append(f"wait.{word} names nobody: write {{who:seat}}")
        if "your" in text.lower():
            faults.append(f"wait.{word} is read by the others: no 'your'")
    return faults


def faults_of_options(name: str) -> list[str]:
    """Options and their values without a text."""
    keys: list[str] = []
    for option in find_game(name).options:
        keys += [f"option.{option.name}", f"option.{option.name}.name"]
        keys += [f"option.{option.name}.{choice}" for choice in option.choices]
    missing = sorted(set(keys) - set(known_texts(name, "en")))
    return [f"the texts lack {', '.join(missing)}"] * bool(missing)


def faults_of_reasons(name: str) -> list[str]:
    """Reasons that name no rule of the rulebook."""
    ids = {rule.id for rule in load_rules(name)}
    reasons = [key.removeprefix("why.") for key in load_text_catalogue(name, "en") if key.startswith("why.")]
    return [f"why.{rule}: the rules have no {rule}" for rule in reasons if rule not in ids]
