"""Tables: their logs, their entries in lists, and which of them are open where."""

from __future__ import annotations

from collections.abc import Awaitable, Collection
from typing import Any

import msgspec
import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Database, Repository
from landfall.store.event_codec import decode, decode_event, encode
from landfall.store.events import Created, Started
from landfall.store.row_types import OPEN_LEASE_MS, LogEntry, TableSummary
from landfall.store.statements import split_in_batches


class TableRepository(Repository):
    """Tables, by id."""

    def append_entries(self, entries: list[LogEntry], summary: TableSummary | None = None) -> Awaitable[bool]:
        """Append consecutive events to a log: see `Database.append_entries`."""
        return self.database.append_entries(entries, summary)

    async def read_log_entries(self, table: str, after: int = 0) -> list[LogEntry]:
        """A table's log from a number on."""
        return await self.database.read_log_entries(table, after)

    async def get_table_summary(self, table: str) -> TableSummary | None:
        """One table's entry in lists."""
        found = await query_table_summaries(self.database, schema.tables.c.id == table, 1)
        return found[0] if found else None

    async def get_table_summaries(self, tables: Collection[str]) -> dict[str, TableSummary]:
        """The entries in lists of these tables, as far as they exist."""
        found = await query_table_summaries(self.database, schema.tables.c.id.in_(tables), len(tables))
        return {summary.table: summary for summary in found}

    async def list_tables_of_user(
        self, person: str, limit: int = 50, before: int | None = None, over: bool | None = None
    ) -> list[TableSummary]:
        """A user's tables, latest first; all, or those that are over or not."""
        m, t = schema.members.c, schema.tables.c
        wanted: sa.ColumnElement[bool] = t.id.in_(sa.select(m.table_id).where(m.person == person))
        if before is not None:
            wanted = sa.and_(wanted, t.updated < before)
        if over is not None:
            wanted = sa.and_(wanted, (t.status == "over") == over)
        return await query_table_summaries(self.database, wanted, limit)

    async def list_unfinished_public_tables(self, limit: int = 50) -> list[TableSummary]:
        """Public tables that are not over, latest first."""
        return await query_table_summaries(self.database, sa.and_(schema.tables.c.public, schema.UNFINISHED), limit)

    async def list_finished_public_tables(self, since: int, most: int) -> list[TableSummary]:
        """Public tables whose match has ended since then, latest first."""
        t = schema.tables.c
        wanted = sa.and_(t.updated > since, t.public, t.status == "over")
        return await query_table_summaries(self.database, wanted, most)

    async def list_unfinished_tables_created_by(
        self, owners: Collection[str], since: int, limit: int = 1000
    ) -> list[TableSummary]:
        """The tables created by these users that are not over, changed since then."""
        t = schema.tables.c
        return await query_table_summaries(
            self.database, sa.and_(t.updated > since, schema.UNFINISHED, t.owner.in_(owners)), limit
        )

    async def list_latest_unfinished_tables(self, limit: int) -> list[TableSummary]:
        """Tables that are not over, public or not, the latest first: for the host."""
        return await query_table_summaries(self.database, schema.UNFINISHED, limit)

    async def count_unfinished_tables(self) -> dict[tuple[str, str], int]:
        """Unfinished tables by game and status."""
        t = schema.tables.c
        asked = sa.select(t.game, t.status, sa.func.count()).where(schema.UNFINISHED).group_by(t.game, t.status)
        return {(game, status): int(count) for game, status, count in await self.fetch_rows(asked)}

    async def filter_finished_or_deleted_tables(self, tables: Collection[str]) -> set[str]:
        """Which of these tables are over; or deleted."""
        t = schema.tables.c
        rows = await self.fetch_rows(sa.select(t.id).where(t.id.in_(tables), schema.UNFINISHED))
        return set(tables) - {row[0] for row in rows}

    async def list_all_table_ids(self) -> list[str]:
        """All tables, listed or not."""
        e, t = schema.entries.c, schema.tables.c
        logs = {row[0] for row in await self.fetch_rows(sa.select(e.table_id).distinct())}
        return sorted(logs | {row[0] for row in await self.fetch_rows(sa.select(t.id))})

    async def list_table_ids_past_deadline(self, now: int) -> list[str]:
        """Tables whose correspondence clock has run out."""
        t = schema.tables.c
        return [row[0] for row in await self.fetch_rows(sa.select(t.id).where(t.deadline <= now))]

    async def read_first_events_of_running_matches(self, game: str) -> list[list[LogEntry]]:
        """For each running table of a game: the events of its creation and its start, with the first lines."""
        e, t = schema.entries.c, schema.tables.c
        running = sa.select(t.id).where(t.game == game, schema.UNFINISHED, t.status == "playing")
        asked = sa.select(e.table_id, e.seq, e.at, e.kind, e.data).where(
            e.table_id.in_(running), e.kind.in_((Created.kind, Started.kind))
        )
        found: dict[str, list[LogEntry]] = {}
        for table, seq, at, kind, data in await self.fetch_rows(asked.order_by(e.table_id, e.seq)):
            found.setdefault(table, []).append(LogEntry(table, seq, at, decode_event(kind, data)))
        return list(found.values())

    async def read_last_event_and_chat_numbers(self, tables: Collection[str]) -> list[tuple[str, int, int]]:
        """The numbers of the last event and the last chat line of each of these tables."""
        t, e, c, found = schema.tables.c, schema.entries.c, schema.chat.c, []
        event = sa.select(sa.func.max(e.seq)).where(e.table_id == t.id).scalar_subquery()
        line = sa.select(sa.func.max(c.n)).where(c.table_id == t.id).scalar_subquery()
        for some in split_in_batches(tables):
            for table, seq, n in await self.fetch_rows(sa.select(t.id, event, line).where(t.id.in_(some))):
                found.append((table, seq or 0, n or 0))
        return found

    async def rewrite_table_summary(self, summary: TableSummary) -> None:
        """Write a head again, whoever wrote it last; with its members, so that whoever it names can be found."""
        t, m = schema.tables, schema.members
        values = {"owner": summary.owner, "info": encode(summary.info).decode()}
        async with self.engine.begin() as connection:
            if not (await connection.execute(t.update().where(t.c.id == summary.table).values(values))).rowcount:
                return
            for person in summary.people:
                row = sa.select(sa.literal(person, m.c.person.type), sa.literal(summary.table, m.c.table_id.type))
                is_new = ~sa.exists().where(m.c.person == person, m.c.table_id == summary.table)
                await connection.execute(m.insert().from_select(["person", "table_id"], row.where(is_new)))

    async def truncate_table_log(self, table: str, last: int, summary: TableSummary | None) -> None:
        """Truncate a log to one of its events and restore the table's entry; without a head the table is deleted."""
        e, t = schema.entries, schema.tables
        async with self.engine.begin() as connection:
            await connection.execute(e.delete().where(e.c.table_id == table, e.c.seq > last))
            await connection.execute(t.delete().where(t.c.id == table))
            await connection.execute(schema.reviews.delete().where(schema.reviews.c.table_id == table))
            if summary is None:
                for child in (schema.chat, schema.members, schema.open_tables):
                    await connection.execute(child.delete().where(child.c.table_id == table))
            else:
                values = {k: v for k, v in vars(summary).items() if k not in ("table", "people", "notices")}
                info = encode(summary.info).decode()
                await connection.execute(t.insert().values({**values, "id": table, "info": info}))

    async def renew_open_tables(
        self, process: str, opened: Collection[str], closed: Collection[str], until: int
    ) -> None:
        """Record that a process has tables open until then: these and earlier ones, except those it closed."""
        o = schema.open_tables
        async with self.engine.begin() as connection:
            for some in split_in_batches([*opened, *closed]):
                await connection.execute(o.delete().where(o.c.process == process, o.c.table_id.in_(some)))
            await connection.execute(o.delete().where(o.c.until < until - 2 * OPEN_LEASE_MS))
            await connection.execute(o.update().where(o.c.process == process).values(until=until))
            if opened:
                rows = [{"process": process, "table_id": table, "until": until} for table in opened]
                await connection.execute(o.insert(), rows)

    async def release_open_tables(self, process: str) -> None:
        """A process ends: it has no open tables any more."""
        await self.commit_change(schema.open_tables.delete().where(schema.open_tables.c.process == process))


def summary_from_row(fields: dict[str, Any]) -> TableSummary | None:
    """A head from its row; None if it cannot be decoded, so that one does not hide all others."""
    try:
        return TableSummary(table=fields.pop("id"), info=decode(fields.pop("info")), **fields)
    except (msgspec.DecodeError, UnicodeError):
        return None


async def query_table_summaries(database: Database, wanted: sa.ColumnElement[bool], limit: int) -> list[TableSummary]:
    """Tables' entries in lists, latest first."""
    asked = sa.select(schema.tables).where(wanted).order_by(schema.tables.c.updated.desc()).limit(limit)
    found = [summary_from_row(row._asdict()) for row in await database.fetch_rows(asked)]
    return [summary for summary in found if summary is not None]
