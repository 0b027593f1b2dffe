"""REST: the host's page, and reports to the host. For who is not the host there is no such page."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, Field

import landfall
from landfall.api.limits import CHANGE, QUERY
from landfall.api.players import find_player_by_name
from landfall.api.routes import Access, Route
from landfall.api.types import Body, Caller, LineNumber, Name, TableId, UrlDocumentation, make_field_documentation
from landfall.store.moderation import (
    BAN,
    FOREVER,
    MAX_REPORTS_A_DAY,
    MUTE,
    HostAction,
    Report,
    Restriction,
    TooManyReports,
)
from landfall.store.notices import add_notices
from landfall.store.row_types import Notice, UserRecord
from landfall.store.sqlite import SqliteDatabase
from landfall.tables.notifications.table_notices import REPORT
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.identity import AuthSession
from landfall.web.report_webhook import post_to_webhook
from landfall.web.server import Server
from landfall.web.server_load_history import (
    LoadSample,
    duration_quantile_ms,
    processor_load_percent,
)
from landfall.web.worker_figures import WorkerFigures, sum_worker_figures

HOUR_MS: Final = 3_600_000
LITTLE_DISK: Final = 0.1  # of it free: the page warns
OLD_BACKUP_MS: Final = 7 * 86_400_000
SLOW_MS: Final = 1000
LISTED_TABLES: Final = 20
Sentence = Annotated[str, Bounds(0, 500)]
PersonId = Annotated[str, Bounds(0, 64), UrlDocumentation(examples=("q3nN0m1cXlTtVbQp0Jx8Zg",))]
ReportId = Annotated[int, Bounds(1, 2**31 - 1), UrlDocumentation(examples=(1,))]


# --- reports --------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class ReportBody(Body):
    """Whom you report: a player by name, or who wrote a line in a table's chat."""

    player: Name = field(default="", metadata=make_field_documentation(examples=["Otto"]))
    table: TableId = field(default="", metadata=make_field_documentation(examples=["q3nN0m1cXlTtVbQp0Jx8Zg"]))
    line: LineNumber = field(default=0, metadata=make_field_documentation("The chat line's number."))
    text: Sentence = field(default="", metadata=make_field_documentation("What is wrong, in your words.", ["rude"]))


@Route("POST", "/api/reports", "Report somebody to the host", Access.NAMED, CHANGE, status=204)
async def report_player(server: Server, person: UserRecord, body: ReportBody) -> None:
    """The host reads the line with five before and after it. One open report about a person at a table is enough."""
    text_validation.require_storable_json(body.text)
    if body.table:
        line = await server.store.chat.get_chat_line(text_validation.require_table_id(body.table), body.line)
        if line is None:
            raise Refused("no_table")
        reported = line.person
    else:
        reported = (await find_player_by_name(server.store, body.player)).id
    if reported == person.id:
        raise Refused("report_self")
    now = server.hub.runtime.clock.wall_time_ms()
    try:
        report = Report(0, now, person.id, reported, body.table, body.line, body.text)
        is_new = await server.store.moderation.add_report(report)
    except TooManyReports:
        raise Refused("too_many_reports", most=MAX_REPORTS_A_DAY) from None
    if is_new:
        await tell_hosts_of_report(server, reported, now)


async def tell_hosts_of_report(server: Server, reported: str, now: int) -> None:
    """A notification to each host, and a note to the webhook: without the report's text, which may be private."""
    names = await server.store.users.get_names_by_user({reported})
    name = names.get(reported, "")
    data = {"name": name, "path": "/host"}
    hosts = await server.store.moderation.list_server_hosts()
    notices = [Notice(f"{REPORT} {secrets.token_hex(8)}", host, REPORT, REPORT, now, now, data) for host in hosts]
    async with server.store.database.engine.begin() as connection:
        await add_notices(connection, notices)
    if server.settings.report_webhook:
        url = f"{server.settings.public_base_url}/host"
        server.spawn_background_task(post_to_webhook(server.settings.report_webhook, f"Landfall: {name}: {url}"))


# --- the page -------------------------------------------------------------------------------------------------


class Trouble(BaseModel):
    """Something that is not well."""

    key: Literal["database", "disk", "backup", "backup_failed", "backup_never", "slow", "queue"]
    n: int = Field(description="A percentage, days, milliseconds or jobs.")


