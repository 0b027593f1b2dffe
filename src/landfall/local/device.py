"""A device that plays by itself: its tables, its one person, and a door for each page that looks at a table."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

from landfall.local.levels import LocalThinkers
from landfall.local.reading import Misread, decoded
from landfall.local.store import LocalStore, Shelf
from landfall.tables.environment import Environment, unguessable
from landfall.tables.errors import Refused
from landfall.tables.hub import Hub
from landfall.tables.news import refusal
from landfall.tables.watcher import Visitor, Watcher
from landfall.tables.writing import table_id

if TYPE_CHECKING:
    from landfall.store.store import Store
    from landfall.tables.commands import AnyCommand

log = logging.getLogger("landfall")
MINE: Final = "here-"  # how the names of a device's own tables begin, so that nobody asks a server for them


def name() -> str:
    """A table's."""
    return MINE + unguessable()


class Door:
    """One page's way to a table, as a socket is to a server's."""

    def __init__(self, device: Device, watcher: Watcher, shut: Callable[[], None]) -> None:
        self.device = device
        self.watcher = watcher
        self.shut = shut
        device.doors.add(self)

    def hear(self, text: str) -> None:
        """Take a message: carried out, or refused with the reason."""
        command: AnyCommand | None = None
        try:
            command = self.read(text)
            self.device.hub.orders.take(self.watcher, command)
        except Refused as error:
            self.watcher.tell(refusal(error, command))
        except Exception:
            log.exception("a command failed")
            self.watcher.tell(refusal(Refused("store"), command))

    def read(self, text: str) -> AnyCommand:
        try:
            return decoded(text)
        except Misread as error:
            raise Refused("bad_message", reason=str(error)[:200]) from None

    async def close(self) -> None:
        """Go, without leaving the seat."""
        self.device.doors.discard(self)
        await self.device.hub.unwatch(self.watcher)


class Device:
    """All of it. `name` is who plays here; nobody else does."""

    def __init__(self, shelf: Shelf, name_: str = "", env: Environment | None = None) -> None:
        self.store = LocalStore(shelf, self.vanished)
        self.doors: set[Door] = set()
        self.me = Visitor("me", name_)
        # It is all of a store that tables ask for; what only a server asks for is not here.
        self.hub = Hub(cast("Store", self.store), LocalThinkers(), env or Environment(ids=name))

    async def begin(self) -> None:
        """Be ready for questions."""
        await self.hub.open()

    async def end(self) -> None:
        """Stop; all that was acknowledged is kept."""
        await self.hub.close()

    async def open(
        self, table: str, after: int | None, send: Callable[[str], None], shut: Callable[[], None] = lambda: None
    ) -> Door | None:
        """Come to a table; None: there is none such, and `send` was told. `shut` is called if it is deleted later."""
        try:
            return Door(self, await self.hub.watch(table_id(table), self.me, send, after), shut)
        except Refused as error:
            send(self.hub.env.encode(refusal(error)))
            return None

    async def forget(self, table: str) -> None:
        """Delete a table, also while somebody looks at it."""
        live = self.hub.live_tables.get(table)
        self.vanished(table)
        if live is not None:
            await live.writer.finish()
        await self.store.remove(table)

    def vanished(self, table: str) -> None:
        """A table was deleted, here or in another page: whoever looks at it is sent away."""
        live = self.hub.live_tables.pop(table, None)
        if live is None:
            return
        live.closed = True
        self.hub.driver.see_to(live)
        for door in [door for door in self.doors if door.watcher.live is live]:
            self.doors.discard(door)
            door.shut()
