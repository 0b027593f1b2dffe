"""Users: guests and accounts, the devices they are signed in on, and their deletion."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from landfall.store import schema
from landfall.store.confusable_names import confusable_skeleton
from landfall.store.event_codec import decode, encode
from landfall.store.matchmaking_events import LOG_OF_SEARCHES
from landfall.store.personal_data import delete_user_from_personal_tables
from landfall.store.row_types import RESERVED_NAME_MS, Session, TableSummary, UserRecord, anonymous_user_id

MAX_SESSIONS_PER_USER: Final = 50  # the least recently seen go first
RECOVERED: Final = "recovered"  # the kind of a recovery's challenge
FORGOTTEN_TTL_MS: Final = 30 * 86_400_000  # that deletions stay recorded, for running and future servers
MAX_QUERY_VALUES: Final = 500  # values per query
PERSONAL: Final = (  # rows that nobody else sees: they go with their user
    schema.sessions, schema.notifications, schema.notification_settings, schema.push_devices, schema.mail_addresses,
    schema.holidays,
)  # fmt: skip


class UserStore:
    """The users' part of a store."""

    engine: AsyncEngine

    async def get_user_by_id(self, person: str) -> UserRecord | None:
        """A user by id."""
        return await self.find_user_where(schema.people.c.id == person)

    async def find_account_by_name(self, name: str) -> UserRecord | None:
        """A user by account name, ignoring case."""
        return await self.find_user_where(schema.people.c.account == name.casefold())

    async def is_name_taken_or_similar(self, name: str, person: str | None = None) -> bool:
        """Whether another's account has this name, had it lately, or has one that looks like it."""
        p = schema.people.c
        alike = sa.or_(p.account == name.casefold(), p.skeleton == confusable_skeleton(name))
        if await self.fetch_rows(sa.select(p.id).where(alike, p.id != (person or "")).limit(1)):
            return True
        n, since = schema.earlier_names.c, time.time_ns() // 1_000_000 - RESERVED_NAME_MS
        reserved = sa.select(n.person).where(
            n.skeleton == confusable_skeleton(name), n.person != (person or ""), n.at > since
        )
        return bool(await self.fetch_rows(reserved))

    async def find_user_where(self, wanted: sa.ColumnElement[bool]) -> UserRecord | None:
        found = await self.fetch_rows(sa.select(schema.people).where(wanted))
        return UserRecord(*found[0]) if found else None

    async def add_user(self, person: UserRecord) -> None:
        """Add a user."""
        await self.commit_change(schema.people.insert().values(vars(person)))

    async def update_user_fields(self, person: str, **fields: object) -> bool:
        """Change some fields; False if another account has that name."""
        try:
            await self.commit_change(schema.people.update().where(schema.people.c.id == person).values(fields))
        except IntegrityError:
            return False
        return True

    async def update_guest(self, person: str, **fields: object) -> bool | None:
        """The same for a guest; None if there is an account by now: another request made it."""
        p = schema.people
        guest = sa.and_(p.c.id == person, p.c.account.is_(None))
        try:
            return True if await self.commit_change(p.update().where(guest).values(fields)) else None
        except IntegrityError:
            return False

    # --- sessions ---------------------------------------------------------------------------------------------

    async def add_session(self, session: Session, exchanged: bool = False) -> bool:
        """Sign a user in on a device. False: it is `exchanged` for a signed cookie, and those are revoked."""
        async with self.engine.begin() as connection:
            await self.lock_user_row(connection, session.person)
            if exchanged and not await self.is_session_valid(connection, session.person, None):
                return False
            await self.insert_session_and_drop_oldest(connection, session)
        return True

    async def insert_session_and_drop_oldest(self, connection: AsyncConnection, session: Session) -> None:
        """The same, in the caller's transaction."""
        s = schema.sessions.c
        latest = sa.select(s.id).where(s.person == session.person).order_by(s.seen.desc()).limit(MAX_SESSIONS_PER_USER)
        await connection.execute(schema.sessions.insert().values(vars(session)))
        keep = [row[0] for row in await connection.execute(latest)]
        if len(keep) == MAX_SESSIONS_PER_USER:
            too_many = sa.and_(
                s.id.not_in({*keep, session.id}), s.id.not_in(select_recovering_sessions(session.person))
            )
            await connection.execute(schema.sessions.delete().where(s.person == session.person, too_many))

    async def is_session_valid(self, connection: AsyncConnection, person: str, session: str | None) -> bool:
        """Whether a session of a user is valid, or (None) their signed cookies are. In the caller's transaction."""
        s, p = schema.sessions.c, schema.people.c
        asked = sa.select(p.id).where(p.id == person, p.signed)
        if session is not None:
            asked = sa.select(s.id).where(s.id == session, s.person == person, valid_session_condition())
        return (await connection.execute(asked)).first() is not None

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
        await self.commit_change(
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

    # --- online bots ------------------------------------------------------------------------------------------

    async def list_bots_of_author(self, author: str) -> list[UserRecord]:
        """A user's online bots, oldest first."""
        p = schema.people.c
        mine = sa.select(schema.people).where(p.author == author).order_by(p.created, p.id)
        return [UserRecord(*row) for row in await self.fetch_rows(mine)]

    async def add_bot(self, bot: UserRecord, most: int) -> bool:
        """Add an online bot; False: its author has as many already. IntegrityError: an account has that name."""
        p = schema.people.c
        async with self.engine.begin() as connection:
            await self.lock_table_logs_and_rows(connection)  # two at once are counted, too
            mine = sa.select(sa.func.count()).where(p.author == bot.author)
            if ((await connection.execute(mine)).scalar() or 0) >= most:
                return False
            await connection.execute(schema.people.insert().values(vars(bot)))
        return True

    async def add_token_and_end_earlier(self, token: Session, earlier_end: int) -> None:
        """Add a bot's token; its earlier ones end then."""
        s = schema.sessions
        async with self.engine.begin() as connection:
            later = sa.or_(s.c.ends.is_(None), s.c.ends > earlier_end)
            earlier = sa.and_(s.c.person == token.person, later)
            await connection.execute(s.update().where(earlier).values(ends=earlier_end))
            await connection.execute(s.insert().values(vars(token)))

    # --- deletion ---------------------------------------------------------------------------------------------

    async def erase_user(self, person: str) -> None:
        """Delete a user with all that `personal_data` lists, and their bots. Matches stay, anonymised."""
        for bot in await self.list_bots_of_author(person):
            await self.erase_user(bot.id)
        f = schema.forgotten
        now = time.time_ns() // 1_000_000
        async with self.engine.begin() as connection:
            await self.lock_ratings_and_deletions(connection)
            await connection.execute(
                select_user_row_for_update(person)
            )  # before the sessions, as whoever ends them does
            running = await self.anonymise_tables_of_user(connection, person)
            await self.anonymise_matchmaking_log(connection, person)
            await self.anonymise_tournament_logs(connection, person)
            await delete_user_from_personal_tables(connection, person)
            known = (await connection.execute(sa.select(f).where(f.c.person == person))).fetchall()
            at, before = (known[0].at, known[0].tables.split()) if known else (now, [])
            over = sa.and_(f.c.at < now - FORGOTTEN_TTL_MS, f.c.tables == "")
            await connection.execute(f.delete().where(sa.or_(f.c.person == person, over)))
            values = {"person": person, "at": at, "tables": " ".join(sorted({*running, *before}))}
            await connection.execute(f.insert().values(values))
        await self.scrub_deleted_data()

    async def anonymise_tables_of_user(self, connection: AsyncConnection, person: str) -> list[str]:
        """Remove a user from the logs and lists of all their tables. Returns those that are not over."""
        t, m = schema.tables, schema.members.c
        sat = sa.select(m.table_id).where(m.person == person)
        wanted = sa.select(t.c.id, t.c.status, t.c.info).where(sa.or_(t.c.id.in_(sat), t.c.owner == person))
        called = (
            await connection.execute(sa.select(schema.people.c.name).where(schema.people.c.id == person))
        ).scalar()
        running = []
        for table, status, info in (await connection.execute(wanted)).fetchall():
            await self.anonymise_table_log(connection, table, person, called or "")
            try:
                changed = encode(anonymise_summary(decode(info), person, table)).decode()
            except msgspec.DecodeError:
                changed = anonymise_damaged_text(info, person, table, called or "")
            await connection.execute(t.update().where(t.c.id == table).values(info=changed))
            mine = sa.and_(t.c.id == table, t.c.owner == person)
            await connection.execute(t.update().where(mine).values(owner=anonymous_user_id(table, person)))
            if status != "over":
                running.append(str(table))
        return running

    async def anonymise_table_log(self, connection: AsyncConnection, table: str, person: str, called: str) -> None:
        """Anonymise one table's log: no name, and an unlinkable id; also in a record imported by the user."""
        e = schema.entries
        id_ = encode(person).decode()
        wanted = sa.select(e.c.seq, e.c.data).where(e.c.table_id == table, e.c.kind != "play", e.c.data.contains(id_))
        for seq, text in (await connection.execute(wanted)).fetchall():
            try:
                changed = anonymise_event(decode(text), person, table, called)
            except msgspec.DecodeError:
                changed = anonymise_damaged_text(text, person, table, called)
            await connection.execute(e.update().where(e.c.table_id == table, e.c.seq == seq).values(data=changed))

    async def anonymise_matchmaking_log(self, connection: AsyncConnection, person: str) -> None:
        """Nobody looks for a table under the name of a deleted user any more."""
        s = schema.searches
        wanted = sa.select(s.c.seq, s.c.data).where(s.c.data.contains(encode(person).decode()))
        for seq, text in (await connection.execute(wanted)).fetchall():
            changed = anonymise_event(decode(text), person, LOG_OF_SEARCHES, "")
            await connection.execute(s.update().where(s.c.seq == seq).values(data=changed))

    async def anonymise_tournament_logs(self, connection: AsyncConnection, person: str) -> None:
        """A deleted user keeps the points in tournaments, without a name."""
        t, e, p = schema.tournaments, schema.tournament_events, schema.tournament_players.c
        joined = sa.select(p.tournament).where(p.person == person)
        opened = sa.select(t.c.id).where(t.c.opener == person)
        id_ = encode(person).decode()
        wanted = sa.select(e.c.tournament, e.c.seq, e.c.data).where(
            sa.or_(e.c.tournament.in_(joined), e.c.tournament.in_(opened)), e.c.data.contains(id_)
        )
        for tournament, seq, text in (await connection.execute(wanted)).fetchall():
            changed = anonymise_event(decode(text), person, tournament, "")
            mine = sa.and_(e.c.tournament == tournament, e.c.seq == seq)
            await connection.execute(e.update().where(mine).values(data=changed))
        for (tournament,) in (await connection.execute(opened)).fetchall():
            changed = anonymous_user_id(tournament, person)
            await connection.execute(t.update().where(t.c.id == tournament).values(opener=changed))

    async def list_recently_deleted_users(self) -> list[tuple[str, list[str]]]:
        """The recently deleted users, and the tables at which their seats may still wait for them."""
        f = schema.forgotten.c
        return [(person, tables.split()) for person, tables in await self.fetch_rows(sa.select(f.person, f.tables))]

    async def remove_pending_tables_of_deleted_user(self, person: str, tables: Collection[str]) -> list[str]:
        """At these tables nothing waits for a deleted user any more. Returns the others, which stay listed."""
        f = schema.forgotten
        async with self.engine.begin() as connection:
            await self.lock_table_logs_and_rows(connection)  # another process may do the same for other tables
            listed = (await connection.execute(sa.select(f.c.tables).where(f.c.person == person))).scalar() or ""
            left = [table for table in listed.split() if table not in tables]
            await connection.execute(f.update().where(f.c.person == person).values(tables=" ".join(left)))
        return left

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

    # --- helpers ----------------------------------------------------------------------------------------------

    async def lock_table_logs_and_rows(self, connection: AsyncConnection) -> None:
        """Until the transaction ends nobody else writes to a log, or to a table's other rows."""
        raise NotImplementedError

    async def lock_user_row(self, connection: AsyncConnection, person: str) -> None:
        """Until the transaction, which begins with it, ends nobody else changes how a user signs in or whom they
        know."""
        await connection.execute(select_user_row_for_update(person))

    async def lock_ratings_and_deletions(self, connection: AsyncConnection) -> None:
        """Until the transaction ends nobody else rates a match or deletes a user."""
        raise NotImplementedError

    async def scrub_deleted_data(self) -> bool:
        """Remove deleted data from the files, as far as the database allows. Returns whether it succeeded."""
        return True

    async def fetch_rows(self, asked: sa.Select[*tuple[Any, ...]]) -> Sequence[Any]:
        async with self.engine.connect() as connection:
            found: Sequence[Any] = (await connection.execute(asked)).fetchall()
            return found

    async def commit_change(self, change: sa.Insert | sa.Update | sa.Delete) -> int:
        """Commit one change. Returns the number of rows."""
        async with self.engine.begin() as connection:
            return (await connection.execute(change)).rowcount


def select_user_row_for_update(person: str) -> sa.Select[tuple[str]]:
    """Locks a user's row; in SQLite, which has no such locks, it does nothing."""
    return sa.select(schema.people.c.id).where(schema.people.c.id == person).with_for_update()


def select_recovering_sessions(person: str) -> sa.Select[tuple[str]]:
    """A user's sessions that began with a recovery code and may still replace all ways to sign in."""
    c, s = schema.challenges.c, schema.sessions.alias()
    begun = sa.select(s.c.id).join(schema.challenges, c.origin == s.c.id)
    return begun.where(s.c.person == person, c.kind == RECOVERED, c.ends > time.time_ns() // 1_000_000)


def valid_session_condition() -> sa.ColumnElement[bool]:
    """Of a row of sessions: whether it has not ended."""
    s = schema.sessions.c
    return sa.or_(s.ends.is_(None), s.ends > time.time_ns() // 1_000_000)


def anonymise_summary(info: dict[str, Any], person: str, table: str) -> dict[str, Any]:
    """A table's entry in lists, without a user."""
    people = info.get("people", [])
    mine = {i for i, who in enumerate(people) if who == person}
    info["chairs"] = ["" if i in mine else name for i, name in enumerate(info.get("chairs", []))]
    info["people"] = [anonymous_user_id(table, person) if i in mine else who for i, who in enumerate(people)]
    return info


def anonymise_event(data: dict[str, Any], person: str, table: str, called: str) -> str:
    """An event, without a user."""
    for chair in [data, *data.get("chairs", [])]:
        if "name" in chair and (chair.get("person") == person or ("person" not in chair and chair["name"] == called)):
            chair["name"] = ""
    return encode(data).decode().replace(encode(person).decode(), encode(anonymous_user_id(table, person)).decode())


def anonymise_damaged_text(text: str, person: str, table: str, called: str) -> str:
    """A damaged text, without a user as far as they can be found in it."""
    alias = encode(anonymous_user_id(table, person)).decode()
    return text.replace(encode(person).decode(), alias).replace(encode(called).decode(), '""')


def split_in_batches(values: Iterable[str], size: int = MAX_QUERY_VALUES) -> list[Collection[str]]:
    """Batches as large as a database accepts."""
    every = list(values)
    return [every[i : i + size] for i in range(0, len(every), size)]
