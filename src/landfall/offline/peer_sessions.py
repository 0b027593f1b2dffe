"""Friends at this device's tables. A friend's page is a server's client over a data channel: requests and connections
to tables, under a server's limits.

A friend is known by the key of their page: it makes them the same user after every reload, on either side. They see
the table they were invited to and its rematches, nothing else of this device.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Final

import msgspec

from landfall.api.error_responses import error_status_and_body
from landfall.api.incoming_messages import MAX_PROTOCOL_ERRORS, IncomingMessages, require_bot_level
from landfall.api.limits import Limits
from landfall.api.message_codec import DECODE_ERRORS
from landfall.api.rate_limits import RateLimiter, RateLimiters, TokenBucket
from landfall.api.types import Caller
from landfall.offline.offline_server import OFFLINE_PREFIX, OfflineConnection, friend_user_id
from landfall.offline.rest import ROUTES, OfflineApi, Response, encode_response
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.commands import AnyCommand
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.text_validation import require_displayable_name

CLOSE_NO_TABLE: Final = 4404  # as a server closes a socket
MAX_OPEN_TABLES: Final = 8  # connections of one friend's page
MAX_PENDING_REQUESTS: Final = 8
MAX_PATH_CHARS: Final = 300
PEER_ROUTES: Final = [route for route in ROUTES if route.to_friends]
TABLE_PATH: Final = re.compile(rf"/api/tables/({OFFLINE_PREFIX}[\w-]+)([/?].*)?")

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class PeerMessage(msgspec.Struct, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """A message of a friend's page; `n` names the request or connection it belongs to."""

    n: Number


class Hello(PeerMessage):
    """The first: who it is."""

    key: Annotated[str, msgspec.Meta(min_length=20, max_length=64)]
    name: Annotated[str, msgspec.Meta(max_length=96)]


class Ask(PeerMessage):
    """A request, over HTTP elsewhere."""

    method: str
    path: Annotated[str, msgspec.Meta(max_length=MAX_PATH_CHARS)]


class Open(PeerMessage):
    """A connection to a table, a socket elsewhere. `after`: the last known entry."""

    table: Annotated[str, msgspec.Meta(max_length=64)]
    after: Number | None = None


class Say(PeerMessage):
    """A message over a connection."""

    text: str


class Close(PeerMessage):
    """The end of a connection."""


DECODER: Final = msgspec.json.Decoder(Hello | Ask | Open | Say | Close)


class Peers:
    """What all channels of a friend's device share: the limits by address on a server. The address is the id under
    which the host's page keeps the device (`guest`): a new key gives nobody a new budget.
    """

    def __init__(self, server: OfflineApi, limits: Limits | None = None) -> None:
        self.server = server
        self.limits = limits or Limits()
        self.rate_limiters = RateLimiters(self.limits)
        self.request_limiter = RateLimiter(self.limits.requests)
        self.new_channels = RateLimiter(self.limits.new_sockets)

    def connect(self, table: str, guest: str, send: Callable[[str], None], close: Callable[[], None]) -> PeerSession:
        """A channel to a friend who is invited to a table was opened. Too many soon after each other are closed."""
        session = PeerSession(self, table, guest, send, close)
        if not self.new_channels.try_take_token(guest):
            session.close_channel_and_session()
        return session


