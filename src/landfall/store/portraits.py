"""Portraits that the owners of accounts chose: an explorer of a colour on a ground."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.statements import split_in_batches


@dataclass(frozen=True)
class Portrait:
    """How somebody is drawn outside a table."""

    colour: str
    ground: str


class PortraitRepository(Repository):
    """Portraits, by user."""

    async def save_portrait(self, person: str, portrait: Portrait | None) -> None:
        """None: the one that follows from the name again."""
        p = schema.portraits
        async with self.engine.begin() as connection:
            await self.database.lock_user_row(connection, person)  # of two at once, one stays
            await connection.execute(p.delete().where(p.c.person == person))
            if portrait is not None:
                values = {"person": person, "colour": portrait.colour, "ground": portrait.ground}
                await connection.execute(p.insert().values(values))

    async def get_portraits_by_account(self, accounts: Collection[str]) -> dict[str, Portrait]:
        """By account names, without spaces too many and capitals: the portraits that were chosen."""
        p, chosen = schema.people.c, schema.portraits.c
        asked = sa.select(p.account, chosen.colour, chosen.ground).join(schema.portraits, chosen.person == p.id)
        found: dict[str, Portrait] = {}
        for some in split_in_batches(accounts):
            for account, colour, ground in await self.fetch_rows(asked.where(p.account.in_(some))):
                found[account] = Portrait(colour, ground)
        return found
