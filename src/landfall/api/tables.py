"""Endpoints about tables: making and listing them, and what of one is asked beside its socket."""

from __future__ import annotations

from base64 import b64encode
from typing import Annotated

import landfall
from landfall.api.limits import JOB, QUERY, RESAMPLING, TABLE
from landfall.api.message_codec import encode_message
from landfall.api.routes import PLAY, READ, Access, Route
from landfall.api.types import (
    Caller,
    ChatInfo,
    Eyes,
    GuidedBody,
    LineNumber,
    Milliseconds,
    PositionInfo,
    QuickBody,
    RecordBody,
    ReopenBody,
    SeatNumber,
    TableBody,
    TableId,
    TableLink,
    TableListing,
    TextFile,
    UrlDocumentation,
    WorldInfo,
)
from landfall.store.row_types import TableSummary
from landfall.tables.jobs.replay import parse_replay_viewpoint, record_to_replay_json, untrusted_record_to_replay_json
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.record_export import export_position, export_record
from landfall.tables.live.subscriber import Subscriber
from landfall.tables.log.clocks import ClockRule
from landfall.tables.log.decisions import require_not_removed, require_running_match, require_seat_to_act_for
from landfall.tables.log.table import OVER
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.projections import project_events

MAX_LISTED_TABLES = 50  # of a history, a page


OnlyOver = Annotated[bool | None, UrlDocumentation("Only those that are over, or only those that are not.")]


# --- making tables --------------------------------------------------------------------------------------------


def to_table_config(body: TableBody) -> TableConfig:
    clock = ClockRule(body.clock.mode, body.clock.turn, body.clock.bank, body.clock.days)
    return TableConfig(
        body.game, body.players, body.options, clock, body.public, body.seating, body.hot_seat,
        rated=body.rated, hints=body.hints,
    )  # fmt: skip


def make_table_link(hub: Hub, table: str) -> TableLink:
    return TableLink(table, hub.runtime.table_link(table) or f"/t/{table}")


@Route("POST", "/api/tables", "Make a table", Access.MEMBER, TABLE, token=PLAY, makes_table=True, status=201)
async def create_table(hub: Hub, caller: Caller, body: TableBody) -> TableLink:
    """You own it and sit on its first chair; send the link to others."""
    return make_table_link(hub, await hub.create_table(caller.require_user(), to_table_config(body)))


@Route("POST", "/api/tables/quick", "Play against bots at once", Access.MEMBER, TABLE, makes_table=True, status=201)
async def create_table_with_bots(hub: Hub, caller: Caller, body: QuickBody) -> TableLink:
    """One call makes the table and begins."""
    return make_table_link(
        hub, await hub.create_table_with_bots(caller.require_user(), to_table_config(body), body.bots)
    )


@Route(
    "POST", "/api/tables/guided", "Play a game that is explained", Access.MEMBER, TABLE, makes_table=True, status=201
)
async def create_guided_table(hub: Hub, caller: Caller, body: GuidedBody) -> TableLink:
    """One call makes the table, with bots on the other chairs, and begins where the guide does."""
    return make_table_link(hub, await hub.create_guided_table(caller.require_user(), body.game, body.guide, body.bots))


@Route("POST", "/api/tables/open", "Open a record", Access.MEMBER, TABLE, makes_table=True, status=201)
async def create_table_from_record(hub: Hub, caller: Caller, body: ReopenBody) -> TableLink:
    """To look at if it is over, to be played on if not: with `seat` at once, by you there and bots elsewhere."""
    table = await hub.create_table_from_record(
        caller.require_user(), body.record, body.lines, body.seat, body.bots, caller.origin
    )
    return make_table_link(hub, table)


# --- lists ----------------------------------------------------------------------------------------------------


def describe_tables_for_caller(hub: Hub, caller: Caller, summaries: list[TableSummary]) -> list[TableListing]:
    """Tables as they are listed for somebody."""
    return [describe_table_for_user(hub, caller.user_id, summary) for summary in summaries]


def describe_table_for_user(hub: Hub, you: str | None, summary: TableSummary) -> TableListing:
    """A table in a list, with what is known only where it is live, if that is here."""
    info, live = summary.info, hub.live_tables.get(summary.table)
    return TableListing(
        table=summary.table, game=summary.game, status=summary.status, public=summary.public, created=summary.created,  # type: ignore[arg-type]
        updated=summary.updated, players=info["players"], options=info["options"], clock=info["clock"],
        chairs=info["chairs"], colours=info.get("colours", []), ended=info["ended"], ranking=info.get("ranking"),
        you=[seat for seat, person in enumerate(info.get("people", [])) if you is not None and person == you],
        owner=you is not None and summary.owner == you, rated=info.get("unrated") == "",
        online_bots=info.get("online_bots", []),
        turn=live.table.actor if live else None, here=len(live.user_ids_connected_anywhere()) if live else 0,
    )  # fmt: skip


