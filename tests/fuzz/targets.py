"""Parsers of what strangers send, each with texts to begin from in corpus/. Wrong input is refused, and nothing else.

A text that is accepted means the same when it is written and read again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import msgspec

import landfall
from landfall import Match
from landfall.api.message_codec import DECODE_ERRORS, decode_command
from landfall.core.errors import LandfallError, PositionError
from landfall.games import BUILT_IN_GAMES

CORPUS: Final = Path(__file__).resolve().parent / "corpus"
MOST_CHANGES: Final = 4
INSERTS: Final = (
    "", " ", ";", ":", "=", "-1", "99999999999999999999", "\x00", "\u2028", "\ud7ff", "é", '"', "{", "]", "*",
    "~", "#", "\n",
)  # fmt: skip
TOKENS_APART: Final = ' ;:,=\n"'


@dataclass(frozen=True)
class Target:
    """A parser: `check` raises AssertionError, or anything else, if it does what it should not."""

    folder: str
    check: Callable[[str], bool]  # whether the text was accepted

    def corpus(self) -> list[tuple[str, str]]:
        return [(path.name, path.read_text(encoding="utf-8")) for path in sorted((CORPUS / self.folder).iterdir())]

    def mutants(self, seed: int) -> Iterator[str]:
        """Changed texts without an end, the same for the same seed."""
        rng = Random(seed)
        texts = [text for _, text in self.corpus()]
        while True:
            yield mutated(rng.choice(texts), texts, rng)


def mutated(text: str, others: list[str], rng: Random) -> str:
    for _ in range(rng.randint(1, MOST_CHANGES)):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        way = rng.randrange(6)
        if way == 0:
            text = text[:at] + rng.choice(INSERTS) + text[at + 1 :]
        elif way == 1:
            text = text[:at] + text[min(to, at + 20) :]
        elif way == 2:
            text = text[:to] + text[max(at, to - 20) : to] + text[to:]
        elif way == 3:
            text = text[:at] + rng.choice(INSERTS) + text[at:]
        elif way == 4:
            text = with_token_of(text, rng.choice(others), rng)
        else:
            other = rng.choice(others)
            text = text[:at] + other[rng.randrange(len(other) + 1) :]
    return text


def with_token_of(text: str, other: str, rng: Random) -> str:
    """One word replaced by a word of another text."""
    words = split_at(text)
    known = split_at(other)
    if words and known:
        words[rng.randrange(len(words))] = rng.choice(known)
    return "".join(words)


def split_at(text: str) -> list[str]:
    found, word = [], ""
    for letter in text:
        if letter in TOKENS_APART:
            found += [word, letter]
            word = ""
        else:
            word += letter
    return [*found, word]


# --- parsers --------------------------------------------------------------------------------------------------


def check_position(game: str, text: str) -> bool:
    found = landfall.game(game)
    try:
        state = found.from_text(text)
    except PositionError:
        return False
    assert found.from_text(state.to_text()).to_bytes() == state.to_bytes(), "read back otherwise"
    return True


def check_record(text: str) -> bool:
    try:
        match = Match.replay(text)
    except LandfallError:
        return False
    again = Match.replay(match.record())
    assert again.state.to_bytes() == match.state.to_bytes(), "replayed otherwise"
    return True


def check_message(text: str) -> bool:
    try:
        command = decode_command(text)
    except DECODE_ERRORS:
        return False
    fields = {name: getattr(command, name) for name in command.__dataclass_fields__}
    told = json.loads(text)
    assert {name: value for name, value in fields.items() if name in told} == {
        name: msgspec.to_builtins(value) for name, value in told.items() if name in fields
    }, "understood otherwise"
    return True


def target_of_game(game: str) -> Target:
    return Target(f"positions-{game}", lambda text: check_position(game, text))


TARGETS: Final = {
    **{f"positions-{game}": target_of_game(game) for game in BUILT_IN_GAMES},
    "records": Target("records", check_record),
    "messages": Target("messages", check_message),
}
