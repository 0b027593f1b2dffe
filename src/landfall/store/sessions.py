"""Sessions: the devices that users are signed in on, and the tokens of online bots."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.row_types import Session, UserRecord
from landfall.store.statements import split_in_batches

MAX_SESSIONS_PER_USER: Final = 50  # the least recently seen go first
RECOVERED: Final = "recovered"  # the kind of a recovery's challenge


class SessionRepository(Repository):
    """Sessions, by id and by user."""

    async def add_session(self, session: Session, exchanged: bool = False) -> bool:
        """Sign a user in on a device. False: it is `exchanged` for a signed cookie, and those are revoked."""
        async with self.engine.begin() as connection:
            await self.database.lock_user_row(connection, session.person)
            if exchanged and not await is_session_valid(connection, session.person, None):
                return False
            await insert_session_and_drop_oldest(connection, session)
        return True

    async def get_session_and_user(self, id_: str) -> tuple[UserRecord, Session] | None:
        """A session and its user."""
        p, s = schema.people, schema.sessions
        both = sa.select(p, s).join(s, s.c.person == p.c.id).where(s.c.id == id_, valid_session_condition())
        for row in await self.fetch_rows(both):
            return UserRecord(*row[: len(p.c)]), Session(*row[len(p.c) :])
        return None

    async def list_sessions_of_user(self, person: str) -> list[Session]:
        """A user's sessions, latest first."""
        s = schema.sessions.c
        mine = sa.and_(s.person == person, valid_session_condition())
        found = await self.fetch_rows(sa.select(schema.sessions).where(mine).order_by(s.seen.desc()))
        return [Session(*row) for row in found]

    async def update_last_seen(self, person: str, session: str | None, now: int) -> None:
        """Update the last-seen time."""
        await self.commit_change(schema.people.update().where(schema.people.c.id == person).values(seen=now))
        if session is not None:
            await self.commit_change(schema.sessions.update().where(schema.sessions.c.id == session).values(seen=now))

    async def replace_sessions(self, session: Session) -> None:
        """Sign a user in on a device and out everywhere else, atomically: no earlier cookie stays valid."""
        s = schema.sessions
        async with self.engine.begin() as connection:
            mine = schema.people.c.id == session.person
            await connection.execute(schema.people.update().where(mine).values(signed=False))  # which locks the row
            await connection.execute(s.delete().where(s.c.person == session.person))
            await connection.execute(s.insert().values(vars(session)))

    async def end_sessions_of_user(
        self, person: str, *, only: str | None = None, but: str | None = None, by: str | None = None
    ) -> int:
        """Sign a user out: everywhere, on one device, or on all but one; revokes signed cookies.

        One session (`by`, or `but`) does not end another's recovery.
        """
        s = schema.sessions.c
        wanted = s.person == person
        if only is not None:
            wanted = sa.and_(wanted, s.id == only)
        if but is not None:
            wanted = sa.and_(wanted, s.id != but)
            by = but
        if by is not None:
            wanted = sa.and_(wanted, sa.or_(s.id == by, s.id.not_in(select_recovering_sessions(person))))
        async with self.engine.begin() as connection:
            await connection.execute(schema.people.update().where(schema.people.c.id == person).values(signed=False))
            return (await connection.execute(schema.sessions.delete().where(wanted))).rowcount

    async def recovering_session_ids(self, person: str) -> set[str]:
        """A user's sessions whose recovery is in progress."""
        return {row[0] for row in await self.fetch_rows(select_recovering_sessions(person))}

    async def end_idle_and_expired_sessions(self, before: int) -> None:
        """End sessions not seen since then: their cookies have expired. Tokens end with them."""
        await self.database.try_commit_change(
            schema.sessions.delete().where(sa.or_(schema.sessions.c.seen < before, ~valid_session_condition()))
        )

    async def filter_valid_sessions(self, sessions: Iterable[str], signed: Iterable[str]) -> set[str]:
        """Which of these sessions exist, and which of these users' signed cookies are valid; none of banned users."""
        p, s, r = schema.people.c, schema.sessions.c, schema.restrictions.c
        banned = sa.select(r.person).where(r.kind == "ban", r.until > time.time_ns() // 1_000_000)
        allowed = sa.and_(p.id.not_in(banned), sa.or_(p.author.is_(None), p.author.not_in(banned)))
        found: set[str] = set()
        for some in split_in_batches(sessions):
            there = sa.select(s.id).join(schema.people, p.id == s.person)
            valid = there.where(s.id.in_(some), valid_session_condition(), allowed)
            found.update(row[0] for row in await self.fetch_rows(valid))
        for some in split_in_batches(signed):
            kept = sa.select(p.id).where(p.id.in_(some), p.signed, allowed)
            found.update(row[0] for row in await self.fetch_rows(kept))
        return found

    async def add_token_and_end_earlier(self, token: Session, earlier_end: int) -> None:
        """Add a bot's token; its earlier ones end then."""
        s = schema.sessions
        async with self.engine.begin() as connection:
            later = sa.or_(s.c.ends.is_(None), s.c.ends > earlier_end)
            earlier = sa.and_(s.c.person == token.person, later)
            await connection.execute(s.update().where(earlier).values(ends=earlier_end))
            await connection.execute(s.insert().values(vars(token)))


async def insert_session_and_drop_oldest(connection: AsyncConnection, session: Session) -> None:
    """Sign a user in on a device, in the caller's transaction."""
    s = schema.sessions.c
    latest = sa.select(s.id).where(s.person == session.person).order_by(s.seen.desc()).limit(MAX_SESSIONS_PER_USER)
    await connection.execute(schema.sessions.insert().values(vars(session)))
    keep = [row[0] for row in await connection.execute(latest)]
    if len(keep) == MAX_SESSIONS_PER_USER:
        too_many = sa.and_(s.id.not_in({*keep, session.id}), s.id.not_in(select_recovering_sessions(session.person)))
        await connection.execute(schema.sessions.delete().where(s.person == session.person, too_many))


async def is_session_valid(connection: AsyncConnection, person: str, session: str | None) -> bool:
    """Whether a session of a user is valid, or (None) their signed cookies are. In the caller's transaction."""
    s, p = schema.sessions.c, schema.people.c
    asked = sa.select(p.id).where(p.id == person, p.signed)
    if session is not None:
        asked = sa.select(s.id).where(s.id == session, s.person == person, valid_session_condition())
    return (await connection.execute(asked)).first() is not None


def select_recovering_sessions(person: str) -> sa.Select[tuple[str]]:
    """A user's sessions that began with a recovery code and may still replace all ways to sign in."""
    c, s = schema.challenges.c, schema.sessions.alias()
    begun = sa.select(s.c.id).join(schema.challenges, c.origin == s.c.id)
    return begun.where(s.c.person == person, c.kind == RECOVERED, c.ends > time.time_ns() // 1_000_000)


def valid_session_condition() -> sa.ColumnElement[bool]:
    """Of a row of sessions: whether it has not ended."""
    s = schema.sessions.c
    return sa.or_(s.ends.is_(None), s.ends > time.time_ns() // 1_000_000)
