"""Relations: whom somebody follows, and whom they do not want to meet."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Repository


class RelationRepository(Repository):
    """Follows and blocks, by who follows or blocks."""

    # --- following ------------------------------------------------------------------------------------------------

    async def set_user_followed(self, person: str, other: str, on: bool, most: int) -> bool:
        """Follow somebody, or no longer. False: they follow as many already."""
        f = schema.follows
        async with self.engine.begin() as connection:
            await self.database.lock_user_row(connection, person)  # two at once are counted, too
            await connection.execute(f.delete().where(f.c.person == person, f.c.other == other))
            if not on:
                return True
            mine = sa.select(sa.func.count()).where(f.c.person == person)
            if ((await connection.execute(mine)).scalar() or 0) >= most:
                return False
            await connection.execute(f.insert().values(person=person, other=other))
        return True

    async def list_user_ids_followed_by(self, person: str) -> frozenset[str]:
        """Whom somebody follows."""
        f = schema.follows.c
        return frozenset(row[0] for row in await self.fetch_rows(sa.select(f.other).where(f.person == person)))

    # --- blocking -------------------------------------------------------------------------------------------------

    async def set_user_blocked(self, person: str, other: str, on: bool) -> None:
        """Block somebody, or no longer. Neither is notified of the other any more."""
        b, n = schema.blocks, schema.notifications
        pairs = ((person, other), (other, person))
        between = sa.or_(*(sa.and_(n.c.person == one, n.c.other == another) for one, another in pairs))
        async with self.engine.begin() as connection:
            await self.database.lock_user_row(connection, person)  # of two at once, one stays
            await connection.execute(b.delete().where(b.c.person == person, b.c.other == other))
            if on:
                await connection.execute(b.insert().values(person=person, other=other))
                await connection.execute(n.delete().where(between))

    async def has_blocked(self, person: str, other: str) -> bool:
        """Whether a user has blocked another."""
        b = schema.blocks.c
        return bool(await self.fetch_rows(sa.select(b.other).where(b.person == person, b.other == other)))

    async def list_blocked_pairs_among(self, people: Collection[str]) -> set[frozenset[str]]:
        """The pairs of these users of whom one has blocked the other."""
        b = schema.blocks.c
        asked = sa.select(b.person, b.other).where(b.person.in_(people), b.other.in_(people))
        return {frozenset((one, other)) for one, other in await self.fetch_rows(asked)}

    async def list_user_ids_blocked_either_way(self, person: str) -> frozenset[str]:
        """Whom somebody has blocked, or who has blocked them."""
        b = schema.blocks.c
        asked = sa.select(b.person, b.other).where(sa.or_(b.person == person, b.other == person))
        return frozenset(who for pair in await self.fetch_rows(asked) for who in pair) - {person}
