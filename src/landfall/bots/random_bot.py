"""The bot that plays anything, every choice equally likely: the yardstick of all others."""

from __future__ import annotations

from landfall.bots.contract import Bot, Seat


class RandomBot(Bot):
    """Plays any choice, each equally likely."""

    name = "random"

    def choose(self, seat: Seat) -> int:
        legal = seat.legal_actions
        return legal[int(seat.rng.randbelow(len(legal)))]
