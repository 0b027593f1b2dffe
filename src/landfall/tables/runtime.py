"""What tables need from outside: time, chance, ids, how fast things go. Arguments, so that tests give their own."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from landfall.core.rng import Rng, SystemRng
from landfall.tables.protocol.server_messages import ServerMessage, encode_json


class SystemClock:
    """The clocks: the wall's, which may be set, and one that only goes on."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> int:
        """Milliseconds from no certain beginning; never set. All waits within a process are by this one."""
        return time.monotonic_ns() // 1_000_000

    async def sleep(self, ms: int) -> None:
        """Wait."""
        await asyncio.sleep(max(0, ms) / 1000)


def random_id() -> str:
    """128 random bits: whoever has the link was given it."""
    return secrets.token_urlsafe(16)


@dataclass
class Runtime:
    """All of it; the defaults are for live play."""

    clock: SystemClock = field(default_factory=SystemClock)
    rng: Rng = field(default_factory=SystemRng)
    new_id: Callable[[], str] = random_id
    # milliseconds from the question a bot's turn begins with to its choice, so that people can follow
    bot_pace_ms: int = 500
    answer_hold_ms: int = 1200  # milliseconds an answer is held whose speed could tell something
    # milliseconds until a question with one possible answer answers itself, so that it is seen
    forced_choice_ms: int = 600
    empty_table_grace_ms: int = 20_000  # milliseconds with nobody connected before a table pauses
    housekeeping_ms: int = 15_000  # milliseconds between looks for clocks by days that ran out
    bot_time_s: float = 2.0  # seconds a bot may think
    on_append: Callable[[float], None] = lambda seconds: None  # told how long each entry took to get to disk
    encode: Callable[[ServerMessage], str] = encode_json  # how what is told is written
    table_link: Callable[[str], str | None] = lambda table: None  # where people find a table
