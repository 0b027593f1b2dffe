"""Tournaments: a log for each, its entry in lists, and who joined it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.event_codec import decode, encode
from landfall.store.shared_logs import append_shared_events, read_shared_log, require_users_exist
from landfall.store.statements import UNFINISHED_TOURNAMENT
from landfall.store.tournament_events import (
    TOURNAMENT_EVENTS,
    PlayerJoined,
    PlayerLeft,
    PlayerRemoved,
    TournamentEntry,
    TournamentHead,
    TournamentWrite,
)

Membership = PlayerJoined | PlayerLeft | PlayerRemoved


class TournamentRepository(Repository):
    """The tournaments' logs and their lists."""

    async def append_tournament_events(self, write: TournamentWrite, head: TournamentHead) -> bool:
        """Append events to a tournament's log, with its entry in lists and the tables of a round.

        False: the number is taken. NotTogether: somebody was deleted.
        """
        t, joined = schema.tournaments, [e for e in write.events if isinstance(e, Membership)]

        async def require_joining_users_exist(connection: AsyncConnection) -> None:
            people = {head.opener} if write.seq == 1 else set()
            people.update(event.person for event in joined if isinstance(event, PlayerJoined))
            await require_users_exist(connection, sorted({*people, *write.people}))

        async def write_head_and_players(connection: AsyncConnection) -> None:
            values = {**vars(head), "seq": write.seq + len(write.events) - 1, "info": encode(head.info).decode()}
            if write.seq == 1:
                await connection.execute(t.insert().values(values))
            else:  # not the opener, who may be deleted by now
                changed = {name: values[name] for name in ("status", "seq", "info")}
                await connection.execute(t.update().where(t.c.id == head.id).values(changed))
            for event in joined:
                await self.record_tournament_player(connection, head.id, event)

        return await append_shared_events(
            self.database,
            schema.tournament_events,
            {"tournament": head.id},
            write,
            require_joining_users_exist,
            write_head_and_players,
        )

    async def record_tournament_player(self, connection: AsyncConnection, tournament: str, event: Membership) -> None:
        p = schema.tournament_players
        inside = isinstance(event, PlayerJoined)
        mine = sa.and_(p.c.person == event.person, p.c.tournament == tournament)
        changed = await connection.execute(p.update().where(mine).values(inside=inside))
        if not changed.rowcount and inside:
            await connection.execute(p.insert().values(person=event.person, tournament=tournament, inside=True))

    async def read_tournament_log(self, tournament: str, after: int = 0) -> list[TournamentEntry]:
        """A tournament's log from a number on."""
        return await read_shared_log(
            self.database, schema.tournament_events, {"tournament": tournament}, TOURNAMENT_EVENTS, after
        )

    async def list_tournament_ids_to_advance(self, now: int) -> list[str]:
        """Those that are running, or should be."""
        t = schema.tournaments.c
        due = sa.or_(t.status == "running", sa.and_(t.status == "open", t.starts <= now))
        return [row[0] for row in await self.fetch_rows(sa.select(t.id).where(due).order_by(t.starts, t.id))]

    async def list_listed_tournaments(
        self, statuses: Collection[str], limit: int, latest: bool = False
    ) -> list[TournamentHead]:
        """Those that are listed, the next ones first; or the latest."""
        t = schema.tournaments.c
        order = t.starts.desc() if latest else t.starts
        asked = sa.select(schema.tournaments).where(t.listed, t.status.in_(statuses)).order_by(order, t.id).limit(limit)
        return [tournament_head_from_row(row._asdict()) for row in await self.fetch_rows(asked)]

    async def list_unfinished_tournaments_of_user(self, person: str, limit: int = 50) -> list[TournamentHead]:
        """Those that somebody is in or has opened and that are not over, listed or not."""
        t, p = schema.tournaments.c, schema.tournament_players.c
        mine = sa.select(p.tournament).where(p.person == person, p.inside)
        wanted = sa.and_(t.status.in_(UNFINISHED_TOURNAMENT), sa.or_(t.id.in_(mine), t.opener == person))
        rows = await self.fetch_rows(sa.select(schema.tournaments).where(wanted).order_by(t.starts).limit(limit))
        return [tournament_head_from_row(row._asdict()) for row in rows]

    async def count_unfinished_tournaments_opened_by(self, people: Collection[str]) -> int:
        """How many tournaments that are not over these have opened."""
        t = schema.tournaments.c
        mine = sa.select(sa.func.count()).where(t.opener.in_(people), t.status.in_(UNFINISHED_TOURNAMENT))
        [(count,)] = await self.fetch_rows(mine)
        return int(count)

    async def list_joined_tournament_ids(self, person: str) -> set[str]:
        """The tournaments that somebody is in."""
        p = schema.tournament_players.c
        return {row[0] for row in await self.fetch_rows(sa.select(p.tournament).where(p.person == person, p.inside))}


def tournament_head_from_row(fields: dict[str, Any]) -> TournamentHead:
    return TournamentHead(**{**fields, "info": decode(fields["info"])})
