"""REST: tournaments and leagues."""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated

from fastapi import Request, Response

from landfall.api import tournaments
from landfall.api.limits import CHANGE, QUERY
from landfall.api.routes import Access, Route
from landfall.api.tournaments import NewTournament, RemovalBody, TournamentBody, TournamentLists, TournamentPage
from landfall.api.types import Caller, UrlDocumentation
from landfall.store.row_types import UserRecord
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.tables.tournaments.decisions import Entrance
from landfall.web.client_files import matches_etag
from landfall.web.server import Server

TournamentId = Annotated[str, Bounds(0, 64), UrlDocumentation(examples=("q3nN0m1cXlTtVbQp0Jx8Zg",))]


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


@Route("GET", "/api/tournaments", "Tournaments", Access.ANYBODY, QUERY)
async def list_tournaments(server: Server, caller: Caller, person: UserRecord | None) -> TournamentLists:
    """Those that are played, those that are open, and the latest that are over."""
    if server.settings.invite_only and (person is None or person.account is None):
        return TournamentLists(now=[], soon=[], past=[], may_open=False)
    return await tournaments.list_tournaments(
        server.director, caller, may_open_tournaments(server, person), server.quotas.tournament_address_of
    )


@Route("POST", "/api/tournaments", "Open a tournament", Access.MEMBER, CHANGE, status=201)
async def open_tournament(server: Server, caller: Caller, person: UserRecord, body: TournamentBody) -> NewTournament:
    """Needs an account. It runs by itself from then on. A league may be the next season of one that you opened."""
    if person.account is None or person.author is not None:
        raise Refused("tournament_account")
    if not may_open_tournaments(server, person):
        raise Refused("tournament_organisers")
    organises = is_named_organiser(server, person)
    neighbours = () if organises else server.quotas.record_tournament_neighbour(caller.origin, person.id)
    return NewTournament(
        tournament=await server.director.open_tournament(caller.require_user(), body.to_config(), organises, neighbours)
    )


@Route("GET", "/api/tournaments/{tournament}", "A tournament", Access.ANYBODY, QUERY, result=TournamentPage)
async def get_tournament(
    server: Server, request: Request, caller: Caller, person: UserRecord | None, tournament: TournamentId
) -> Response:
    """Its players, rounds and standings. With an `ETag`: ask again as often as every few seconds."""
    if server.settings.invite_only and (person is None or person.account is None):
        raise Refused("no_tournament")
    organises = is_named_organiser(server, person)
    body = await tournaments.encode_tournament_page(server.director, caller, tournament, organises)
    headers = {"ETag": f'"{blake2b(body, digest_size=12).hexdigest()}"', "Cache-Control": "private, no-cache"}
    if matches_etag(request.headers.get("if-none-match", ""), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


@Route("POST", "/api/tournaments/{tournament}/join", "Join a tournament", Access.MEMBER, CHANGE, status=204)
async def join_tournament(server: Server, caller: Caller, person: UserRecord, tournament: TournamentId) -> None:
    """Also late, from the next round on. Rated ones need an account."""
    here = server.quotas.record_tournament_neighbour(caller.origin, person.id)
    entrance = Entrance(person.created, here, server.settings.limits.tournament_share)
    await server.director.join_tournament(tournament, caller.require_user(), entrance)


@Route("POST", "/api/tournaments/{tournament}/remove", "Remove a player", Access.MEMBER, CHANGE, status=204)
async def remove_player(
    server: Server, caller: Caller, person: UserRecord, tournament: TournamentId, body: RemovalBody
) -> None:
    """Only whoever opened it, and organisers. A match that is played goes on."""
    organises = is_named_organiser(server, person)
    await server.director.remove_player(
        tournament, caller.require_user(), organises, body.player, body.name, body.barred
    )


@Route("POST", "/api/tournaments/{tournament}/leave", "Leave a tournament", Access.MEMBER, CHANGE, status=204)
async def leave_tournament(server: Server, caller: Caller, tournament: TournamentId) -> None:
    """Before the start as if you had never joined; later your points stay."""
    await server.director.leave_tournament(tournament, caller.require_user())


@Route("POST", "/api/tournaments/{tournament}/here", "Check in", Access.MEMBER, CHANGE, status=204)
async def check_in_to_tournament(server: Server, caller: Caller, tournament: TournamentId) -> None:
    """From ten minutes before the start; or again, after you were left out."""
    await server.director.check_in_player(tournament, caller.require_user())


@Route("POST", "/api/tournaments/{tournament}/begin", "Begin a tournament now", Access.MEMBER, CHANGE, status=204)
async def begin_tournament_early(server: Server, caller: Caller, person: UserRecord, tournament: TournamentId) -> None:
    """Only whoever opened it, and organisers: with everybody who is in."""
    await server.director.begin_tournament_early(tournament, caller.require_user(), is_named_organiser(server, person))


@Route("POST", "/api/tournaments/{tournament}/cancel", "Cancel a tournament", Access.MEMBER, CHANGE, status=204)
async def cancel_tournament(server: Server, caller: Caller, person: UserRecord, tournament: TournamentId) -> None:
    """Only whoever opened it, and organisers. Matches that are played go on."""
    await server.director.cancel_tournament(tournament, caller.require_user(), is_named_organiser(server, person))