class PeerSession:
    """One channel to a friend's page. `send` and `close` act on the channel."""

    def __init__(
        self, peers: Peers, table: str, guest: str, send: Callable[[str], None], close: Callable[[], None]
    ) -> None:
        self.peers = peers
        self.guest = guest
        self.server = peers.server
        self.send = send
        self.close_channel = close
        self.invited_to = table
        self.user: User | None = None
        self.connections: dict[int, OfflineConnection | None] = {}  # None: being opened
        self.early: dict[int, list[str]] = {}  # messages of connections that are being opened
        self.incoming: dict[int, IncomingMessages] = {}
        self.pending = 0  # requests
        self.frames = TokenBucket(peers.limits.frames)
        self.max_chars = 2 * peers.limits.message_bytes  # a message of the greatest size, quoted in another
        self.protocol_errors = 0
        self.closed = False

    def receive(self, text: str) -> None:
        """Handle a message of the channel. One that is no message is ignored; too many close the channel."""
        if self.closed:
            return
        if not self.frames.try_take_token():
            self.close_channel_and_session()
            return
        try:
            if len(text) > self.max_chars:
                raise Refused("too_large", most=self.max_chars)
            self.handle_message(DECODER.decode(text))
        except (Refused, *DECODE_ERRORS):
            self.protocol_errors += 1
            if self.protocol_errors > MAX_PROTOCOL_ERRORS:
                self.close_channel_and_session()

    def handle_message(self, message: PeerMessage) -> None:
        if isinstance(message, Hello):
            if self.user is None:
                self.user = User(friend_user_id(message.key), require_displayable_name(message.name))
        elif self.user is None:
            raise Refused("nameless")
        elif isinstance(message, Ask):
            self.start_answering_within_limits(message, self.user)
        elif isinstance(message, Open):
            self.start_opening_table(message, self.user)
        elif isinstance(message, Say):
            self.pass_on_command(message)
        else:
            self.close_table_connection(message.n)

    def send_numbered_message(self, n: int, **what: Any) -> None:
        """Answer a request, or send over a connection."""
        if not self.closed:
            self.send(msgspec.json.encode({"n": n, **what}).decode())

    def close_channel_and_session(self) -> None:
        """Close the channel."""
        self.close()
        self.close_channel()

    def close(self) -> None:
        """The channel is closed: disconnect everything, without leaving a seat."""
        self.closed = True
        for n in list(self.connections):
            self.close_table_connection(n)

    # --- requests ---------------------------------------------------------------------------------------------

    def start_answering_within_limits(self, asked: Ask, user: User) -> None:
        try:
            self.require_request_rate(asked)
        except Refused as error:
            status, described = error_status_and_body(error)
            self.send_numbered_message(asked.n, answer=encode_response(described, status))
            return
        self.pending += 1
        self.server.hub.spawn_background_task(self.answer_request(asked, user))

    def require_request_rate(self, asked: Ask) -> None:
        """Refused: too many, or too fast."""
        if self.pending >= MAX_PENDING_REQUESTS or not self.peers.request_limiter.try_take_token(self.guest):
            raise Refused("too_fast")
        path = asked.path.partition("?")[0]
        for route in PEER_ROUTES:
            if asked.method == route.method and route.pattern.fullmatch(path):
                self.peers.rate_limiters.require_address_rate(route.limit, self.guest)

    async def answer_request(self, asked: Ask, user: User) -> None:
        try:
            table = TABLE_PATH.fullmatch(asked.path)
            allowed = table is not None and await self.is_invited_to(table[1])
            found: Response = encode_response(error_status_and_body(Refused("no_table"))[1], 404)
            if allowed:
                found = await self.server.request_as_caller(
                    Caller(user, user.id), asked.method, asked.path, None, PEER_ROUTES
                )
            self.send_numbered_message(asked.n, answer=found)
        finally:
            self.pending -= 1

    async def is_invited_to(self, table: str) -> bool:
        """Whether it is the friend's table, or a rematch of it."""
        known: str | None = self.invited_to
        while known is not None and known != table:
            try:
                known = (await self.server.hub.get_or_load_table(known)).table.successor
            except Refused:
                return False
        return known is not None

    # --- connections ------------------------------------------------------------------------------------------

    def start_opening_table(self, asked: Open, user: User) -> None:
        if asked.n in self.connections or len(self.connections) >= MAX_OPEN_TABLES:
            raise Refused("too_fast")
        self.connections[asked.n] = None
        self.early[asked.n] = []
        self.incoming[asked.n] = IncomingMessages(
            self.peers.rate_limiters, self.guest, self.guest, self.close_channel_and_session
        )
        self.server.hub.spawn_background_task(self.connect_to_table(asked, user))

    async def connect_to_table(self, asked: Open, user: User) -> None:
        n, found = asked.n, None
        self.send_numbered_message(n, open=True)
        if await self.is_invited_to(asked.table):
            found = await self.server.connect(
                asked.table,
                asked.after,
                lambda text: self.send_numbered_message(n, text=text),
                lambda: self.report_no_table(n),
                user,
                lambda text: self.decode_within_limits(n, text),
            )
        if found is None:
            self.report_no_table(n)
        elif n not in self.connections:  # closed meanwhile
            await found.close()
        else:
            self.connections[n] = found
            for text in self.early.pop(n):
                found.receive(text)

    def report_no_table(self, n: int) -> None:
        """There is no such table, for this friend or any more."""
        self.close_table_connection(n)
        self.send_numbered_message(n, shut=CLOSE_NO_TABLE)

    def close_table_connection(self, n: int) -> None:
        connection = self.connections.pop(n, None)
        self.early.pop(n, None)
        self.incoming.pop(n, None)
        if connection is not None:
            self.server.hub.spawn_background_task(connection.close())

    def pass_on_command(self, said: Say) -> None:
        connection = self.connections.get(said.n)
        if connection is not None:
            connection.receive(said.text)
        elif said.n in self.early and len(self.early[said.n]) < self.peers.limits.messages[1]:
            self.early[said.n].append(said.text)

    def decode_within_limits(self, n: int, text: str) -> AnyCommand:
        """A command of the friend, within the limits that a server sets its sockets."""
        command = self.incoming[n].decode_within_limits(text)
        if isinstance(command, cmd.Bot):
            require_bot_level(command.code)
        return command
