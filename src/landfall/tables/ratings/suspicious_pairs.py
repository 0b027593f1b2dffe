"""Pairs of players whose rated matches look arranged, for the host to judge: nothing follows by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from landfall.store.row_types import PairResult
from landfall.tables.ratings.rating_model import SCALE

if TYPE_CHECKING:
    from landfall.store.store import Store

DAY_MS: Final = 86_400_000
LOOKED_BACK_MS: Final = 30 * DAY_MS
MIN_MATCHES: Final = 5
ONE_SIDED: Final = 0.8  # of the matches won
MOST_OF_ALL: Final = 0.5  # of the winner's matches are against this one player
MATCHES_A_DAY: Final = 3
GIVEN_UP: Final = 0.5  # of the matches won were given up early


class SuspiciousPair(NamedTuple):
    """Two players, and what is unusual: pair, rate or resignations."""

    result: PairResult
    reasons: list[str]

    def __str__(self) -> str:
        one, points = self.result, round(SCALE * self.result.gained)
        return (
            f"{one.winner} beat {one.loser} {one.won} of {one.matches} times in {one.game} ({one.size}), {points:+} "
            f"points, {one.early} given up early; {', '.join(self.reasons)}: {' '.join(one.tables)}"
        )


def find_reasons_to_suspect(one: PairResult) -> list[str]:
    """One-sided results mostly against one player, many a day, or mostly given up early."""
    days = max(1.0, (one.last - one.first) / DAY_MS)
    pair = one.won >= ONE_SIDED * one.matches and one.matches >= MOST_OF_ALL * one.winner_matches
    found = {
        "pair": pair,
        "rate": one.matches / days >= MATCHES_A_DAY,
        "resignations": one.early >= GIVEN_UP * one.won,
    }
    return [reason for reason, is_so in found.items() if is_so]


async def list_suspicious_pairs(store: Store, now: int) -> list[SuspiciousPair]:
    """Of the last 30 days, by the points that one took from the other."""
    results = await store.ratings.list_pair_results(now - LOOKED_BACK_MS, MIN_MATCHES)
    judged = [SuspiciousPair(one, find_reasons_to_suspect(one)) for one in results]
    return [one for one in judged if one.reasons]
