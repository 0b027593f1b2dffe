"""REST: looking for a table, and whether others see who is here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from landfall.api.limits import CHANGE, QUERY, TABLE
from landfall.api.routes import Access, Route
from landfall.api.types import Body, BotCode, Caller, GameName, make_field_documentation
from landfall.store.row_types import UserRecord
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.rest_models import SearchStatus
from landfall.web.server import Server

MAX_CHOICES = 8


@dataclass(kw_only=True)
class SearchBody(Body):
    """The tables you would sit down at: any of these games with any of these numbers of players."""

    games: Annotated[list[GameName], Bounds(1, MAX_CHOICES)] = field(
        metadata=make_field_documentation(examples=[["survive"]])
    )
    sizes: Annotated[list[Annotated[int, Bounds(2, 6)]], Bounds(1, MAX_CHOICES)] = field(
        metadata=make_field_documentation("Numbers of players.", examples=[[3, 4]])
    )
    pace: Literal["quarter", "day", "three_days", "week"] = field(
        default="quarter", metadata=make_field_documentation("A quarter of an hour each, or so long for each turn.")
    )
    rated: bool = field(default=False, metadata=make_field_documentation("Needs an account."))
    bots: BotCode = field(
        default="", metadata=make_field_documentation("The level that takes free seats after a minute; empty for none.")
    )


@dataclass(kw_only=True)
class ShownBody(Body):
    """Whether others see who you are while you wait or look around."""

    shown: bool = field(metadata=make_field_documentation(examples=[True]))


@Route("POST", "/api/search", "Look for a table", Access.MEMBER, TABLE, status=204)
async def start_search(server: Server, caller: Caller, address: str, person: UserRecord, body: SearchBody) -> None:
    """In place of an earlier search. What becomes of it is sent over `/ws/lobby`; without that socket it ends soon."""
    async with server.quotas.new_table_within_quota(person.id, address, public=False):
        await server.matchmaker.start_search(
            caller.require_user(), body.games, body.sizes, body.pace, body.rated, body.bots
        )


@Route("GET", "/api/search", "Your search for a table", Access.NAMED, QUERY, result=SearchStatus | None)
async def get_search(server: Server, caller: Caller) -> object:
    """Null if you look for none."""
    return await server.matchmaker.describe_search(caller.require_user())


@Route("DELETE", "/api/search", "Look no longer", Access.NAMED, CHANGE, status=204)
async def stop_search(server: Server, caller: Caller) -> None:
    """Nothing happens if you look for none."""
    await server.matchmaker.stop_search(caller.require_user())


@Route("POST", "/api/search/bots", "Let bots take the free seats now", Access.MEMBER, CHANGE, status=204)
async def seat_with_bots_now(server: Server, caller: Caller) -> None:
    """The match is friendly then."""
    await server.matchmaker.seat_with_bots_now(caller.require_user())


@Route("PUT", "/api/me/shown", "Whether others see who is here", Access.NAMED, CHANGE, status=204, tag="identity")
async def set_shown_to_others(server: Server, person: UserRecord, body: ShownBody) -> None:
    """Only accounts can be shown. A search that goes on keeps what it began with."""
    if person.account is None:
        raise Refused("rated_account")
    await server.store.users.update_user_fields(person.id, shown=body.shown)
    server.identities.cache.clear()
    for connection in server.connections:
        if connection.auth is not None and connection.auth.person.id == person.id:
            connection.auth = replace(connection.auth, person=replace(connection.auth.person, shown=body.shown))
    server.board.mark_changed()
