"""What tables need from outside: time, chance, ids, how fast things go. Arguments, so that tests give their own."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from landfall.core.rng import Rng, SystemRng
from landfall.tables.news import News, encoded


class Time:
    """The clocks: the wall's, which may be set, and one that only goes on."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def steady(self) -> int:
        """Milliseconds from no certain beginning; never set. All waits within a process are by this one."""
        return time.monotonic_ns() // 1_000_000

    async def sleep(self, ms: int) -> None:
        """Wait."""
        await asyncio.sleep(max(0, ms) / 1000)


def unguessable() -> str:
    """128 random bits: whoever has the link was given it."""
    return secrets.token_urlsafe(16)


@dataclass
class Environment:
    """All of it; the defaults are for live play."""

    time: Time = field(default_factory=Time)
    rng: Rng = field(default_factory=SystemRng)
    ids: Callable[[], str] = unguessable
    pace: int = 600  # milliseconds from the question a bot's turn begins with to its choice, so that people can follow
    hold: int = 1200  # milliseconds an answer is held whose speed could tell something
    forced: int = 600  # milliseconds until a question with one possible answer answers itself, so that it is seen
    grace: int = 20_000  # milliseconds with nobody connected before a table pauses
    tick: int = 15_000  # milliseconds between looks for clocks by days that ran out
    thinking: float = 2.0  # seconds a bot may think
    written: Callable[[float], None] = lambda seconds: None  # told how long each entry took to get to disk
    encode: Callable[[News], str] = encoded  # how what is told is written
    link: Callable[[str], str | None] = lambda table: None  # where people find a table