class PersonInfo(BaseModel):
    """Somebody, as the host sees them."""

    id: str
    name: str
    kind: Literal["account", "guest", "bot"]
    seen: int
    here: bool
    muted: int | None = Field(description="Until then.")
    banned: int | None
    reason: str = Field(description="Of the ban.")


class ReportInfo(BaseModel):
    """A report that nobody has dealt with."""

    id: int
    at: int
    reporter: str
    person: PersonInfo
    about_line: bool
    text: str


class HostTable(BaseModel):
    """A table that is not over. What is hidden at it is not shown to the host either."""

    table: str
    game: str
    status: str
    players: int
    names: list[str]
    updated: int


class QueueInfo(BaseModel):
    """Jobs of one kind."""

    name: str
    waiting: int
    busy: int
    workers: int
    age_s: float = Field(description="Of the job that waits longest.")


class ActionInfo(BaseModel):
    """What a host did."""

    at: int
    host: str
    kind: str
    person: str
    words: str


class ServerInfo(BaseModel):
    """All that the host's page shows."""

    at: int
    troubles: list[Trouble] = Field(description="The worst first; none: all is well.")
    accounts: int
    guests: int
    here: int = Field(description="People connected to any process.")
    workers: int = Field(description="Processes of this server that answered; all figures are of them together.")
    tables: int
    by_game: dict[str, int]
    latest_tables: list[HostTable]
    answer_ms: int = Field(description="Half of the requests were answered within it.")
    slow_ms: int = Field(description="The same of 99 in a hundred.")
    processor: int = Field(description="Percent of all cores, over a minute.")
    history: list[LoadSample] = Field(description="Every ten minutes of the last day, since this process started.")
    database: Literal["SQLite", "PostgreSQL"]
    stored_bytes: int | None
    free_bytes: int | None
    backup: int | None = Field(description="When `landfall host backup` last succeeded.")
    backup_failed: int | None = Field(description="When the one after that failed.")
    backup_failure: str = Field(description="Why it failed.")
    queues: list[QueueInfo]
    reviews: int = Field(description="Matches that wait to be reviewed.")
    version: str
    engine: str
    reports: list[ReportInfo]
    actions: list[ActionInfo]


async def describe_people_for_host(server: Server, people: list[UserRecord]) -> dict[str, PersonInfo]:
    here = server.connected_person_ids()
    limits = await server.store.moderation.list_restrictions_of([one.id for one in people])
    until = {(one.person, one.kind): one for one in limits}
    found = {}
    for one in people:
        mute, ban = until.get((one.id, MUTE)), until.get((one.id, BAN))
        kind: Literal["account", "guest", "bot"] = "bot" if one.author else "account" if one.account else "guest"
        found[one.id] = PersonInfo(
            id=one.id, name=one.name, kind=kind, seen=one.seen, here=one.id in here,
            muted=mute.until if mute else None, banned=ban.until if ban else None, reason=ban.reason if ban else "",
        )  # fmt: skip
    return found


async def describe_reports(server: Server) -> list[ReportInfo]:
    reports = await server.store.moderation.list_open_reports()
    users = [await server.store.users.get_user_by_id(id_) for id_ in {one.person for one in reports}]
    people = await describe_people_for_host(server, [user for user in users if user is not None])
    names = await server.store.users.get_names_by_user({one.reporter for one in reports})
    return [
        ReportInfo(
            id=one.id, at=one.at, reporter=names.get(one.reporter, ""), person=people[one.person],
            about_line=one.table != "", text=one.text,
        )
        for one in reports
        if one.person in people
    ]  # fmt: skip


async def describe_host_actions(server: Server) -> list[ActionInfo]:
    actions = await server.store.moderation.list_host_actions()
    names = await server.store.users.get_names_by_user({one.host for one in actions} | {one.person for one in actions})
    return [
        ActionInfo(
            at=one.at, host=names.get(one.host, ""), kind=one.kind, person=names.get(one.person, ""), words=one.words
        )
        for one in actions
    ]


def describe_job_queues(figures: WorkerFigures) -> list[QueueInfo]:
    return [
        QueueInfo(name=name, waiting=q.waiting, busy=q.busy, workers=q.workers, age_s=round(q.age_s, 1))
        for name, q in figures.queues.items()
    ]


