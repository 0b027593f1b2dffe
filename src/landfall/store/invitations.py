"""Invitations to tables."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.notices import add_notices
from landfall.store.row_types import OPEN_INVITATION, Invitation, Notice, TableSummary
from landfall.store.tables import query_table_summaries


class InvitationRepository(Repository):
    """Invitations, by table and person."""

    async def add_invitation(self, table: str, sender: str, person: str, at: int, notice: Notice) -> bool:
        """Invite somebody to a table, and notify them. False: they are invited there already, or have answered."""
        row = {"table_id": table, "person": person, "sender": sender, "at": at, "state": OPEN_INVITATION}
        try:
            async with self.engine.begin() as connection:
                await connection.execute(schema.invitations.insert().values(row))
                await add_notices(connection, [notice])
        except IntegrityError:
            return False
        return True

    async def count_invitations_sent_and_received(self, sender: str, person: str, since: int) -> tuple[int, int, int]:
        """How many somebody has sent since then, sent to one person, and how many that person has received."""
        i = schema.invitations.c
        asked = [
            sa.select(sa.func.count()).where(i.at > since, *wanted).scalar_subquery()
            for wanted in ((i.sender == sender,), (i.sender == sender, i.person == person), (i.person == person,))
        ]
        [(sent, both, received)] = await self.fetch_rows(sa.select(*asked))
        return int(sent), int(both), int(received)

    async def list_open_invitations(self, person: str, most: int = 20) -> list[tuple[Invitation, TableSummary]]:
        """Somebody's invitations to tables that still gather, latest first; none of those who are blocked."""
        i, p, t, b = schema.invitations.c, schema.people.c, schema.tables.c, schema.blocks.c
        blocked = sa.exists().where(
            sa.or_(
                sa.and_(b.person == person, b.other == i.sender), sa.and_(b.person == i.sender, b.other == person),
            )
        )  # fmt: skip
        asked = (
            sa.select(i.table_id, i.sender, p.name, i.at)
            .join(schema.people, p.id == i.sender)
            .join(schema.tables, t.id == i.table_id)
            .where(i.person == person, i.state == OPEN_INVITATION, t.status == "gathering", ~blocked)
            .order_by(i.at.desc())
            .limit(most)
        )
        found = [Invitation(*row) for row in await self.fetch_rows(asked)]
        tables = [one.table for one in found]
        heads = await query_table_summaries(self.database, schema.tables.c.id.in_(tables), len(tables)) if found else []
        by_table = {head.table: head for head in heads}
        return [(one, by_table[one.table]) for one in found if one.table in by_table]

    async def answer_invitation(self, table: str, person: str, state: str) -> bool:
        """Accept or decline; whoever has answered needs no notification. False: there is no such invitation."""
        i, n = schema.invitations, schema.notifications
        mine = sa.and_(i.c.table_id == table, i.c.person == person, i.c.state == OPEN_INVITATION)
        about_it = sa.and_(n.c.kind == "invitation", n.c.topic == table, n.c.person == person)
        async with self.engine.begin() as connection:
            answered = (await connection.execute(i.update().where(mine).values(state=state))).rowcount
            await connection.execute(n.delete().where(about_it))
        return bool(answered)
