"""REST: looking for a table, and whether others see who is here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response

from landfall.api.types import Body, BotCode, GameName, make_field_documentation
from landfall.store.row_types import UserRecord
from landfall.tables.live.subscriber import User
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.identity import to_table_user
from landfall.web.request_bodies import BodyRoute
from landfall.web.rest import (
    RequiredUser,
    json_response,
    rate_limit_key_of_request,
    server_of_request,
)
from landfall.web.rest_models import ERROR_RESPONSES, SearchStatus
from landfall.web.server import Server

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES, route_class=BodyRoute)
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


def limit_change_rate(server: Server, person: UserRecord) -> None:
    if not server.user_limiters.changes.try_take_token(person.id):
        raise Refused("too_fast")


def require_member_within_change_rate(request: Request, person: UserRecord) -> tuple[Server, User]:
    """Refused: too fast, or a guest where only members may do this."""
    server, user = server_of_request(request), to_known_table_user(person)
    limit_change_rate(server, person)
    if server.settings.invite_only and person.account is None:
        raise Refused("invite_only")
    return server, user


def to_known_table_user(person: UserRecord) -> User:
    user = to_table_user(person)
    assert user is not None
    return user


@router.post("/search", tags=["matchmaking"], summary="Look for a table", status_code=204)
async def start_search(request: Request, body: SearchBody, person: RequiredUser) -> None:
    """In place of an earlier search. What becomes of it is sent over `/ws/lobby`; without that socket it ends soon."""
    server, user = require_member_within_change_rate(request, person)
    async with server.quotas.new_table_within_quota(person.id, rate_limit_key_of_request(request), public=False):
        await server.matchmaker.start_search(user, body.games, body.sizes, body.pace, body.rated, body.bots)


@router.get("/search", tags=["matchmaking"], summary="Your search for a table", response_model=SearchStatus | None)
async def get_search(request: Request, person: RequiredUser) -> Response:
    """Null if you look for none."""
    return json_response(await server_of_request(request).matchmaker.describe_search(to_known_table_user(person)))


@router.delete("/search", tags=["matchmaking"], summary="Look no longer", status_code=204)
async def stop_search(request: Request, person: RequiredUser) -> None:
    """Nothing happens if you look for none."""
    server = server_of_request(request)
    limit_change_rate(server, person)
    await server.matchmaker.stop_search(to_known_table_user(person))


@router.post("/search/bots", tags=["matchmaking"], summary="Let bots take the free seats now", status_code=204)
async def seat_with_bots_now(request: Request, person: RequiredUser) -> None:
    """The match is friendly then."""
    server, user = require_member_within_change_rate(request, person)
    await server.matchmaker.seat_with_bots_now(user)


@router.put("/me/shown", tags=["identity"], summary="Whether others see who is here", status_code=204)
async def set_shown_to_others(request: Request, body: ShownBody, person: RequiredUser) -> None:
    """Only accounts can be shown. A search that goes on keeps what it began with."""
    server = server_of_request(request)
    limit_change_rate(server, person)
    if person.account is None:
        raise Refused("rated_account")
    await server.store.update_user_fields(person.id, shown=body.shown)
    server.identities.cache.clear()
    for connection in server.connections:
        if connection.auth is not None and connection.auth.person.id == person.id:
            connection.auth = replace(connection.auth, person=replace(connection.auth.person, shown=body.shown))
    server.board.mark_changed()
