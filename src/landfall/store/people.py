"""Who people are: guests and accounts, the devices they are signed in on, and forgetting them."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from landfall.store import schema
from landfall.store.encoding import decode, encode
from landfall.store.names import skeleton
from landfall.store.rows import Head, Person, Session, nobody

MOST_SESSIONS: Final = 50  # of one person; those not seen for longest go first
REMEMBERED: Final = 30 * 86_400_000  # milliseconds that it is kept who was forgotten, for servers that run or will
MANY: Final = 500  # values to a question


class People:
    """The part of a store that knows people."""

    engine: AsyncEngine

    async def person(self, person: str) -> Person | None:
        """Somebody by id."""
        return await self.one_person(schema.people.c.id == person)

    async def account(self, name: str) -> Person | None:
        """Somebody by the name of their account, large and small letters alike."""
        return await self.one_person(schema.people.c.account == name.casefold())

    async def has_namesake(self, name: str, person: str | None = None) -> bool:
        """Whether somebody else's account has this name, or one that looks like it."""
        p = schema.people.c
        alike = sa.or_(p.account == name.casefold(), p.skeleton == skeleton(name))
        return bool(await self.rows(sa.select(p.id).where(alike, p.id != (person or "")).limit(1)))

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

    # --- sessions ---------------------------------------------------------------------------------------------

    async def add_session(self, session: Session) -> None:
        """Somebody signs in on a device."""
        s = schema.sessions.c
        latest = sa.select(s.id).where(s.person == session.person).order_by(s.seen.desc()).limit(MOST_SESSIONS)
        async with self.engine.begin() as connection:
            await connection.execute(schema.sessions.insert().values(vars(session)))
            keep = [row[0] for row in await connection.execute(latest)]
            if len(keep) == MOST_SESSIONS:
                too_many = sa.and_(s.person == session.person, s.id.not_in({*keep, session.id}))
                await connection.execute(schema.sessions.delete().where(too_many))

    async def session(self, id_: str) -> tuple[Person, Session] | None:
        """A session and whose it is."""
        p, s = schema.people, schema.sessions
        both = sa.select(p, s).join(s, s.c.person == p.c.id).where(s.c.id == id_)
        for row in await self.rows(both):
            return Person(*row[: len(p.c)]), Session(*row[len(p.c) :])
        return None

    async def sessions(self, person: str) -> list[Session]:
        """Where somebody is signed in, the latest first."""
        s = schema.sessions.c
        found = await self.rows(sa.select(schema.sessions).where(s.person == person).order_by(s.seen.desc()))
        return [Session(*row) for row in found]

    async def seen(self, person: str, session: str | None, now: int) -> None:
        """Somebody is there."""
        await self.write(schema.people.update().where(schema.people.c.id == person).values(seen=now))
        if session is not None:
            await self.write(schema.sessions.update().where(schema.sessions.c.id == session).values(seen=now))

    async def replace_sessions(self, session: Session) -> None:
        """Sign somebody in on a device and out everywhere else, at once: no earlier cookie proves anything."""
        s = schema.sessions
        async with self.engine.begin() as connection:
            await connection.execute(s.delete().where(s.c.person == session.person))
            await connection.execute(s.insert().values(vars(session)))
            mine = schema.people.c.id == session.person
            await connection.execute(schema.people.update().where(mine).values(signed=False))

    async def end_sessions(self, person: str, *, only: str | None = None, but: str | None = None) -> int:
        """Sign somebody out: everywhere, on one device, or on all but one; signed cookies prove nothing any more."""
        s = schema.sessions.c
        wanted = s.person == person
        if only is not None:
            wanted = sa.and_(wanted, s.id == only)
        if but is not None:
            wanted = sa.and_(wanted, s.id != but)
        async with self.engine.begin() as connection:
            await connection.execute(schema.people.update().where(schema.people.c.id == person).values(signed=False))
            return (await connection.execute(schema.sessions.delete().where(wanted))).rowcount

    async def end_unseen(self, before: int) -> None:
        """Sign out whoever was not seen since then: their cookies have run out."""
        await self.write(schema.sessions.delete().where(schema.sessions.c.seen < before))

    async def good(self, sessions: Iterable[str], signed: Iterable[str]) -> set[str]:
        """Which of these sessions there still are, and which of these people's signed cookies are still good."""
        p, s = schema.people.c, schema.sessions.c
        found: set[str] = set()
        for some in parts(sessions):
            there = sa.select(s.id).join(schema.people, p.id == s.person).where(s.id.in_(some))
            found.update(row[0] for row in await self.rows(there))
        for some in parts(signed):
            found.update(row[0] for row in await self.rows(sa.select(p.id).where(p.id.in_(some), p.signed)))
        return found

    # --- forgetting -------------------------------------------------------------------------------------------

    async def forget_person(self, person: str) -> None:
        """Delete somebody: the account, the name, the chat, the sessions. Matches stay, under no name."""
        f = schema.forgotten
        now = time.time_ns() // 1_000_000
        async with self.engine.begin() as connection:
            running = await self.unname(connection, person)
            for kept in (schema.chat, schema.members, schema.sessions):
                await connection.execute(kept.delete().where(kept.c.person == person))
            await connection.execute(schema.people.delete().where(schema.people.c.id == person))
            known = (await connection.execute(sa.select(f).where(f.c.person == person))).fetchall()
            at, before = (known[0].at, known[0].tables.split()) if known else (now, [])
            over = sa.and_(f.c.at < now - REMEMBERED, f.c.tables == "")
            await connection.execute(f.delete().where(sa.or_(f.c.person == person, over)))
            values = {"person": person, "at": at, "tables": " ".join(sorted({*running, *before}))}
            await connection.execute(f.insert().values(values))
        await self.scrub()

    async def unname(self, connection: AsyncConnection, person: str) -> list[str]:
        """Take somebody out of the logs and lists of all tables that were theirs; those that are not over."""
        t, m = schema.tables, schema.members.c
        sat = sa.select(m.table_id).where(m.person == person)
        wanted = sa.select(t.c.id, t.c.status, t.c.info).where(sa.or_(t.c.id.in_(sat), t.c.owner == person))
        called = (
            await connection.execute(sa.select(schema.people.c.name).where(schema.people.c.id == person))
        ).scalar()
        running = []
        for table, status, info in (await connection.execute(wanted)).fetchall():
            await self.unname_log(connection, table, person, called or "")
            try:
                changed = encode(unlisted(decode(info), person, table)).decode()
            except msgspec.DecodeError:
                changed = blotted(info, person, table, called or "")
            await connection.execute(t.update().where(t.c.id == table).values(info=changed))
            mine = sa.and_(t.c.id == table, t.c.owner == person)
            await connection.execute(t.update().where(mine).values(owner=nobody(table, person)))
            if status != "over":
                running.append(str(table))
        return running

    async def unname_log(self, connection: AsyncConnection, table: str, person: str, called: str) -> None:
        """In one table's log: no name, and an id that leads nowhere. In a record opened by its subject, too."""
        e = schema.entries
        id_ = encode(person).decode()
        wanted = sa.select(e.c.seq, e.c.data).where(e.c.table_id == table, e.c.kind != "play", e.c.data.contains(id_))
        for seq, text in (await connection.execute(wanted)).fetchall():
            try:
                changed = unseated(decode(text), person, table, called)
            except msgspec.DecodeError:
                changed = blotted(text, person, table, called)
            await connection.execute(e.update().where(e.c.table_id == table, e.c.seq == seq).values(data=changed))

    async def forgotten(self) -> list[tuple[str, list[str]]]:
        """Who was forgotten lately, and the tables at which their seats may still wait for them."""
        f = schema.forgotten.c
        return [(person, tables.split()) for person, tables in await self.rows(sa.select(f.person, f.tables))]

    async def note_departed(self, person: str, tables: Collection[str]) -> list[str]:
        """At these tables nothing waits any more for somebody who was forgotten; the tables that are left."""
        f = schema.forgotten
        async with self.engine.begin() as connection:
            await self.lock_logs(connection)  # another process may do the same for other tables
            listed = (await connection.execute(sa.select(f.c.tables).where(f.c.person == person))).scalar() or ""
            left = [table for table in listed.split() if table not in tables]
            await connection.execute(f.update().where(f.c.person == person).values(tables=" ".join(left)))
        return left

    async def relist(self, head: Head) -> None:
        """Write a head again, whoever wrote it last."""
        t = schema.tables
        values = {"owner": head.owner, "info": encode(head.info).decode()}
        await self.write(t.update().where(t.c.id == head.table).values(values))

    # --- small change -----------------------------------------------------------------------------------------

    async def lock_logs(self, connection: AsyncConnection) -> None:
        """Until the transaction ends nobody else writes to a log, or to what belongs to a table."""
        raise NotImplementedError

    async def scrub(self) -> bool:
        """Let nothing that was deleted stay in the files, as far as the database allows; whether it did."""
        return True

    async def rows(self, asked: sa.Select[*tuple[Any, ...]]) -> Sequence[Any]:
        async with self.engine.connect() as connection:
            found: Sequence[Any] = (await connection.execute(asked)).fetchall()
            return found

    async def write(self, change: sa.Insert | sa.Update | sa.Delete) -> int:
        """Commit one change; how many rows it was."""
        async with self.engine.begin() as connection:
            return (await connection.execute(change)).rowcount


