"""The bots that people can choose: a level, or a code of docs/bots.md."""

from __future__ import annotations

import re
from typing import Final

from landfall.bots import levels, registry
from landfall.bots.contract import Bot, BotError
from landfall.bots.levels import KrakenBot, LeviathanBot
from landfall.bots.mcts_bot import MctsBot
from landfall.bots.net_bot import NetBot
from landfall.bots.net_search_bot import NetSearchBot
from landfall.bots.net_tree_bot import NetTreeBot
from landfall.tables.protocol.errors import Refused

STAND_IN: Final = "greedy"  # plays for people who left
HINT_BOT: Final = "marlin"  # gives hints
LEVELS: Final = {name: name for name in levels.LEVELS}  # weakest first
BOT_CODE_PATTERN: Final = re.compile(r"[a-z]{1,20}(:[a-z]{1,10}=\d{1,6}){0,4}")
MAX_BOT_MS: Final = 2000  # limit per request, so that nobody blocks the server
MAX_BOT_ITERS: Final = 2000
MAX_BOT_WORLDS: Final = 32
MAX_BOT_LINES: Final = 12


def make_bot(code: str) -> Bot:
    """The bot for a level or code."""
    return registry.make_bot(code)


def require_allowed_bot_code(code: str) -> str:
    """A level or code that is allowed here. No files: a guest must not choose programs or costs on this machine."""
    if not BOT_CODE_PATTERN.fullmatch(code):
        raise Refused("bot", reason=f"{code[:60]!r}")
    try:
        made = make_bot(code)
    except BotError as error:
        raise Refused("bot", reason=str(error)) from None
    if isinstance(made, KrakenBot) and made.ms > MAX_BOT_MS:
        raise Refused("bot", reason=f"{code!r}: ms={MAX_BOT_MS}")
    if isinstance(made, LeviathanBot) and (
        made.ms > MAX_BOT_MS or made.worlds > MAX_BOT_WORLDS or made.iters > MAX_BOT_ITERS
    ):
        raise Refused("bot", reason=f"{code!r}: ms={MAX_BOT_MS}, worlds={MAX_BOT_WORLDS}, iters={MAX_BOT_ITERS}")
    if isinstance(made, MctsBot) and (
        made.config.cores > 1 or made.config.ms > MAX_BOT_MS or made.config.iters > MAX_BOT_ITERS
    ):
        raise Refused("bot", reason=f"{code!r}: cores=1, ms={MAX_BOT_MS}, iters={MAX_BOT_ITERS}")
    if isinstance(made, NetSearchBot) and (
        made.ms > MAX_BOT_MS or made.worlds > MAX_BOT_WORLDS or made.lines > MAX_BOT_LINES
    ):
        raise Refused("bot", reason=f"{code!r}: ms={MAX_BOT_MS}, worlds={MAX_BOT_WORLDS}, lines={MAX_BOT_LINES}")
    if isinstance(made, NetBot) and (made.lines > MAX_BOT_LINES or made.walks > MAX_BOT_ITERS):
        raise Refused("bot", reason=f"{code!r}: lines={MAX_BOT_LINES}, walks={MAX_BOT_ITERS}")
    if isinstance(made, NetTreeBot) and (made.ms > MAX_BOT_MS or made.iters > MAX_BOT_ITERS):
        raise Refused("bot", reason=f"{code!r}: ms={MAX_BOT_MS}, iters={MAX_BOT_ITERS}")
    return code
