"""The bots of a device: a server's levels where they answer soon enough in a browser's Python, else less of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from landfall.bots import levels
from landfall.tables.thinkers import Question, Thinkers, quick, think

OFFERED: Final = tuple(name for name in levels.LEVELS if name != levels.KrakenBot.name)  # which needs numpy
# What a choice may take: a third of the two seconds of a step of the turn, as on a server. A device that is slow
# searches less in that time, and plays weaker.
MOST_MS: Final = levels.MOST_MS
AS: Final = {"marlin": f"mcts:iters=150:ms={MOST_MS}"}


class LocalThinkers(Thinkers):
    """Bots in the one thread there is."""

    async def choose(self, question: Question, who: str = "") -> int:
        try:
            return think(replace(question, code=AS.get(question.code, question.code)))
        except Exception:  # whatever a bot's code raises costs it its choice, not the table its match
            return quick(question)
