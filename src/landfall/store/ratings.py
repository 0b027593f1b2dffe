"""Ratings: a projection of the tables' logs. A match's event in its log and what it changes are one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.event_codec import encode_event
from landfall.store.events import Rated, Uncounted
from landfall.store.row_types import LeaderboardCriteria, PairResult, RatingChangeRow, RatingFacts, RatingRow

TOGETHER_MS: Final = 86_400_000  # in which the matches of the same people are counted
EARLY_MS: Final = 30 * 86_400_000  # in which the matches that somebody gave up early are counted
VOIDED: Final = "voided"  # why a match counts no longer: the host says so
RATED_COUNT: Final = "rated matches"  # the setting with the number of the last one
Pool = tuple[str, int]  # a game and a class of table sizes
Decide = Callable[[int, RatingFacts], Rated | Uncounted]  # from the match's number, if it counts, and the facts


class RatingRepository(Repository):
    """Ratings, and what each match changed of them."""

    # --- writing ----------------------------------------------------------------------------------------------

    async def rate_and_append(
        self, table: str, seq: int, at: int, pool: Pool, people: list[str | None], decide: Decide
    ) -> bool:
        """Append the event that rates a match or says why it does not count, and write the ratings it leads to,
        atomically; one match at a time.

        False: the event's number is taken, or there is nothing it could follow. Users deleted meanwhile stay deleted.
        """
        e = schema.entries
        try:
            async with self.engine.begin() as connection:
                await self.database.lock_ratings_and_deletions(connection)
                last = sa.select(sa.func.max(e.c.seq)).where(e.c.table_id == table)
                if (await connection.execute(last)).scalar() != seq - 1:
                    return False
                n = await self.read_last_rated_match_number(connection) + 1
                event = decide(n, await self.read_facts(connection, table, at, pool, people))
                values = {"table_id": table, "seq": seq, "at": at, "kind": event.kind, "data": encode_event(event)}
                await connection.execute(e.insert().values(values))
                t = schema.tables  # nothing is due any more; no name is written, its owner may be deleted by now
                await connection.execute(t.update().where(t.c.id == table).values(updated=at, deadline=None))
                await connection.execute(schema.player_marks.delete().where(schema.player_marks.c.table_id == table))
                if isinstance(event, Rated):
                    await self.write_last_rated_match_number(connection, n)
                    await self.write_ratings_and_changes(connection, pool, at, table, people, event)
                await self.database.notify_at_commit(connection, f"entry {table} {seq}")
        except IntegrityError:  # another process wrote to this log meanwhile
            return False
        return True

    async def read_ratings_of_existing_users(
        self, connection: AsyncConnection, pool: Pool, people: list[str]
    ) -> dict[str, RatingRow | None]:
        """The ratings of those who still exist; None: not rated yet."""
        p, r = schema.people.c, schema.ratings.c
        there = await connection.execute(sa.select(p.id).where(p.id.in_(people)))
        found: dict[str, RatingRow | None] = {row[0]: None for row in there}
        mine = sa.and_(r.person.in_(found), r.game == pool[0], r.size == pool[1])
        for row in await connection.execute(sa.select(*RATING_COLUMNS).where(mine)):
            found[row.person] = RatingRow(*row)
        return found

    async def read_rating_facts(self, table: str, at: int, pool: Pool, people: list[str | None]) -> RatingFacts:
        """What decides whether a match counts, as far as is known now."""
        async with self.engine.connect() as connection:
            return await self.read_facts(connection, table, at, pool, people)

    async def read_facts(
        self, connection: AsyncConnection, table: str, at: int, pool: Pool, people: list[str | None]
    ) -> RatingFacts:
        c, m, there = schema.rating_changes.c, schema.player_marks.c, [one for one in people if one is not None]
        known = await self.read_ratings_of_existing_users(connection, pool, there)
        theirs = sa.and_(c.person.in_(there), c.players == len(people), c.at > at - TOGETHER_MS, c.table_id != table)
        tables = sa.select(c.table_id).where(theirs).group_by(c.table_id).having(sa.func.count() == len(people))
        shared = sa.select(m.mark).where(m.table_id == table, m.person.in_(there))
        shared = shared.group_by(m.mark).having(sa.func.count() > 1)
        early = sa.select(c.person, sa.func.count()).where(c.person.in_(there), c.early, c.at > at - EARLY_MS)
        return RatingFacts(
            [known.get(person or "") for person in people],
            len((await connection.execute(tables)).fetchall()),
            (await connection.execute(shared.limit(1))).first() is not None,
            {row[0]: int(row[1]) for row in await connection.execute(early.group_by(c.person))},
        )

    async def add_player_marks(self, table: str, person: str, marks: Collection[str]) -> None:
        """Keep, until the match is rated, what tells that two accounts play from one place."""
        m = schema.player_marks
        async with self.engine.begin() as connection:
            for mark in marks:
                row = {"table_id": table, "mark": mark, "person": person}
                is_known = sa.select(m.c.mark).where(*(m.c[name] == value for name, value in row.items())).exists()
                values = sa.select(*(sa.literal(value) for value in row.values())).where(~is_known)
                await connection.execute(m.insert().from_select(list(row), values))

    async def void_match(self, table: str, at: int) -> bool:
        """Take a match's rating back; ratings have to be computed again. False: it has none."""
        e, t = schema.entries, schema.tables
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            counted = sa.select(sa.func.max(e.c.seq)).where(e.c.table_id == table, e.c.kind == Rated.kind)
            if (await connection.execute(counted)).scalar() is None:
                return False
            last = sa.select(sa.func.max(e.c.seq), sa.func.max(e.c.at)).where(e.c.table_id == table)
            seq, latest = (await connection.execute(last)).one()
            event = Uncounted(VOIDED)
            values = {"table_id": table, "seq": seq + 1, "at": max(at, latest), "kind": event.kind}
            await connection.execute(e.insert().values(values | {"data": encode_event(event)}))
            await connection.execute(t.update().where(t.c.id == table).values(deadline=None))
            await self.database.notify_at_commit(connection, f"entry {table} {seq + 1}")
        return True

    async def read_last_rated_match_number(self, connection: AsyncConnection) -> int:
        s = schema.settings.c
        return int((await connection.execute(sa.select(s.value).where(s.key == RATED_COUNT))).scalar() or 0)

    async def write_last_rated_match_number(self, connection: AsyncConnection, n: int) -> None:
        """It is never used again, whoever is deleted."""
        s = schema.settings
        changed = await connection.execute(s.update().where(s.c.key == RATED_COUNT).values(value=str(n)))
        if not changed.rowcount:
            await connection.execute(s.insert().values(key=RATED_COUNT, value=str(n)))

    async def write_ratings_and_changes(
        self, connection: AsyncConnection, pool: Pool, at: int, table: str, people: list[str | None],
        event: Rated,
    ) -> None:  # fmt: skip
        ratings, changes, p = [], [], schema.people.c
        asked = sa.select(p.id).where(p.id.in_([person for person in people if person is not None]))
        known = {row[0] for row in await connection.execute(asked)}
        for seat, person in enumerate(people):
            if person is None or person not in known:  # deleted
                continue
            (mu, sigma), before = event.after[seat], event.before[seat]
            ratings.append(RatingRow(person, *pool, mu, sigma, event.played[seat] + 1, at))
            changes.append(
                RatingChangeRow(
                    person,
                    event.n,
                    table,
                    *pool,
                    at,
                    len(people),
                    event.places[seat],
                    before[0],
                    before[1],
                    mu,
                    sigma,
                    seat in (event.early or ()),
                )
            )
        r = schema.ratings.c
        mine = sa.and_(r.person.in_([row.person for row in ratings]), r.game == pool[0], r.size == pool[1])
        await connection.execute(schema.ratings.delete().where(mine))
        await insert_rating_rows(connection, ratings, changes)

    async def list_rated_table_ids(self) -> list[str]:
        """The tables whose match was rated."""
        e = schema.entries.c
        return [row[0] for row in await self.fetch_rows(sa.select(e.table_id).where(e.kind == Rated.kind))]

    async def get_last_rated_match_number(self) -> int:
        """The number of the last rated match."""
        s = schema.settings.c
        found = await self.fetch_rows(sa.select(s.value).where(s.key == RATED_COUNT))
        return int(found[0][0]) if found else 0

    async def replace_or_compare_ratings(
        self, last: int, ratings: list[RatingRow], changes: list[RatingChangeRow], write: bool = True
    ) -> int | None:
        """Replace all ratings by those computed up to match `last`; None: another match was rated since.

        What came from matches that were deleted stays, and users deleted meanwhile stay deleted. Returns how many
        ratings were others before; without `write` nothing is changed.
        """
        r, c, s, t = schema.ratings, schema.rating_changes, schema.settings.c, schema.tables.c
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            now = (await connection.execute(sa.select(s.value).where(s.key == RATED_COUNT))).scalar()
            if int(now or 0) != last:
                return None
            there = {row[0] for row in await connection.execute(sa.select(schema.people.c.id))}
            stored = {RatingRow(*row) for row in await connection.execute(sa.select(*RATING_COLUMNS))}
            deleted = c.c.table_id.not_in(sa.select(t.id))
            left = await connection.execute(sa.select(c.c.person, c.c.game, c.c.size).where(deleted).distinct())
            kept = {(row.person, row.game, row.size) for row in left}
            new = [row for row in ratings if row.person in there]
            pools = {(row.person, row.game, row.size) for row in new}
            new += [row for row in stored if (row.person, row.game, row.size) in kept - pools]
            if write:
                await connection.execute(c.delete().where(~deleted))
                await connection.execute(r.delete())
                await insert_rating_rows(connection, new, [row for row in changes if row.person in there])
            return len({(row.person, row.game, row.size) for row in stored ^ set(new)})

    # --- reading ----------------------------------------------------------------------------------------------

    async def list_ratings_of_user(self, person: str) -> list[RatingRow]:
        """A user's ratings, by game and size."""
        r = schema.ratings.c
        asked = sa.select(*RATING_COLUMNS).where(r.person == person).order_by(r.game, r.size)
        return [RatingRow(*row) for row in await self.fetch_rows(asked)]

    async def get_rating_in_pool(self, person: str, pool: Pool) -> RatingRow | None:
        """A user's rating in one game and size."""
        r = schema.ratings.c
        mine = sa.and_(r.person == person, r.game == pool[0], r.size == pool[1])
        rows = await self.fetch_rows(sa.select(*RATING_COLUMNS).where(mine))
        return RatingRow(*rows[0]) if rows else None

    async def get_rating_lower_bounds_by_user(self, pool: Pool, people: Collection[str]) -> dict[str, float]:
        """The low ends of these users' ratings in one game and size. Users without one are missing."""
        r = schema.ratings.c
        asked = sa.select(r.person, r.low).where(r.person.in_(people), r.game == pool[0], r.size == pool[1])
        return {row[0]: float(row[1]) for row in await self.fetch_rows(asked)}

    async def list_rating_changes_at_tables(self, tables: Collection[str]) -> list[RatingChangeRow]:
        """What the matches of these tables did to all their players' ratings."""
        c = schema.rating_changes
        return [RatingChangeRow(*row) for row in await self.fetch_rows(sa.select(c).where(c.c.table_id.in_(tables)))]

    async def get_rating_means_before(self, pool: Pool, people: Collection[str], since: int) -> dict[str, float]:
        """By user: the mean before the first match since then. Users without one are missing."""
        c = schema.rating_changes.c
        recent = sa.and_(c.person.in_(people), c.game == pool[0], c.size == pool[1], c.at >= since)
        first = sa.select(c.person, sa.func.min(c.n).label("n")).where(recent).group_by(c.person).subquery()
        both = sa.and_(c.person == first.c.person, c.n == first.c.n)
        asked = sa.select(c.person, c.mu_before).join(first, both)
        return {row[0]: float(row[1]) for row in await self.fetch_rows(asked)}

    async def list_rating_changes_of_user(
        self, person: str, limit: int, before: int | None = None, pool: Pool | None = None
    ) -> list[RatingChangeRow]:
        """What matches did to a user's ratings, latest first, before the one with number `before`."""
        c = schema.rating_changes.c
        asked = sa.select(schema.rating_changes).where(c.person == person)
        if before is not None:
            asked = asked.where(c.n < before)
        if pool is not None:
            asked = asked.where(c.game == pool[0], c.size == pool[1])
        return [RatingChangeRow(*row) for row in await self.fetch_rows(asked.order_by(c.n.desc()).limit(limit))]

    async def count_matches_by_place(self, person: str, pool: Pool) -> list[tuple[int, int, int]]:
        """How often a user came in at each place: (players, place, matches)."""
        c = schema.rating_changes.c
        asked = sa.select(c.players, c.place, sa.func.count()).where(
            c.person == person, c.game == pool[0], c.size == pool[1]
        )
        rows = await self.fetch_rows(asked.group_by(c.players, c.place).order_by(c.players, c.place))
        return [(row[0], row[1], row[2]) for row in rows]

    async def list_most_met_opponents(self, person: str, pool: Pool, limit: int) -> list[tuple[str, int, int, int]]:
        """Whom a user met most: (name, matches, came in ahead, behind)."""
        mine, other, p = schema.rating_changes.alias(), schema.rating_changes.alias(), schema.people.c
        met = sa.func.count()
        ahead = sa.func.sum(sa.case((mine.c.place < other.c.place, 1), else_=0))
        behind = sa.func.sum(sa.case((mine.c.place > other.c.place, 1), else_=0))
        asked = (
            sa.select(p.name, met, ahead, behind)
            .select_from(mine)
            .join(other, sa.and_(other.c.table_id == mine.c.table_id, other.c.person != mine.c.person))
            .join(schema.people, p.id == other.c.person)
            .where(mine.c.person == person, mine.c.game == pool[0], mine.c.size == pool[1])
            .group_by(p.id, p.name)
            .order_by(met.desc(), p.id)
            .limit(limit)
        )
        return [(row[0], row[1], int(row[2]), int(row[3])) for row in await self.fetch_rows(asked)]

    async def list_pair_results(self, since: int, fewest: int) -> list[PairResult]:
        """Pairs that met at least so often since then, by what the one gained from the other."""
        mine, other, p = schema.rating_changes.alias(), schema.rating_changes.alias(), schema.people
        winner, loser = p.alias(), p.alias()
        ahead = mine.c.place < other.c.place
        met = sa.func.count()
        won = sa.func.sum(sa.case((ahead, 1), else_=0))
        pair = (mine.c.person, other.c.person, mine.c.game, mine.c.size)
        asked = (
            sa.select(
                *pair, winner.c.name, loser.c.name, met, won,
                sa.func.sum(sa.case((sa.and_(ahead, other.c.early), 1), else_=0)),
                sa.func.sum(sa.case((ahead, mine.c.mu - mine.c.mu_before), else_=0.0)).label("gained"),
                sa.func.min(mine.c.at), sa.func.max(mine.c.at),
            )
            .join(other, sa.and_(other.c.n == mine.c.n, other.c.person != mine.c.person))
            .join(winner, winner.c.id == mine.c.person)
            .join(loser, loser.c.id == other.c.person)
            .where(mine.c.at > since)
            .group_by(*pair, winner.c.name, loser.c.name)
            .having(met >= fewest, won * 2 > met)
            .order_by(sa.desc("gained"))
        )  # fmt: skip
        found = []
        for who, whom, game, size, name, other_name, *counts, gained, first, last in await self.fetch_rows(asked):
            c = schema.rating_changes.c
            own = sa.select(sa.func.count()).where(c.person == who, c.game == game, c.size == size, c.at > since)
            both = sa.select(mine.c.table_id).join(other, sa.and_(other.c.n == mine.c.n, other.c.person == whom))
            both = both.where(mine.c.person == who, mine.c.at > since, ahead, mine.c.game == game, mine.c.size == size)
            tables = [row[0] for row in await self.fetch_rows(both.order_by(mine.c.n))]
            total = int((await self.fetch_rows(own))[0][0])
            matches, wins, early = (int(count) for count in counts)
            found.append(
                PairResult(
                    name, other_name, game, size, matches, wins, early, float(gained), total, first, last, tables
                )
            )
        return found

    async def list_leaders(
        self, pool: Pool, listed: LeaderboardCriteria, limit: int, after: tuple[float, str] | None = None
    ) -> list[tuple[str, RatingRow]]:
        """Those listed, by the low end of their range: names and ratings.

        `after`: the low end and the id of the last one known.
        """
        r, p = schema.ratings.c, schema.people.c
        asked = (
            sa.select(p.name, *RATING_COLUMNS)
            .join(schema.people, p.id == r.person)
            .where(leaderboard_condition(pool, listed))
        )
        if after is not None:
            asked = asked.where(sa.or_(r.low < after[0], sa.and_(r.low == after[0], r.person < after[1])))
        rows = await self.fetch_rows(asked.order_by(r.low.desc(), r.person.desc()).limit(limit))
        return [(row[0], RatingRow(*row[1:])) for row in rows]

    async def list_played_pools(self, since: int) -> list[tuple[str, int]]:
        """Games and table sizes in which people were rated since then, the most played first."""
        r = schema.ratings.c
        total = sa.func.sum(r.played)
        asked = sa.select(r.game, r.size).where(r.at >= since).group_by(r.game, r.size)
        return [(row[0], row[1]) for row in await self.fetch_rows(asked.order_by(total.desc(), r.game, r.size))]

    async def find_next_leader_above(
        self, pool: Pool, listed: LeaderboardCriteria, key: tuple[float, str]
    ) -> list[tuple[str, RatingRow]]:
        """The one listed next above somebody, if there is one."""
        r, p = schema.ratings.c, schema.people.c
        asked = (
            sa.select(p.name, *RATING_COLUMNS)
            .join(schema.people, p.id == r.person)
            .where(leaderboard_condition(pool, listed))
        )
        asked = asked.where(sa.or_(r.low > key[0], sa.and_(r.low == key[0], r.person > key[1])))
        rows = await self.fetch_rows(asked.order_by(r.low, r.person).limit(1))
        return [(row[0], RatingRow(*row[1:])) for row in rows]

    async def count_leaders(
        self, pool: Pool, listed: LeaderboardCriteria, above: tuple[float, str] | None = None
    ) -> int:
        """How many are listed; or how many of them before one, given by the low end and the id."""
        r = schema.ratings.c
        asked = sa.select(sa.func.count()).where(leaderboard_condition(pool, listed))
        if above is not None:
            asked = asked.where(sa.or_(r.low > above[0], sa.and_(r.low == above[0], r.person > above[1])))
        return int((await self.fetch_rows(asked))[0][0])


