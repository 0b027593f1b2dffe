"""The matches of a user, with their records."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from landfall.api.limits import JOB
from landfall.api.routes import Access, Route
from landfall.api.types import Caller, Milliseconds
from landfall.tables.live.hub import Hub
from landfall.tables.live.record_export import export_finished_record_from_log, export_record
from landfall.tables.log.table import OVER
from landfall.tables.protocol.errors import Refused

MATCHES_PER_PAGE: Final = 10


@dataclass(kw_only=True)
class OwnMatch:
    """A match of somebody's."""

    table: str
    game: str
    created: int  # milliseconds since 1970
    updated: int
    record: str | None  # none if it has not begun, or cannot be read


@Route(
    "GET", "/api/account/matches", "Records of your matches", Access.NAMED, JOB, open_to_banned=True, on_device=False
)
async def list_own_matches(hub: Hub, caller: Caller, before: Milliseconds | None = None) -> list[OwnMatch]:
    """Ten at a time, the latest first; `before` (a match's `updated`) pages on. Running ones as you may read them: a
    record of one that is over is its log as it is, without replaying it."""
    user, found = caller.require_user(), []
    for head in await hub.store.tables.list_tables_of_user(user.id, MATCHES_PER_PAGE, before):
        record = None
        with suppress(Refused):
            record = await (
                export_finished_record_from_log(hub, head)
                if head.status == OVER
                else export_record(hub, head.table, user.id)
            )
        found.append(
            OwnMatch(table=head.table, game=head.game, created=head.created, updated=head.updated, record=record)
        )
    return found
