"""The bots of a device: a server's levels where they answer soon enough in a browser's Python, else less of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from landfall.bots import levels
from landfall.local import nets
from landfall.tables.thinkers import Question, Thinkers, quick, think

OFFERED: Final = tuple(levels.LEVELS)
# What a choice may take: a third of the two seconds of a step of the turn, as on a server. A device that is slow
# searches less in that time, and plays weaker.
MOST_MS: Final = levels.MOST_MS
AS: Final = {"marlin": f"mcts:iters=150:ms={MOST_MS}"}
# The strongest: where a net is stronger than what a browser's Python searches in that time (bench/results/here.txt).
BY_NET: Final = {"survive": "net", "atlantis": f"netsearch:ms={MOST_MS}"}


def code_of(level: str, game: str) -> str:
    """The bot that plays a level of a game here."""
    if level == levels.KrakenBot.name:
        return BY_NET[game] if game in BY_NET and nets.there(game) else levels.LeviathanBot.name
    return AS.get(level, level)


class LocalThinkers(Thinkers):
    """Bots in the one thread there is."""

    async def choose(self, question: Question, who: str = "") -> int:
        try:
            return think(replace(question, code=code_of(question.code, question.game)))
        except Exception:  # whatever a bot's code raises costs it its choice, not the table its match
            return quick(question)
