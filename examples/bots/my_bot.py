"""A bot for a server: `landfall bot --server https://landfall.example --token lf_bot_... my_bot.py`.

It looks one choice ahead in a few possible worlds and takes the choice that is best on average.
"""

from landfall.bots.contract import Bot, Seat


class LookAhead(Bot):
    """One choice ahead, with the game's own evaluation."""

    name = "look_ahead"
    version = "1"

    def __init__(self, worlds: int = 2) -> None:
        self.worlds = worlds

    def choose(self, seat: Seat) -> int:
        worlds = [seat.sample(seat.rng) for _ in range(self.worlds)]

        def value(action: int) -> float:
            total = 0.0
            for world in worlds:
                after = world.copy()
                after.apply(action)
                total += after.evaluate(seat.number)
            return total

        return max(seat.legal_actions, key=value)
