"""Lets sockets open a few at a time: when everybody comes back at once, each table is loaded soon after another.

Without it all would be begun together, and none finished before its reads time out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from landfall.tables.protocol.errors import Refused

MAX_OPENING: Final = 8  # sockets at once; fewer than a store has connections
MAX_WAIT_S: Final = 10.0  # a page that has heard nothing for 25 s gives its socket up


@dataclass
class WaitingTable:
    """Those who wait for one table are let in together: it is loaded once."""

    admitted: asyncio.Future[None]
    sockets: int = 0


class OpeningGate:
    """How many sockets are opening, and the tables whose sockets wait for their turn."""

    def __init__(self, max_opening: int, max_wait_s: float = MAX_WAIT_S) -> None:
        self.max_opening = max_opening
        self.max_wait_s = max_wait_s
        self.opening = 0  # sockets
        self.waiting: dict[str, WaitingTable] = {}  # longest first

    @asynccontextmanager
    async def admit(self, table: str) -> AsyncIterator[None]:
        """A context in which a table is opened. Refused: too many wait; whoever comes back later finds fewer."""
        if self.opening < self.max_opening and not self.waiting:
            self.opening += 1
        else:
            await self.wait_for_turn(table)
        try:
            yield
        finally:
            self.leave()

    async def wait_for_turn(self, table: str) -> None:
        if table not in self.waiting:
            self.waiting[table] = WaitingTable(asyncio.get_running_loop().create_future())
        turn = self.waiting[table]
        turn.sockets += 1
        try:
            await asyncio.wait({turn.admitted}, timeout=self.max_wait_s)
        except asyncio.CancelledError:
            self.give_up(table, turn)
            raise
        if not turn.admitted.done():
            self.give_up(table, turn)
            raise Refused("busy")

    def give_up(self, table: str, turn: WaitingTable) -> None:
        """Somebody waits no longer, or left just when it was their turn."""
        if turn.admitted.done():
            self.leave()
            return
        turn.sockets -= 1
        if not turn.sockets:
            del self.waiting[table]

    def leave(self) -> None:
        """One socket is open, or was refused."""
        self.opening -= 1
        while self.waiting and self.opening < self.max_opening:
            turn = self.waiting.pop(next(iter(self.waiting)))
            self.opening += turn.sockets
            turn.admitted.set_result(None)
