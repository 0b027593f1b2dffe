"""Hosts and what they do: restrictions of users, reports, and a log of the hosts' actions."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.row_types import ChatLine

MUTE: Final = "mute"
BAN: Final = "ban"
FOREVER: Final = 2**53 - 1
MAX_OPEN_REPORTS: Final = 20  # of one reporter
MAX_REPORTS_A_DAY: Final = 20  # of one reporter, dealt with or not
DAY_MS: Final = 86_400_000
LINES_AROUND: Final = 5  # of a reported chat line
MAX_LISTED: Final = 50


@dataclass(frozen=True)
class Restriction:
    """What somebody may not do, until then."""

    person: str
    kind: str
    at: int
    until: int
    reason: str


@dataclass(frozen=True)
class Report:
    """Somebody reported somebody; `table` and `line` name a chat line, if it was about one."""

    id: int
    at: int
    reporter: str
    person: str
    table: str
    line: int
    text: str
    done: int | None = None


@dataclass(frozen=True)
class HostAction:
    """What a host did, to whom."""

    at: int
    host: str
    kind: str
    person: str
    words: str


@dataclass(frozen=True)
class BackupRecord:
    """When the last backup was made, and when and why the one after it failed."""

    at: int | None
    failed_at: int | None = None
    failure: str = ""


class TooManyReports(Exception):
    """Somebody reports more than a host can read."""


class ModerationRepository(Repository):
    """What hosts do, and what is reported to them."""

    # --- hosts ------------------------------------------------------------------------------------------------

    async def is_server_host(self, person: str) -> bool:
        h = schema.hosts.c
        return bool(await self.fetch_rows(sa.select(h.person).where(h.person == person)))

    async def list_server_hosts(self) -> list[str]:
        return [str(row[0]) for row in await self.fetch_rows(sa.select(schema.hosts.c.person))]

    async def set_server_host_role(self, person: str, on: bool) -> None:
        """Make somebody a host, or no longer."""
        h = schema.hosts
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await connection.execute(h.delete().where(h.c.person == person))
            if on:
                await connection.execute(h.insert().values(person=person))

    async def log_host_action(self, action: HostAction) -> None:
        """Host actions stay known."""
        await self.commit_change(schema.host_actions.insert().values(vars(action)))

    async def list_host_actions(self, limit: int = MAX_LISTED) -> list[HostAction]:
        """The latest."""
        a = schema.host_actions.c
        asked = sa.select(a.at, a.host, a.kind, a.person, a.words).order_by(a.id.desc()).limit(limit)
        return [HostAction(*row) for row in await self.fetch_rows(asked)]

    # --- restrictions -----------------------------------------------------------------------------------------

    async def set_or_lift_restriction(self, restriction: Restriction) -> None:
        """Restrict a user, instead of an earlier restriction of the kind. One that has ended already lifts it."""
        r = schema.restrictions
        mine = sa.and_(r.c.person == restriction.person, r.c.kind == restriction.kind)
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)  # of two at once, one stays
            await connection.execute(r.delete().where(mine))
            if restriction.until > restriction.at:
                await connection.execute(r.insert().values(vars(restriction)))

    async def list_restrictions_of(self, people: Collection[str]) -> list[Restriction]:
        """What these users may not do now."""
        r, now = schema.restrictions.c, time.time_ns() // 1_000_000
        asked = sa.select(schema.restrictions).where(r.person.in_(people), r.until > now)
        return [Restriction(*row) for row in await self.fetch_rows(asked)]

    async def restriction_ends_by_user(self, kind: str) -> dict[str, int]:
        """By user: until when they are restricted in this way."""
        r, now = schema.restrictions.c, time.time_ns() // 1_000_000
        rows = await self.fetch_rows(sa.select(r.person, r.until).where(r.kind == kind, r.until > now))
        return {row[0]: int(row[1]) for row in rows}

    # --- reports ----------------------------------------------------------------------------------------------

    async def add_report(self, report: Report) -> bool:
        """Add a report; its id is given here. False: the reporter has one open about this person at this table.

        TooManyReports: the reporter has too many open ones, or made too many today.
        """
        r = schema.reports
        async with self.engine.begin() as connection:
            await self.database.lock_table_logs_and_rows(connection)
            recent = sa.or_(r.c.done.is_(None), r.c.at > report.at - DAY_MS)
            mine = sa.select(r.c.person, r.c.table_id, r.c.at, r.c.done).where(r.c.reporter == report.reporter, recent)
            rows = (await connection.execute(mine)).fetchall()
            known = {(row.person, row.table_id) for row in rows if row.done is None}
            if (report.person, report.table) in known:
                return False
            today = sum(row.at > report.at - DAY_MS for row in rows)
            if sum(row.done is None for row in rows) >= MAX_OPEN_REPORTS or today >= MAX_REPORTS_A_DAY:
                raise TooManyReports
            values = {
                "at": report.at, "reporter": report.reporter, "person": report.person, "table_id": report.table,
                "line": report.line, "text": report.text,
            }  # fmt: skip
            await connection.execute(r.insert().values(values))
        return True

    async def list_open_reports(self) -> list[Report]:
        """Reports that nobody dealt with, the latest first."""
        r = schema.reports.c
        asked = sa.select(schema.reports).where(r.done.is_(None)).order_by(r.id.desc()).limit(MAX_LISTED)
        return [Report(*row) for row in await self.fetch_rows(asked)]

    async def get_report(self, id_: int) -> Report | None:
        found = await self.fetch_rows(sa.select(schema.reports).where(schema.reports.c.id == id_))
        return Report(*found[0]) if found else None

    async def close_report(self, id_: int, now: int) -> bool:
        """The host dealt with it. False: there is no such open report."""
        r = schema.reports
        return await self.commit_change(r.update().where(r.c.id == id_, r.c.done.is_(None)).values(done=now)) == 1

    async def read_reported_chat_excerpt(self, report: Report) -> list[ChatLine]:
        """The chat line that was reported, and those around it; none if they were deleted."""
        c = schema.chat.c
        near = sa.and_(c.n >= report.line - LINES_AROUND, c.n <= report.line + LINES_AROUND)
        asked = sa.select(schema.chat).where(c.table_id == report.table, near, c.text != "").order_by(c.n)
        return [ChatLine(*row) for row in await self.fetch_rows(asked)]

    # --- backups ----------------------------------------------------------------------------------------------

    async def get_backup_record(self) -> BackupRecord:
        s = schema.settings.c
        found = dict(await self.fetch_rows(sa.select(s.key, s.value).where(s.key.in_((LAST_BACKUP, BACKUP_FAILURE)))))
        at, _, reason = found.get(BACKUP_FAILURE, "").partition(" ")
        last = found.get(LAST_BACKUP)
        return BackupRecord(int(last) if last else None, int(at) if at else None, reason)

    async def record_backup(self, at: int, failure: str = "") -> None:
        """A backup was made, or failed for a reason."""
        s = schema.settings
        key, value = (BACKUP_FAILURE, f"{at} {failure[:MAX_FAILURE]}") if failure else (LAST_BACKUP, str(at))
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await connection.execute(s.delete().where(s.c.key.in_((key, BACKUP_FAILURE))))
            await connection.execute(s.insert().values(key=key, value=value))


LAST_BACKUP: Final = "last backup"
BACKUP_FAILURE: Final = "last backup failure"
MAX_FAILURE: Final = 300  # characters of its reason that are kept
