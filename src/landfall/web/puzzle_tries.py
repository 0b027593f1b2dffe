"""How hard puzzles are for people: first tries are counted, and rated."""

from __future__ import annotations

from typing import Final

from landfall.api.rate_limits import RecentSet
from landfall.store.store import Store
from landfall.tables.teaching import puzzle_difficulty

MAX_REMEMBERED_TRIES: Final = 50_000


class PuzzleTries:
    """The first tries, as far as this process remembers who tried."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.get_puzzle_stats = store.puzzles.get_puzzle_stats
        self.known = RecentSet(MAX_REMEMBERED_TRIES)

    async def count_first_try(self, name: str, fish: str, right: bool, origin: str) -> None:
        """A first try; it counts once for a puzzle and an origin."""
        if not self.known.add_if_new((origin, name)):
            return
        stats = await self.get_puzzle_stats(name)
        mu, sigma = stats[2:] if stats else puzzle_difficulty.initial_puzzle_rating(fish)
        await self.store.puzzles.record_first_puzzle_attempt(
            name, right, puzzle_difficulty.puzzle_rating_after_try(mu, sigma, right)
        )
