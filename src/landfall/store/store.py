"""A log for each table, and who people are. Subclasses say how an entry gets to disk and how news travels."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from landfall.store import schema
from landfall.store.migrate import upgrade
from landfall.store.rows import UNREADABLE, ChatLine, Entry, Head, Person

# (kind, words): "entry" "<table> <seq>", "chat" "<table>", or a name of the caller's; "missed": some may have been lost
News = Callable[[str, str], None]

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(dict[str, Any]).decode


def read_entry(table: str, seq: int, at: int, kind: str, data: str) -> Entry:
    """An entry from its row; one that cannot be read stands in the log all the same, as what it is."""
    try:
        return Entry(table, seq, at, kind, decode(data))
    except (msgspec.DecodeError, UnicodeError) as error:
        return Entry(table, seq, at, UNREADABLE, {"reason": f"{kind}: {error}", "kind": kind, "row": str(data)})


def read_head(fields: dict[str, Any]) -> Head | None:
    """A head from its row; None if it cannot be read, so that one does not hide all others."""
    try:
        return Head(table=fields.pop("id"), info=decode(fields.pop("info")), **fields)
    except (msgspec.DecodeError, UnicodeError):
        return None


class Store:
    """Everything but the appending of entries goes through SQLAlchemy."""

    shared = False  # whether several processes may use the database at once

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    async def open(self) -> None:
        """Bring the database to the shape this release needs, and begin to write."""
        async with self.engine.begin() as connection:
            await connection.run_sync(upgrade)

    async def close(self) -> None:
        """Write what is left, and let go."""
        await self.engine.dispose()

    # --- the logs ---------------------------------------------------------------------------------------------

    async def append(self, entry: Entry, head: Head | None = None) -> bool:
        """Write an entry, with the head it changes; on disk when this returns. False: that number was taken."""
        raise NotImplementedError

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """A table's log from a number on."""
        e = schema.entries.c
        asked = sa.select(e.seq, e.at, e.kind, e.data).where(e.table_id == table, e.seq > after).order_by(e.seq)
        return [read_entry(table, *row) for row in await self.rows(asked)]

    async def head(self, table: str) -> Head | None:
        """One table as it is listed."""
        found = await self.heads(schema.tables.c.id == table, 1)
        return found[0] if found else None

    async def lobby(self, limit: int = 50) -> list[Head]:
        """Public tables that are not over, the latest first."""
        t = schema.tables.c
        return await self.heads(sa.and_(t.public, t.status != "over"), limit)

    async def history(
        self, person: str, limit: int = 50, before: int | None = None, over: bool | None = None
    ) -> list[Head]:
        """The tables somebody sat at, the latest first; all, or those that are over or not."""
        m, t = schema.members.c, schema.tables.c
        wanted: sa.ColumnElement[bool] = t.id.in_(sa.select(m.table_id).where(m.person == person))
        if before is not None:
            wanted = sa.and_(wanted, t.updated < before)
        if over is not None:
            wanted = sa.and_(wanted, (t.status == "over") == over)
        return await self.heads(wanted, limit)

    async def due(self, now: int) -> list[str]:
        """Tables whose clock by days has run out."""
        t = schema.tables.c
        return [row[0] for row in await self.rows(sa.select(t.id).where(t.deadline <= now))]

    async def heads(self, wanted: sa.ColumnElement[bool], limit: int) -> list[Head]:
        asked = sa.select(schema.tables).where(wanted).order_by(schema.tables.c.updated.desc()).limit(limit)
        found = [read_head(row._asdict()) for row in await self.rows(asked)]
        return [head for head in found if head is not None]

    async def every_table(self) -> list[str]:
        """All tables, listed or not."""
        e, t = schema.entries.c, schema.tables.c
        logs = {row[0] for row in await self.rows(sa.select(e.table_id).distinct())}
        return sorted(logs | {row[0] for row in await self.rows(sa.select(t.id))})

    async def alone(self) -> bool:
        """Whether no server has this database open besides."""
        return True

    async def cut(self, table: str, last: int, head: Head | None) -> None:
        """Take a log back to one of its entries and list the table as it was then; without a head it is gone whole."""
        e, t = schema.entries, schema.tables
        async with self.engine.begin() as connection:
            await connection.execute(e.delete().where(e.c.table_id == table, e.c.seq > last))
            await connection.execute(t.delete().where(t.c.id == table))
            if head is None:
                for child in (schema.chat, schema.members):
                    await connection.execute(child.delete().where(child.c.table_id == table))
            else:
                values = {k: v for k, v in vars(head).items() if k not in ("table", "people")}
                info = encode(head.info).decode()
                await connection.execute(t.insert().values({**values, "id": table, "info": info}))

    # --- chat -------------------------------------------------------------------------------------------------

    async def say(self, line: ChatLine) -> ChatLine:
        """Write a line of chat under the next number, whatever number it came with."""
        c = schema.chat.c
        for _ in range(50):
            last = await self.rows(sa.select(sa.func.max(c.n)).where(c.table_id == line.table))
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
            try:
                await self.write(schema.chat.insert().values(values))
            except IntegrityError:  # another process was first
                continue
            return ChatLine(line.table, n, line.at, line.person, line.name, line.seat, line.text)
        raise TimeoutError("the chat is too busy")

    async def chat(self, table: str, after: int = 0, limit: int = 200) -> list[ChatLine]:
        """The last lines of a table's chat from a number on."""
        c = schema.chat.c
        wanted = sa.select(schema.chat).where(c.table_id == table, c.n > after).order_by(c.n.desc()).limit(limit)
        return [ChatLine(*row) for row in reversed(await self.rows(wanted))]

    # --- people -----------------------------------------------------------------------------------------------

    async def person(self, person: str) -> Person | None:
        """Somebody by id."""
        return await self.one_person(schema.people.c.id == person)

    async def account(self, name: str) -> Person | None:
        """Somebody by the name of their account, large and small letters alike."""
        return await self.one_person(schema.people.c.account == name.casefold())

    async def one_person(self, wanted: sa.ColumnElement[bool]) -> Person | None:
        found = await self.rows(sa.select(schema.people).where(wanted))
        return Person(*found[0]) if found else None

    async def add_person(self, person: Person) -> None:
        """A newcomer."""
        await self.write(schema.people.insert().values(vars(person)))

    async def change_person(self, person: str, **fields: object) -> bool:
        """Change some fields; False if an account of that name exists already."""
        try:
            await self.write(schema.people.update().where(schema.people.c.id == person).values(fields))
        except IntegrityError:
            return False
        return True

    async def forget_person(self, person: str) -> None:
        """Delete somebody: the account, the name, the chat. Matches stay, under no name."""
        async with self.engine.begin() as connection:
            await self.unname(connection, person)
            for kept in (schema.chat, schema.members):
                await connection.execute(kept.delete().where(kept.c.person == person))
            await connection.execute(schema.people.delete().where(schema.people.c.id == person))

    async def unname(self, connection: AsyncConnection, person: str) -> None:
        """Take a name out of the logs and lists of all tables its owner sat at."""
        e, t, m = schema.entries, schema.tables, schema.members.c
        sat = [row[0] for row in await connection.execute(sa.select(m.table_id).where(m.person == person))]
        for table in sat:
            names = set()
            wanted = sa.select(e.c.seq, e.c.data).where(e.c.table_id == table, e.c.kind.in_(("create", "sit")))
            for seq, text in (await connection.execute(wanted)).fetchall():
                data = decode(text)
                for chair in [data, *data.get("chairs", [])]:
                    if chair.get("person") == person:
                        names.add(chair["name"])
                        chair["name"] = ""
                same = sa.and_(e.c.table_id == table, e.c.seq == seq)
                await connection.execute(e.update().where(same).values(data=encode(data).decode()))
            for (text,) in (await connection.execute(sa.select(t.c.info).where(t.c.id == table))).fetchall():
                info = decode(text)
                info["chairs"] = ["" if name in names else name for name in info.get("chairs", [])]
                await connection.execute(t.update().where(t.c.id == table).values(info=encode(info).decode()))

    # --- settings, age ----------------------------------------------------------------------------------------

    async def secret(self, key: str) -> str:
        """A random secret made once and kept."""
        s = schema.settings.c
        for _ in range(2):
            found = await self.rows(sa.select(s.value).where(s.key == key))
            if found:
                return str(found[0][0])
            try:
                await self.write(schema.settings.insert().values(key=key, value=secrets.token_hex(32)))
            except IntegrityError:
                continue
        return await self.secret(key)

    async def forget_before(self, tables: int | None, guests: int | None) -> dict[str, int]:
        """Delete tables not touched, and guests not seen, since then; how many of each."""
        t, p = schema.tables.c, schema.people.c
        done = {"tables": 0, "guests": 0}
        async with self.engine.begin() as connection:
            if tables is not None:
                old = sa.select(t.id).where(t.updated < tables)
                for child in (schema.entries, schema.chat, schema.members):
                    await connection.execute(child.delete().where(child.c.table_id.in_(old)))
                gone = await connection.execute(schema.tables.delete().where(t.updated < tables))
                done["tables"] = gone.rowcount
            if guests is not None:
                idle = sa.and_(p.account.is_(None), p.seen < guests)
                gone = await connection.execute(schema.people.delete().where(idle))
                done["guests"] = gone.rowcount
        return done

    # --- several processes ------------------------------------------------------------------------------------

    def listen(self, heard: News) -> None:
        """Call `heard` with what other processes on the same database wrote."""

    async def notify(self, kind: str, words: str) -> None:
        """Tell the other processes."""

    async def take_the_wheel(self, table: str) -> bool:
        """Whether this process is the one that lets a table's bots play and its clock run out."""
        return True

    async def leave_the_wheel(self, table: str) -> None:
        """Let another process do so."""

    # --- small change -----------------------------------------------------------------------------------------

    async def rows(self, asked: sa.Select[*tuple[Any, ...]]) -> Sequence[Any]:
        async with self.engine.connect() as connection:
            found: Sequence[Any] = (await connection.execute(asked)).fetchall()
            return found

    async def write(self, change: sa.Insert | sa.Update | sa.Delete) -> None:
        async with self.engine.begin() as connection:
            await connection.execute(change)
