"""The log of searches for a table."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.matchmaking_events import SEARCH_EVENTS, SearchEntry, SearchWrite
from landfall.store.shared_log_entries import NotTogether
from landfall.store.shared_logs import append_shared_events, read_shared_log, require_users_exist


class SearchRepository(Repository):
    """Who looks for a table, and who was seated together."""

    async def append_search_events(self, write: SearchWrite) -> bool:
        """Append events to the log of searches, with the table they lead to.

        False: the number is taken. NotTogether: these people may not sit at one table.
        """

        async def require_people_may_meet(connection: AsyncConnection) -> None:
            if write.people:
                await self.require_may_sit_together(connection, write.people)

        async def notify_of_last_event(connection: AsyncConnection) -> None:
            await self.database.notify_at_commit(connection, f"searches {write.seq + len(write.events) - 1}")

        return await append_shared_events(
            self.database, schema.searches, {}, write, require_people_may_meet, notify_of_last_event
        )

    async def require_may_sit_together(self, connection: AsyncConnection, people: list[str]) -> None:
        """NotTogether: one of these was deleted, or has blocked another."""
        b = schema.blocks.c
        await require_users_exist(connection, people)
        blocked = sa.select(sa.func.count()).where(b.person.in_(people), b.other.in_(people))
        if (await connection.execute(blocked)).scalar():
            raise NotTogether

    async def read_search_log(self, after: int = 0) -> list[SearchEntry]:
        """The log of searches from a number on."""
        return await read_shared_log(self.database, schema.searches, {}, SEARCH_EVENTS, after)

    async def prune_search_log(self, seq: int, at: int) -> None:
        """Delete events before this number and this time. The last one stays: its number is not used again."""
        s = schema.searches
        last = sa.select(sa.func.max(s.c.seq)).scalar_subquery()
        await self.commit_change(s.delete().where(s.c.seq < seq, s.c.at < at, s.c.seq < last))
