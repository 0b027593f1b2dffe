"""Messages that come in over one connection, whatever carries it: decoded, and held to the limits of size and rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from landfall.api.limits import SOCKETS_PER_USER, Limits
from landfall.api.message_codec import DECODE_ERRORS, decode_command
from landfall.api.rate_limits import RateLimiter, TokenBucket, scale_rate
from landfall.tables.bots.allowed_bots import LEVELS
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.commands import AnyCommand
from landfall.tables.protocol.errors import Refused

QUERY_COMMANDS: Final = (cmd.Explain, cmd.Preview)
EXPENSIVE_COMMANDS: Final = (cmd.Viewpoint, cmd.Events, cmd.Hint)
UNLIMITED_COMMANDS: Final = (cmd.Play, cmd.Undo, *QUERY_COMMANDS, *EXPENSIVE_COMMANDS, cmd.Ping)
MAX_PROTOCOL_ERRORS: Final = 200  # consecutive messages that are too fast or invalid, before it is closed


def require_bot_level(code: str) -> None:
    """Refused: not a bot's level. Guests may use levels; codes may cost more."""
    if code not in LEVELS:
        raise Refused("bot", reason=f"{code[:60]!r}: {', '.join(LEVELS)}")


class UserLimiters:
    """Rates that all connections of one user share."""

    def __init__(self, limits: Limits) -> None:
        self.queries = RateLimiter(scale_rate(limits.questions, SOCKETS_PER_USER))
        self.expensive = RateLimiter(scale_rate(limits.expensive, SOCKETS_PER_USER))
        self.chat = RateLimiter(limits.chat)
        self.changes = RateLimiter(limits.changes)


class IncomingMessages:
    """The incoming side of one connection. `close` is called after too many invalid or too fast messages in a row."""

    def __init__(
        self, limits: Limits, shared: UserLimiters, user: str | None, address: str, close: Callable[[], None]
    ) -> None:
        self.max_bytes = limits.message_bytes
        self.shared = shared
        self.user = user
        self.limiter_key = user or address
        self.close = close
        self.message_bucket = TokenBucket(limits.messages)
        self.query_bucket = TokenBucket(limits.questions)  # all connections of a user share a larger budget
        self.expensive_bucket = TokenBucket(limits.expensive)
        self.protocol_errors = 0  # consecutive messages that are too fast or invalid

    def decode_within_limits(self, data: str | bytes) -> AnyCommand:
        """The command of a message. Refused: it is too long, too fast, or invalid."""
        self.protocol_errors += 1
        if self.protocol_errors > MAX_PROTOCOL_ERRORS:
            self.close()
        if len(data) > self.max_bytes:
            raise Refused("too_large", most=self.max_bytes)
        if not self.message_bucket.try_take_token():
            raise Refused("too_fast")
        try:
            command = decode_command(data)
        except DECODE_ERRORS as error:
            raise Refused("bad_message", reason=str(error)[:200]) from None
        if type(command) not in UNLIMITED_COMMANDS and self.user is not None:
            # Chat and table settings are limited by user, however many connections they have.
            rate = self.shared.chat if type(command) is cmd.Say else self.shared.changes
            if not rate.try_take_token(self.user):
                raise Refused("too_fast")
        self.protocol_errors = 0
        return command

    def require_query_rate(self, command: AnyCommand) -> None:
        """Refused: too many expensive queries."""
        if type(command) in QUERY_COMMANDS:
            own, shared = self.query_bucket, self.shared.queries
        elif type(command) in EXPENSIVE_COMMANDS:
            own, shared = self.expensive_bucket, self.shared.expensive
        else:
            return
        if not own.try_take_token() or not shared.try_take_token(self.limiter_key):
            raise Refused("too_fast")
