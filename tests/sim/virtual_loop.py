"""Virtual time: a real asyncio loop whose selector never has anything ready and, asked to wait, moves the clock."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Mapping
from typing import Any

SPINS = 20_000  # rounds of the loop without time going on, after which something runs in circles


class Stuck(Exception):
    """Nothing is scheduled and somebody waits: a deadlock. Or things run for ever without time going on."""


class Clockwork(selectors.BaseSelector):
    """Waits by moving a clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.spins = 0
        self.keys: dict[int, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = self.keys[fileobj] = selectors.SelectorKey(fileobj, fileobj, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self.keys.pop(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self.keys

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck("a deadlock: somebody waits, and nothing will happen any more")
        if timeout > 0:
            self.now += timeout
            self.spins = 0
        else:
            self.spins += 1
            if self.spins > SPINS:
                raise Stuck("something runs in circles: time does not go on")
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An hour costs what happens in it. The order of what is ready is asyncio's own."""

    def __init__(self) -> None:
        self.clockwork = Clockwork()
        super().__init__(self.clockwork)

    def time(self) -> float:
        return self.clockwork.now

    def _write_to_self(self) -> None:
        """Everything is in one thread: there is nobody to wake."""
