"""What is kept about users: one list, from which a deletion and the export of somebody's data are made.

To join it, add a `PersonalTable` to `PERSONAL_TABLES`: the table, its columns that hold users' ids, and what its user
may take along. By default a deletion deletes every row that names the user in one of these columns. A table that must
keep its rows gets a function of its own as `delete`; it runs in the deletion's transaction and may run twice. A test
compares this list with the schema: a new table is here, or among those that hold nothing about users.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.anonymisation import anonymise_matchmaking_log, anonymise_tables_of_user, anonymise_tournament_logs
from landfall.store.database import Repository
from landfall.store.statements import select_user_row_for_update

FORGOTTEN_TTL_MS: Final = 30 * 86_400_000  # that deletions stay recorded, for running and future servers
MAX_EXPORTED_ROWS: Final = 10_000  # of one table, the latest
Delete = Callable[[AsyncConnection, str], Awaitable[None]]
Export = Callable[[str], sa.Select[Any]]


@dataclass(frozen=True)
class PersonalTable:
    """A table with data about users."""

    table: sa.Table
    users: tuple[str, ...] = ("person",)  # its columns with users' ids
    export: Export | None = None  # what a user gets of it: nothing that is a secret, or another's
    delete: Delete | None = None  # instead of deleting the rows

    async def delete_or_empty_user_rows(self, connection: AsyncConnection, person: str) -> None:
        """Remove a user from it."""
        if self.delete is not None:
            await self.delete(connection, person)
            return
        named = sa.or_(*(self.table.c[column] == person for column in self.users))
        await connection.execute(self.table.delete().where(named))


def make_rows_exporter(table: sa.Table, *columns: str, latest: str) -> Export:
    """These columns of a user's rows, the latest first."""

    def select_own_rows(person: str) -> sa.Select[Any]:
        mine = sa.select(*(table.c[column] for column in columns)).where(table.c.person == person)
        return mine.order_by(table.c[latest].desc()).limit(MAX_EXPORTED_ROWS)

    return select_own_rows


def make_related_names_exporter(pairs: sa.Table) -> Export:
    """Those whom a user has blocked, or follows, by the names that everybody sees."""

    def select_related_names(person: str) -> sa.Select[Any]:
        mine, p = pairs.c, schema.people.c
        named = sa.select(p.name).join(pairs, mine.other == p.id)
        return named.where(mine.person == person).limit(MAX_EXPORTED_ROWS)

    return select_related_names


async def delete_or_empty_chat_of_user(connection: AsyncConnection, person: str) -> None:
    """The last line of a chat stays, empty: its number is known to who is there, and must not be used again."""
    c, other = schema.chat.c, schema.chat.alias()
    is_last = c.n == sa.select(sa.func.max(other.c.n)).where(other.c.table_id == c.table_id).scalar_subquery()
    emptied = {"person": "", "name": "", "seat": None, "text": ""}
    await connection.execute(schema.chat.update().where(c.person == person, is_last).values(emptied))
    await connection.execute(schema.chat.delete().where(c.person == person))


def select_own_account(person: str) -> sa.Select[Any]:
    p = schema.people.c
    return sa.select(p.name, p.created, p.seen, p.shown).where(p.id == person)


def select_own_bots(person: str) -> sa.Select[Any]:
    p = schema.people.c
    return sa.select(p.name, p.created, p.seen).where(p.author == person).limit(MAX_EXPORTED_ROWS)


async def remove_user_from_host_actions(connection: AsyncConnection, person: str) -> None:
    """What a host did stays known, without the names."""
    a = schema.host_actions
    await connection.execute(a.update().where(a.c.person == person).values(person="", words=""))
    await connection.execute(a.update().where(a.c.host == person).values(host=""))


async def leave_account_row_until_last(connection: AsyncConnection, person: str) -> None:
    """Accounts are deleted last: other functions look names up."""


