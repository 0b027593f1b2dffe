"""The bot that looks one choice ahead and takes what looks best."""

from __future__ import annotations

from landfall.bots.contract import Bot, Seat
from landfall.bots.search import best_action


class GreedyBot(Bot):
    """Imagines one possible position, tries each choice on a copy and takes the best by the game's evaluation."""

    name = "greedy"

    def choose(self, seat: Seat) -> int:
        return int(best_action(seat.sample(seat.rng), seat.number, seat.rng))
