"""The store: a log for each table, and users. Subclasses implement appends and notifications."""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from landfall.store import schema
from landfall.store.accounts import AccountStore
from landfall.store.database_errors import DATABASE_ERRORS
from landfall.store.event_codec import decode, decode_event, encode
from landfall.store.events import Created, Started
from landfall.store.migrate import upgrade_schema
from landfall.store.moderation import ModerationStore
from landfall.store.portraits import PortraitStore
from landfall.store.relations_and_presences import SocialStore
from landfall.store.row_types import OPEN_LEASE_MS, ChatLine, LogEntry, MissingLog, TableSummary
from landfall.store.tournaments import TournamentStore, select_players_of_unfinished_tournaments
from landfall.store.users import PERSONAL, split_in_batches

# (kind, words): "entry" "<table> <seq>", "chat" "<table>", "people" when users were signed out or deleted, "searches"
# "<seq>", "lobby" "<person, or nobody>", or a name of the caller's; "missed": notifications may have been lost
OnNotification = Callable[[str, str], None]
CHILDREN: Final = (
    schema.entries, schema.chat, schema.members, schema.reviews, schema.open_tables, schema.invitations,
)  # fmt: skip
# unreachable when their table is gone
ORPHANABLE: Final = (schema.chat, schema.members, schema.reviews, schema.invitations)
TABLES_TO_A_TRANSACTION: Final = 50  # that retention deletes at once: a running server waits no longer than for these


def summary_from_row(fields: dict[str, Any]) -> TableSummary | None:
    """A head from its row; None if it cannot be decoded, so that one does not hide all others."""
    try:
        return TableSummary(table=fields.pop("id"), info=decode(fields.pop("info")), **fields)
    except (msgspec.DecodeError, UnicodeError):
        return None


PROBE: Final = "probe "  # plus a process id: the row of a write probe
PROBE_KEPT_MS: Final = 86_400_000  # that such a row may stay without being written


