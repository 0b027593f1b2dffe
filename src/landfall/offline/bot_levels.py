"""The bots of a device: a server's levels where they answer soon enough in a browser's Python, else less of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from landfall.bots import levels
from landfall.core.game import LINES
from landfall.games import game as find_game
from landfall.offline import browser_nets
from landfall.tables.bots.bot_pool import BotPool, BotRequest, choose_action, choose_quickly

OFFLINE_LEVELS: Final = tuple(levels.LEVELS)
# What a choice may take: a third of the two seconds of a step of the turn, as on a server. A device that is slow
# searches less in that time, and plays weaker.
MAX_BOT_MS: Final = levels.MAX_CHOICE_MS
REPLACED_LEVELS: Final = {"marlin": f"mcts:iters=150:ms={MAX_BOT_MS}"}


def offline_bot_code(level: str, game: str) -> str:
    """The bot that plays a level of a game here."""
    if level.partition(":")[0] != levels.KrakenBot.name:
        return REPLACED_LEVELS.get(level, level)
    rules = find_game(game)
    if rules.judged != LINES or not browser_nets.has_net(game):
        return levels.LeviathanBot.name
    # Where lines are worth playing on for a round, that takes too long here: the net alone (bench/results/here.txt).
    return "net" if rules.search.rollout_rounds else f"netsearch:ms={MAX_BOT_MS}"


class OfflineBotPool(BotPool):
    """Bots in the one thread there is."""

    async def choose(self, request: BotRequest, who: str = "") -> int:
        try:
            return choose_action(replace(request, code=offline_bot_code(request.code, request.game)))
        except Exception:  # whatever a bot's code raises costs it its choice, not the table its match
            return choose_quickly(request)
