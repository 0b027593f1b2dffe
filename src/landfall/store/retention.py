"""Retention: deletes tables and guests that are older than a host keeps them."""

from __future__ import annotations

import time
from typing import Final

import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.statements import select_players_of_unfinished_tournaments, split_in_batches

# rows that nobody else sees: they go with their user
PERSONAL: Final = (
    schema.sessions, schema.notifications, schema.notification_settings, schema.push_devices, schema.mail_addresses,
    schema.holidays,
)  # fmt: skip
CHILDREN: Final = (
    schema.entries, schema.chat, schema.members, schema.reviews, schema.open_tables, schema.invitations,
    schema.player_marks,
)  # fmt: skip
# unreachable when their table is gone
ORPHANABLE: Final = (schema.chat, schema.members, schema.reviews, schema.invitations)
TABLES_TO_A_TRANSACTION: Final = 50  # that retention deletes at once: a running server waits no longer than for these


class RetentionRepository(Repository):
    """What is deleted when it is old."""

    async def delete_expired_tables_and_guests(self, tables: int | None, guests: int | None) -> dict[str, int]:
        """Delete tables whose last event, and guests whose last visit, is older. Returns how many of each.

        Guests who are in a tournament that is not over stay: its log names them.
        """
        p = schema.people.c
        done = {"tables": 0, "guests": 0}
        if tables is not None:
            done["tables"] = await self.delete_tables_older_than(tables)
        if guests is not None:
            async with self.engine.begin() as connection:
                await self.database.lock_ratings_and_deletions(connection)  # nobody joins a tournament meanwhile
                idle = sa.and_(
                    p.account.is_(None), p.seen < guests, p.id.not_in(select_players_of_unfinished_tournaments())
                )
                gone = await connection.execute(schema.people.delete().where(idle))
                done["guests"] = gone.rowcount
                for left in PERSONAL:
                    await connection.execute(left.delete().where(left.c.person.not_in(sa.select(p.id))))
        await self.database.scrub_deleted_data()
        return done

    async def delete_tables_older_than(self, before: int) -> int:
        """Delete tables whose last event is older, except open ones. Returns how many."""
        old = self.older_and_open_nowhere_condition(before)
        found = [row[0] for row in await self.fetch_rows(sa.select(schema.tables.c.id).where(old))]
        deleted = 0
        for some in split_in_batches(found, TABLES_TO_A_TRANSACTION):
            async with self.engine.begin() as connection:
                await self.database.lock_table_logs_and_rows(connection)
                again = sa.select(schema.tables.c.id).where(schema.tables.c.id.in_(some), old)
                still_old = [row[0] for row in await connection.execute(again)]
                await connection.execute(schema.tables.delete().where(schema.tables.c.id.in_(still_old)))
                for child in CHILDREN:
                    await connection.execute(child.delete().where(child.c.table_id.in_(still_old)))
                deleted += len(still_old)
        async with self.engine.begin() as connection:
            for child in ORPHANABLE:
                orphan = child.c.table_id.not_in(sa.select(schema.tables.c.id))
                await connection.execute(child.delete().where(orphan))
        return deleted

    def older_and_open_nowhere_condition(self, before: int) -> sa.ColumnElement[bool]:
        """The tables whose last event is older, and that are open nowhere. A choice does not change `updated`."""
        e, o, t = schema.entries.alias(), schema.open_tables.c, schema.tables.c
        last = sa.select(e.c.at).where(e.c.table_id == t.id).order_by(e.c.seq.desc()).limit(1).scalar_subquery()
        is_open = sa.exists().where(o.table_id == t.id, o.until > time.time_ns() // 1_000_000)
        return sa.and_(sa.func.coalesce(last, t.updated) < before, ~is_open)

    async def count_orphan_rows(self) -> dict[str, int]:
        """Rows of missing tables, by kind; without zeros."""
        found: dict[str, int] = {}
        for child in ORPHANABLE:
            orphan = child.c.table_id.not_in(sa.select(schema.tables.c.id))
            [(count,)] = await self.fetch_rows(sa.select(sa.func.count()).select_from(child).where(orphan))
            if count:
                found[child.name] = count
        return found
