"""Timeouts that tell a silent peer from a process that is itself held up.

A loop that was late has not yet looked at what has arrived. Time in which it stood still therefore counts for little.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

SLICES: Final = 8  # of a timeout, after each of which the loop looks at what has arrived
MAX_LATENESS: Final = 2.0  # a slice counts for at most so many times its length
MIN_TIMEOUT_S: Final = 0.25  # what is left of a timeout of several steps may be nothing, because the loop was late


class PatientTimer:
    """Calls back after so many seconds of a loop that keeps running."""

    def __init__(self, seconds: float, callback: Callable[..., object], *args: object) -> None:
        self.loop = asyncio.get_running_loop()
        self.callback = callback
        self.args = args
        self.left_s = max(seconds, MIN_TIMEOUT_S)
        self.slice_s = self.left_s / SLICES
        self.start_slice()

    def start_slice(self) -> None:
        self.started = self.loop.time()
        self.handle = self.loop.call_later(min(self.slice_s, self.left_s), self.end_slice)

    def end_slice(self) -> None:
        self.left_s -= min(self.loop.time() - self.started, MAX_LATENESS * self.slice_s)
        if self.left_s > 0:
            self.start_slice()
        else:
            self.callback(*self.args)

    def cancel(self) -> None:
        self.handle.cancel()


@asynccontextmanager
async def patient_timeout(seconds: float) -> AsyncIterator[None]:
    """As `asyncio.timeout`."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as limit:
        timer = PatientTimer(seconds, lambda: limit.reschedule(loop.time()))
        try:
            yield
        finally:
            timer.cancel()


class PatientLoop:
    """The running loop for a driver that sets its own timers."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loop, name)

    def call_later(self, seconds: float, callback: Callable[..., object], *args: object) -> PatientTimer:
        return PatientTimer(seconds, callback, *args)
