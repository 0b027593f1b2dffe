"""How bots are offered to people: a level, or a code of docs/bots.md."""

from __future__ import annotations

from typing import Final

from landfall.bots import registry
from landfall.bots.contract import Bot
from landfall.bots.registry import BotError
from landfall.tables.errors import Refused

STAND_IN: Final = "greedy"  # plays for those who left
LONGEST: Final = 60
LEVELS: Final = {"easy": "random", "normal": "greedy", "hard": "mcts" if "mcts" in registry.NAMED else "greedy"}


def bot_of(code: str) -> Bot:
    """The bot that a level or code names."""
    return registry.bot(LEVELS.get(code, code))


def checked(code: str) -> str:
    """A level or code that may be played here. Files are not: a guest must not name what this machine runs."""
    if len(code) > LONGEST or ".py" in code:
        raise Refused("bot", reason=f"{code[:LONGEST]!r}")
    try:
        bot_of(code)
    except BotError as error:
        raise Refused("bot", reason=str(error)) from None
    return code
