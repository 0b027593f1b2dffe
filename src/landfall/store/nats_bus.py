"""The message bus between processes: NATS. It may lose, repeat or delay any message; nothing depends on one."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from landfall.core.errors import LandfallError

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.aio.subscription import Subscription

log = logging.getLogger("landfall")
SCHEMES: Final = ("nats", "tls")
RECONNECT_S: Final = 0.5  # between attempts to connect
PING_S: Final = 3.0  # between checks that a silent server is there
MAX_UNANSWERED_PINGS: Final = 2
MAX_UNSENT_BYTES: Final = 1 << 20  # that a connection keeps
MAX_UNSENT: Final = 1000  # messages beyond which news are dropped: nobody waits for a bus
UNSUBSCRIBE_TIMEOUT_S: Final = 1.0
LINGER_S: Final = 0.1  # that a member of a group which leaves it still receives
NO_RESPONDERS: Final = "503"  # the status with which the server says that nobody has subscribed


class BusError(LandfallError):
    """The bus cannot be used."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.database", {"reason": reason})


class BusUnavailable(ConnectionError):
    """A message cannot be sent now."""


def require_bus_address(url: str) -> str:
    """The address of a bus; BusError if it is none."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise BusError("--bus needs an address such as nats://10.0.0.1:4222, or tls://user:password@bus.example.org")
    return url


@dataclass
class BusMessage:
    """A received message. `nobody`: in place of an answer, nobody has subscribed to what was asked."""

    subject: str
    data: bytes
    reply: str
    nobody: bool = False


Receive = Callable[[BusMessage], None]


class BusSubscription:
    """What somebody wants to receive; with `group`, each message goes to one member of it."""

    def __init__(self, bus: NatsBus, subject: str, receive: Receive, group: str) -> None:
        self.bus = bus
        self.subject = subject
        self.receive = receive
        self.group = group
        self.subscribed: Subscription | None = None
        self.changing = asyncio.Lock()  # of two who start it, one subscribes

    async def subscribe_to_bus(self) -> None:
        """Subscribe; without a connection when there is one."""
        self.bus.subscriptions[self] = None
        async with self.changing:
            if self in self.bus.subscriptions and self.bus.is_connected and self.subscribed is None:
                self.subscribed = await self.bus.client.subscribe(self.subject, queue=self.group, cb=self.on_message)

    async def unsubscribe_from_bus(self) -> None:
        """Receive no more, after what is on its way: it goes to nobody else."""
        self.bus.subscriptions.pop(self, None)
        async with self.changing:
            subscribed, self.subscribed = self.subscribed, None
        if subscribed is None:
            return
        client = self.bus.client
        try:
            async with asyncio.timeout(UNSUBSCRIBE_TIMEOUT_S):
                # `drain` forgets the subscription with the server's next answer. What the server had chosen this member
                # for may still follow it.
                await client._send_unsubscribe(subscribed._id)
                await client.flush()
                await asyncio.sleep(LINGER_S)
                while subscribed.pending_msgs:
                    await asyncio.sleep(0)
        except Exception as error:  # the connection is lost, and with it the subscription
            log.debug("a subscription of the bus was not ended in order: %s", type(error).__name__)
        with suppress(Exception):  # the client must not renew it
            await subscribed.unsubscribe()

    async def on_message(self, message: Msg) -> None:
        nobody = bool(message.headers) and (message.headers or {}).get("Status") == NO_RESPONDERS
        try:
            self.receive(BusMessage(message.subject, message.data, message.reply, nobody))
        except Exception as error:  # whatever is on the bus, the process goes on
            log.warning("a message of the bus could not be read: %s", type(error).__name__)


class NatsBus:
    """One connection, made again whenever it is lost or refused. Starting does not wait for it."""

    def __init__(self, url: str, name: str = "landfall") -> None:
        from nats.aio.client import Client

        self.url = require_bus_address(url)
        self.name = f"{name} {secrets.token_hex(6)}"
        self.client: Client = Client()
        self.subscriptions: dict[BusSubscription, None] = {}
        self.on_connected: list[Callable[[], None]] = []  # called after each connection: messages may have been missed
        self.connecting: asyncio.Task[None] | None = None
        self.sending: set[asyncio.Task[bool]] = set()

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection, as far as is known."""
        return self.client.is_connected

    async def connect_in_background(self) -> None:
        """Connect in the background."""
        self.connecting = asyncio.get_running_loop().create_task(self.keep_connected())

    async def keep_connected(self) -> None:
        """A client connects again when its connection is lost; one that gave up is replaced."""
        from nats.aio.client import Client

        options: dict[str, Any] = {
            "servers": [self.url],
            "name": self.name,
            "allow_reconnect": True,
            "max_reconnect_attempts": -1,
            "reconnect_time_wait": RECONNECT_S,
            "connect_timeout": 2,
            "ping_interval": PING_S,
            "max_outstanding_pings": MAX_UNANSWERED_PINGS,
            "pending_size": MAX_UNSENT_BYTES,
            "no_echo": True,
            "error_cb": self.on_error,
            "disconnected_cb": self.on_disconnected,
            "reconnected_cb": self.on_reconnected,
        }
        while True:
            self.client = Client()
            for subscription in self.subscriptions:
                subscription.subscribed = None
            try:
                await self.client.connect(**options)
                await self.on_reconnected()
            except Exception as error:
                log.warning("the bus cannot be reached: %s", type(error).__name__)
            while self.is_connected or self.client.is_reconnecting:
                await asyncio.sleep(RECONNECT_S)
            with suppress(Exception):  # it gave up, as it does when the server refuses it
                await self.client.close()
            await asyncio.sleep(RECONNECT_S)

    async def on_error(self, error: Exception) -> None:
        """An attempt failed; there will be another."""
        log.debug("the bus: %s", type(error).__name__)

    async def on_disconnected(self) -> None:
        if self.connecting is not None and not self.client.is_closed:
            log.warning("the bus is not there: connecting again")

    async def on_reconnected(self) -> None:
        """Subscribe to what was wanted meanwhile; the client renews its own subscriptions."""
        log.info("connected to the bus")
        for subscription in list(self.subscriptions):
            await subscription.subscribe_to_bus()
        for call in self.on_connected:
            call()

    def make_subscription(self, subject: str, receive: Receive, group: str = "") -> BusSubscription:
        """A subscription, to be started."""
        return BusSubscription(self, subject, receive, group)

    async def publish_message(self, subject: str, data: bytes, reply: str = "") -> None:
        """Hand a message to the connection. BusUnavailable: there is none, or it takes no more."""
        if not self.is_connected:
            raise BusUnavailable
        try:
            await self.client.publish(subject, data, reply)
        except Exception as error:  # closed meanwhile, or too much is unsent
            raise BusUnavailable(type(error).__name__) from None

    def publish_without_waiting(self, subject: str, data: bytes) -> None:
        """The same for who cannot wait; a message that cannot be sent is lost."""
        if not self.is_connected or len(self.sending) >= MAX_UNSENT:
            return
        task = asyncio.get_running_loop().create_task(self.try_publish(subject, data))
        self.sending.add(task)
        task.add_done_callback(self.sending.discard)

    async def try_publish(self, subject: str, data: bytes, reply: str = "") -> bool:
        """Publish; False: the message is lost."""
        try:
            await self.publish_message(subject, data, reply)
        except BusUnavailable:
            return False
        return True

    async def flush_and_disconnect(self) -> None:
        """Send the rest, if that is possible soon, and disconnect."""
        connecting, self.connecting = self.connecting, None
        if connecting is not None:
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)
        with suppress(Exception):
            async with asyncio.timeout(2 * RECONNECT_S):
                if self.is_connected:
                    await self.client.flush()
        with suppress(Exception):
            await self.client.close()
