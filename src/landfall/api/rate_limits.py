"""Rate limits by token bucket."""

from __future__ import annotations

import ipaddress
import time
from typing import Any

from landfall.api.limits import Limits, RateLimit
from landfall.tables.protocol.errors import Refused


class TokenBucket:
    """A rate per second and a burst."""

    __slots__ = ("capacity", "rate", "tokens", "updated_at")

    def __init__(self, rate: tuple[float, float]) -> None:
        self.rate, self.capacity = rate
        self.tokens = self.capacity
        self.updated_at = time.monotonic()

    def try_take_token(self) -> bool:
        """Take a token if there is one."""
        now = time.monotonic()
        self.tokens = min(self.capacity, self.tokens + (now - self.updated_at) * self.rate)
        self.updated_at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def give_token_back(self) -> None:
        """What it was taken for did not happen."""
        self.tokens = min(self.capacity, self.tokens + 1)


class RateLimiter:
    """One bucket per key; full ones are dropped."""

    def __init__(self, rate: tuple[float, float]) -> None:
        self.rate = rate
        self.buckets: dict[str, TokenBucket] = {}

    def try_take_token(self, who: str) -> bool:
        """Take a token of this key if there is one."""
        bucket = self.buckets.get(who)
        if bucket is None:
            if len(self.buckets) > 10_000:
                now = time.monotonic()
                rate, most = self.rate
                self.buckets = {k: b for k, b in self.buckets.items() if b.tokens + (now - b.updated_at) * rate < most}
            bucket = self.buckets[who] = TokenBucket(self.rate)
        return bucket.try_take_token()

    def give_token_back(self, who: str) -> None:
        """Undo `try_take_token` of this key."""
        if who in self.buckets:
            self.buckets[who].give_token_back()

    def reset_bucket(self, who: str) -> None:
        """Forget this key."""
        self.buckets.pop(who, None)


class RateLimiters:
    """What people and addresses have left of the rates that routes and messages declare."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.limiters: dict[tuple[str, float, str], RateLimiter] = {}

    def require_person_rate(self, limit: RateLimit, person: str, paid_by: str | None = None) -> None:
        """Refused: this person asks too often, from whatever addresses. An address that has paid before is paid back:
        others there would go without.
        """
        if not self.limiter_of(limit.rate, limit.person, "person").try_take_token(person):
            if paid_by is not None:
                self.limiter_of(limit.rate, limit.address, "address").give_token_back(paid_by)
            raise Refused("too_fast")

    def require_address_rate(self, limit: RateLimit, address: str) -> None:
        """Refused: too much is asked from this address, by however many people."""
        if not self.try_take_address_token(limit, address):
            raise Refused("too_fast")

    def try_take_address_token(self, limit: RateLimit, address: str) -> bool:
        return self.limiter_of(limit.rate, limit.address, "address").try_take_token(address)

    def limiter_of(self, rate: str, share: float, counted_by: str) -> RateLimiter:
        found = self.limiters.get((rate, share, counted_by))
        if found is None:
            found = self.limiters[rate, share, counted_by] = RateLimiter(scale_rate(getattr(self.limits, rate), share))
        return found


class RecentSet:
    """The most recent keys."""

    def __init__(self, max_size: int) -> None:
        self.max_size = max_size
        self.seen: dict[object, None] = {}

    def add_if_new(self, what: object) -> bool:
        """Add a key. Returns whether it is new."""
        if what in self.seen:
            return False
        self.seen[what] = None
        if len(self.seen) > self.max_size:
            del self.seen[next(iter(self.seen))]
        return True


def scale_rate(rate: tuple[float, float], share: float) -> tuple[float, float]:
    """A rate and burst, multiplied; at least one may come."""
    return rate[0] * share, max(1.0, rate[1] * share)


def household_network_prefix(address: str) -> str:
    """The part of an address that identifies a household: a whole IPv4 address, the /64 of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


def rate_limit_key_of_client(client: Any) -> str:
    """The rate-limit key of a client, from ASGI's `client`."""
    return household_network_prefix(str(client[0])) if client else ""
