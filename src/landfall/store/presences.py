"""Presences: who is connected to which process."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.row_types import PRESENCE_LEASE_MS, Presence
from landfall.store.statements import split_in_batches


class PresenceRepository(Repository):
    """Presences, leased by process."""

    async def renew_presences(
        self, process: str, changed: Collection[Presence], gone: Collection[str], until: int
    ) -> None:
        """Who is connected to a process until then: these and earlier ones, except those who are gone."""
        p = schema.presences
        async with self.engine.begin() as connection:
            for some in split_in_batches([*(one.person for one in changed), *gone]):
                await connection.execute(p.delete().where(p.c.process == process, p.c.person.in_(some)))
            await connection.execute(p.delete().where(p.c.until < until - 2 * PRESENCE_LEASE_MS))
            await connection.execute(p.update().where(p.c.process == process).values(until=until))
            if changed:
                rows = [
                    {"process": process, "person": one.person, "name": one.name, "table_id": one.table, "until": until}
                    for one in changed
                ]
                await connection.execute(p.insert(), rows)

    async def read_presences(self, now: int) -> list[Presence]:
        """Who is connected to any process; somebody at a table first, so that two connections are one person there."""
        p = schema.presences.c
        shown = sa.case((schema.people.c.shown, p.name), else_="")  # as it is now, not when they connected
        found = sa.select(p.person, shown, p.table_id).join(schema.people, schema.people.c.id == p.person)
        asked = found.where(p.until >= now).order_by(p.table_id.desc(), p.person)
        return [Presence(*row) for row in await self.fetch_rows(asked)]

    async def end_presences(self, process: str) -> None:
        """A process ends: nobody is connected to it."""
        await self.commit_change(schema.presences.delete().where(schema.presences.c.process == process))
