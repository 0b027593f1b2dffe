"""Holidays: days on which a user's tables by days stand still."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.row_types import Holiday


class HolidayRepository(Repository):
    """Holidays, by user."""

    async def list_holidays_ending_after(self, people: Collection[str], after: int) -> list[Holiday]:
        """The holidays of these users that end after then, in order."""
        h = schema.holidays
        asked = sa.select(h).where(h.c.person.in_(people), h.c.until > after).order_by(h.c.person, h.c.since)
        return [Holiday(*row) for row in await self.fetch_rows(asked)]

    async def save_or_cancel_holidays(self, holidays: Sequence[Holiday]) -> None:
        """Add holidays, or change their ends, in this order and all at once; one that ends as it begins is deleted."""
        h = schema.holidays
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            for one in holidays:
                await connection.execute(h.delete().where(h.c.person == one.person, h.c.since == one.since))
                if one.until > one.since:
                    await connection.execute(h.insert().values(vars(one)))
