"""Who is connected to several processes, whom somebody follows or does not want to meet, and invitations to tables."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from landfall.store import schema
from landfall.store.notifications import NotificationStore
from landfall.store.row_types import OPEN_INVITATION, PRESENCE_LEASE_MS, Invitation, Notice, Presence, TableSummary
from landfall.store.users import split_in_batches


class SocialStore(NotificationStore):
    """Presences, follows, blocks and invitations."""

    async def query_table_summaries(self, wanted: sa.ColumnElement[bool], limit: int) -> list[TableSummary]:
        raise NotImplementedError

    async def get_table_summaries(self, tables: Collection[str]) -> dict[str, TableSummary]:
        raise NotImplementedError

    # --- who is connected -----------------------------------------------------------------------------------------

    async def renew_presences(
        self, process: str, changed: Collection[Presence], gone: Collection[str], until: int
    ) -> None:
        """Who is connected to a process until then: these and earlier ones, except those who are gone."""
        p = schema.presences
        async with self.engine.begin() as connection:
            for some in split_in_batches([*(one.person for one in changed), *gone]):
                await connection.execute(p.delete().where(p.c.process == process, p.c.person.in_(some)))
            await connection.execute(p.delete().where(p.c.until < until - 2 * PRESENCE_LEASE_MS))
            await connection.execute(p.update().where(p.c.process == process).values(until=until))
            if changed:
                rows = [
                    {"process": process, "person": one.person, "name": one.name, "table_id": one.table, "until": until}
                    for one in changed
                ]
                await connection.execute(p.insert(), rows)

    async def read_presences(self, now: int) -> list[Presence]:
        """Who is connected to any process; somebody at a table first, so that two connections are one person there."""
        p = schema.presences.c
        shown = sa.case((schema.people.c.shown, p.name), else_="")  # as it is now, not when they connected
        found = sa.select(p.person, shown, p.table_id).join(schema.people, schema.people.c.id == p.person)
        asked = found.where(p.until >= now).order_by(p.table_id.desc(), p.person)
        return [Presence(*row) for row in await self.fetch_rows(asked)]

    async def end_presences(self, process: str) -> None:
        """A process ends: nobody is connected to it."""
        await self.commit_change(schema.presences.delete().where(schema.presences.c.process == process))

    # --- following ------------------------------------------------------------------------------------------------

    async def set_user_followed(self, person: str, other: str, on: bool, most: int) -> bool:
        """Follow somebody, or no longer. False: they follow as many already."""
        f = schema.follows
        async with self.engine.begin() as connection:
            await self.lock_user_row(connection, person)  # two at once are counted, too
            await connection.execute(f.delete().where(f.c.person == person, f.c.other == other))
            if not on:
                return True
            mine = sa.select(sa.func.count()).where(f.c.person == person)
            if ((await connection.execute(mine)).scalar() or 0) >= most:
                return False
            await connection.execute(f.insert().values(person=person, other=other))
        return True

    async def list_user_ids_followed_by(self, person: str) -> frozenset[str]:
        """Whom somebody follows."""
        f = schema.follows.c
        return frozenset(row[0] for row in await self.fetch_rows(sa.select(f.other).where(f.person == person)))

    async def list_finished_public_tables(self, since: int, most: int) -> list[TableSummary]:
        """Public tables whose match has ended since then, latest first."""
        t = schema.tables.c
        return await self.query_table_summaries(sa.and_(t.updated > since, t.public, t.status == "over"), most)

    # --- blocking -------------------------------------------------------------------------------------------------

    async def set_user_blocked(self, person: str, other: str, on: bool) -> None:
        """Block somebody, or no longer. Neither is notified of the other any more."""
        b, n = schema.blocks, schema.notifications
        pairs = ((person, other), (other, person))
        between = sa.or_(*(sa.and_(n.c.person == one, n.c.other == another) for one, another in pairs))
        async with self.engine.begin() as connection:
            await self.lock_user_row(connection, person)  # of two at once, one stays
            await connection.execute(b.delete().where(b.c.person == person, b.c.other == other))
            if on:
                await connection.execute(b.insert().values(person=person, other=other))
                await connection.execute(n.delete().where(between))

    async def has_blocked(self, person: str, other: str) -> bool:
        """Whether a user has blocked another."""
        b = schema.blocks.c
        return bool(await self.fetch_rows(sa.select(b.other).where(b.person == person, b.other == other)))

    async def list_blocked_pairs_among(self, people: Collection[str]) -> set[frozenset[str]]:
        """The pairs of these users of whom one has blocked the other."""
        b = schema.blocks.c
        asked = sa.select(b.person, b.other).where(b.person.in_(people), b.other.in_(people))
        return {frozenset((one, other)) for one, other in await self.fetch_rows(asked)}

    async def list_user_ids_blocked_either_way(self, person: str) -> frozenset[str]:
        """Whom somebody has blocked, or who has blocked them."""
        b = schema.blocks.c
        asked = sa.select(b.person, b.other).where(sa.or_(b.person == person, b.other == person))
        return frozenset(who for pair in await self.fetch_rows(asked) for who in pair) - {person}

    # --- invitations ----------------------------------------------------------------------------------------------

    async def add_invitation(self, table: str, sender: str, person: str, at: int, notice: Notice) -> bool:
        """Invite somebody to a table, and notify them. False: they are invited there already, or have answered."""
        row = {"table_id": table, "person": person, "sender": sender, "at": at, "state": OPEN_INVITATION}
        try:
            async with self.engine.begin() as connection:
                await connection.execute(schema.invitations.insert().values(row))
                await self.add_notices(connection, [notice])
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
        heads = await self.get_table_summaries([one.table for one in found]) if found else {}
        return [(one, heads[one.table]) for one in found if one.table in heads]

    async def answer_invitation(self, table: str, person: str, state: str) -> bool:
        """Accept or decline; whoever has answered needs no notification. False: there is no such invitation."""
        i, n = schema.invitations, schema.notifications
        mine = sa.and_(i.c.table_id == table, i.c.person == person, i.c.state == OPEN_INVITATION)
        about_it = sa.and_(n.c.kind == "invitation", n.c.topic == table, n.c.person == person)
        async with self.engine.begin() as connection:
            answered = (await connection.execute(i.update().where(mine).values(state=state))).rowcount
            await connection.execute(n.delete().where(about_it))
        return bool(answered)
