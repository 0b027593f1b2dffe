"""Clocks: none, live (seconds a turn and a bank), or by days. The rules never see them.

A clock is folded from the log like all else: each entry says when it happened, so a restart changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

NONE: Final = "none"
LIVE: Final = "live"
DAYS: Final = "days"
DAY: Final = 86_400_000  # milliseconds


@dataclass(frozen=True)
class ClockRule:
    """How long a player may think: `live` takes seconds a turn and a bank of seconds, `days` a number of days."""

    mode: str = NONE
    turn: int = 0
    bank: int = 0
    days: int = 0

    def fault(self) -> str:
        """What is wrong with it; "" if nothing."""
        if self.mode == NONE:
            return "" if not (self.turn or self.bank or self.days) else "a table without a clock has no times"
        if self.mode == LIVE:
            fine = 5 <= self.turn <= 3600 and 0 <= self.bank <= 36_000 and not self.days
            return "" if fine else "a live clock has 5 to 3600 seconds a turn and a bank of 0 to 36000"
        if self.mode == DAYS:
            return "" if 1 <= self.days <= 30 and not (self.turn or self.bank) else "a clock by days has 1 to 30 days"
        return "the clocks are none, live and days"


@dataclass
class Clocks:
    """Everybody's time. Runs for one seat at a time, or for none."""

    rule: ClockRule
    banks: list[int] = field(default_factory=list)  # milliseconds left, by seat
    seat: int = -1  # whose it is; stays when stopped
    left: int = 0  # of this turn's own time
    since: int | None = None  # running since; None: it stands

    def begin(self, players: int) -> None:
        """A match begins."""
        self.banks = [self.rule.bank * 1000] * players

    def run(self, seat: int, at: int) -> None:
        """It is this seat's time now; a new turn has its own time again."""
        self.stop(at)
        if seat != self.seat or self.rule.mode == DAYS:
            self.seat = seat
            self.left = self.rule.turn * 1000 if self.rule.mode == LIVE else self.rule.days * DAY
        self.since = at

    def stop(self, at: int) -> None:
        """Count what was used since it ran: the turn's own time first, then the bank."""
        if self.since is None or self.rule.mode == NONE:
            self.since = None
            return
        self.left -= max(0, at - self.since)
        if self.left < 0:
            self.banks[self.seat] = max(0, self.banks[self.seat] + self.left)
            self.left = 0
        self.since = None

    def deadline(self) -> int | None:
        """When the time of the one who is to choose runs out; None: never."""
        if self.since is None or self.rule.mode == NONE:
            return None
        return self.since + self.left + self.banks[self.seat]

    def told(self, now: int) -> dict[str, object]:
        """For clients: what is left of each bank and of this turn, and whether it runs."""
        used = 0 if self.since is None else max(0, now - self.since)
        left = max(0, self.left - used)
        banks = list(self.banks)
        if self.seat >= 0 and used > self.left:
            banks[self.seat] = max(0, banks[self.seat] + self.left - used)
        return {"seat": self.seat, "left": left, "banks": banks, "runs": self.since is not None}
