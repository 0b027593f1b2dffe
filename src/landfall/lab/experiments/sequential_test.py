"""A sequential test of a match between bots; its rule is fixed before the first game.

Wald's test of two win rates, `low` against `high`. It is evaluated after every complete deal, played from all seats. It
stops when the likelihood ratio passes a bound or the cap is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Final

ERROR_RATE: Final = 0.05  # of either kind
HIGHER: Final = "high"
LOWER: Final = "low"
UNDECIDED: Final = "open"  # the cap was reached first


@dataclass(frozen=True)
class SequentialTest:
    """The two win rates, and the maximum number of games."""

    low: float
    high: float
    cap: int

    def log_likelihood_ratio(self, won: float, games: int) -> float:
        """The log-likelihood ratio of `high` to `low`; a shared win counts in part."""
        return won * log(self.high / self.low) + (games - won) * log((1 - self.high) / (1 - self.low))

    def verdict(self, shares: list[float], players: int) -> str:
        """The verdict of these games in order; empty: undecided. Games after the deciding one do not count."""
        return self.verdict_and_games(shares, players)[0]

    def verdict_and_games(self, shares: list[float], players: int) -> tuple[str, int]:
        """The verdict, and the number of games it took."""
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
