"""When a match between bots is decided: a sequential test, its rule fixed before the first game is played.

Wald's test of two shares of wins, `low` against `high`. It is looked at after every whole deal, all of whose seats have
been played, and goes on until one of them is so many times likelier than the other, or the cap is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Final

MISTAKES: Final = 0.05  # how often it may take one for the other, each way
HIGH: Final = "high"
LOW: Final = "low"
OPEN: Final = "open"  # the cap was reached first


@dataclass(frozen=True)
class Rule:
    """Between which shares of wins it decides, and after how many games it gives up."""

    low: float
    high: float
    cap: int

    def evidence(self, won: float, games: int) -> float:
        """The logarithm of how much likelier `high` is; a shared win counts in part."""
        return won * log(self.high / self.low) + (games - won) * log((1 - self.high) / (1 - self.low))

    def verdict(self, shares: list[float], players: int) -> str:
        """What these games, in order, decide; empty: nothing yet. Later games than the deciding one do not count."""
        return self.decided(shares, players)[0]

    def decided(self, shares: list[float], players: int) -> tuple[str, int]:
        """The verdict, and after how many games it was reached."""
        enough = log((1 - MISTAKES) / MISTAKES)
        won = 0.0
        for games in range(players, len(shares) + 1, players):
            won += sum(shares[games - players : games])
            evidence = self.evidence(won, games)
            if abs(evidence) >= enough:
                return (HIGH if evidence > 0 else LOW), games
            if games + players > self.cap:
                return OPEN, games
        return "", len(shares)
