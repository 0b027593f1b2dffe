"""How bots are offered to people: a level, or a code of docs/bots.md."""

from __future__ import annotations

import re
from typing import Final

from landfall.bots import registry
from landfall.bots.contract import Bot
from landfall.bots.registry import BotError
from landfall.tables.errors import Refused

STAND_IN: Final = "greedy"  # plays for those who left
ADVISER: Final = "greedy"  # gives hints
LEVELS: Final = {"sprat": "random", "mackerel": "greedy"}  # from kind to merciless
CODE: Final = re.compile(r"[a-z]{1,20}(:ms=\d{1,3})?")  # a bot on a server thinks on one core, less than a second


def bot_of(code: str) -> Bot:
    """The bot that a level or code names."""
    return registry.bot(LEVELS.get(code, code))


def checked(code: str) -> str:
    """A level or code that may be played here. No files: a guest must not name what this machine runs, or how much."""
    if not CODE.fullmatch(code):
        raise Refused("bot", reason=f"{code[:60]!r}")
    try:
        bot_of(code)
    except BotError as error:
        raise Refused("bot", reason=str(error)) from None
    return code
