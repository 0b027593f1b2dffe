"""What a user wants to be notified of, how, and when."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from landfall.store.row_types import Notice
from landfall.tables.notifications.table_notices import INVITATION, KINDS, START, TOURNAMENT, TRIAL, TURN

SOON: Final = ("now", "hour", "short")  # for a turn by days: at once, after an hour, when a quarter of the time is left
HOUR_MS: Final = 3_600_000
SHORT_SHARE: Final = 0.25  # of the time for a turn


@dataclass(frozen=True)
class Preferences:
    """A user's choices; the defaults count until others are made."""

    here: tuple[str, ...] = KINDS
    push: tuple[str, ...] = (TURN, INVITATION, START, TOURNAMENT)
    mail: tuple[str, ...] = (TOURNAMENT,)
    soon: str = "hour"
    quiet: bool = True
    quiet_from: int = 22 * 60  # minutes after midnight
    quiet_to: int = 8 * 60
    lost: bool = True  # in quiet hours, too, if less than an hour is left
    zone: str = "UTC"
    language: str = "en"

    def to_stored_data(self) -> dict[str, Any]:
        """As it is stored."""
        return asdict(self)


def preferences_from_data(data: dict[str, Any]) -> Preferences:
    """From what is stored; what is missing has its default."""
    known: dict[str, Any] = {name: value for name, value in data.items() if name in Preferences.__dataclass_fields__}
    lists: dict[str, Any] = {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
    return Preferences(**{**known, **lists})


def find_time_zone_or_utc(name: str) -> tzinfo:
    """A time zone by its name; UTC if this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def is_known_time_zone(name: str) -> bool:
    """Whether a time zone has this name."""
    return name == "UTC" or find_time_zone_or_utc(name) is not UTC


def find_end_of_quiet_hours(preferences: Preferences, at: int) -> int | None:
    """When the quiet hours end in which a moment lies; None if it lies in none."""
    begins, ends = preferences.quiet_from, preferences.quiet_to
    if not preferences.quiet or begins == ends:
        return None
    local = datetime.fromtimestamp(at / 1000, find_time_zone_or_utc(preferences.zone))
    minute = local.hour * 60 + local.minute
    if not (begins <= minute < ends if begins < ends else minute >= begins or minute < ends):
        return None
    morning = local.replace(hour=ends // 60, minute=ends % 60, second=0, microsecond=0)
    if minute >= ends:
        morning += timedelta(days=1)
    return int(morning.timestamp() * 1000)


def find_notice_send_time(notice: Notice, preferences: Preferences) -> int | None:
    """When a notice is to be sent; None: never."""
    if notice.kind == TRIAL:
        return notice.at
    deadline: int | None = notice.data.get("deadline")
    runs_short = notice.kind == TURN and preferences.soon == "short"
    if not (runs_short and deadline is not None) and (notice.seen is not None or notice.data.get("again")):
        return None
    at = notice.at
    if runs_short and deadline is not None:
        at = int(deadline - (deadline - notice.at) * SHORT_SHARE)
    elif notice.kind == TURN and preferences.soon == "hour":
        at += HOUR_MS
    morning = find_end_of_quiet_hours(preferences, at)
    if morning is None:
        return at
    if preferences.lost and deadline is not None and deadline - HOUR_MS < morning:
        return max(at, deadline - HOUR_MS)
    return morning
