"""Makes a deleted user anonymous in logs and lists, in the deletion's transaction."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.event_codec import decode, encode
from landfall.store.row_types import anonymous_user_id

LOG_OF_SEARCHES: Final = "searches"  # in place of a table's id, where one is asked for


async def anonymise_tables_of_user(connection: AsyncConnection, person: str) -> list[str]:
    """Remove a user from the logs and lists of all their tables. Returns those that are not over."""
    t, m = schema.tables, schema.members.c
    sat = sa.select(m.table_id).where(m.person == person)
    wanted = sa.select(t.c.id, t.c.status, t.c.info).where(sa.or_(t.c.id.in_(sat), t.c.owner == person))
    called = (await connection.execute(sa.select(schema.people.c.name).where(schema.people.c.id == person))).scalar()
    running = []
    for table, status, info in (await connection.execute(wanted)).fetchall():
        await anonymise_table_log(connection, table, person, called or "")
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


async def anonymise_table_log(connection: AsyncConnection, table: str, person: str, called: str) -> None:
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


async def anonymise_matchmaking_log(connection: AsyncConnection, person: str) -> None:
    """Nobody looks for a table under the name of a deleted user any more."""
    s = schema.searches
    wanted = sa.select(s.c.seq, s.c.data).where(s.c.data.contains(encode(person).decode()))
    for seq, text in (await connection.execute(wanted)).fetchall():
        changed = anonymise_event(decode(text), person, LOG_OF_SEARCHES, "")
        await connection.execute(s.update().where(s.c.seq == seq).values(data=changed))


async def anonymise_tournament_logs(connection: AsyncConnection, person: str) -> None:
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