def list_server_troubles(info: ServerInfo, healthy: bool, total_bytes: int) -> list[Trouble]:
    """What is not well, the worst first."""
    found = []
    if not healthy:
        found.append(Trouble(key="database", n=0))
    if info.free_bytes is not None and info.free_bytes < LITTLE_DISK * total_bytes:
        found.append(Trouble(key="disk", n=100 * info.free_bytes // total_bytes))
    if info.slow_ms > SLOW_MS:
        found.append(Trouble(key="slow", n=info.slow_ms))
    if info.backup_failed is not None:
        found.append(Trouble(key="backup_failed", n=0))
    if info.backup is None:
        found.append(Trouble(key="backup_never", n=0))
    elif info.backup < info.at - OLD_BACKUP_MS:
        found.append(Trouble(key="backup", n=(info.at - info.backup) // (24 * HOUR_MS)))
    waiting = sum(queue.waiting for queue in info.queues)
    if waiting > 10 * sum(queue.workers for queue in info.queues) > 0:
        found.append(Trouble(key="queue", n=waiting))
    return found


@Route("GET", "/api/host", "How the server does", Access.HOST, QUERY)
async def get_host_page(server: Server) -> ServerInfo:
    """All that the page shows, in one answer. Only for the host."""
    store, now = server.store, server.hub.runtime.clock.wall_time_ms()
    accounts, guests = await store.users.count_accounts_and_guests()
    counts, backup = await store.tables.count_unfinished_tables(), await store.moderation.get_backup_record()
    by_game: dict[str, int] = {}
    for (game, _), count in counts.items():
        by_game[game] = by_game.get(game, 0) + count
    total, free = 0, None
    if isinstance(store.database, SqliteDatabase):
        disk = await asyncio.to_thread(shutil.disk_usage, Path(store.database.path).parent)
        total, free = disk.total, disk.free
    figures = sum_worker_figures(await server.metrics_exchange.render_metrics_of_all_workers())
    counts_by_time = figures.requests
    info = ServerInfo(
        at=now, troubles=[], accounts=accounts, guests=guests, here=await server.count_people_here(),
        workers=figures.workers,
        tables=sum(counts.values()), by_game=by_game,
        latest_tables=[
            HostTable(
                table=one.table, game=one.game, status=one.status, players=one.info["players"], updated=one.updated,
                names=[str(name) for name in one.info["chairs"] if name],
            )
            for one in await store.tables.list_latest_unfinished_tables(LISTED_TABLES)
        ],
        answer_ms=duration_quantile_ms(counts_by_time, 0.5), slow_ms=duration_quantile_ms(counts_by_time, 0.99),
        processor=processor_load_percent(), history=list(server.load_history.samples),
        database="SQLite" if isinstance(store.database, SqliteDatabase) else "PostgreSQL",
        stored_bytes=await store.database.database_size_bytes(), free_bytes=free,
        backup=backup.at, backup_failed=backup.failed_at, backup_failure=backup.failure,
        queues=describe_job_queues(figures),
        reviews=figures.reviews, version=server.version, engine=landfall.ENGINE,
        reports=await describe_reports(server), actions=await describe_host_actions(server),
    )  # fmt: skip
    info.troubles = list_server_troubles(info, await server.is_healthy(), total)
    return info


@Route("GET", "/api/host/people", "Find somebody", Access.HOST, QUERY)
async def find_users_by_part_of_name(server: Server, name: Name = "") -> list[PersonInfo]:
    """Whose name contains this; the latest seen first."""
    return list(
        (await describe_people_for_host(server, await server.store.users.find_users_by_part_of_name(name))).values()
    )


# --- actions --------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class HostBody(Body):
    """What the host does to somebody."""

    act: Literal["mute", "ban", "allow", "reset", "delete"] = field(
        metadata=make_field_documentation(
            "`allow` lifts mute and ban; `reset` gives a link with which the owner can sign in.", ["mute"]
        )
    )
    hours: Annotated[int, Bounds(0, 100_000)] = field(
        default=0, metadata=make_field_documentation("0: for ever.", [24])
    )
    reason: Sentence = field(default="", metadata=make_field_documentation("Shown to a banned person.", ["rude"]))
    report: Annotated[int, Bounds(0, 2**31 - 1)] = field(
        default=0, metadata=make_field_documentation("The report that is dealt with by this; 0: none.", [0])
    )


@dataclass(kw_only=True)
class CloseBody(Body):
    """A sentence to the players of a table."""

    text: Sentence = field(default="", metadata=make_field_documentation(examples=["The server restarts tonight."]))


class HostLink(BaseModel):
    """A link to hand to somebody, once; null unless one was asked for."""

    link: str | None


async def log_host_action(server: Server, host: UserRecord, kind: str, person: str, words: str = "") -> None:
    now = server.hub.runtime.clock.wall_time_ms()
    await server.store.moderation.log_host_action(HostAction(now, host.id, kind, person, words))


@Route("POST", "/api/host/people/{user}", "Mute, ban, delete or help somebody", Access.HOST, CHANGE)
async def apply_host_action(
    server: Server, person: UserRecord, auth: AuthSession, user: PersonId, body: HostBody
) -> HostLink:
    """Every action is logged. A host acts on no other host. `reset` and `delete` need a recent proof of who it is."""
    if body.act in ("reset", "delete"):
        await server.accounts.require_recent_proof(auth)
    store, now = server.store, server.hub.runtime.clock.wall_time_ms()
    text_validation.require_storable_json(body.reason)
    found = await store.users.get_user_by_id(user)
    if found is None:
        raise Refused("no_player")
    if await store.moderation.is_server_host(found.id):
        raise Refused("host_only")
    until = now + body.hours * HOUR_MS if body.hours else FOREVER
    link = None
    if body.act in (MUTE, BAN):
        await store.moderation.set_or_lift_restriction(Restriction(found.id, body.act, now, until, body.reason))
    elif body.act == "allow":
        for kind in (MUTE, BAN):
            await store.moderation.set_or_lift_restriction(Restriction(found.id, kind, now, 0, ""))
    elif body.act == "reset":
        if found.account is None or found.author is not None:
            raise Refused("no_account")
        code = await server.accounts.replace_recovery_link_code(found)
        link = f"{server.settings.public_base_url}/me/account#{urlencode({'name': found.name, 'code': code})}"
    if body.report:
        await store.moderation.close_report(body.report, now)
    await log_host_action(server, person, body.act, "" if body.act == "delete" else found.id, body.reason)
    if body.act == "delete":
        await server.delete_user(found.id)
    else:
        await store.database.notify_processes("people", "")
        await server.apply_sign_outs_and_deletions()
    return HostLink(link=link)


class ReportedLine(BaseModel):
    """A line of a chat."""

    at: int
    name: str
    text: str
    reported: bool


@Route("GET", "/api/host/reports/{report}", "Read a report", Access.HOST, QUERY)
async def read_reported_chat(server: Server, person: UserRecord, report: ReportId) -> list[ReportedLine]:
    """The line that was reported, with five before and after it. That it was read is logged."""
    found = await server.store.moderation.get_report(report)
    if found is None:
        raise Refused("no_report")
    await log_host_action(server, person, "read", found.person)
    lines = await server.store.moderation.read_reported_chat_excerpt(found) if found.table else []
    return [ReportedLine(at=one.at, name=one.name, text=one.text, reported=one.n == found.line) for one in lines]


@Route("DELETE", "/api/host/reports/{report}", "A report is dealt with", Access.HOST, CHANGE, status=204)
async def close_report(server: Server, person: UserRecord, report: ReportId) -> None:
    """It is no longer listed."""
    found = await server.store.moderation.get_report(report)
    if found is None or not await server.store.moderation.close_report(report, server.hub.runtime.clock.wall_time_ms()):
        raise Refused("no_report")
    await log_host_action(server, person, "fine", found.person)


@Route("POST", "/api/host/tables/{table}/close", "Close a table", Access.HOST, CHANGE, status=204)
async def close_table_as_server_host(
    server: Server, caller: Caller, person: UserRecord, table: TableId, body: CloseBody
) -> None:
    """Its match ends without a result; the sentence is in its chat. Closing is an event of its log."""
    live = await server.hub.get_or_load_table(text_validation.require_table_id(table))
    await server.hub.command_handler.close_table_by_server_host(live, caller.require_user(), body.text)
    await log_host_action(server, person, "close", "", body.text)
