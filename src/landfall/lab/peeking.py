"""For measurements only: a search that is shown the true position. No player can be given one; the ladder alone knows
the code, to tell how much there is to hide."""

from __future__ import annotations

from typing import Final

from landfall.bots import registry
from landfall.bots.contract import Bot
from landfall.bots.mcts import MctsBot

PREFIX: Final = "peeking-"


class PeekingBot(MctsBot):
    """mcts that takes the position it is shown for the true one, which for once it is."""

    name = "peeking-mcts"

    def worlds(self) -> bool:
        return False


def lab_bot(code: str) -> Bot:
    """The bot a code names; `peeking-mcts:...` is known here and nowhere else."""
    if not code.startswith(PREFIX):
        return registry.bot(code)
    _, *rest = code.split(":")
    made = PeekingBot(**registry.parameters(code, PeekingBot, rest))  # type: ignore[arg-type]
    made.code = code
    return made
