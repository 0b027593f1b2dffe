"""The WebSocket of the lobby: sends public tables, who is here, who waits, and one's own search. It takes only `ping`.

Its being connected says that somebody is there: a search without it ends soon.
"""

from __future__ import annotations

from typing import Any, Final

from starlette.datastructures import Headers
from starlette.types import Receive

from landfall.api.incoming_messages import IncomingMessages
from landfall.api.message_codec import encode_message
from landfall.store.database_errors import DATABASE_ERRORS, is_database_unavailable
from landfall.tables.matchmaking.matchmaker import Listener
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.server_messages import make_refusal_message
from landfall.web.connection import CLOSE_PROTOCOL_ERRORS, CLOSE_TRY_AGAIN, Connection
from landfall.web.identity import read_session_cookie, to_table_user
from landfall.web.server import Server

LOBBY_PATH: Final = "/ws/lobby"
MAX_PROTOCOL_ERRORS: Final = 20  # messages that are no ping, before it is closed


async def run_lobby_session(
    server: Server, connection: Connection, receive: Receive, headers: Headers, address: str
) -> None:
    """From its acceptance to its end."""
    try:
        async with server.opening_gate.admit(f"{LOBBY_PATH} {id(connection)}"):
            auth = await server.identities.authenticate_request(read_session_cookie(headers), None)
            if auth is not None:
                auth.require_not_banned()
                server.count_socket_of_user(connection, auth.person)
            user = to_table_user(auth.person if auth is not None else None)
            may_see = not server.settings.invite_only or (user is not None and user.has_account)
            listener = await server.matchmaker.connect_listener(user, connection.send_or_queue)
    except Refused as error:
        connection.send_or_queue(encode_message(make_refusal_message(error)))
        connection.close(CLOSE_TRY_AGAIN, error.code)
        return
    except DATABASE_ERRORS as error:
        if not is_database_unavailable(error):
            raise
        server.log.warning("the database is away: %s", error)
        connection.close(CLOSE_TRY_AGAIN, "store")
        return
    connection.auth = auth
    server.connections.add(connection)
    try:
        await serve_lobby_viewer(server, connection, listener, may_see, receive, address)
    finally:
        server.connections.discard(connection)
        server.matchmaker.disconnect_listener(listener)


async def serve_lobby_viewer(
    server: Server, connection: Connection, listener: Listener, may_see: bool, receive: Receive, address: str
) -> None:
    """Send the board and all changes; answer pings."""
    try:
        viewer = await server.board.connect_viewer(listener.user, connection.send_or_queue, may_see)
    except DATABASE_ERRORS as error:
        if not is_database_unavailable(error):
            raise
        server.log.warning("the database is away: %s", error)
        connection.close(CLOSE_TRY_AGAIN, "store")
        return

    async def make_resync_message() -> str:
        found: Any = {**server.board.full_lobby_message(viewer), **server.matchmaker.full_lobby_message(listener)}
        return encode_message(found)

    connection.make_resync = make_resync_message
    if server.draining:
        server.close_connections_for_reconnect([connection])
    user, errors = listener.user, 0
    person = user.author or user.id if user is not None else None
    incoming = IncomingMessages(server.rate_limiters, person, address, lambda: connection.close(CLOSE_PROTOCOL_ERRORS))
    try:
        while (message := await receive())["type"] == "websocket.receive" and not connection.is_dead:
            try:
                if not isinstance(incoming.decode_within_limits(message["bytes"]), cmd.Ping):
                    raise Refused("bad_message", reason="the lobby takes only ping")
                connection.send_or_queue(encode_message({"t": "pong", "n": 0}))
            except Refused as error:
                errors += error.code != "too_fast"
                connection.send_or_queue(encode_message(make_refusal_message(error)))
                if errors > MAX_PROTOCOL_ERRORS:
                    connection.close(CLOSE_PROTOCOL_ERRORS)
    finally:
        server.board.disconnect_viewer(viewer)
