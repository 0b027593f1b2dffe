"""Greedy with the game's opening table, if there is one: with more than two players in Survive, plain greedy places
badly and is too easy an opponent. For the ladder: `bench/opening_table_bot.py:OpeningTableBot`."""

from __future__ import annotations

from landfall.bots.contract import Seat
from landfall.bots.greedy_bot import GreedyBot


class OpeningTableBot(GreedyBot):
    """Greedy, except in the set-up."""

    name = "tabled"

    def choose(self, seat: Seat) -> int:
        known = int(seat.sample(seat.rng).opening_action())
        return known if known >= 0 else super().choose(seat)
