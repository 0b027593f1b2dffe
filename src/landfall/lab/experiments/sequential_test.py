"""When a match between bots is decided: a sequential test, its rule fixed before the first game is played.

Wald's test of two shares of wins, `low` against `high`. It is looked at after every whole deal, all of whose seats have
been played, and goes on until one of them is so many times likelier than the other, or the cap is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Final

ERROR_RATE: Final = 0.05  # how often it may take one for the other, each way
HIGHER: Final = "high"
LOWER: Final = "low"
UNDECIDED: Final = "open"  # the cap was reached first


@dataclass(frozen=True)
class SequentialTest:
    """Between which shares of wins it decides, and after how many games it gives up."""

    low: float
    high: float
    cap: int

    def log_likelihood_ratio(self, won: float, games: int) -> float:
        """The logarithm of how much likelier `high` is; a shared win counts in part."""
        return won * log(self.high / self.low) + (games - won) * log((1 - self.high) / (1 - self.low))

    def verdict(self, shares: list[float], players: int) -> str:
        """What these games, in order, decide; empty: nothing yet. Later games than the deciding one do not count."""
        return self.verdict_and_games(shares, players)[0]

    def verdict_and_games(self, shares: list[float], players: int) -> tuple[str, int]:
        """The verdict, and after how many games it was reached."""
        enough = log((1 - ERROR_RATE) / ERROR_RATE)
        won = 0.0
        for games in range(players, len(shares) + 1, players):
            won += sum(shares[games - players : games])
            evidence = self.log_likelihood_ratio(won, games)
            if abs(evidence) >= enough:
                return (HIGHER if evidence > 0 else LOWER), games
            if games + players > self.cap:
                return UNDECIDED, games
        return "", len(shares)
