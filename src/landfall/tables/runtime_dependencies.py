"""The runtime of tables: time, randomness, ids, delays. Injected, so that tests can replace them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from landfall.core.errors import LandfallError
from landfall.core.rng import Rng, SystemRng
from landfall.tables.protocol.server_messages import ServerMessage, encode_json


class SystemClock:
    """The wall clock, which may be set, and a monotonic clock."""

    def wall_time_ms(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def monotonic_ms(self) -> int:
        """Monotonic milliseconds from an arbitrary start. All waits within a process use it."""
        return time.monotonic_ns() // 1_000_000

    async def sleep_ms(self, ms: int) -> None:
        """Wait."""
        await asyncio.sleep(max(0, ms) / 1000)


def random_url_safe_id() -> str:
    """128 random bits: the link is the access right."""
    return secrets.token_urlsafe(16)


@dataclass
class Runtime:
    """All of it; the defaults are for live play."""

    clock: SystemClock = field(default_factory=SystemClock)
    rng: Rng = field(default_factory=SystemRng)
    new_id: Callable[[], str] = random_url_safe_id
    bot_pace_ms: int = 0  # pause before the first choice of a bot's turn; pages show it at their reader's pace
    answer_hold_ms: int = 1200  # delay of an answer whose timing could reveal something
    forced_choice_ms: int = 600  # delay before a forced choice is played, so that the question is visible
    empty_table_grace_ms: int = 20_000  # with nobody connected, before a table pauses
    housekeeping_ms: int = 15_000  # interval of checks for correspondence clocks
    notification_grace_ms: int = 15_000  # before a notification is sent: who is at the table sees it there
    notification_poll_ms: int = 5_000  # interval of checks for notifications to send
    bot_time_s: float = 2.0  # thinking time of a bot
    no_show_ms: int = 180_000  # for a player's first choice at a tournament's table
    director_ms: int = 2_000  # interval at which tournaments are looked after
    online_bot_ms: int = 10_000  # for a choice of an online bot, at a table without a clock by days
    on_append: Callable[[float], None] = lambda seconds: None  # called with the duration of each append
    on_command: Callable[[object, float], None] = lambda command, seconds: None  # called when one is answered
    on_refusal: Callable[[object, LandfallError], None] = lambda command, error: None  # called with each refusal
    encode: Callable[[ServerMessage], str] = encode_json  # encoder of outgoing messages
    table_link: Callable[[str], str | None] = lambda table: None  # the public link of a table
