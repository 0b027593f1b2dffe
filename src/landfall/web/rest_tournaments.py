"""REST: tournaments and leagues."""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from landfall.api import tournaments
from landfall.api.tournaments import NewTournament, TournamentBody, TournamentLists, TournamentPage
from landfall.store.row_types import UserRecord
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.web.client_files import matches_etag
from landfall.web.request_bodies import BodyRoute
from landfall.web.rest import OptionalUser, RequiredUser, limit_query_rate, make_caller, server_of_request
from landfall.web.rest_matchmaking import require_member_within_change_rate
from landfall.web.rest_models import ERROR_RESPONSES
from landfall.web.server import Server

router = APIRouter(prefix="/api/tournaments", tags=["tournaments"], responses=ERROR_RESPONSES, route_class=BodyRoute)
TournamentId = Annotated[str, Path(max_length=64, examples=["q3nN0m1cXlTtVbQp0Jx8Zg"])]


def is_named_organiser(server: Server, person: UserRecord | None) -> bool:
    """Whether the host named this account."""
    named = {
        text_validation.normalise_account_name(name) for name in server.settings.organisers.split(",") if name.strip()
    }
    return person is not None and person.account is not None and person.account in named


def may_open_tournaments(server: Server, person: UserRecord | None) -> bool:
    """Whether somebody may open a tournament."""
    if person is None or person.account is None or person.author is not None:
        return False
    return not server.settings.organisers.strip() or is_named_organiser(server, person)


@router.get("", summary="Tournaments", dependencies=[Depends(limit_query_rate)])
async def list_tournaments(request: Request, person: OptionalUser) -> TournamentLists:
    """Those that are played, those that are open, and the latest that are over."""
    server = server_of_request(request)
    if server.settings.invite_only and (person is None or person.account is None):
        return TournamentLists(now=[], soon=[], past=[], may_open=False)
    return await tournaments.list_tournaments(
        server.director, make_caller(request, person), may_open_tournaments(server, person)
    )


@router.post("", summary="Open a tournament", status_code=201)
async def open_tournament(request: Request, body: TournamentBody, person: RequiredUser) -> NewTournament:
    """Needs an account. It runs by itself from then on. A league may be the next season of one that you opened."""
    server, user = require_member_within_change_rate(request, person)
    if person.account is None or person.author is not None:
        raise Refused("tournament_account")
    if not may_open_tournaments(server, person):
        raise Refused("tournament_organisers")
    return NewTournament(
        tournament=await server.director.open_tournament(user, body.to_config(), is_named_organiser(server, person))
    )


@router.get(
    "/{tournament}", summary="A tournament", response_model=TournamentPage, dependencies=[Depends(limit_query_rate)]
)
async def get_tournament(request: Request, tournament: TournamentId, person: OptionalUser) -> Response:
    """Its players, rounds and standings. With an `ETag`: ask again as often as every few seconds."""
    server = server_of_request(request)
    if server.settings.invite_only and (person is None or person.account is None):
        raise Refused("no_tournament")
    caller, organises = make_caller(request, person), is_named_organiser(server, person)
    body = await tournaments.encode_tournament_page(server.director, caller, tournament, organises)
    headers = {"ETag": f'"{blake2b(body, digest_size=12).hexdigest()}"', "Cache-Control": "private, no-cache"}
    if matches_etag(request.headers.get("if-none-match", ""), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


@router.post("/{tournament}/join", summary="Join a tournament", status_code=204)
async def join_tournament(request: Request, tournament: TournamentId, person: RequiredUser) -> None:
    """Also late, from the next round on. Rated ones need an account."""
    server, user = require_member_within_change_rate(request, person)
    await server.director.join_tournament(tournament, user)


@router.post("/{tournament}/leave", summary="Leave a tournament", status_code=204)
async def leave_tournament(request: Request, tournament: TournamentId, person: RequiredUser) -> None:
    """Before the start as if you had never joined; later your points stay."""
    server, user = require_member_within_change_rate(request, person)
    await server.director.leave_tournament(tournament, user)


@router.post("/{tournament}/here", summary="Check in", status_code=204)
async def check_in_to_tournament(request: Request, tournament: TournamentId, person: RequiredUser) -> None:
    """From ten minutes before the start; or again, after you were left out."""
    server, user = require_member_within_change_rate(request, person)
    await server.director.check_in_player(tournament, user)


@router.post("/{tournament}/begin", summary="Begin a tournament now", status_code=204)
async def begin_tournament_early(request: Request, tournament: TournamentId, person: RequiredUser) -> None:
    """Only whoever opened it, and organisers: with everybody who is in."""
    server, user = require_member_within_change_rate(request, person)
    await server.director.begin_tournament_early(tournament, user, is_named_organiser(server, person))


@router.post("/{tournament}/cancel", summary="Cancel a tournament", status_code=204)
async def cancel_tournament(request: Request, tournament: TournamentId, person: RequiredUser) -> None:
    """Only whoever opened it, and organisers. Matches that are played go on."""
    server, user = require_member_within_change_rate(request, person)
    await server.director.cancel_tournament(tournament, user, is_named_organiser(server, person))
