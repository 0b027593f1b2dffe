"""A subscriber of a table, through a socket or in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from landfall.tables.live.live_table import LiveTable
from landfall.tables.log.table import public_handle
from landfall.tables.protocol.server_messages import ServerMessage


@dataclass(frozen=True)
class User:
    """A user, as far as a table is concerned."""

    id: str
    name: str
    has_account: bool = False
    shown: bool = False  # agreed that others see who is here
    author: str | None = None  # of an online bot: the user whose bot it is


@dataclass(eq=False)
class Subscriber:
    """One connection: as a seat, or as a spectator (None). `send` receives outgoing messages; it must not block."""

    live: LiveTable
    user: User | None
    send: Callable[[str], None]
    seat: int | None = None  # current viewpoint
    requested_seat: int | None = field(default=None)  # requested viewpoint: at a hot seat, or after the end
    hint_pending: bool = False  # a hint is being computed
    origin: str = ""  # opaque key of the network origin, without spaces: one origin shares workers
    marks: tuple[str, ...] = ()  # hashes of the address and the device, for this table

    @property
    def user_id(self) -> str | None:
        """The user's id; None without a name."""
        return self.user.id if self.user else None

    @property
    def fair_queue_requester(self) -> str:
        """The requester for the fair queue."""
        return f"{self.origin} {self.user_id} {self.live.table.id}"

    def send_message(self, message: ServerMessage) -> None:
        """Send one message to this subscriber only."""
        self.send(self.live.services.runtime.encode(message))

    async def build_resync_message(self) -> str:
        """A full snapshot, in place of all messages that a slow subscriber missed."""
        chat = await self.live.read_recent_chat()
        return self.live.services.runtime.encode(self.live.build_welcome_message(self, chat=chat))


def public_author_handle(user: User, table: str) -> str | None:
    """An online bot's author, as a table's log knows them; None for a person."""
    return public_handle(user.author, table) if user.author is not None else None
