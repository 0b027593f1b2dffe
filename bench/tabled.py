"""Greedy that places by the game's table of openings, where there is one: with more than two players in Survive, who is
measured against plain greedy is measured against its bad placing. For the ladder: `bench/tabled.py:Tabled`."""

from __future__ import annotations

from landfall.bots.contract import Seat
from landfall.bots.greedy import GreedyBot


class Tabled(GreedyBot):
    """As greedy, but for the set-up."""

    name = "tabled"

    def choose(self, seat: Seat) -> int:
        known = int(seat.sample(seat.rng).opening())
        return known if known >= 0 else super().choose(seat)
