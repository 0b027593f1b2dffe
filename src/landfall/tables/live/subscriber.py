"""Somebody looking at a table, through one socket or in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from landfall.tables.live.live_table import LiveTable
from landfall.tables.protocol.server_messages import ServerMessage


@dataclass(frozen=True)
class User:
    """Who somebody is, as far as a table cares."""

    id: str
    name: str


@dataclass(eq=False)
class Subscriber:
    """One viewer: as a seat, or as a spectator (None). `send` takes what goes out; it must not wait."""

    live: LiveTable
    user: User | None
    send: Callable[[str], None]
    seat: int | None = None  # whose eyes these are now
    requested_seat: int | None = field(
        default=None
    )  # asked for: a hot seat's lifted curtain, or any seat after the end
    hint_pending: bool = False  # a hint is being thought of
    origin: str = ""  # an opaque key of where they connect from, without spaces: those of one origin share workers

    @property
    def user_id(self) -> str | None:
        """The visitor's id; None for one who gave no name."""
        return self.user.id if self.user else None

    @property
    def requester(self) -> str:
        """For whom workers do what this one asks, as a path for the fair queue."""
        return f"{self.origin} {self.user_id} {self.live.table.id}"

    def send_message(self, message: ServerMessage) -> None:
        """Send one message to this one alone."""
        self.send(self.live.services.runtime.encode(message))

    async def resync_message(self) -> str:
        """Everything as it is now, for one who could not follow: instead of all that it missed."""
        chat = await self.live.recent_chat()
        return self.live.services.runtime.encode(self.live.welcome_message(self, chat=chat))
