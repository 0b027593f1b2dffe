"""Chat at tables; its lines have their own numbers."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.row_types import ChatLine, MissingLog


class ChatRepository(Repository):
    """Chat lines, by table and number."""

    async def append_chat_line(self, line: ChatLine) -> ChatLine:
        """Append a chat line under the next number, whatever its own; MissingLog: the table was deleted."""
        c, t = schema.chat.c, schema.tables.c
        for _ in range(50):
            last = await self.fetch_rows(sa.select(sa.func.max(c.n)).where(c.table_id == line.table))
            n = (last[0][0] or 0) + 1
            values = {
                "table_id": line.table,
                "n": n,
                "at": line.at,
                "person": line.person,
                "name": line.name,
                "seat": line.seat,
                "text": line.text,
            }
            row = sa.select(*(sa.literal(value, c[name].type) for name, value in values.items())).where(
                sa.exists().where(t.id == line.table)
            )
            try:
                written = await self.commit_change(schema.chat.insert().from_select(list(values), row))
            except IntegrityError:  # another process was first
                continue
            if not written:
                raise MissingLog(line.table)
            return ChatLine(line.table, n, line.at, line.person, line.name, line.seat, line.text)
        raise TimeoutError("the chat is too busy")

    async def read_chat_lines(self, table: str, after: int = 0, limit: int = 200) -> list[ChatLine]:
        """The last chat lines of a table from a number on. A line of a deleted user is empty."""
        c = schema.chat.c
        wanted = sa.select(schema.chat).where(c.table_id == table, c.n > after, c.text != "")
        wanted = wanted.order_by(c.n.desc()).limit(limit)
        return [ChatLine(*row) for row in reversed(await self.fetch_rows(wanted))]

    async def get_chat_line(self, table: str, n: int) -> ChatLine | None:
        """One line of a chat."""
        c = schema.chat.c
        found = await self.fetch_rows(sa.select(schema.chat).where(c.table_id == table, c.n == n, c.text != ""))
        return ChatLine(*found[0]) if found else None
