"""The log of searches for a table."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.matchmaking_events import SEARCH_EVENTS, SearchEntry, SearchWrite
from landfall.store.shared_log_entries import NotTogether
from landfall.store.shared_logs import SharedLogStore


class SearchStore(SharedLogStore):
    """The searches' part of a store."""

    async def append_search_events(self, write: SearchWrite) -> bool:
        """Append events to the log of searches, with the table they lead to.

        False: the number is taken. NotTogether: these people may not sit at one table.
        """

        async def require_people_may_meet(connection: AsyncConnection) -> None:
            if write.people:
                await self.require_may_sit_together(connection, write.people)

        async def notify_of_last_event(connection: AsyncConnection) -> None:
            await self.notify_of_searches_at_commit(connection, write.seq + len(write.events) - 1)

        return await self.append_shared_events(
            schema.searches, {}, write, require_people_may_meet, notify_of_last_event
        )

    async def require_may_sit_together(self, connection: AsyncConnection, people: list[str]) -> None:
        """NotTogether: one of these was deleted, or has blocked another."""
        b = schema.blocks.c
        await self.require_users_exist(connection, people)
        blocked = sa.select(sa.func.count()).where(b.person.in_(people), b.other.in_(people))
        if (await connection.execute(blocked)).scalar():
            raise NotTogether

    async def read_search_log(self, after: int = 0) -> list[SearchEntry]:
        """The log of searches from a number on."""
        return await self.read_shared_log(schema.searches, {}, SEARCH_EVENTS, after)

    async def prune_search_log(self, seq: int, at: int) -> None:
        """Delete events before this number and this time. The last one stays: its number is not used again."""
        s = schema.searches
        last = sa.select(sa.func.max(s.c.seq)).scalar_subquery()
        await self.commit_change(s.delete().where(s.c.seq < seq, s.c.at < at, s.c.seq < last))

    # --- helpers ----------------------------------------------------------------------------------------------

    async def notify_of_searches_at_commit(self, connection: AsyncConnection, seq: int) -> None:
        """Notify the other processes of an event, with the transaction."""