RATING_COLUMNS: Final = [schema.ratings.c[name] for name in ("person", "game", "size", "mu", "sigma", "played", "at")]


def leaderboard_condition(pool: Pool, listed: LeaderboardCriteria) -> sa.ColumnElement[bool]:
    """Of a row of ratings: whether it is on a leaderboard."""
    r, p = schema.ratings.c, schema.people.alias()
    bots = sa.select(p.c.id).where(p.c.author > "")  # all that have one, by its index; read once, not for each row
    kind = r.person.in_(bots) if listed.bots else r.person.not_in(bots)
    few = r.played < listed.below if listed.below is not None else sa.true()
    return sa.and_(r.game == pool[0], r.size == pool[1], r.played >= listed.played, few, r.at >= listed.since, kind)


async def insert_rating_rows(
    connection: AsyncConnection, ratings: list[RatingRow], changes: list[RatingChangeRow]
) -> None:
    """Insert ratings and changes."""
    if ratings:
        rows = [{**vars(row), "low": row.rating_lower_bound} for row in ratings]
        await connection.execute(schema.ratings.insert(), rows)
    if changes:
        named = [{**vars(row), "table_id": row.table} for row in changes]
        await connection.execute(
            schema.rating_changes.insert(), [{k: v for k, v in row.items() if k != "table"} for row in named]
        )
