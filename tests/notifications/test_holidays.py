"""Tables by days stand still while a player is on holiday; with nobody connected, and over a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from landfall.store.events import OnHoliday
from landfall.store.row_types import Holiday
from landfall.tables.live.hub import TableConfig
from landfall.tables.log.clocks import DAY_MS, ClockRule
from landfall.tables.log.table import Table, fold_table_from_log
from landfall.tables.notifications.holiday_allowance import (
    DAYS_PER_YEAR,
    end_holidays_at,
    find_current_or_next_holiday,
    holiday_days_left,
)
from tests.notifications.test_outbox import days_table, id_of
from tests.tables.fake_users import Guest, Scene, guest_to_choose, run_scene

pytestmark = pytest.mark.once
HOUR = 3_600_000


async def table_now(s: Scene, table: str) -> Table:
    return fold_table_from_log(table, await s.store.tables.read_log_entries(table), s.env.rng)


async def all_away(s: Scene) -> tuple[Guest, Guest, str, int]:
    """Two people have gone from a table of two days each; who must choose, the other, the table, the seat."""
    people = await days_table(s, "Ana", "Boris")
    actor = guest_to_choose(people)
    other = next(guest for guest in people if guest is not actor)
    assert actor.seat is not None
    for guest in people:
        await guest.go()
    return actor, other, actor.table["id"], actor.seat


def test_the_deadline_stands_still_and_goes_on(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        actor, other, table, seat = await all_away(s)
        began = s.time.wall_time_ms()
        await s.time.go_on(DAY_MS)
        holiday = Holiday(id_of(actor), s.time.wall_time_ms(), s.time.wall_time_ms() + 7 * DAY_MS)
        await s.store.holidays.save_or_cancel_holidays([holiday])
        await s.hub.apply_user_holidays(id_of(actor))
        assert (await table_now(s, table)).clocks.actor_deadline() == began + 9 * DAY_MS
        summary = await s.store.tables.get_table_summary(table)
        assert summary is not None
        assert summary.deadline == began + 9 * DAY_MS, "the store knows when it is due"
        await s.time.go_on(6 * DAY_MS)
        await s.restart()
        other = s.guest("Boris" if id_of(other) == "id-Boris" else "Ana")
        await other.come(table)
        assert other.table["chairs"][seat]["holiday"] == [holiday.since, holiday.until]
        clock = next(message for message in reversed(other.inbox) if message["t"] == "welcome")["clock"]
        assert (clock["left"], clock["runs"]) == (DAY_MS, False)
        await other.go()
        await s.time.go_on(2 * DAY_MS - HOUR)
        assert (await table_now(s, table)).chairs[seat].away_reason is None
        await s.time.go_on(3 * HOUR)
        assert (await table_now(s, table)).chairs[seat].away_reason == "time"

    run_scene(story, tmp_path)


def test_who_comes_back_early_goes_on_from_there(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        actor, _, table, _ = await all_away(s)
        began = s.time.wall_time_ms()
        await s.store.holidays.save_or_cancel_holidays([Holiday(id_of(actor), began, began + 7 * DAY_MS)])
        await s.hub.apply_user_holidays(id_of(actor))
        await s.time.go_on(3 * DAY_MS)
        await s.store.holidays.save_or_cancel_holidays([Holiday(id_of(actor), began, s.time.wall_time_ms())])
        await s.hub.apply_user_holidays(id_of(actor))
        assert (await table_now(s, table)).clocks.actor_deadline() == began + 5 * DAY_MS
        planned = s.time.wall_time_ms() + HOUR
        await s.store.holidays.save_or_cancel_holidays([Holiday(id_of(actor), planned, planned + DAY_MS)])
        await s.hub.apply_user_holidays(id_of(actor))
        assert (await table_now(s, table)).clocks.actor_deadline() == began + 6 * DAY_MS
        await s.store.holidays.save_or_cancel_holidays([Holiday(id_of(actor), planned, planned)])
        await s.hub.apply_user_holidays(id_of(actor))
        await s.hub.apply_user_holidays(id_of(actor))
        assert (await table_now(s, table)).clocks.actor_deadline() == began + 5 * DAY_MS
        events = [entry.event for entry in await s.store.tables.read_log_entries(table)]
        assert sum(isinstance(event, OnHoliday) for event in events) == 4, "each change once"

    run_scene(story, tmp_path)


def test_a_table_that_begins_meanwhile_or_was_not_told_knows_it_too(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        began = s.time.wall_time_ms()
        for name in ("id-Ana", "id-Boris"):
            await s.store.holidays.save_or_cancel_holidays([Holiday(name, began, began + 5 * DAY_MS)])
        actor, _, table, seat = await all_away(s)
        await s.time.settle()
        assert (await table_now(s, table)).clocks.actor_deadline() == began + 7 * DAY_MS
        later = began + 6 * DAY_MS
        holiday = Holiday(id_of(actor), later, later + 3 * DAY_MS)
        await s.store.holidays.save_or_cancel_holidays([holiday])  # nobody lets the table know
        await s.time.go_on(9 * DAY_MS + 23 * HOUR)
        assert (await table_now(s, table)).chairs[seat].away_reason is None
        await s.time.go_on(2 * HOUR)
        assert (await table_now(s, table)).chairs[seat].away_reason == "time"

    run_scene(story, tmp_path)


def test_a_live_clock_knows_no_holidays(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        config = TableConfig("atlandice", 2, clock=ClockRule("live", turn=60, bank=0), seating="as_sat")
        people = await s.table("Ana", "Boris", config=config)
        holiday = Holiday("id-Ana", s.time.wall_time_ms(), s.time.wall_time_ms() + DAY_MS)
        await s.store.holidays.save_or_cancel_holidays([holiday])
        await s.hub.apply_user_holidays("id-Ana")
        kinds = {entry.kind for entry in await s.store.tables.read_log_entries(people[0].table["id"])}
        assert OnHoliday.kind not in kinds

    run_scene(story, tmp_path)


def test_twenty_one_days_a_year() -> None:
    begun = 1_790_000_000_000  # in September
    taken = [Holiday("p", begun, begun + 7 * DAY_MS), Holiday("p", begun - 400 * DAY_MS, begun - 380 * DAY_MS)]
    assert holiday_days_left(taken, begun) == DAYS_PER_YEAR - 7
    assert holiday_days_left([Holiday("p", begun, begun + DAY_MS + 1)], begun) == DAYS_PER_YEAR - 2, (
        "a day that has begun"
    )
    now = begun + DAY_MS
    assert end_holidays_at(taken, now) == [Holiday("p", begun, now)], "what is over stays as it was"
    assert end_holidays_at([Holiday("p", now + 5, now + 9)], now) == [Holiday("p", now + 5, now + 5)], (
        "a planned one is gone"
    )


def test_a_holiday_belongs_to_the_year_in_which_it_begins() -> None:
    new_year = 1_798_761_600_000  # 2027-01-01 in UTC
    before, after = Holiday("p", new_year - 1, new_year + DAY_MS), Holiday("p", new_year, new_year + DAY_MS)
    assert [holiday_days_left([before, after], at) for at in (new_year - 1, new_year)] == [
        DAYS_PER_YEAR - 2,
        DAYS_PER_YEAR - 1,
    ]


@pytest.mark.parametrize(("now", "found"), [(4, 5), (5, 5), (8, 5), (9, 20), (29, 20), (30, None)])
def test_the_holiday_under_way_or_the_next_one(now: int, found: int | None) -> None:
    holidays = [Holiday("p", 20, 30), Holiday("p", 5, 9)]
    one = find_current_or_next_holiday(holidays, now)
    assert (one.since if one is not None else None) == found
    assert [ended.since for ended in end_holidays_at(holidays, now)] == [h.since for h in holidays if now < h.until]
