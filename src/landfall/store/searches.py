"""The log of searches for a table, and whom a user does not want to meet."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.search_events import SEARCH_EVENTS, SearchEntry, SearchWrite
from landfall.store.shared_events import NotTogether
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

    # --- blocked users ----------------------------------------------------------------------------------------

    async def set_blocked(self, person: str, other: str, on: bool) -> None:
        """Block somebody, or no longer. Neither is notified of the other any more."""
        b, n = schema.blocks, schema.notifications
        pairs = ((person, other), (other, person))
        between = sa.or_(*(sa.and_(n.c.person == one, n.c.other == another) for one, another in pairs))
        async with self.engine.begin() as connection:
            await self.lock_user_row(connection, person)  # of two at once, one stays
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

    # --- helpers ----------------------------------------------------------------------------------------------

    async def notify_of_searches_at_commit(self, connection: AsyncConnection, seq: int) -> None:
        """Notify the other processes of an event, with the transaction."""
