"""The checker finds what it is there for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.faults.history_checker import Row, Seen, Wait, find_log_faults, find_long_waits

pytestmark = pytest.mark.once

LOGS = {"t": [Row(1), Row(2, "a1"), Row(3, "b1"), Row(4), Row(5, "a2")]}
SEEN = [
    Seen("a", "t", 1.0, "state", n=1, version=1),
    Seen("a", "t", 1.1, "sent", "a1"),
    Seen("a", "t", 1.2, "acknowledged", "a1", 2),
    Seen("a", "t", 1.2, "state", n=2, version=2),
    Seen("b", "t", 1.3, "state", n=2, version=2),
    Seen("b", "t", 1.4, "sent", "b1"),
    Seen("b", "t", 1.5, "acknowledged", "b1", 3),
    Seen("b", "t", 1.5, "state", n=3, version=3),
    Seen("a", "t", 1.6, "state", n=4, version=4),
    Seen("a", "t", 1.7, "sent", "a2"),
    Seen("a", "t", 1.8, "acknowledged", "a2", 5),
    Seen("b", "t", 1.8, "sent", "b2"),
    Seen("b", "t", 1.9, "refused", "b2"),
]


def test_a_history_that_fits() -> None:
    assert find_log_faults(LOGS, SEEN) == []


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([Row(1), Row(2, "a1"), Row(3, "b1"), Row(4)], "acknowledged"),  # the last choice is lost
        ([Row(1), Row(2, "a1"), Row(3, "b1"), Row(4, "a1"), Row(5, "a2")], "twice"),
        ([Row(1), Row(2, "b1"), Row(3, "a1"), Row(4), Row(5, "a2")], "acknowledged"),
        ([Row(1), Row(2, "a1"), Row(3, "b1"), Row(5, "a2")], "numbers"),
        ([Row(1), Row(2, "a1"), Row(3, "b1"), Row(4, "b2"), Row(5, "a2")], "refused"),
    ],
)
def test_a_log_that_lost_doubled_or_moved_a_choice(rows: list[Row], says: str) -> None:
    assert any(says in line for line in find_log_faults({"t": rows}, SEEN))


@pytest.mark.parametrize(
    ("number", "changed", "says"),
    [
        (4, replace(SEEN[4], version=9), "another position"),
        (8, replace(SEEN[8], n=1, version=1), "later"),
        (7, replace(SEEN[7], n=9), "ends at"),
        (10, replace(SEEN[10], n=1), "order"),
        (9, replace(SEEN[9], id="other"), "never sent"),
    ],
)
def test_people_who_saw_another_order(number: int, changed: Seen, says: str) -> None:
    seen = [*SEEN[:number], changed, *SEEN[number + 1 :]]
    assert any(says in line for line in find_log_faults(LOGS, seen))


def test_who_waits_too_long_is_named_and_faults_do_not_count() -> None:
    fault = [(10.0, 40.0)]
    assert find_long_waits([Wait("a", "an answer", 9.0, 49.0)], fault, 10.0) == []
    assert find_long_waits([Wait("a", "an answer", 9.0, 50.5)], fault, 10.0)
    assert find_long_waits([Wait("a", "an answer", 41.0, 52.0)], fault, 10.0)
    assert find_long_waits([Wait("a", "an answer", 0.0, 30.0)], [(20.0, 25.0)], 10.0)
    assert find_long_waits([Wait("a", "an answer", 12.0, 62.0)], [(10.0, 20.0), (25.0, 55.0)], 10.0) == []
