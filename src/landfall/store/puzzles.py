"""How hard puzzles are: first tries, and their ratings."""

from __future__ import annotations

from contextlib import suppress

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from landfall.store import schema
from landfall.store.database import Repository


class PuzzleRepository(Repository):
    """First tries, by puzzle."""

    async def get_puzzle_stats(self, id_: str) -> tuple[int, int, float, float] | None:
        """A puzzle's first tries, solutions and rating; None without tries."""
        p = schema.puzzles.c
        found = await self.fetch_rows(sa.select(p.tries, p.found, p.mu, p.sigma).where(p.id == id_))
        return (int(found[0][0]), int(found[0][1]), float(found[0][2]), float(found[0][3])) if found else None

    async def record_first_puzzle_attempt(self, id_: str, found: bool, rating: tuple[float, float]) -> None:
        """Count one more first try, with its new rating; of two concurrent ones the later rating stays."""
        p = schema.puzzles
        more = {"tries": p.c.tries + 1, "found": p.c.found + int(found), "mu": rating[0], "sigma": rating[1]}
        first = {"id": id_, "tries": 1, "found": int(found), "mu": rating[0], "sigma": rating[1]}
        for _ in range(2):
            async with self.engine.begin() as connection:
                if (await connection.execute(p.update().where(p.c.id == id_).values(more))).rowcount:
                    return
            with suppress(IntegrityError):  # another process was first
                await self.commit_change(p.insert().values(first))
                return
