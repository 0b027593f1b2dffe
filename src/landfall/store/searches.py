"""The log of searches for a table, and whom a user does not want to meet."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.event_codec import encode, encode_event
from landfall.store.notifications import NotificationStore
from landfall.store.rows import LogEntry, TableSummary
from landfall.store.search_events import SEARCH_EVENTS, NotTogether, SearchEntry, SearchEvent, SearchWrite


def encode_search_event(event: SearchEvent) -> str:
    """The data column of an event."""
    return msgspec.json.encode(event).decode()


def decode_search_event(kind: str, data: str | bytes) -> SearchEvent | None:
    """An event from its columns; None if it cannot be read."""
    known: Any = SEARCH_EVENTS.get(kind)
    try:
        return None if known is None else msgspec.json.decode(data, type=known)
    except (msgspec.DecodeError, UnicodeError):
        return None


class SearchStore(NotificationStore):
    """The searches' part of a store."""

    async def append_searches(self, write: SearchWrite) -> bool:
        """Append events to the log of searches, and begin the log of the table they lead to, in one transaction.

        False: the number is taken. NotTogether: these people may not sit at one table.
        """
        s = schema.searches
        try:
            async with self.engine.begin() as connection:
                await self.lock_ratings(connection)  # nobody is deleted meanwhile
                last = (await connection.execute(sa.select(sa.func.max(s.c.seq)))).scalar() or 0
                if last != write.seq - 1:
                    return False
                if write.people:
                    await self.check_together(connection, write.people)
                rows = [
                    {"seq": write.seq + n, "at": write.at, "kind": event.kind, "data": encode_search_event(event)}
                    for n, event in enumerate(write.events)
                ]
                await connection.execute(s.insert(), rows)
                if write.summary is not None:
                    await self.begin_table(connection, write.entries, write.summary)
                await self.announce_searches(connection, write.seq + len(rows) - 1)
        except IntegrityError:  # another process wrote to this log meanwhile
            return False
        return True

    async def check_together(self, connection: AsyncConnection, people: list[str]) -> None:
        """NotTogether: one of these was deleted, or has blocked another."""
        p, b = schema.people.c, schema.blocks.c
        there = (await connection.execute(sa.select(sa.func.count()).where(p.id.in_(people)))).scalar()
        blocked = sa.select(sa.func.count()).where(b.person.in_(people), b.other.in_(people))
        if there != len(people) or (await connection.execute(blocked)).scalar():
            raise NotTogether

    async def begin_table(self, connection: AsyncConnection, entries: list[LogEntry], summary: TableSummary) -> None:
        """The first events of a new table, with its head and its members."""
        rows = [
            {"table_id": one.table, "seq": one.seq, "at": one.at, "kind": one.kind, "data": encode_event(one.event)}
            for one in entries
        ]
        await connection.execute(schema.entries.insert(), rows)
        head = {k: v for k, v in vars(summary).items() if k not in ("table", "people", "info", "notices")}
        values = {**head, "id": summary.table, "info": encode(summary.info).decode()}
        await connection.execute(schema.tables.insert().values(values))
        members = [{"person": person, "table_id": summary.table} for person in summary.people]
        await connection.execute(schema.members.insert(), members)
        await self.add_notices(connection, summary.notices or [])

    async def read_searches(self, after: int = 0) -> list[SearchEntry]:
        """The log of searches from a number on."""
        s = schema.searches.c
        asked = sa.select(s.seq, s.at, s.kind, s.data).where(s.seq > after).order_by(s.seq)
        rows = await self.fetch_rows(asked)
        return [SearchEntry(seq, at, decode_search_event(kind, data)) for seq, at, kind, data in rows]

    async def prune_searches(self, seq: int, at: int) -> None:
        """Delete events before this number and this time. The last one stays: its number is not used again."""
        s = schema.searches
        last = sa.select(sa.func.max(s.c.seq)).scalar_subquery()
        await self.write_change(s.delete().where(s.c.seq < seq, s.c.at < at, s.c.seq < last))

    # --- blocked users ----------------------------------------------------------------------------------------

    async def set_blocked(self, person: str, other: str, on: bool) -> None:
        """Block somebody, or no longer."""
        b = schema.blocks
        async with self.engine.begin() as connection:
            await connection.execute(b.delete().where(b.c.person == person, b.c.other == other))
            if on:
                await connection.execute(b.insert().values(person=person, other=other))

    async def has_blocked(self, person: str, other: str) -> bool:
        """Whether a user has blocked another."""
        b = schema.blocks.c
        return bool(await self.fetch_rows(sa.select(b.other).where(b.person == person, b.other == other)))

    async def blocks_among(self, people: Collection[str]) -> set[frozenset[str]]:
        """The pairs of these users of whom one has blocked the other."""
        b = schema.blocks.c
        asked = sa.select(b.person, b.other).where(b.person.in_(people), b.other.in_(people))
        return {frozenset((one, other)) for one, other in await self.fetch_rows(asked)}

    # --- helpers ----------------------------------------------------------------------------------------------

    async def announce_searches(self, connection: AsyncConnection, seq: int) -> None:
        """Notify the other processes of an event, with the transaction."""
