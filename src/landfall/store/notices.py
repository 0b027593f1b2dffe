"""Rows of the outbox, written in the transaction that causes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.event_codec import decode, encode
from landfall.store.row_types import Notice
from landfall.store.statements import split_in_batches

TURN: Final = "turn"


def notice_to_row_values(notice: Notice) -> tuple[Any, ...]:
    """In the order of the columns of a new row."""
    data = encode(notice.data).decode()
    whole = (notice.key, notice.person, notice.kind, notice.topic, notice.other, notice.at, notice.due)
    return *whole, data, notice.seen


def notice_from_row(row: Any) -> Notice:
    """A notice from its row."""
    return Notice(
        row.key, row.person, row.kind, row.topic, row.at, row.due, decode(row.data), row.other, row.seen, row.tries,
        frozenset(row.reached.split()),
    )  # fmt: skip


async def add_notices(connection: AsyncConnection, notices: Sequence[Notice]) -> None:
    """Add notices in the caller's transaction; one whose key exists is left as it is."""
    columns = ("key", "person", "kind", "topic", "other", "at", "due", "data", "seen")
    n = schema.notifications
    if notices:
        given = {notice.key: dict(zip(columns, notice_to_row_values(notice))) for notice in notices}
        there: set[str] = set()
        for some in split_in_batches(list(given)):
            there.update(row[0] for row in await connection.execute(sa.select(n.c.key).where(n.c.key.in_(some))))
        rows = [row for key, row in given.items() if key not in there]
        if rows:
            await connection.execute(n.insert(), rows)


async def delete_notices(connection: AsyncConnection, keys: Sequence[str]) -> None:
    """Delete notices by their keys in the caller's transaction."""
    for some in split_in_batches(keys):
        await connection.execute(schema.notifications.delete().where(schema.notifications.c.key.in_(some)))