class Store(TournamentStore, SocialStore, AccountStore, PortraitStore, ModerationStore):
    """Everything but appends uses SQLAlchemy."""

    is_shared = False  # whether several processes may use the database concurrently
    errors = DATABASE_ERRORS  # what its operations raise when the database fails
    scrubbed = True  # whether no deleted data waits to be scrubbed

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.migrated_from: str | None = None  # the revision of a database of an earlier release
        self.probe_key = PROBE + secrets.token_hex(8)
        self.has_probed = False

    async def open_and_migrate(self) -> None:
        """Migrate the database to this release's schema, and start writing."""
        async with self.engine.begin() as connection:
            self.migrated_from = await connection.run_sync(upgrade_schema)

    async def close(self) -> None:
        """Write the rest, and close."""
        await self.engine.dispose()

    # --- the logs ---------------------------------------------------------------------------------------------

    def append_entries(self, entries: list[LogEntry], summary: TableSummary | None = None) -> Awaitable[bool]:
        """Append consecutive events to one table's log, with the changed head, atomically.

        They are on disk when this returns. False: their numbers are taken. MissingLog: the event before them is
        missing. They are written even if the caller is cancelled.
        """
        raise NotImplementedError

    async def read_log_entries(self, table: str, after: int = 0) -> list[LogEntry]:
        """A table's log from a number on."""
        e = schema.entries.c
        asked = sa.select(e.seq, e.at, e.kind, e.data).where(e.table_id == table, e.seq > after).order_by(e.seq)
        return [
            LogEntry(table, seq, at, decode_event(kind, data)) for seq, at, kind, data in await self.fetch_rows(asked)
        ]

    async def get_table_summary(self, table: str) -> TableSummary | None:
        """One table's entry in lists."""
        found = await self.query_table_summaries(schema.tables.c.id == table, 1)
        return found[0] if found else None

    async def get_table_summaries(self, tables: Collection[str]) -> dict[str, TableSummary]:
        """The entries in lists of these tables, as far as they exist."""
        found = await self.query_table_summaries(schema.tables.c.id.in_(tables), len(tables))
        return {summary.table: summary for summary in found}

    async def list_unfinished_public_tables(self, limit: int = 50) -> list[TableSummary]:
        """Public tables that are not over, latest first."""
        return await self.query_table_summaries(sa.and_(schema.tables.c.public, schema.UNFINISHED), limit)

    async def list_tables_of_user(
        self, person: str, limit: int = 50, before: int | None = None, over: bool | None = None
    ) -> list[TableSummary]:
        """A user's tables, latest first; all, or those that are over or not."""
        m, t = schema.members.c, schema.tables.c
        wanted: sa.ColumnElement[bool] = t.id.in_(sa.select(m.table_id).where(m.person == person))
        if before is not None:
            wanted = sa.and_(wanted, t.updated < before)
        if over is not None:
            wanted = sa.and_(wanted, (t.status == "over") == over)
        return await self.query_table_summaries(wanted, limit)

    async def list_unfinished_tables_created_by(
        self, owners: Collection[str], since: int, limit: int = 1000
    ) -> list[TableSummary]:
        """The tables created by these users that are not over, changed since then."""
        t = schema.tables.c
        return await self.query_table_summaries(
            sa.and_(t.updated > since, schema.UNFINISHED, t.owner.in_(owners)), limit
        )

    async def list_latest_unfinished_tables(self, limit: int) -> list[TableSummary]:
        """Tables that are not over, public or not, the latest first: for the host."""
        return await self.query_table_summaries(schema.UNFINISHED, limit)

    async def read_first_events_of_running_matches(self, game: str) -> list[list[LogEntry]]:
        """For each running table of a game: the events of its creation and its start, with the first lines."""
        e, t = schema.entries.c, schema.tables.c
        running = sa.select(t.id).where(t.game == game, schema.UNFINISHED, t.status == "playing")
        asked = sa.select(e.table_id, e.seq, e.at, e.kind, e.data).where(
            e.table_id.in_(running), e.kind.in_((Created.kind, Started.kind))
        )
        found: dict[str, list[LogEntry]] = {}
        for table, seq, at, kind, data in await self.fetch_rows(asked.order_by(e.table_id, e.seq)):
            found.setdefault(table, []).append(LogEntry(table, seq, at, decode_event(kind, data)))
        return list(found.values())

    async def list_table_ids_past_deadline(self, now: int) -> list[str]:
        """Tables whose correspondence clock has run out."""
        t = schema.tables.c
        return [row[0] for row in await self.fetch_rows(sa.select(t.id).where(t.deadline <= now))]

    async def query_table_summaries(self, wanted: sa.ColumnElement[bool], limit: int) -> list[TableSummary]:
        asked = sa.select(schema.tables).where(wanted).order_by(schema.tables.c.updated.desc()).limit(limit)
        found = [summary_from_row(row._asdict()) for row in await self.fetch_rows(asked)]
        return [summary for summary in found if summary is not None]

    async def list_all_table_ids(self) -> list[str]:
        """All tables, listed or not."""
        e, t = schema.entries.c, schema.tables.c
        logs = {row[0] for row in await self.fetch_rows(sa.select(e.table_id).distinct())}
        return sorted(logs | {row[0] for row in await self.fetch_rows(sa.select(t.id))})

    async def is_only_server_on_database(self) -> bool:
        """Whether no other server has this database open."""
        return True

    async def truncate_table_log(self, table: str, last: int, summary: TableSummary | None) -> None:
        """Truncate a log to one of its events and restore the table's entry; without a head the table is deleted."""
        e, t = schema.entries, schema.tables
        async with self.engine.begin() as connection:
            await connection.execute(e.delete().where(e.c.table_id == table, e.c.seq > last))
            await connection.execute(t.delete().where(t.c.id == table))
            await connection.execute(schema.reviews.delete().where(schema.reviews.c.table_id == table))
            if summary is None:
                for child in (schema.chat, schema.members, schema.open_tables):
                    await connection.execute(child.delete().where(child.c.table_id == table))
            else:
                values = {k: v for k, v in vars(summary).items() if k not in ("table", "people", "notices")}
                info = encode(summary.info).decode()
                await connection.execute(t.insert().values({**values, "id": table, "info": info}))

    # --- chat -------------------------------------------------------------------------------------------------

    async def append_chat_line(self, line: ChatLine) -> ChatLine:
        """Append a chat line under the next number, whatever its own; MissingLog: the table was deleted."""
        c, t = schema.chat.c, schema.tables.c
        for _ in range(50):
            last = await self.fetch_rows(sa.select(sa.func.max(c.n)).where(c.table_id == line.table))
            n = (last[0][0] or 0) + 1
            values = {
                "table_id": line.table,
                "n": n,
                "at": line.at,
                "person": line.person,
                "name": line.name,
                "seat": line.seat,
                "text": line.text,
            }
            row = sa.select(*(sa.literal(value, c[name].type) for name, value in values.items())).where(
                sa.exists().where(t.id == line.table)
            )
            try:
                written = await self.commit_change(schema.chat.insert().from_select(list(values), row))
            except IntegrityError:  # another process was first
                continue
            if not written:
                raise MissingLog(line.table)
            return ChatLine(line.table, n, line.at, line.person, line.name, line.seat, line.text)
        raise TimeoutError("the chat is too busy")

    async def read_chat_lines(self, table: str, after: int = 0, limit: int = 200) -> list[ChatLine]:
        """The last chat lines of a table from a number on. A line of a deleted user is empty."""
        c = schema.chat.c
        wanted = sa.select(schema.chat).where(c.table_id == table, c.n > after, c.text != "")
        wanted = wanted.order_by(c.n.desc()).limit(limit)
        return [ChatLine(*row) for row in reversed(await self.fetch_rows(wanted))]

    # --- reviews ----------------------------------------------------------------------------------------------

    async def get_stored_review(self, table: str, version: int) -> bytes | None:
        """The stored review of a table's match, if it has this version."""
        k = schema.reviews.c
        found = await self.fetch_rows(sa.select(k.body).where(k.table_id == table, k.version == version))
        return bytes(found[0][0]) if found else None

    async def save_review(self, table: str, version: int, at: int, body: bytes) -> None:
        """Store it, replacing other versions; not if the table is gone meanwhile."""
        k, t = schema.reviews, schema.tables.c
        async with self.engine.begin() as connection:
            if (await connection.execute(sa.select(t.id).where(t.id == table))).first() is None:
                return
            await connection.execute(k.delete().where(k.c.table_id == table))
            await connection.execute(k.insert().values(table_id=table, version=version, at=at, body=body))

    # --- puzzles ----------------------------------------------------------------------------------------------

    async def get_puzzle_stats(self, id_: str) -> tuple[int, int, float, float] | None:
        """A puzzle's first tries, solutions and rating; None without tries."""
        p = schema.puzzles.c
        found = await self.fetch_rows(sa.select(p.tries, p.found, p.mu, p.sigma).where(p.id == id_))
        return (int(found[0][0]), int(found[0][1]), float(found[0][2]), float(found[0][3])) if found else None

    async def record_first_puzzle_attempt(self, id_: str, found: bool, rating: tuple[float, float]) -> None:
        """Count one more first try, with its new rating; of two concurrent ones the later rating stays."""
        p = schema.puzzles
        more = {"tries": p.c.tries + 1, "found": p.c.found + int(found), "mu": rating[0], "sigma": rating[1]}
        first = {"id": id_, "tries": 1, "found": int(found), "mu": rating[0], "sigma": rating[1]}
        for _ in range(2):
            async with self.engine.begin() as connection:
                if (await connection.execute(p.update().where(p.c.id == id_).values(more))).rowcount:
                    return
            with suppress(IntegrityError):  # another process was first
                await self.commit_change(p.insert().values(first))
                return

    # --- secrets and probes -----------------------------------------------------------------------------------

    async def get_or_create_secret(self, key: str) -> str:
        """A random secret, generated once and stored."""
        s = schema.settings.c
        for _ in range(2):
            found = await self.fetch_rows(sa.select(s.value).where(s.key == key))
            if found:
                return str(found[0][0])
            try:
                await self.commit_change(schema.settings.insert().values(key=key, value=secrets.token_hex(32)))
            except IntegrityError:
                continue
        return await self.get_or_create_secret(key)

    async def write_probe_row(self) -> None:
        """Write something as large as an event may be: it fails if events would.

        Each process has its own row, so that none waits for another, or takes that for a database error.
        """
        s, now = schema.settings, time.time_ns() // 1_000_000
        value = f"{now:015} {secrets.token_hex(4096)}"
        async with self.engine.begin() as connection:
            if not self.has_probed:  # rows of killed processes, and of older releases
                is_old = sa.and_(s.c.key.startswith(PROBE), s.c.value < f"{now - PROBE_KEPT_MS:015}")
                await connection.execute(s.delete().where(sa.or_(is_old, s.c.key == PROBE.strip())))
            changed = await connection.execute(s.update().where(s.c.key == self.probe_key).values(value=value))
            if not changed.rowcount:
                await connection.execute(s.insert().values(key=self.probe_key, value=value))
        self.has_probed = True

    async def database_size_bytes(self) -> int | None:
        """The size of the database; None if it is not known."""
        return None

    # --- retention --------------------------------------------------------------------------------------------

    async def delete_expired_tables_and_guests(self, tables: int | None, guests: int | None) -> dict[str, int]:
        """Delete tables whose last event, and guests whose last visit, is older. Returns how many of each.

        Guests who are in a tournament that is not over stay: its log names them.
        """
        p = schema.people.c
        done = {"tables": 0, "guests": 0}
        if tables is not None:
            done["tables"] = await self.delete_tables_older_than(tables)
        if guests is not None:
            async with self.engine.begin() as connection:
                await self.lock_ratings_and_deletions(connection)  # nobody joins a tournament meanwhile
                idle = sa.and_(
                    p.account.is_(None), p.seen < guests, p.id.not_in(select_players_of_unfinished_tournaments())
                )
                gone = await connection.execute(schema.people.delete().where(idle))
                done["guests"] = gone.rowcount
                for left in PERSONAL:
                    await connection.execute(left.delete().where(left.c.person.not_in(sa.select(p.id))))
        await self.scrub_deleted_data()
        return done

    async def vacuum_database(self) -> bool:
        """Rewrite the files without deleted data. Returns whether it succeeded."""
        return True

    async def delete_tables_older_than(self, before: int) -> int:
        """Delete tables whose last event is older, except open ones. Returns how many."""
        old = self.older_and_open_nowhere_condition(before)
        found = [row[0] for row in await self.fetch_rows(sa.select(schema.tables.c.id).where(old))]
        deleted = 0
        for some in split_in_batches(found, TABLES_TO_A_TRANSACTION):
            async with self.engine.begin() as connection:
                await self.lock_table_logs_and_rows(connection)
                again = sa.select(schema.tables.c.id).where(schema.tables.c.id.in_(some), old)
                still_old = [row[0] for row in await connection.execute(again)]
                await connection.execute(schema.tables.delete().where(schema.tables.c.id.in_(still_old)))
                for child in CHILDREN:
                    await connection.execute(child.delete().where(child.c.table_id.in_(still_old)))
                deleted += len(still_old)
        async with self.engine.begin() as connection:
            for child in ORPHANABLE:
                orphan = child.c.table_id.not_in(sa.select(schema.tables.c.id))
                await connection.execute(child.delete().where(orphan))
        return deleted

    def older_and_open_nowhere_condition(self, before: int) -> sa.ColumnElement[bool]:
        """The tables whose last event is older, and that are open nowhere. A choice does not change `updated`."""
        e, o, t = schema.entries.alias(), schema.open_tables.c, schema.tables.c
        last = sa.select(e.c.at).where(e.c.table_id == t.id).order_by(e.c.seq.desc()).limit(1).scalar_subquery()
        is_open = sa.exists().where(o.table_id == t.id, o.until > time.time_ns() // 1_000_000)
        return sa.and_(sa.func.coalesce(last, t.updated) < before, ~is_open)

    async def count_orphan_rows(self) -> dict[str, int]:
        """Rows of missing tables, by kind; without zeros."""
        found: dict[str, int] = {}
        for child in ORPHANABLE:
            orphan = child.c.table_id.not_in(sa.select(schema.tables.c.id))
            [(count,)] = await self.fetch_rows(sa.select(sa.func.count()).select_from(child).where(orphan))
            if count:
                found[child.name] = count
        return found

    # --- open tables ------------------------------------------------------------------------------------------

    async def renew_open_tables(
        self, process: str, opened: Collection[str], closed: Collection[str], until: int
    ) -> None:
        """Record that a process has tables open until then: these and earlier ones, except those it closed."""
        o = schema.open_tables
        async with self.engine.begin() as connection:
            for some in split_in_batches([*opened, *closed]):
                await connection.execute(o.delete().where(o.c.process == process, o.c.table_id.in_(some)))
            await connection.execute(o.delete().where(o.c.until < until - 2 * OPEN_LEASE_MS))
            await connection.execute(o.update().where(o.c.process == process).values(until=until))
            if opened:
                rows = [{"process": process, "table_id": table, "until": until} for table in opened]
                await connection.execute(o.insert(), rows)

    async def release_open_tables(self, process: str) -> None:
        """A process ends: it has no open tables any more."""
        await self.commit_change(schema.open_tables.delete().where(schema.open_tables.c.process == process))

    # --- several processes ------------------------------------------------------------------------------------

    def listen_for_notifications(self, on_notification: OnNotification) -> None:
        """Call `on_notification` with notifications from other processes on the same database."""

    async def notify_processes(self, kind: str, words: str) -> None:
        """Notify the other processes."""

    @property
    def missed_event_poll_interval_s(self) -> float | None:
        """Seconds until the next look for notifications that were lost without a word; None: there are none."""
        return None

    async def read_last_event_and_chat_numbers(self, tables: Collection[str]) -> list[tuple[str, int, int]]:
        """The numbers of the last event and the last chat line of each of these tables."""
        t, e, c, found = schema.tables.c, schema.entries.c, schema.chat.c, []
        event = sa.select(sa.func.max(e.seq)).where(e.table_id == t.id).scalar_subquery()
        line = sa.select(sa.func.max(c.n)).where(c.table_id == t.id).scalar_subquery()
        for some in split_in_batches(tables):
            for table, seq, n in await self.fetch_rows(sa.select(t.id, event, line).where(t.id.in_(some))):
                found.append((table, seq or 0, n or 0))
        return found

    async def try_acquire_bot_lease(self, table: str) -> bool:
        """Whether this process is the one that runs a table's bots and clock."""
        return True

    async def release_bot_lease(self, table: str) -> None:
        """Let another process do so."""
