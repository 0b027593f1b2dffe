"""How bots are offered to people: a level, or a code of docs/bots.md."""

from __future__ import annotations

import re
from typing import Final

from landfall.bots import levels, registry
from landfall.bots.contract import Bot, BotError
from landfall.bots.levels import KrakenBot
from landfall.bots.mcts import MctsBot
from landfall.bots.net import NetBot
from landfall.bots.net_search import NetSearchBot
from landfall.bots.net_tree import NetTreeBot
from landfall.tables.errors import Refused

STAND_IN: Final = "greedy"  # plays for those who left
ADVISER: Final = "marlin"  # gives hints
LEVELS: Final = {name: name for name in levels.LEVELS}  # from kind to merciless; texts bot.<level>, bot.<level>.manner
CODE: Final = re.compile(r"[a-z]{1,20}(:[a-z]{1,10}=\d{1,6}){0,4}")
MOST_MS: Final = 2000  # what one question may cost the others at this server
MOST_ITERS: Final = 2000
MOST_WORLDS: Final = 32
MOST_LINES: Final = 12


def bot_of(code: str) -> Bot:
    """The bot that a level or code names."""
    return registry.bot(code)


def checked(code: str) -> str:
    """A level or code that may be played here. No files: a guest must not name what this machine runs, or how much."""
    if not CODE.fullmatch(code):
        raise Refused("bot", reason=f"{code[:60]!r}")
    try:
        made = bot_of(code)
    except BotError as error:
        raise Refused("bot", reason=str(error)) from None
    if isinstance(made, KrakenBot) and made.ms > MOST_MS:
        raise Refused("bot", reason=f"{code!r}: ms={MOST_MS}")
    if isinstance(made, MctsBot) and (
        made.config.cores > 1 or made.config.ms > MOST_MS or made.config.iters > MOST_ITERS
    ):
        raise Refused("bot", reason=f"{code!r}: cores=1, ms={MOST_MS}, iters={MOST_ITERS}")
    if isinstance(made, NetSearchBot) and (made.ms > MOST_MS or made.worlds > MOST_WORLDS or made.lines > MOST_LINES):
        raise Refused("bot", reason=f"{code!r}: ms={MOST_MS}, worlds={MOST_WORLDS}, lines={MOST_LINES}")
    if isinstance(made, NetBot) and made.lines > MOST_LINES:
        raise Refused("bot", reason=f"{code!r}: lines={MOST_LINES}")
    if isinstance(made, NetTreeBot) and (made.ms > MOST_MS or made.iters > MOST_ITERS):
        raise Refused("bot", reason=f"{code!r}: ms={MOST_MS}, iters={MOST_ITERS}")
    return code
