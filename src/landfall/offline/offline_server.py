"""A server on the device: its tables, its only user, and a connection for each page that shows a table."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from landfall.analysis.review import LIGHT_EFFORT
from landfall.api.message_codec import DECODE_ERRORS, decode_command, encode_message
from landfall.offline.offline_bot_pool import OfflineBotPool
from landfall.offline.storage import OfflineStore, Storage
from landfall.tables.jobs.reviews import Reviews
from landfall.tables.live.hub import Hub
from landfall.tables.live.subscriber import Subscriber, User
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.server_messages import make_refusal_message
from landfall.tables.protocol.text_validation import require_table_id
from landfall.tables.runtime_dependencies import Runtime, random_url_safe_id

if TYPE_CHECKING:
    from landfall.tables.protocol.commands import AnyCommand

log = logging.getLogger("landfall")
DecodeFunc = Callable[[str], "AnyCommand"]
OWN_ID: Final = "me"  # whose device this is, in its logs
OFFLINE_PREFIX: Final = "here-"  # prefix of local table ids, so that nobody requests them from a server


def new_offline_table_id() -> str:
    """A new local table id."""
    return OFFLINE_PREFIX + random_url_safe_id()


def friend_user_id(key: str) -> str:
    """The user with this key. The id is in the log, so that a page that reloads finds the seat; the key is not."""
    return "peer-" + hashlib.blake2b(key.encode(), digest_size=16).hexdigest()


class OfflineConnection:
    """A page's connection to a table, like a socket to a server's."""

    def __init__(
        self,
        server: OfflineServer,
        subscriber: Subscriber,
        on_deleted: Callable[[], None],
        decode: DecodeFunc = decode_command,
    ) -> None:
        self.server = server
        self.decode_command = decode
        self.subscriber = subscriber
        self.on_deleted = on_deleted
        server.connections.add(self)

    def receive(self, text: str) -> None:
        """Handle a message: executed, or refused with the reason."""
        command: AnyCommand | None = None
        try:
            command = self.decode_or_refuse(text)
            self.server.hub.command_handler.handle_command(self.subscriber, command)
        except Refused as error:
            self.subscriber.send_message(make_refusal_message(error, command))
        except Exception:
            log.exception("a command failed")
            self.subscriber.send_message(make_refusal_message(Refused("store"), command))

    def decode_or_refuse(self, text: str) -> AnyCommand:
        try:
            return self.decode_command(text)
        except DECODE_ERRORS as error:
            raise Refused("bad_message", reason=str(error)[:200]) from None

    async def close(self) -> None:
        """Disconnect, without leaving the seat."""
        self.server.connections.discard(self)
        await self.server.hub.unsubscribe_from_table(self.subscriber)


class OfflineServer:
    """All of it. `user` is whose device this is; friends are in `peers`."""

    def __init__(self, storage: Storage, name_: str = "", runtime: Runtime | None = None) -> None:
        self.store = OfflineStore(storage, self.on_table_deleted)
        self.connections: set[OfflineConnection] = set()
        self.user = User(OWN_ID, name_)
        runtime = runtime or Runtime(new_id=new_offline_table_id)
        runtime.encode = encode_message
        self.hub = Hub(self.store, OfflineBotPool(), runtime)
        self.reviews = Reviews(self.hub, LIGHT_EFFORT)

    async def start_server(self) -> None:
        """Accept requests."""
        await self.hub.start_background_tasks()

    async def stop_server(self) -> None:
        """Stop; all acknowledged commands are stored."""
        await self.hub.shut_down()

    async def connect(
        self,
        table: str,
        after: int | None,
        send: Callable[[str], None],
        on_deleted: Callable[[], None] = lambda: None,
        user: User | None = None,
        decode: DecodeFunc = decode_command,
    ) -> OfflineConnection | None:
        """Subscribe to a table; None: it does not exist. `on_deleted` is called if it is deleted later. A friend is
        another user, and `decode` holds them to limits.
        """
        try:
            subscriber = await self.hub.subscribe_to_table(require_table_id(table), user or self.user, send, after)
            return OfflineConnection(self, subscriber, on_deleted, decode)
        except Refused as error:
            send(self.hub.runtime.encode(make_refusal_message(error)))
            return None

    async def delete_table(self, table: str) -> None:
        """Delete a table, even if a page shows it."""
        live = self.hub.live_tables.get(table)
        self.on_table_deleted(table)
        if live is not None:
            await live.writer.wait_until_queue_is_empty()
        await self.store.delete_table(table)

    def on_notification(self, kind: str, words: str) -> None:
        """Another page of this device wrote to a table, or deleted one."""
        if kind == "removed":
            self.on_table_deleted(words)
        else:
            self.hub.on_process_notification(kind, words)

    def on_table_deleted(self, table: str) -> None:
        """A table was deleted, here or in another page: disconnect its subscribers."""
        live = self.hub.live_tables.pop(table, None)
        if live is None:
            return
        live.closed = True
        self.hub.driver.reschedule_table(live)
        for connection in [connection for connection in self.connections if connection.subscriber.live is live]:
            self.connections.discard(connection)
            connection.on_deleted()
