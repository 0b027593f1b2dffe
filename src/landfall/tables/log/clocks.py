"""Clocks: none, live (seconds per turn and a bank), or correspondence (days). The rules never see them.

A clock is folded from the log like everything else: each event has a timestamp, so a restart changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

NO_CLOCK: Final = "none"
LIVE_CLOCK: Final = "live"
DAYS_CLOCK: Final = "days"
DAY_MS: Final = 86_400_000  # milliseconds


@dataclass(frozen=True)
class ClockRule:
    """A time control: `live` has seconds per turn and a bank of seconds, `days` a number of days."""

    mode: str = NO_CLOCK
    turn: int = 0
    bank: int = 0
    days: int = 0

    def describe_fault(self) -> str:
        """What is wrong with it; "" if nothing."""
        if self.mode == NO_CLOCK:
            return "" if not (self.turn or self.bank or self.days) else "a table without a clock has no times"
        if self.mode == LIVE_CLOCK:
            fine = 5 <= self.turn <= 3600 and 0 <= self.bank <= 36_000 and not self.days
            return "" if fine else "a live clock has 5 to 3600 seconds a turn and a bank of 0 to 36000"
        if self.mode == DAYS_CLOCK:
            return "" if 1 <= self.days <= 30 and not (self.turn or self.bank) else "a clock by days has 1 to 30 days"
        return "the clocks are none, live and days"


@dataclass
class Clocks:
    """All players' time. It runs for one seat at a time, or for none."""

    rule: ClockRule
    banks: list[int] = field(default_factory=list)  # milliseconds left, by seat
    seat: int = -1  # the seat it belongs to, also when stopped
    turn_left: int = 0  # rest of this turn's own time
    running_since: int | None = None  # None: stopped
    holidays: dict[int, dict[int, int]] = field(default_factory=dict)  # by seat: from when until when its clock stands

    def fill_banks(self, players: int) -> None:
        """Start of the match."""
        self.banks = [self.rule.bank * 1000] * players

    def run_for_seat(self, seat: int, at: int) -> None:
        """Run for this seat; a new turn gets its own time again."""
        self.stop_and_charge(at)
        if seat != self.seat or self.rule.mode == DAYS_CLOCK:
            self.seat = seat
            self.turn_left = self.rule.turn * 1000 if self.rule.mode == LIVE_CLOCK else self.rule.days * DAY_MS
        self.running_since = at

    def stop_and_charge(self, at: int) -> None:
        """Charge the time used: the turn's own time first, then the bank."""
        if self.running_since is None or self.rule.mode == NO_CLOCK:
            self.running_since = None
            return
        self.turn_left -= self.running_time_between(self.running_since, at)
        if self.turn_left < 0:
            self.banks[self.seat] = max(0, self.banks[self.seat] + self.turn_left)
            self.turn_left = 0
        self.running_since = None

    def actor_deadline(self) -> int | None:
        """When the actor's time runs out; None: never."""
        if self.running_since is None or self.rule.mode == NO_CLOCK:
            return None
        deadline = self.running_since + self.turn_left + self.banks[self.seat]
        for since, until in sorted(self.holidays.get(self.seat, {}).items()):
            if since < deadline and until > self.running_since:
                deadline += until - max(since, self.running_since)
        return deadline

    def running_time_between(self, since: int, at: int) -> int:
        """The time between two moments in which the actor's clock did not stand."""
        standing = (min(at, e) - max(since, b) for b, e in self.holidays.get(self.seat, {}).items())
        return max(0, at - since - sum(max(0, ms) for ms in standing))

    def is_actor_on_holiday(self, at: int) -> bool:
        """Whether the actor is on holiday."""
        return any(since <= at < until for since, until in self.holidays.get(self.seat, {}).items())

    def set_seat_holiday(self, seat: int, since: int, until: int) -> None:
        """A seat's clock stands from then until then; one that ends as it begins is cancelled."""
        others = {begin: end for begin, end in self.holidays.get(seat, {}).items() if begin != since}
        self.holidays = {**self.holidays, seat: {**others, since: until} if until > since else others}

    def to_client_message(self, now: int) -> dict[str, object]:
        """For clients: the rest of each bank and of this turn, and whether it runs."""
        used = 0 if self.running_since is None else self.running_time_between(self.running_since, now)
        left = max(0, self.turn_left - used)
        banks = list(self.banks)
        if self.seat >= 0 and used > self.turn_left:
            banks[self.seat] = max(0, banks[self.seat] + self.turn_left - used)
        runs = self.running_since is not None and not self.is_actor_on_holiday(now)
        return {"seat": self.seat, "left": left, "banks": banks, "runs": runs}
