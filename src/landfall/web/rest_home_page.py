"""REST: what waits for you, invitations, and public matches worth reviewing."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request

from landfall.api import home_page
from landfall.api.home_page import FeaturedMatch, HomeInfo, InvitationBody
from landfall.api.types import TableLink
from landfall.web.request_bodies import BodyRoute
from landfall.web.rest import (
    OptionalUser,
    PlayerName,
    RequiredUser,
    TableId,
    limit_query_rate,
    make_caller,
    server_of_request,
)
from landfall.web.rest_matchmaking import limit_change_rate
from landfall.web.rest_models import ERROR_RESPONSES

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES, route_class=BodyRoute)


@router.get("/home", tags=["lobby"], summary="What waits for you", dependencies=[Depends(limit_query_rate)])
async def get_home(request: Request, person: RequiredUser) -> HomeInfo:
    """Your tables, those that need you first; invitations; who looks for a table, and who is here."""
    server, caller = server_of_request(request), make_caller(request, person)
    tables = await home_page.list_home_tables(server.hub, caller)
    here, followed = await server.board.presence_info_for_person(person.id)
    return HomeInfo(
        tables, await home_page.list_acceptable_invitations(server.hub, caller),
        bool(tables) or await home_page.has_finished_a_match(server.hub, caller),
        here["waiting"], here["people"], here["tables"], followed,
    )  # fmt: skip


@router.get("/showcase", tags=["lobby"], summary="Matches worth reviewing", dependencies=[Depends(limit_query_rate)])
async def list_featured_matches(request: Request, person: OptionalUser) -> list[FeaturedMatch]:
    """The best of the last weeks. On a server for members only they see it."""
    server = server_of_request(request)
    if server.settings.invite_only and (person is None or person.account is None):
        return []
    return await server.featured_matches.get_cached_matches()


@router.post(
    "/players/{player}/invitations",
    tags=["lobby"],
    summary="Invite somebody to your table",
    status_code=204,
    dependencies=[Depends(limit_query_rate)],
)
async def invite_player(request: Request, player: PlayerName, body: InvitationBody, person: RequiredUser) -> None:
    """To a table at which you sit and which has a free seat. It ends when the match begins."""
    server = server_of_request(request)
    limit_change_rate(server, person)
    invited = await home_page.invite_player(server.hub, make_caller(request, person), player, body.table)
    await server.board.notify_home_changed(invited)


@router.post("/invitations/{table}", tags=["lobby"], summary="Accept an invitation")
async def accept_invitation(request: Request, table: TableId, person: RequiredUser) -> TableLink:
    """You sit down on the first free chair."""
    server = server_of_request(request)
    limit_change_rate(server, person)
    link = await home_page.accept_invitation(server.hub, make_caller(request, person), table)
    await server.board.notify_home_changed(person.id)
    return link


@router.delete("/invitations/{table}", tags=["lobby"], summary="Decline an invitation", status_code=204)
async def decline_invitation(request: Request, table: TableId, person: RequiredUser) -> None:
    """Nobody is notified."""
    server = server_of_request(request)
    limit_change_rate(server, person)
    await home_page.decline_invitation(server.hub, make_caller(request, person), table)
    await server.board.notify_home_changed(person.id)
