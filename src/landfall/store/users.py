"""Users: guests, the owners of accounts, and online bots."""

from __future__ import annotations

import time
from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from landfall.store import schema
from landfall.store.confusable_names import confusable_skeleton
from landfall.store.database import Repository
from landfall.store.row_types import RESERVED_NAME_MS, UserRecord


class UserRepository(Repository):
    """Users, by id and by name."""

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

    async def list_bots_of_author(self, author: str) -> list[UserRecord]:
        """A user's online bots, oldest first."""
        p = schema.people.c
        mine = sa.select(schema.people).where(p.author == author).order_by(p.created, p.id)
        return [UserRecord(*row) for row in await self.fetch_rows(mine)]

    async def add_bot(self, bot: UserRecord, most: int) -> bool:
        """Add an online bot; False: its author has as many already. IntegrityError: an account has that name."""
        p = schema.people.c
        async with self.engine.begin() as connection:
            await self.database.lock_table_logs_and_rows(connection)  # two at once are counted, too
            mine = sa.select(sa.func.count()).where(p.author == bot.author)
            if ((await connection.execute(mine)).scalar() or 0) >= most:
                return False
            await connection.execute(schema.people.insert().values(vars(bot)))
        return True

    async def find_users_by_part_of_name(self, words: str, limit: int = 20) -> list[UserRecord]:
        """Users whose name contains these words, the latest seen first."""
        p = schema.people.c
        alike = sa.or_(p.name.contains(words, autoescape=True), p.account.contains(words.casefold(), autoescape=True))
        asked = sa.select(schema.people).where(alike).order_by(p.seen.desc()).limit(limit)
        return [UserRecord(*row) for row in await self.fetch_rows(asked)]

    async def get_names_by_user(self, people: Collection[str]) -> dict[str, str]:
        """The names of these users, as far as they exist."""
        p = schema.people.c
        return {row[0]: row[1] for row in await self.fetch_rows(sa.select(p.id, p.name).where(p.id.in_(people)))}

    async def count_accounts_and_guests(self) -> tuple[int, int]:
        """Accounts and guests."""
        p = schema.people.c
        asked = sa.select(sa.func.count(p.account), sa.func.count()).where(p.author.is_(None))
        [(accounts, both)] = await self.fetch_rows(asked)
        return int(accounts), int(both) - int(accounts)

    async def get_authors_by_bot(self, bots: Collection[str]) -> dict[str, tuple[str, str]]:
        """By online bot: its author's id and name."""
        bot, author = schema.people.alias(), schema.people.alias()
        asked = sa.select(bot.c.id, author.c.id, author.c.name).join(author, author.c.id == bot.c.author)
        return {row[0]: (row[1], row[2]) for row in await self.fetch_rows(asked.where(bot.c.id.in_(bots)))}
