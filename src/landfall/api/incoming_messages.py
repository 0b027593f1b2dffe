"""Messages that come in over one connection, whatever carries it: decoded, and held to the limits of size and rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from landfall.api.limits import CHANGE, CHAT, CHOICE, EXPENSIVE, PING, QUERY, TABLE, RateLimit
from landfall.api.message_codec import DECODE_ERRORS, decode_command
from landfall.api.rate_limits import RateLimiters, TokenBucket
from landfall.tables.bots.allowed_bots import LEVELS
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.commands import AnyCommand
from landfall.tables.protocol.errors import Refused

QUERY_COMMANDS: Final = (cmd.Explain, cmd.Preview)
COMMAND_LIMITS: Final[dict[type, RateLimit]] = {
    **dict.fromkeys(QUERY_COMMANDS, QUERY),
    **dict.fromkeys((cmd.Viewpoint, cmd.Events, cmd.Hint), EXPENSIVE),
    **dict.fromkeys((cmd.Play, cmd.Undo), CHOICE),
    **dict.fromkeys(
        (
            cmd.Arrange, cmd.Skip, cmd.Sit, cmd.Bot, cmd.Free, cmd.Colour, cmd.Start, cmd.Leave, cmd.Back, cmd.Resign,
            cmd.Propose, cmd.Answer, cmd.Resume, cmd.Remove, cmd.Mute, cmd.Close,
        ),
        CHANGE,
    ),
    cmd.Rematch: TABLE,
    cmd.Say: CHAT,
    cmd.Ping: PING,
}  # fmt: skip
MAX_PROTOCOL_ERRORS: Final = 200  # consecutive messages that are too fast or invalid, before it is closed


def require_bot_level(code: str) -> None:
    """Refused: not a bot's level. Guests may use levels; codes may cost more."""
    if code not in LEVELS:
        raise Refused("bot", reason=f"{code[:60]!r}: {', '.join(LEVELS)}")


class IncomingMessages:
    """The incoming side of one connection. `close` is called after too many invalid or too fast messages in a row.

    A connection has each rate once, a person and an address so often as the message's limit says.
    """

    def __init__(self, limiters: RateLimiters, person: str | None, address: str, close: Callable[[], None]) -> None:
        self.limiters = limiters
        self.person = person
        self.address = address
        self.close = close
        self.message_bucket = TokenBucket(limiters.limits.messages)
        self.buckets: dict[str, TokenBucket] = {}  # by rate
        self.protocol_errors = 0  # consecutive messages that are too fast or invalid

    def decode_within_limits(self, data: str | bytes) -> AnyCommand:
        """The command of a message. Refused: it is too long, too fast, or invalid."""
        self.protocol_errors += 1
        if self.protocol_errors > MAX_PROTOCOL_ERRORS:
            self.close()
        if len(data) > self.limiters.limits.message_bytes:
            raise Refused("too_large", most=self.limiters.limits.message_bytes)
        if not self.message_bucket.try_take_token():
            raise Refused("too_fast")
        try:
            command = decode_command(data)
        except DECODE_ERRORS as error:
            raise Refused("bad_message", reason=str(error)[:200]) from None
        self.require_command_rate(COMMAND_LIMITS[type(command)])
        self.protocol_errors = 0
        return command

    def require_command_rate(self, limit: RateLimit) -> None:
        """Refused: too often by this connection, this person or this address."""
        own = self.buckets.get(limit.rate)
        if own is None:
            own = self.buckets[limit.rate] = TokenBucket(getattr(self.limiters.limits, limit.rate))
        if not own.try_take_token():
            raise Refused("too_fast")
        if self.person is not None:
            self.limiters.require_person_rate(limit, self.person)
        self.limiters.require_address_rate(limit, self.address)