@Route("GET", "/api/history", "The tables you sat at", Access.NAMED, QUERY, token=READ)
async def list_table_history(
    hub: Hub, caller: Caller, before: Milliseconds | None = None, over: OnlyOver = None
) -> list[TableListing]:
    """The latest first; `before` (a table's `updated`) pages on. `over=false`: what you can go on with."""
    user = caller.require_user()
    return describe_tables_for_caller(
        hub, caller, await hub.store.tables.list_tables_of_user(user.id, MAX_LISTED_TABLES, before, over)
    )


# --- one table ------------------------------------------------------------------------------------------------


@Route(
    "GET",
    "/api/tables/{table}",
    "A table as you may see it",
    Access.ANYBODY,
    QUERY,
    token=READ,
    result="TableView",
    to_friends=True,
)
async def get_table_view(hub: Hub, caller: Caller, table: TableId) -> bytes:
    """The same as the first message of its socket."""
    live = await hub.get_or_load_table(table)
    subscriber = Subscriber(live, caller.user, lambda text: None)
    subscriber.seat = live.viewpoint_of_subscriber(subscriber)
    message = encode_message(live.build_welcome_message(subscriber))
    live.drop_unwatched_views()
    return message.encode()


@Route(
    "GET",
    "/api/tables/{table}/record",
    "The record, as you may read it",
    Access.ANYBODY,
    QUERY,
    token=READ,
    media="text/plain",
    to_friends=True,
)
async def get_record(hub: Hub, caller: Caller, table: TableId) -> TextFile:
    """Open when the match is over; before, what you may not know is hidden."""
    return TextFile(f"{table[:8]}.landfall", await export_record(hub, table, caller.user_id))


@Route(
    "GET",
    "/api/tables/{table}/position",
    "The position, as you may know it",
    Access.ANYBODY,
    QUERY,
    token=READ,
    to_friends=True,
)
async def get_position(hub: Hub, caller: Caller, table: TableId, seat: SeatNumber | None = None) -> PositionInfo:
    """One line, with what a report of a fault needs besides. `seat` must be yours; without it, a spectator's."""
    found, line = await export_position(hub, table, caller.user_id, seat)
    return PositionInfo(
        found.terms.game, found.terms.rules, landfall.__version__, landfall.ENGINE, found.seq, seat, line
    )


@Route(
    "GET",
    "/api/tables/{table}/world",
    "The position for a bot that searches",
    Access.NAMED,
    RESAMPLING,
    token=PLAY,
    on_device=False,
)
async def get_resampled_position(hub: Hub, caller: Caller, table: TableId, events: bool = False) -> WorldInfo:
    """While it is the bot's turn: a packed position in which everything its seat cannot know was drawn again."""
    user, found = caller.require_user(), (await hub.get_or_load_table(table)).table
    if user.author is None:
        raise Refused("bots_only")
    match = require_running_match(found)
    seat = require_seat_to_act_for(found, found.seats_of_person(require_not_removed(found, user.id)))
    if match.actor != seat:
        raise Refused("illegal", "LF.2")
    world = match.state.resample(seat, hub.runtime.rng)
    return WorldInfo(
        found.terms.game, found.terms.rules, found.version, seat, b64encode(world.to_bytes()).decode(),
        list(project_events(match, 0, seat)) if events else [],  # type: ignore[arg-type]
    )  # fmt: skip


@Route("GET", "/api/tables/{table}/chat", "What was said", Access.OPEN, QUERY, to_friends=True)
async def get_chat(hub: Hub, caller: Caller, table: TableId, after: LineNumber = 0) -> list[ChatInfo]:
    """From a line's number on, the last 200."""
    await hub.get_table_summary(table)
    lines = await hub.store.chat.read_chat_lines(table, after)
    return [ChatInfo(line.n, line.at, line.name, line.seat, line.text) for line in lines]


@Route(
    "GET",
    "/api/tables/{table}/replay",
    "A match that is over, moment by moment",
    Access.OPEN,
    JOB,
    result="ReplayInfo",
    to_friends=True,
)
async def encode_table_replay(hub: Hub, caller: Caller, table: TableId, eyes: Eyes = "open") -> bytes:
    """The first view, then for each line of the log the patch of the view, and the events it brought."""
    live = await hub.get_or_load_table(table)
    match = live.table.match
    if live.table.status != OVER or match is None:
        raise Refused("not_shown")
    seat = parse_replay_viewpoint(eyes, match.players)
    return await hub.bot_pool.run_task(record_to_replay_json, match.record(), seat, who=caller.origin)


@Route("POST", "/api/replay", "A record, moment by moment", Access.OPEN, JOB, result="ReplayInfo")
async def encode_record_replay(hub: Hub, caller: Caller, body: RecordBody, eyes: Eyes = "open") -> bytes:
    """As a table that is over; nothing is kept."""
    return await hub.bot_pool.run_task(untrusted_record_to_replay_json, body.record, eyes, who=caller.origin)
