"""REST: what waits for you, invitations, and public matches worth reviewing."""

from __future__ import annotations

from landfall.api import home_page
from landfall.api.home_page import FeaturedMatch, HomeInfo, InvitationBody
from landfall.api.limits import CHANGE, QUERY
from landfall.api.routes import Access, Route
from landfall.api.types import Caller, PlayerName, TableId, TableLink
from landfall.store.row_types import UserRecord
from landfall.web.server import Server


@Route("GET", "/api/home", "What waits for you", Access.NAMED, QUERY)
async def get_home(server: Server, caller: Caller, person: UserRecord) -> HomeInfo:
    """Your tables, those that need you first; invitations; who looks for a table, and who is here."""
    tables = await home_page.list_home_tables(server.hub, caller)
    here, followed = await server.board.presence_info_for_person(person.id)
    return HomeInfo(
        tables, await home_page.list_acceptable_invitations(server.hub, server.store, caller),
        bool(tables) or await home_page.has_finished_a_match(server.hub, caller),
        here["waiting"], here["people"], here["tables"], followed,
    )  # fmt: skip


@Route("GET", "/api/showcase", "Matches worth reviewing", Access.ANYBODY, QUERY)
async def list_featured_matches(server: Server, person: UserRecord | None) -> list[FeaturedMatch]:
    """The best of the last weeks. On a server for members only they see it."""
    if server.settings.invite_only and (person is None or person.account is None):
        return []
    return await server.featured_matches.get_cached_matches()


@Route("POST", "/api/players/{player}/invitations", "Invite somebody to your table", Access.NAMED, CHANGE, status=204)
async def invite_player(server: Server, caller: Caller, player: PlayerName, body: InvitationBody) -> None:
    """To a table at which you sit and which has a free seat. It ends when the match begins."""
    invited = await home_page.invite_player(server.hub, server.store, caller, player, body.table)
    await server.board.notify_home_changed(invited)


@Route("POST", "/api/invitations/{table}", "Accept an invitation", Access.NAMED, CHANGE)
async def accept_invitation(server: Server, caller: Caller, person: UserRecord, table: TableId) -> TableLink:
    """You sit down on the first free chair."""
    link = await home_page.accept_invitation(server.hub, server.store, caller, table)
    await server.board.notify_home_changed(person.id)
    return link


@Route("DELETE", "/api/invitations/{table}", "Decline an invitation", Access.NAMED, CHANGE, status=204)
async def decline_invitation(server: Server, caller: Caller, person: UserRecord, table: TableId) -> None:
    """Nobody is notified."""
    await home_page.decline_invitation(server.store, caller, table)
    await server.board.notify_home_changed(person.id)
