"""The WebSocket of a table. It implements ASGI directly: each message is one call, without middleware."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from landfall.api.incoming_messages import QUERY_COMMANDS, IncomingMessages
from landfall.api.limits import SOCKET
from landfall.api.message_codec import encode_message
from landfall.api.rate_limits import rate_limit_key_of_client
from landfall.api.routes import PLAY, READ
from landfall.store.database_errors import DATABASE_ERRORS, is_database_unavailable
from landfall.tables.live.subscriber import Subscriber
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.commands import AnyCommand
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.server_messages import make_refusal_message
from landfall.tables.protocol.text_validation import require_table_id
from landfall.tables.request_id import NO_REQUEST, assign_request_number, request_number
from landfall.web.connection import (
    CLOSE_NO_TABLE,
    CLOSE_PROTOCOL_ERRORS,
    CLOSE_SIGNED_OUT,
    CLOSE_TRY_AGAIN,
    TRANSPORT_EXTENSION,
    Connection,
    Transport,
)
from landfall.web.identity import AuthSession, read_session_cookie, to_table_user
from landfall.web.lobby_socket import LOBBY_PATH, run_lobby_session
from landfall.web.quotas import COSTLY_BOT_COMMANDS, COSTLY_COMMANDS
from landfall.web.request_security import is_allowed_origin
from landfall.web.server import Server

SOCKET_PATH: Final = "/ws/tables/"
# What a bot's token allows: with the scope "read" to watch, with "play" also to play. No chat, no hints, no proposals.
READ_COMMANDS: Final = (cmd.Viewpoint, cmd.Events, *QUERY_COMMANDS, cmd.Ping)
PLAY_COMMANDS: Final = (
    cmd.Play, cmd.Sit, cmd.Free, cmd.Colour, cmd.Start, cmd.Leave, cmd.Back, cmd.Resign, cmd.Close, cmd.Rematch,
)  # fmt: skip
CLOSE_CODES: Final = {
    **dict.fromkeys(("store", "busy", "newer", "too_fast"), CLOSE_TRY_AGAIN), "token": CLOSE_SIGNED_OUT,
}  # fmt: skip


class SocketSession:
    """The incoming side of one socket: decodes messages, enforces limits, and passes them to the table."""

    def __init__(self, server: Server, connection: Connection, subscriber: Subscriber, address: str) -> None:
        self.server = server
        self.connection = connection
        self.subscriber = subscriber
        self.address = address
        user = subscriber.user
        self.incoming = IncomingMessages(
            server.rate_limiters,
            user.author or user.id if user is not None else None,
            address,
            lambda: connection.close(CLOSE_PROTOCOL_ERRORS),
        )
        self.has_waiting_message = False  # a message is waiting for that: none may overtake it

    def try_handle_at_once(self, data: bytes) -> bool:
        """Handle a message at once. False: an earlier one is in progress, so this one must wait."""
        if self.connection.quota_check is not None or self.has_waiting_message or self.connection.is_dead:
            return False
        self.handle_message(data)
        return True

    async def handle_after_earlier_ones(self, data: str | bytes) -> None:
        """Handle a message when the earlier ones are done."""
        self.has_waiting_message = True
        while self.connection.quota_check is not None:
            await asyncio.wait({self.connection.quota_check})
        self.has_waiting_message = False
        self.handle_message(data)

    def handle_message(self, data: str | bytes) -> None:
        """One message: executed, or refused with the reason."""
        self.server.metrics.messages_received += 1
        assign_request_number()
        command: AnyCommand | None = None
        try:
            command = self.incoming.decode_within_limits(data)
            if self.connection.auth is not None and self.connection.auth.scopes is not None:
                self.require_token_allows(self.connection.auth, command)
            is_bot = self.subscriber.user is not None and self.subscriber.user.author is not None
            if type(command) in COSTLY_COMMANDS or (is_bot and type(command) in COSTLY_BOT_COMMANDS):
                self.connection.quota_check = self.server.hub.spawn_background_task(
                    self.check_quota_and_handle(command)
                )
            else:
                self.server.hub.command_handler.handle_command(self.subscriber, command)
        except Exception as error:
            self.send_refusal(command, error)
        request_number.set(NO_REQUEST)  # this context serves other sockets, too

    def send_refusal(self, command: AnyCommand | None, error: Exception) -> None:
        """Count and send a refusal; an unexpected error is logged."""
        refused = error if isinstance(error, Refused) else Refused("store")
        if refused is not error:
            self.server.log.error("a command failed", exc_info=error)
        self.server.metrics.record_refusal(command, refused)
        self.connection.send_or_queue(encode_message(make_refusal_message(refused, command)))

    async def check_quota_and_handle(self, command: AnyCommand) -> None:
        """Handle a command whose quota check needs the store."""
        try:
            await self.server.quotas.require_command_quota(self.subscriber, self.address, command)
            self.server.hub.command_handler.handle_command(self.subscriber, command)
        except Exception as error:
            self.send_refusal(command, error)
        finally:
            self.connection.quota_check = None

    def require_token_allows(self, auth: AuthSession, command: AnyCommand) -> None:
        """Refused: a bot's token does not allow this, or its author's bots choose too fast."""
        kind = type(command)
        auth.require_scope(READ if kind in READ_COMMANDS else PLAY if kind in PLAY_COMMANDS else None)
        author = auth.person.author or auth.person.id
        if kind is cmd.Play and not self.server.bot_choice_limiter.try_take_token(author):
            raise Refused("too_fast")


class TableSocketEndpoint:
    """The endpoints /ws/tables/{table} and /ws/lobby."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.open_by_address: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        headers = Headers(scope=scope)
        address = rate_limit_key_of_client(scope.get("client"))
        server = self.server
        known = scope["path"].startswith(SOCKET_PATH) or scope["path"] == LOBBY_PATH
        full = self.open_by_address[address] >= server.settings.limits.sockets
        too_fast = not server.rate_limiters.try_take_address_token(SOCKET, address)
        if not known or full or too_fast or server.draining or not is_allowed_origin(server.settings, headers):
            await send({"type": "websocket.close", "code": 1008})
            return
        self.open_by_address[address] += 1
        server.metrics.sockets += 1
        wire: Transport = scope["extensions"][TRANSPORT_EXTENSION]
        connection = Connection(wire, server.settings.limits)
        try:
            await send({"type": "websocket.accept"})
            if scope["path"] == LOBBY_PATH:
                await run_lobby_session(server, connection, receive, headers, address)
            else:
                await self.run_table_session(scope, connection, receive, headers, address)
        finally:
            server.uncount_socket(connection)
            server.metrics.sockets -= 1
            self.open_by_address[address] -= 1
            if not self.open_by_address[address]:
                del self.open_by_address[address]

    async def run_table_session(
        self, scope: Scope, connection: Connection, receive: Receive, headers: Headers, address: str
    ) -> None:
        server, wire = self.server, connection.direct_transport
        try:
            after = parse_last_known_event(scope)
            table = require_table_id(scope["path"].removeprefix(SOCKET_PATH))
            async with server.opening_gate.admit(table):
                auth = await server.identities.authenticate_request(
                    read_session_cookie(headers), headers.get("authorization")
                )
                if auth is not None:
                    auth.require_not_banned()
                    server.count_socket_of_user(connection, auth.person)
                subscriber = await server.hub.subscribe_to_table(
                    table,
                    to_table_user(auth.person if auth is not None else None),
                    connection.send_or_queue,
                    after,
                    address,
                    server.identities.marks_of_place(table, address, headers)
                    if auth is not None and not server.settings.limits.same_place_counts
                    else (),
                )
        except Refused as error:
            connection.send_or_queue(encode_message(make_refusal_message(error)))
            connection.close(CLOSE_CODES.get(error.code, CLOSE_NO_TABLE), error.code)
            return
        except DATABASE_ERRORS as error:
            if not is_database_unavailable(error):
                raise
            server.log.warning("the database is away: %s", error)
            connection.send_or_queue(encode_message(make_refusal_message(Refused("store"))))
            connection.close(CLOSE_TRY_AGAIN, "store")
            return
        connection.make_resync = subscriber.build_resync_message
        connection.auth = auth
        connection.table = table
        server.connections.add(connection)
        server.board.mark_changed()
        if server.draining:
            server.close_connections_for_reconnect([connection])
        server.metrics.connects["first" if after is None else "again"] += 1
        session = SocketSession(server, connection, subscriber, address)
        wire.on_message = session.try_handle_at_once
        try:
            while (message := await receive())["type"] == "websocket.receive" and not connection.is_dead:
                await session.handle_after_earlier_ones(message["bytes"])
        finally:
            wire.on_message = None
            server.connections.discard(connection)
            server.board.mark_changed()
            await server.hub.unsubscribe_from_table(subscriber)


def parse_last_known_event(scope: Scope) -> int | None:
    """The last event the client knows, from `?after=`."""
    given = parse_qs(scope["query_string"].decode("latin-1")).get("after", [""])[0]
    return int(given) if given.isdecimal() and len(given) < 10 else None
