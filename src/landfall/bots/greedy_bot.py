"""The bot that looks one choice ahead and takes the best."""

from __future__ import annotations

from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.search.one_ply_search import best_action, evaluate_choices


class GreedyBot(Bot):
    """Samples one position, tries each choice on a copy and takes the best by the game's evaluation."""

    name = "greedy"
    version = "2"

    def choose(self, seat: Seat) -> int:
        return int(best_action(seat.sample(seat.rng), seat.number, seat.rng))

    def evaluate_all_choices(self, seat: Seat) -> list[Thought]:
        """Evaluate every choice."""
        world = seat.sample(seat.rng)
        found = [Thought(action, 1, value / 1000) for action, value in evaluate_choices(world, seat.number)]
        return sorted(found, key=lambda thought: -thought.value)
