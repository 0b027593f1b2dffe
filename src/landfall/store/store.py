"""A log for each table, and who people are. Subclasses say how an entry gets to disk and how news travels."""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from landfall.store import schema
from landfall.store.encoding import decode, encode, read
from landfall.store.facts import Created, Started
from landfall.store.migrate import upgrade
from landfall.store.people import People
from landfall.store.rows import ChatLine, Entry, Head

# (kind, words): "entry" "<table> <seq>", "chat" "<table>", "people" when some were signed out or forgotten, or a name
# of the caller's; "missed": some may have been lost
News = Callable[[str, str], None]


def read_head(fields: dict[str, Any]) -> Head | None:
    """A head from its row; None if it cannot be read, so that one does not hide all others."""
    try:
        return Head(table=fields.pop("id"), info=decode(fields.pop("info")), **fields)
    except (msgspec.DecodeError, UnicodeError):
        return None


PROBE: Final = "probe "  # and a process's number: where it writes to find out whether it can
PROBE_KEPT_MS: Final = 86_400_000  # that such a row may stand without being written


class Store(People):
    """Everything but the appending of entries goes through SQLAlchemy."""

    shared = False  # whether several processes may use the database at once

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.probe_key = PROBE + secrets.token_hex(8)
        self.has_probed = False

    async def open(self) -> None:
        """Bring the database to the shape this release needs, and begin to write."""
        async with self.engine.begin() as connection:
            await connection.run_sync(upgrade)

    async def close(self) -> None:
        """Write what is left, and let go."""
        await self.engine.dispose()

    # --- the logs ---------------------------------------------------------------------------------------------

    def append(self, entries: list[Entry], head: Head | None = None) -> Awaitable[bool]:
        """Write entries that follow each other in one table's log, with the head they change: all of them or none.

        On disk when this returns. False: their numbers were taken. What was asked for is written even if whoever
        waits for it goes.
        """
        raise NotImplementedError

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """A table's log from a number on."""
        e = schema.entries.c
        asked = sa.select(e.seq, e.at, e.kind, e.data).where(e.table_id == table, e.seq > after).order_by(e.seq)
        return [Entry(table, seq, at, read(kind, data)) for seq, at, kind, data in await self.rows(asked)]

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

    async def unfinished(self, owners: Collection[str], since: int, limit: int = 1000) -> list[Head]:
        """The tables these people made that are not over, touched since then."""
        t = schema.tables.c
        return await self.heads(sa.and_(t.updated > since, t.status != "over", t.owner.in_(owners)), limit)

    async def begun(self, game: str) -> list[list[Entry]]:
        """Of each table of a game that is being played, how it was made and how it began."""
        e, t = schema.entries.c, schema.tables.c
        asked = sa.select(e.table_id, e.seq, e.at, e.kind, e.data).join(schema.tables, t.id == e.table_id)
        asked = asked.where(t.game == game, t.status == "playing", e.kind.in_((Created.kind, Started.kind)))
        found: dict[str, list[Entry]] = {}
        for table, seq, at, kind, data in await self.rows(asked.order_by(e.table_id, e.seq)):
            found.setdefault(table, []).append(Entry(table, seq, at, read(kind, data)))
        return list(found.values())

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

    async def cut_back(self, table: str, last: int, head: Head | None) -> None:
        """Take a log back to one of its entries and list the table as it was then; without a head it is gone whole."""
        e, t = schema.entries, schema.tables
        async with self.engine.begin() as connection:
            await connection.execute(e.delete().where(e.c.table_id == table, e.c.seq > last))
            await connection.execute(t.delete().where(t.c.id == table))
            await connection.execute(schema.lookbacks.delete().where(schema.lookbacks.c.table_id == table))
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

    # --- looking back -----------------------------------------------------------------------------------------

    async def lookback(self, table: str, version: int) -> bytes | None:
        """What was found when a table's match was looked back on, if that is kept in this version."""
        k = schema.lookbacks.c
        found = await self.rows(sa.select(k.body).where(k.table_id == table, k.version == version))
        return bytes(found[0][0]) if found else None

    async def keep_lookback(self, table: str, version: int, at: int, body: bytes) -> None:
        """Keep it, in place of another version's; not, if the table is gone meanwhile."""
        k, t = schema.lookbacks, schema.tables.c
        async with self.engine.begin() as connection:
            if (await connection.execute(sa.select(t.id).where(t.id == table))).first() is None:
                return
            await connection.execute(k.delete().where(k.c.table_id == table))
            await connection.execute(k.insert().values(table_id=table, version=version, at=at, body=body))

    # --- puzzles ----------------------------------------------------------------------------------------------

    async def puzzle(self, id_: str) -> tuple[int, int, float, float] | None:
        """Of a puzzle the first tries, those that found it, and its rating; None if nobody tried it."""
        p = schema.puzzles.c
        found = await self.rows(sa.select(p.tries, p.found, p.mu, p.sigma).where(p.id == id_))
        return (int(found[0][0]), int(found[0][1]), float(found[0][2]), float(found[0][3])) if found else None

    async def keep_try(self, id_: str, found: bool, rating: tuple[float, float]) -> None:
        """Count one more first try, with the rating it led to; of two at once the later rating stays."""
        p = schema.puzzles
        more = {"tries": p.c.tries + 1, "found": p.c.found + int(found), "mu": rating[0], "sigma": rating[1]}
        first = {"id": id_, "tries": 1, "found": int(found), "mu": rating[0], "sigma": rating[1]}
        for _ in range(2):
            async with self.engine.begin() as connection:
                if (await connection.execute(p.update().where(p.c.id == id_).values(more))).rowcount:
                    return
            with suppress(IntegrityError):  # somebody else was first just now
                await self.write(p.insert().values(first))
                return

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

    async def probe(self) -> None:
        """Write something, as large as a table's entry may be: it fails if entries would.

        Each process has a row of its own, so that none waits for another, or takes it for a fault of the database.
        """
        s, now = schema.settings, time.time_ns() // 1_000_000
        value = f"{now:015} {secrets.token_hex(4096)}"
        async with self.engine.begin() as connection:
            if not self.has_probed:  # rows of processes that were killed, and of older releases
                is_old = sa.and_(s.c.key.startswith(PROBE), s.c.value < f"{now - PROBE_KEPT_MS:015}")
                await connection.execute(s.delete().where(sa.or_(is_old, s.c.key == PROBE.strip())))
            changed = await connection.execute(s.update().where(s.c.key == self.probe_key).values(value=value))
            if not changed.rowcount:
                await connection.execute(s.insert().values(key=self.probe_key, value=value))
        self.has_probed = True

    async def forget_before(self, tables: int | None, guests: int | None) -> dict[str, int]:
        """Delete tables not touched, and guests not seen, since then; how many of each."""
        t, p = schema.tables.c, schema.people.c
        done = {"tables": 0, "guests": 0}
        async with self.engine.begin() as connection:
            if tables is not None:
                old = sa.select(t.id).where(t.updated < tables)
                for child in (schema.entries, schema.chat, schema.members, schema.lookbacks):
                    await connection.execute(child.delete().where(child.c.table_id.in_(old)))
                gone = await connection.execute(schema.tables.delete().where(t.updated < tables))
                done["tables"] = gone.rowcount
                alone = schema.lookbacks.c.table_id.not_in(sa.select(t.id))
                await connection.execute(schema.lookbacks.delete().where(alone))
            if guests is not None:
                idle = sa.and_(p.account.is_(None), p.seen < guests)
                gone = await connection.execute(schema.people.delete().where(idle))
                done["guests"] = gone.rowcount
                left = schema.sessions.c.person.not_in(sa.select(p.id))
                await connection.execute(schema.sessions.delete().where(left))
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
