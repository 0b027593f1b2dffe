"""Clocks against a count of every tick: deadlines, charges, holidays; and the limits of a time control."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from landfall.tables.log.clocks import DAY_MS, ClockRule, Clocks

MOMENT = st.integers(0, 40)


@st.composite
def running_clocks(draw: st.DrawFn) -> Clocks:
    """A clock that runs for seat 0 since moment 10, with holidays of both seats before, during and after."""
    bounds = sorted(draw(st.lists(MOMENT, max_size=6, unique=True)))
    holidays = dict(zip(bounds[::2], bounds[1::2]))
    clocks = Clocks(ClockRule("live", 5, 1), [draw(st.integers(0, 8)), 7], 0, draw(st.integers(1, 8)), 10)
    clocks.holidays = {0: dict(draw(st.permutations(list(holidays.items())))), 1: {0: 40}}
    return clocks


def ticks_used(clocks: Clocks, until: int) -> int:
    """The moments since 10 at which seat 0 was not on holiday."""
    return sum(not any(b <= now < e for b, e in clocks.holidays[0].items()) for now in range(10, until))


@settings(deadline=None)
@given(running_clocks())
def test_the_deadline_is_when_the_turn_and_the_bank_are_used_up_holidays_apart(clocks: Clocks) -> None:
    given_time = clocks.turn_left + clocks.banks[0]
    assert clocks.actor_deadline() == next(now for now in range(10, 100) if ticks_used(clocks, now) == given_time)


@settings(deadline=None)
@given(running_clocks(), MOMENT.map(lambda later: later + 10))
def test_the_turns_own_time_is_charged_first_then_the_bank_and_neither_below_zero(clocks: Clocks, now: int) -> None:
    turn, bank, used = clocks.turn_left, clocks.banks[0], ticks_used(clocks, now)
    left = [max(0, turn - used), max(0, bank - max(0, used - turn))]
    on_holiday = any(b <= now < e for b, e in clocks.holidays[0].items())
    shown = {"seat": 0, "left": left[0], "banks": [left[1], 7], "runs": not on_holiday}
    assert clocks.to_client_message(now) == shown
    assert clocks.banks == [bank, 7], "to look at a clock charges nothing"
    clocks.stop_and_charge(now)
    assert [clocks.turn_left, *clocks.banks] == [*left, 7]
    assert clocks.actor_deadline() is None
    clocks.stop_and_charge(now + 50)
    assert [clocks.turn_left, *clocks.banks] == [*left, 7], "it stands"


def test_a_new_turn_gets_its_own_time_again_and_the_same_one_does_not() -> None:
    clocks = Clocks(ClockRule("live", 5, 2))
    clocks.fill_banks(2)
    assert clocks.banks == [2000, 2000]
    clocks.run_for_seat(0, 100)
    assert clocks.actor_deadline() == 7100
    clocks.run_for_seat(0, 3100)
    assert (clocks.turn_left, clocks.actor_deadline()) == (2000, 7100), "the same turn goes on"
    clocks.run_for_seat(1, 6100)
    assert (clocks.turn_left, clocks.banks, clocks.actor_deadline()) == (5000, [1000, 2000], 13_100)
    clocks.run_for_seat(0, 7100)
    assert (clocks.turn_left, clocks.actor_deadline()) == (5000, 13_100), "back again"


@pytest.mark.parametrize("first", [0, 1])
def test_whoever_begins_has_the_turns_own_time(first: int) -> None:
    clocks = Clocks(ClockRule("live", 5, 2))
    clocks.fill_banks(2)
    clocks.run_for_seat(first, 0)
    assert clocks.actor_deadline() == 7000


def test_by_days_every_choice_gets_the_days_again() -> None:
    clocks = Clocks(ClockRule("days", days=2))
    clocks.fill_banks(1)
    clocks.run_for_seat(0, 0)
    clocks.run_for_seat(0, DAY_MS)
    assert clocks.actor_deadline() == 3 * DAY_MS


def test_without_a_clock_nothing_is_ever_due() -> None:
    clocks = Clocks(ClockRule())
    clocks.fill_banks(1)
    clocks.run_for_seat(0, 0)
    assert clocks.actor_deadline() is None
    clocks.stop_and_charge(10_000)
    assert (clocks.running_since, clocks.banks) == (None, [0])


def test_a_holiday_is_changed_by_its_beginning_and_one_that_ends_as_it_begins_is_none() -> None:
    clocks = Clocks(ClockRule("days", days=1))
    for seat, since, until in ((0, 5, 9), (0, 20, 30), (1, 5, 7), (0, 5, 6)):
        clocks.set_seat_holiday(seat, since, until)
    assert clocks.holidays == {0: {5: 6, 20: 30}, 1: {5: 7}}
    clocks.set_seat_holiday(0, 5, 5)
    assert clocks.holidays == {0: {20: 30}, 1: {5: 7}}


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (ClockRule(), ""),
        (ClockRule("none", turn=1), "without a clock"),
        (ClockRule("none", bank=1), "without a clock"),
        (ClockRule("none", days=1), "without a clock"),
        (ClockRule("live", 5), ""),
        (ClockRule("live", 4), "5 to 3600"),
        (ClockRule("live", 3600, 36_000), ""),
        (ClockRule("live", 3601), "5 to 3600"),
        (ClockRule("live", 5, 36_001), "5 to 3600"),
        (ClockRule("live", 5, -1), "5 to 3600"),
        (ClockRule("live", 5, 0, 1), "5 to 3600"),
        (ClockRule("days", days=1), ""),
        (ClockRule("days", days=30), ""),
        (ClockRule("days", days=0), "1 to 30"),
        (ClockRule("days", days=31), "1 to 30"),
        (ClockRule("days", turn=5, days=1), "1 to 30"),
        (ClockRule("days", bank=5, days=1), "1 to 30"),
        (ClockRule("sand"), "the clocks are"),
    ],
)
def test_a_time_control_has_limits(rule: ClockRule, says: str) -> None:
    found = rule.describe_fault()
    assert says in found
    assert bool(found) == bool(says)