PERSONAL_TABLES: Final = (
    PersonalTable(schema.people, ("id", "author"), select_own_account, leave_account_row_until_last),
    PersonalTable(
        schema.sessions, export=make_rows_exporter(schema.sessions, "device", "created", "seen", latest="seen")
    ),
    PersonalTable(
        schema.passkeys, export=make_rows_exporter(schema.passkeys, "device", "created", "used", latest="created")
    ),
    PersonalTable(schema.recovery_codes),
    PersonalTable(schema.challenges),
    PersonalTable(schema.earlier_names, export=make_rows_exporter(schema.earlier_names, "skeleton", "at", latest="at")),
    PersonalTable(
        schema.chat, export=make_rows_exporter(schema.chat, "table_id", "at", "text", latest="at"),
        delete=delete_or_empty_chat_of_user,
    ),
    PersonalTable(schema.members),  # the matches themselves are exported as records
    PersonalTable(
        schema.ratings,
        export=make_rows_exporter(schema.ratings, "game", "size", "mu", "sigma", "played", "at", latest="at"),
    ),
    PersonalTable(
        schema.rating_changes,
        export=make_rows_exporter(
            schema.rating_changes, "n", "table_id", "game", "size", "at", "players", "place", "mu_before",
            "sigma_before", "mu", "sigma", latest="n",
        ),
    ),
    PersonalTable(schema.player_marks),
    PersonalTable(schema.hosts),
    PersonalTable(
        schema.restrictions,
        export=make_rows_exporter(schema.restrictions, "kind", "at", "until", "reason", latest="at"),
    ),
    PersonalTable(schema.reports, ("person", "reporter")),
    PersonalTable(schema.host_actions, ("host", "person"), delete=remove_user_from_host_actions),
    PersonalTable(schema.blocks, ("person", "other"), make_related_names_exporter(schema.blocks)),
    PersonalTable(schema.follows, ("person", "other"), make_related_names_exporter(schema.follows)),
    PersonalTable(schema.invitations, ("person", "sender")),
    PersonalTable(schema.presences),
    PersonalTable(schema.portraits, export=make_rows_exporter(schema.portraits, "colour", "ground", latest="person")),
    PersonalTable(schema.notifications, ("person", "other")),
    PersonalTable(
        schema.notification_settings,
        export=make_rows_exporter(schema.notification_settings, "data", latest="person"),
    ),
    PersonalTable(
        schema.push_devices, export=make_rows_exporter(schema.push_devices, "device", "created", latest="created")
    ),
    PersonalTable(
        schema.mail_addresses, export=make_rows_exporter(schema.mail_addresses, "address", "confirmed", latest="asked")
    ),
    PersonalTable(schema.holidays, export=make_rows_exporter(schema.holidays, "since", "until", latest="since")),
    PersonalTable(
        schema.tournament_players,
        export=make_rows_exporter(schema.tournament_players, "tournament", latest="tournament"),
    ),
)  # fmt: skip
# Logs and lists in which users are named inside a text: `anonymisation` replaces them there.
ANONYMISED: Final = (schema.entries, schema.tables, schema.searches, schema.tournaments, schema.tournament_events)
# Of `forgotten` an id that means nothing is kept for a while, so that a server that was down forgets the user, too.
IMPERSONAL: Final = (schema.forgotten, schema.open_tables, schema.reviews, schema.puzzles, schema.settings)


async def delete_user_from_personal_tables(connection: AsyncConnection, person: str) -> None:
    """Delete what the list names of a user, and the user."""
    for one in PERSONAL_TABLES:
        await one.delete_or_empty_user_rows(connection, person)
    await connection.execute(schema.people.delete().where(schema.people.c.id == person))


async def export_user_rows_by_table(connection: AsyncConnection, person: str) -> dict[str, list[dict[str, Any]]]:
    """What the list names of a user, by table; and their bots."""
    asked = {one.table.name: one.export(person) for one in PERSONAL_TABLES if one.export is not None}
    asked["bots"] = select_own_bots(person)
    return {
        name: [dict(row) for row in (await connection.execute(rows)).mappings().fetchall()]
        for name, rows in asked.items()
    }


class PersonalDataRepository(Repository):
    """Deletes all that is kept about a user, and exports it."""

    async def erase_user(self, person: str) -> None:
        """Delete a user with all that `personal_data` lists, and their bots. Matches stay, anonymised."""
        p = schema.people.c
        bots = sa.select(p.id).where(p.author == person).order_by(p.created, p.id)
        for bot in await self.fetch_rows(bots):
            await self.erase_user(bot.id)
        f = schema.forgotten
        now = time.time_ns() // 1_000_000
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await connection.execute(select_user_row_for_update(person))  # as whoever ends sessions does, before them
            running = await anonymise_tables_of_user(connection, person)
            await anonymise_matchmaking_log(connection, person)
            await anonymise_tournament_logs(connection, person)
            await delete_user_from_personal_tables(connection, person)
            known = (await connection.execute(sa.select(f).where(f.c.person == person))).fetchall()
            at, before = (known[0].at, known[0].tables.split()) if known else (now, [])
            over = sa.and_(f.c.at < now - FORGOTTEN_TTL_MS, f.c.tables == "")
            await connection.execute(f.delete().where(sa.or_(f.c.person == person, over)))
            values = {"person": person, "at": at, "tables": " ".join(sorted({*running, *before}))}
            await connection.execute(f.insert().values(values))
        await self.database.scrub_deleted_data()

    async def list_recently_deleted_users(self) -> list[tuple[str, list[str]]]:
        """The recently deleted users, and the tables at which their seats may still wait for them."""
        f = schema.forgotten.c
        return [(person, tables.split()) for person, tables in await self.fetch_rows(sa.select(f.person, f.tables))]

    async def remove_pending_tables_of_deleted_user(self, person: str, tables: Collection[str]) -> list[str]:
        """At these tables nothing waits for a deleted user any more. Returns the others, which stay listed."""
        f = schema.forgotten
        async with self.engine.begin() as connection:
            await self.database.lock_table_logs_and_rows(connection)  # another process may do the same for other tables
            listed = (await connection.execute(sa.select(f.c.tables).where(f.c.person == person))).scalar() or ""
            left = [table for table in listed.split() if table not in tables]
            await connection.execute(f.update().where(f.c.person == person).values(tables=" ".join(left)))
        return left

    async def export_personal_data(self, person: str) -> dict[str, list[dict[str, Any]]]:
        """What is kept about a user, by table, without what is a secret or another's."""
        async with self.engine.connect() as connection:
            return await export_user_rows_by_table(connection, person)
