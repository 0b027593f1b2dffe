"""Holidays: a user's tables by days stand still; 21 days a year."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from landfall.store.row_types import Holiday
from landfall.tables.log.clocks import DAY_MS

DAYS_PER_YEAR: Final = 21
MAX_AHEAD_MS: Final = 365 * DAY_MS  # how far in the future one may begin


def holiday_year(at: int) -> int:
    """The calendar year to which a holiday belongs: that of its beginning."""
    return datetime.fromtimestamp(at / 1000, UTC).year


def count_holiday_days(holiday: Holiday) -> int:
    """Days that a holiday costs: those begun."""
    return -(-(holiday.until - holiday.since) // DAY_MS)


def holiday_days_left(holidays: list[Holiday], at: int) -> int:
    """How many days of a year are left."""
    return DAYS_PER_YEAR - sum(
        count_holiday_days(one) for one in holidays if holiday_year(one.since) == holiday_year(at)
    )


def end_holidays_at(holidays: list[Holiday], now: int) -> list[Holiday]:
    """What becomes of the holiday under way, and of planned ones, when somebody is back: their ends."""
    return [Holiday(one.person, one.since, max(one.since, now)) for one in holidays if one.until > now]


def find_current_or_next_holiday(holidays: list[Holiday], now: int) -> Holiday | None:
    """The holiday that is under way, or comes next."""
    return min((one for one in holidays if one.until > now), key=lambda one: one.since, default=None)
