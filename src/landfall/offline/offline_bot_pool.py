"""The bots of a device: a server's levels if they are fast enough in a browser's Python, else weaker ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from landfall.bots import levels
from landfall.core.game import LINES
from landfall.games import game as find_game
from landfall.offline import browser_nets
from landfall.tables.bots.bot_pool import BotPool, BotRequest, choose_bot_action, choose_fallback_action

T = TypeVar("T")
# Thinking time: a third of the two seconds for a step of the turn, as on a server. A slow device searches less in that
# time, and plays weaker.
MAX_BOT_MS: Final = levels.MAX_CHOICE_MS


def offline_bot_code(level: str, game: str) -> str:
    """The bot code of a level of a game here."""
    if level.partition(":")[0] != levels.KrakenBot.name:
        return levels.OFFLINE_CODES.get(level, level)  # interpreted, searches with a net take too long
    rules = find_game(game)
    if rules.judged != LINES or not browser_nets.has_browser_net(game):
        return levels.OFFLINE_CODES[levels.LeviathanBot.name]
    # Playing lines on for a round takes too long here: the net alone (bench/results/here.txt).
    return "net" if rules.search.rollout_rounds else f"netsearch:ms={MAX_BOT_MS}"


class OfflineBotPool(BotPool):
    """Bots and tasks in the only thread."""

    async def run_task(self, task: Callable[..., T], *args: object, who: str = "", urgent: bool = False) -> T:
        await asyncio.sleep(0)  # requests of the page come first
        return task(*args)

    async def choose_action(self, request: BotRequest, who: str = "") -> int:
        try:
            return choose_bot_action(replace(request, code=offline_bot_code(request.code, request.game)))
        except Exception:  # an exception in a bot's code costs it its choice, not the table its match
            return choose_fallback_action(request)
