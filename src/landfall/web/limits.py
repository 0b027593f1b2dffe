"""Rates: a bucket that fills slowly and is emptied by asking."""

from __future__ import annotations

import ipaddress
import time
from typing import Any


class Bucket:
    """So many a second, so many at once."""

    __slots__ = ("at", "left", "most", "rate")

    def __init__(self, rate: tuple[float, float]) -> None:
        self.rate, self.most = rate
        self.left = self.most
        self.at = time.monotonic()

    def take(self) -> bool:
        """Whether one more may be."""
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Buckets:
    """One bucket for each who asks; full ones are forgotten."""

    def __init__(self, rate: tuple[float, float]) -> None:
        self.rate = rate
        self.of: dict[str, Bucket] = {}

    def take(self, who: str) -> bool:
        """Whether this one may once more."""
        bucket = self.of.get(who)
        if bucket is None:
            if len(self.of) > 10_000:
                now = time.monotonic()
                rate, most = self.rate
                self.of = {k: b for k, b in self.of.items() if b.left + (now - b.at) * rate < most}
            bucket = self.of[who] = Bucket(self.rate)
        return bucket.take()

    def forgive(self, who: str) -> None:
        """As if this one had never asked."""
        self.of.pop(who, None)


class Once:
    """What was done already, of the last so many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.done: dict[object, None] = {}

    def add(self, what: object) -> bool:
        """Whether this is the first time."""
        if what in self.done:
            return False
        self.done[what] = None
        if len(self.done) > self.most:
            del self.done[next(iter(self.done))]
        return True


def times(rate: tuple[float, float], many: int) -> tuple[float, float]:
    """So many times as much."""
    return rate[0] * many, rate[1] * many


def prefix(address: str) -> str:
    """An address, as far as it is one household's: all of an old one, the network of a new one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


def whence(client: Any) -> str:
    """Whom an asker counts as, by ASGI's `client`."""
    return prefix(str(client[0])) if client else ""
