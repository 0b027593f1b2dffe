"""Reviews of matches."""

from __future__ import annotations

import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Repository


class ReviewRepository(Repository):
    """Reviews, by table: the latest version of each."""

    async def get_stored_review(self, table: str, version: int) -> bytes | None:
        """The stored review of a table's match, if it has this version."""
        k = schema.reviews.c
        found = await self.fetch_rows(sa.select(k.body).where(k.table_id == table, k.version == version))
        return bytes(found[0][0]) if found else None

    async def save_review(self, table: str, version: int, at: int, body: bytes) -> None:
        """Store it, replacing other versions; not if the table is gone meanwhile."""
        k, t = schema.reviews, schema.tables.c
        async with self.engine.begin() as connection:
            if (await connection.execute(sa.select(t.id).where(t.id == table))).first() is None:
                return
            await connection.execute(k.delete().where(k.c.table_id == table))
            await connection.execute(k.insert().values(table_id=table, version=version, at=at, body=body))
