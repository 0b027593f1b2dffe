"""A table moves to another device: as a file with its whole log, which that device opens.

The file holds everything hidden, and nobody has signed it: whoever opens it is trusted as the host was. Seats stay with
their keys. The host's own seat gets a key, by which their page returns as a friend. A friend who opens the file becomes
whose device it is, and the seat of their key becomes that device's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

import msgspec

from landfall.api.limits import CHANGE
from landfall.api.message_codec import DECODE_ERRORS
from landfall.api.routes import Access, Route
from landfall.api.tables import make_table_link
from landfall.api.types import Body, TableId, TableLink, TextFile, make_field_documentation
from landfall.core.rng import Rng
from landfall.offline.offline_server import OFFLINE_PREFIX, OWN_ID, OfflineServer, friend_user_id
from landfall.store.event_codec import decode_event, encode_event
from landfall.store.row_types import ChatLine, LogEntry
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.text_validation import require_table_id

FILE_VERSION: Final = 1
MAX_FILE_CHARS: Final = 8_000_000
MAX_CHAT_LINES: Final = 10_000
PERSON_FIELDS: Final = ("owner", "person", "by")
Key = Annotated[str, Bounds(20, 64)]


class TableFile(msgspec.Struct, forbid_unknown_fields=True):
    """The file: the rows of the log and of the chat."""

    landfall: Annotated[int, msgspec.Meta(ge=FILE_VERSION, le=FILE_VERSION)]
    table: str
    rows: list[tuple[int, int, str, str]]  # number, time, kind, data
    chat: list[tuple[int, str, str, int | None, str]]  # time, person, name, seat, text


@dataclass(kw_only=True)
class HandoverBody(Body):
    """The key by which the host's page will return to its seat."""

    key: Key = field(metadata=make_field_documentation(examples=["a key of twenty letters"]))


@dataclass(kw_only=True)
class TakeoverBody(Body):
    """A table's file, and the key of the seat that the device's owner has there. `replace`: also what went on here
    otherwise than in the file.
    """

    file: Annotated[str, Bounds(1, MAX_FILE_CHARS)]
    key: Key | None = None
    replace: bool = False


def replace_person_ids(data: dict[str, Any], rename: Callable[[str], str]) -> dict[str, Any]:
    """An event with other ids of people."""
    renamed = {
        name: rename(value) if name in PERSON_FIELDS and isinstance(value, str) else value
        for name, value in data.items()
    }
    if isinstance(chairs := data.get("chairs"), list):
        renamed["chairs"] = [
            replace_person_ids(chair, rename) if isinstance(chair, dict) else chair for chair in chairs
        ]
    return renamed


def entry_without_person_ids(entry: LogEntry) -> tuple[Any, ...]:
    """What an entry says whichever device holds the table: people have other ids on each."""
    data = replace_person_ids(json.loads(encode_event(entry.event)), lambda _: "")
    return entry.seq, entry.at, entry.kind, data


def require_nothing_is_lost(kept: list[LogEntry], entries: list[LogEntry], replace: bool) -> None:
    """Refuse to lose what this device knows of a table: ever, if that is more than the file has; unless `replace`, if
    the file goes on otherwise.
    """
    if len(kept) > len(entries):
        raise Refused("stale", apart=False)
    if not replace and any(
        entry_without_person_ids(one) != entry_without_person_ids(other)
        for one, other in zip(kept, entries, strict=False)
    ):
        raise Refused("stale", apart=True)


async def read_settled_log(server: OfflineServer, table: TableId) -> list[LogEntry]:
    """A table's log, and nothing was added to it while it was read."""
    while True:
        entries = await server.store.tables.read_log_entries(table)
        live = server.hub.live_tables.get(table)
        if live is None or (live.writer.is_idle and live.table.seq <= (entries[-1].seq if entries else 0)):
            return entries
        await live.writer.wait_until_queue_is_empty()


@Route("POST", "/api/tables/{table}/handover", "The file of a table", Access.OPEN, CHANGE)
async def export_table_file(server: OfflineServer, table: TableId, body: HandoverBody) -> TextFile:
    """The file of a table. The host is in it by the key's id."""
    own = friend_user_id(body.key)

    def name_host_by_key(person: str) -> str:
        return own if person == OWN_ID else person

    entries = await read_settled_log(server, table)
    if not entries:
        raise Refused("no_table")
    rows = [
        (
            entry.seq,
            entry.at,
            entry.kind,
            json.dumps(replace_person_ids(json.loads(encode_event(entry.event)), name_host_by_key)),
        )
        for entry in entries
    ]
    said = await server.store.chat.read_chat_lines(table, limit=MAX_CHAT_LINES)
    chat = [(line.at, name_host_by_key(line.person), line.name, line.seat, line.text) for line in said]
    file = TableFile(FILE_VERSION, table, rows, chat)
    return TextFile(f"{table}.json", msgspec.json.encode(file).decode())


@Route("POST", "/api/tables/takeover", "Open a table's file", Access.OPEN, CHANGE, status=201)
async def import_table_file(server: OfflineServer, body: TakeoverBody) -> TableLink:
    """Open a table's file: this device holds the table from now on. What it knows of the table already is replaced only
    if nothing of it is lost (`require_nothing_is_lost`).
    """
    own = friend_user_id(body.key) if body.key is not None else None

    def name_key_owner_as_own(person: str) -> str:
        return OWN_ID if person == own else person

    try:
        found = msgspec.json.decode(body.file, type=TableFile)
        table = require_table_id(found.table)
        entries = [
            LogEntry(
                table,
                seq,
                at,
                decode_event(kind, json.dumps(replace_person_ids(json.loads(data), name_key_owner_as_own))),
            )
            for seq, at, kind, data in found.rows
        ]
        entries[0].event.owner = OWN_ID  # type: ignore[union-attr]
    except (*DECODE_ERRORS, AttributeError, IndexError, ValueError) as error:
        raise Refused("bad_message", reason=str(error)[:200]) from None
    if not table.startswith(OFFLINE_PREFIX):
        raise Refused("bad_message", reason="not a device's table")
    summary = load_table_from_entries(table, entries, Rng(0)).build_summary()
    said = enumerate(found.chat[-MAX_CHAT_LINES:], 1)
    chat = [
        ChatLine(table, n, at, name_key_owner_as_own(person), name, seat, text)
        for n, (at, person, name, seat, text) in said
    ]
    replaced = False
    while not replaced:  # again if another page of this device writes meanwhile
        kept = await read_settled_log(server, table)
        require_nothing_is_lost(kept, entries, body.replace)
        server.on_table_deleted(table)  # the live table first: this page adds nothing meanwhile
        replaced = await server.store.replace_table(len(kept), entries, summary, chat)
    return make_table_link(server.hub, table)
