"""The bot that plays uniformly at random: the baseline for all others."""

from __future__ import annotations

from landfall.bots.contract import Bot, Seat


class RandomBot(Bot):
    """Plays uniformly at random."""

    name = "random"

    def choose(self, seat: Seat) -> int:
        legal = seat.legal_actions
        return legal[int(seat.rng.randbelow(len(legal)))]
