"""Somebody looking at a table, through one socket or in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from landfall.tables.live import LiveTable
from landfall.tables.news import News


@dataclass(frozen=True)
class Visitor:
    """Who somebody is, as far as a table cares."""

    id: str
    name: str


@dataclass(eq=False)
class Watcher:
    """One viewer: as a seat, or as a spectator (None). `send` takes what goes out; it must not wait."""

    live: LiveTable
    visitor: Visitor | None
    send: Callable[[str], None]
    seat: int | None = None  # whose eyes these are now
    look: int | None = field(default=None)  # asked for: a hot seat's lifted curtain, or any seat after the end
    wondering: bool = False  # a hint is being thought of
    origin: str = ""  # an opaque key of where they connect from, without spaces: those of one origin share workers

    @property
    def person(self) -> str | None:
        """The visitor's id; None for one who gave no name."""
        return self.visitor.id if self.visitor else None

    @property
    def requester(self) -> str:
        """For whom workers do what this one asks, as a path for the fair queue."""
        return f"{self.origin} {self.person} {self.live.table.id}"

    def tell(self, news: News) -> None:
        """Send one message to this one alone."""
        self.send(self.live.process.env.encode(news))

    async def caught_up(self) -> str:
        """Everything as it is now, for one who could not follow: instead of all that it missed."""
        talk = await self.live.talk()
        return self.live.process.env.encode(self.live.welcome(self, chat=talk))
