"""The bots of a device: a server's levels where they answer soon enough in a browser's Python, else less of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from landfall.bots import levels
from landfall.core.game import LINES
from landfall.games import game as find_game
from landfall.local import nets
from landfall.tables.thinkers import Question, Thinkers, quick, think

OFFERED: Final = tuple(levels.LEVELS)
# What a choice may take: a third of the two seconds of a step of the turn, as on a server. A device that is slow
# searches less in that time, and plays weaker.
MOST_MS: Final = levels.MOST_MS
AS: Final = {"marlin": f"mcts:iters=150:ms={MOST_MS}"}


def code_of(level: str, game: str) -> str:
    """The bot that plays a level of a game here."""
    if level.partition(":")[0] != levels.KrakenBot.name:
        return AS.get(level, level)
    rules = find_game(game)
    if rules.judged != LINES or not nets.there(game):
        return levels.LeviathanBot.name
    # Where lines are worth playing on for a round, that takes too long here: the net alone (bench/results/here.txt).
    return "net" if rules.search.rollout_rounds else f"netsearch:ms={MOST_MS}"


class LocalThinkers(Thinkers):
    """Bots in the one thread there is."""

    async def choose(self, question: Question, who: str = "") -> int:
        try:
            return think(replace(question, code=code_of(question.code, question.game)))
        except Exception:  # whatever a bot's code raises costs it its choice, not the table its match
            return quick(question)
