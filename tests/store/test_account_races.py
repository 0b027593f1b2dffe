"""Two requests at once: a guest becomes one account, somebody has one set of codes, one restriction, one holiday."""

from __future__ import annotations

import asyncio
import time

import pytest

from landfall.store.moderation import MAX_REPORTS_A_DAY, MUTE, Report, Restriction, TooManyReports
from landfall.store.rows import Holiday, MailAddress, UserRecord
from landfall.store.store import Store
from landfall.tables.log.clocks import DAY_MS
from tests.store.test_store import with_store

pytestmark = pytest.mark.once
AT_ONCE = 6


def test_a_guest_becomes_one_account(database: str) -> None:
    async def story(store: Store) -> None:
        await store.add_user(UserRecord("race-guest", "Guest", 1, 1))

        async def register(name: str) -> bool | None:
            return await store.update_guest("race-guest", name=name, account=name, skeleton=name, password="x")

        made = await asyncio.gather(*(register(f"race-{n}") for n in range(AT_ONCE)))
        assert sorted(made, key=str) == [None] * (AT_ONCE - 1) + [True]
        found = await store.get_user("race-guest")
        assert found is not None
        assert found.name == found.account == f"race-{made.index(True)}"
        await store.add_user(UserRecord("race-other", "Other", 1, 1))
        taken = {"name": found.name, "account": found.account, "skeleton": found.account}
        assert await store.update_guest("race-other", **taken) is False

    with_store(database, story)


def test_a_password_is_set_in_place_of_the_one_that_was_read(database: str) -> None:
    async def story(store: Store) -> None:
        await store.add_user(UserRecord("race-owner", "Owner", 1, 1, "race-owner", "first", False, "race-owner"))
        await store.set_only_password("race-owner", "recovered")
        assert not await store.replace_password("race-owner", "first", "an intruder's")
        assert await store.replace_password("race-owner", "recovered", "second")
        found = await store.get_user("race-owner")
        assert found is not None
        assert found.password == "second"

    with_store(database, story)


def test_of_two_sets_of_codes_and_two_restrictions_one_stays(database: str) -> None:
    async def story(store: Store) -> None:
        sets = [[f"race-code {n} {i}" for i in range(10)] for n in range(AT_ONCE)]
        await asyncio.gather(*(store.replace_codes("race-codes", one) for one in sets))
        assert await store.count_codes("race-codes") == 10
        until = time.time_ns() // 1_000_000 + DAY_MS
        many = [Restriction("race-muted", MUTE, 1, until + n, "") for n in range(AT_ONCE)]
        await asyncio.gather(*map(store.restrict, many))
        [left] = await store.restrictions_of(["race-muted"])
        assert left in many

    with_store(database, story)


def test_reports_of_one_person_are_bounded(database: str) -> None:
    async def story(store: Store) -> None:
        def report(person: str, table: str = "", line: int = 0, at: int = DAY_MS) -> Report:
            return Report(0, at, "race-reporter", person, table, line, "rude")

        assert await store.add_report(report("p0", "table", 1))
        assert not await store.add_report(report("p0", "table", 2)), "the same person at the same table"
        assert await store.add_report(report("p0", "another table", 2))
        assert await store.add_report(report("p0"))
        for n in range(MAX_REPORTS_A_DAY - 3):
            assert await store.add_report(report(f"p{n + 1}"))
        mine = [one for one in await store.open_reports() if one.reporter == "race-reporter"]
        assert len(mine) == MAX_REPORTS_A_DAY
        with pytest.raises(TooManyReports):
            await store.add_report(report("one more"))
        for one in mine:
            await store.close_report(one.id, DAY_MS)
        with pytest.raises(TooManyReports):
            await store.add_report(report("one more", at=2 * DAY_MS - 1))
        assert await store.add_report(report("one more", at=2 * DAY_MS))

    with_store(database, story)


def test_addresses_that_nobody_confirmed_are_forgotten(database: str) -> None:
    async def story(store: Store) -> None:
        for person, asked, confirmed in (("race-old", 5, None), ("race-new", 10, None), ("race-fine", 5, 6)):
            await store.save_mail_address(MailAddress(person, "a@example.org", "en", None, asked, confirmed))
        await store.prune_mail_addresses(10)
        left = [await store.get_mail_address(person) for person in ("race-old", "race-new", "race-fine")]
        assert [one is not None for one in left] == [False, True, True]

    with_store(database, story)


def test_holidays_are_saved_by_two_at_once(database: str) -> None:
    async def story(store: Store) -> None:
        await store.save_holiday(Holiday("race-away", 1, 10))
        both = [Holiday("race-away", 1, 5), Holiday("race-away", 20, 30)]
        await asyncio.gather(*(store.save_holidays(both) for _ in range(AT_ONCE)))
        assert await store.holidays_of(["race-away"], 0) == both

    with_store(database, story)
