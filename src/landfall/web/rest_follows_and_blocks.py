"""REST: whom you follow, and whom you do not want to meet."""

from __future__ import annotations

from landfall.api import home_page, players
from landfall.api.limits import CHANGE
from landfall.api.routes import Access, Route
from landfall.api.types import Caller, PlayerName
from landfall.store.row_types import UserRecord
from landfall.web.server import Server


@Route("PUT", "/api/players/{player}/follow", "Follow somebody", Access.NAMED, CHANGE, status=204)
async def follow_player(server: Server, caller: Caller, player: PlayerName) -> None:
    """You see first when they are here, if they agreed to be shown. They are not notified."""
    await set_player_followed(server, caller, player, True)


@Route("DELETE", "/api/players/{player}/follow", "Follow somebody no longer", Access.NAMED, CHANGE, status=204)
async def unfollow_player(server: Server, caller: Caller, player: PlayerName) -> None:
    """Nothing happens if you did not."""
    await set_player_followed(server, caller, player, False)


@Route("PUT", "/api/players/{player}/block", "Block somebody", Access.NAMED, CHANGE, status=204)
async def block_player(server: Server, person: UserRecord, player: PlayerName) -> None:
    """You are not seated together by matchmaking, do not see each other in the lobby, and send no invitations."""
    await set_player_blocked(server, person, player, True)


@Route("DELETE", "/api/players/{player}/block", "Block somebody no longer", Access.NAMED, CHANGE, status=204)
async def unblock_player(server: Server, person: UserRecord, player: PlayerName) -> None:
    """Nothing happens if they were not blocked."""
    await set_player_blocked(server, person, player, False)


async def set_player_followed(server: Server, caller: Caller, player: str, on: bool) -> None:
    await home_page.set_player_followed(server.store, caller, player, on)
    await server.board.notify_relations_changed(caller.require_user().id)


async def set_player_blocked(server: Server, person: UserRecord, player: str, on: bool) -> None:
    found = await players.find_player_by_name(server.store, player)
    if found.id != person.id:
        await server.store.relations.set_user_blocked(person.id, found.id, on)
        await server.board.notify_relations_changed(person.id, found.id)