def unlisted(info: dict[str, Any], person: str, table: str) -> dict[str, Any]:
    """What a lobby lists of a table, without somebody."""
    people = info.get("people", [])
    mine = {i for i, who in enumerate(people) if who == person}
    info["chairs"] = ["" if i in mine else name for i, name in enumerate(info.get("chairs", []))]
    info["people"] = [nobody(table, person) if i in mine else who for i, who in enumerate(people)]
    return info


def unseated(data: dict[str, Any], person: str, table: str, called: str) -> str:
    """What an entry says, without somebody."""
    for chair in [data, *data.get("chairs", [])]:
        if "name" in chair and (chair.get("person") == person or ("person" not in chair and chair["name"] == called)):
            chair["name"] = ""
    return encode(data).decode().replace(encode(person).decode(), encode(nobody(table, person)).decode())


def blotted(text: str, person: str, table: str, called: str) -> str:
    """A damaged text, without somebody as far as they can be found in it."""
    alias = encode(nobody(table, person)).decode()
    return text.replace(encode(person).decode(), alias).replace(encode(called).decode(), '""')


def parts(values: Iterable[str], size: int = MANY) -> list[Collection[str]]:
    """So many at a time as a database takes."""
    every = list(values)
    return [every[i : i + size] for i in range(0, len(every), size)]
