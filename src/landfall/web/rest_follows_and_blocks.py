"""REST: whom you follow, and whom you do not want to meet."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request

from landfall.api import home_page, players
from landfall.store.row_types import UserRecord
from landfall.web.request_bodies import BodyRoute
from landfall.web.rest import PlayerName, RequiredUser, limit_query_rate, make_caller, server_of_request
from landfall.web.rest_matchmaking import limit_change_rate
from landfall.web.rest_models import ERROR_RESPONSES

router = APIRouter(
    prefix="/api/players/{player}",
    tags=["players"],
    responses=ERROR_RESPONSES,
    dependencies=[Depends(limit_query_rate)],
    route_class=BodyRoute,
)


@router.put("/follow", summary="Follow somebody", status_code=204)
async def follow_player(request: Request, player: PlayerName, person: RequiredUser) -> None:
    """You see first when they are here, if they agreed to be shown. They are not notified."""
    await set_player_followed(request, player, person, True)


@router.delete("/follow", summary="Follow somebody no longer", status_code=204)
async def unfollow_player(request: Request, player: PlayerName, person: RequiredUser) -> None:
    """Nothing happens if you did not."""
    await set_player_followed(request, player, person, False)


@router.put("/block", summary="Block somebody", status_code=204)
async def block_player(request: Request, player: PlayerName, person: RequiredUser) -> None:
    """You are not seated together by matchmaking, do not see each other in the lobby, and send no invitations."""
    await set_player_blocked(request, player, person, True)


@router.delete("/block", summary="Block somebody no longer", status_code=204)
async def unblock_player(request: Request, player: PlayerName, person: RequiredUser) -> None:
    """Nothing happens if they were not blocked."""
    await set_player_blocked(request, player, person, False)


async def set_player_followed(request: Request, player: str, person: UserRecord, on: bool) -> None:
    server = server_of_request(request)
    limit_change_rate(server, person)
    await home_page.set_player_followed(server.hub, make_caller(request, person), player, on)
    await server.board.notify_relations_changed(person.id)


async def set_player_blocked(request: Request, player: str, person: UserRecord, on: bool) -> None:
    server = server_of_request(request)
    limit_change_rate(server, person)
    found = await players.find_player_by_name(server.hub, player)
    if found.id != person.id:
        await server.store.set_user_blocked(person.id, found.id, on)
        await server.board.notify_relations_changed(person.id, found.id)
