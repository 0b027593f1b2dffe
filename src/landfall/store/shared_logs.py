"""Logs that all processes write: searches for a table, tournaments. A number decides which process was first.

The tables that an event leads to begin in the same transaction: an event without its tables, or a table without its
event, is never on disk.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.database import Database
from landfall.store.event_codec import encode, encode_event
from landfall.store.notices import add_notices, delete_notices
from landfall.store.shared_log_entries import Event, NewTable, NotTogether, SharedEntry, SharedWrite

InTransaction = Callable[[AsyncConnection], Awaitable[None]]


def encode_shared_event(event: Any) -> str:
    """The data column of an event."""
    return msgspec.json.encode(event).decode()


def decode_shared_event(known: Mapping[str, type[Event]], kind: str, data: str | bytes) -> Event | None:
    """An event from its columns; None if it cannot be read."""
    expected: Any = known.get(kind)
    try:
        found: Event | None = None if expected is None else msgspec.json.decode(data, type=expected)
    except (msgspec.DecodeError, UnicodeError):
        return None
    return found


async def append_shared_events(
    database: Database,
    log: sa.Table,
    key: dict[str, str],
    write: SharedWrite[Any],
    check: InTransaction,
    finish: InTransaction,
) -> bool:
    """Append events to one log, and begin the logs of the tables they lead to, in one transaction.

    `key` are the columns that say which log of its kind it is. False: the number is taken. `check` may raise
    NotTogether; `finish` writes what else belongs to it.
    """
    mine = [log.c[name] == value for name, value in key.items()]
    try:
        async with database.engine.begin() as connection:
            await database.lock_ratings_and_deletions(connection)  # nobody is deleted meanwhile
            last = (await connection.execute(sa.select(sa.func.max(log.c.seq)).where(*mine))).scalar() or 0
            if last != write.seq - 1:
                return False
            await check(connection)
            first = {**key, "at": write.at}
            rows = [
                {**first, "seq": write.seq + n, "kind": event.kind, "data": encode_shared_event(event)}
                for n, event in enumerate(write.events)
            ]
            await connection.execute(log.insert(), rows)
            for table in write.tables:
                await insert_new_table(connection, table)
            await delete_notices(connection, write.obsolete)
            await add_notices(connection, write.notices)
            await finish(connection)
    except IntegrityError:  # another process wrote to this log meanwhile
        return False
    return True


async def read_shared_log(
    database: Database, log: sa.Table, key: dict[str, str], known: Mapping[str, type[Event]], after: int
) -> list[SharedEntry[Event]]:
    """A log from a number on."""
    c, mine = log.c, [log.c[name] == value for name, value in key.items()]
    asked = sa.select(c.seq, c.at, c.kind, c.data).where(c.seq > after, *mine).order_by(c.seq)
    rows = await database.fetch_rows(asked)
    return [SharedEntry(seq, at, decode_shared_event(known, kind, data)) for seq, at, kind, data in rows]


async def insert_new_table(connection: AsyncConnection, table: NewTable) -> None:
    """The first events of a new table, with its head and its members."""
    rows = [
        {"table_id": one.table, "seq": one.seq, "at": one.at, "kind": one.kind, "data": encode_event(one.event)}
        for one in table.entries
    ]
    await connection.execute(schema.entries.insert(), rows)
    summary = table.summary
    head = {k: v for k, v in vars(summary).items() if k not in ("table", "people", "info", "notices")}
    values = {**head, "id": summary.table, "info": encode(summary.info).decode()}
    await connection.execute(schema.tables.insert().values(values))
    members = [{"person": person, "table_id": summary.table} for person in summary.people]
    if members:
        await connection.execute(schema.members.insert(), members)
    await add_notices(connection, summary.notices or [])


async def require_users_exist(connection: AsyncConnection, people: list[str]) -> None:
    """NotTogether: one of these was deleted."""
    p = schema.people.c
    there = (await connection.execute(sa.select(sa.func.count()).where(p.id.in_(people)))).scalar()
    if there != len(people):
        raise NotTogether
