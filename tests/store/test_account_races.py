"""Two requests at once: one account of a guest, one set of codes, one portrait; and a recovery beside other changes."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from landfall.store.accounts import RECOVERED, Challenge, Passkey, Recovery, SignedOut
from landfall.store.moderation import MAX_REPORTS_A_DAY, MUTE, Report, Restriction, TooManyReports
from landfall.store.portraits import Portrait
from landfall.store.rows import Holiday, MailAddress, Session, UserRecord
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


async def make_owner(store: Store, person: str) -> Recovery:
    """The owner of an account on two devices, who came by a code on the second one."""
    await store.add_user(UserRecord(person, person, 1, 1, person, "first", False, person))
    for session in ("intruder", "owner"):
        await store.add_session(Session(f"{person} {session}", person, 1, 1, ""))
    recovery = Recovery(person, f"{person} owner", f"{person} recovered")
    await store.add_challenge(Challenge(recovery.challenge, RECOVERED, person, person, 100), 1, 20)
    return recovery


def test_a_password_is_set_in_place_of_the_one_that_was_read(database: str) -> None:
    async def story(store: Store) -> None:
        recovery = await make_owner(store, "race-owner")
        assert await store.set_only_password(recovery, "recovered", 2)
        assert not await store.replace_password("race-owner", "first", "an intruder's", recovery.session)
        assert await store.replace_password("race-owner", "recovered", "second", recovery.session)
        found = await store.get_user("race-owner")
        assert found is not None
        assert found.password == "second"

    with_store(database, story)


@pytest.mark.parametrize("way", ["password", "passkey"])
def test_a_recovery_revokes_sessions_and_challenges_with_the_other_ways(database: str, way: str) -> None:
    """Whatever an intruder began before it, in any process, leads nowhere after it."""

    async def story(store: Store) -> None:
        person = f"race-{way}"
        intruder = f"{person} intruder"
        recovery = await make_owner(store, person)
        key = Passkey(f"{person} key", person, b"key", 1, "", 1)
        assert await store.add_passkey(key, 5, intruder)
        await store.replace_codes(person, [f"{person} code"], intruder)
        await store.add_challenge(Challenge(f"{person} unused", "passkey", person, "somewhere", 100), 1, 20)
        new = Passkey(f"{person} new key", person, b"new key", 1, "", 2)
        if way == "password":
            assert await store.set_only_password(recovery, "recovered", 2)
        else:
            assert await store.set_only_passkey(recovery, new, 2)
        assert [one.id for one in await store.list_sessions(person)] == [recovery.session]
        assert not await store.take_challenge(f"{person} unused", "passkey", person, 2)
        assert await store.count_codes(person) == 0
        assert await store.passkeys_of(person) == ([new] if way == "passkey" else [])
        another = Passkey(f"{person} another key", person, b"another key", 1, "", 2)
        after = await store.get_user(person)
        assert after is not None
        with pytest.raises(SignedOut):  # in flight: its session was valid when it began
            await store.add_passkey(another, 5, intruder)
        with pytest.raises(SignedOut):
            await store.replace_codes(person, [f"{person} other code"], intruder)
        with pytest.raises(SignedOut):
            await store.replace_password(person, after.password, "an intruder's", intruder)
        with pytest.raises(SignedOut):  # a cookie from before there were sessions
            await store.add_passkey(another, 5, None)
        assert not await store.set_only_password(recovery, "again", 2), "it is used up"
        assert await store.get_user(person) == after

    with_store(database, story)


def test_a_recovery_whose_new_way_cannot_be_set_can_be_tried_again(database: str) -> None:
    async def story(store: Store) -> None:
        person = "race-again"
        recovery = await make_owner(store, person)
        known = Passkey("race-again key", person, b"key", 1, "", 1)
        await store.add_user(UserRecord("race-stranger", "Stranger", 1, 1, signed=True))
        assert await store.add_passkey(replace(known, person="race-stranger"), 5, None)
        assert not await store.set_only_passkey(recovery, known, 2), "another's"
        found = await store.get_user(person)
        assert found is not None
        assert (found.password, len(await store.list_sessions(person))) == ("first", 2), "nothing is revoked"
        assert await store.set_only_password(recovery, "recovered", 2)

    with_store(database, story)


def test_of_two_who_use_a_code_one_is_signed_in(database: str) -> None:
    async def story(store: Store) -> None:
        person = "race-code"
        await store.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.replace_codes(person, ["race-code"], None)

        async def recover(n: int) -> bool:
            session = Session(f"{person} {n}", person, 1, 1, "")
            recovery = Recovery(person, session.id, f"{person} recovered {n}")
            return await store.begin_recovery(recovery, session, "race-code", 1, 100)

        assert sum(await asyncio.gather(*map(recover, range(AT_ONCE)))) == 1
        assert len(await store.list_sessions(person)) == 1

    with_store(database, story)


def test_a_recovery_revokes_signed_cookies_and_ends_with_its_session(database: str) -> None:
    async def story(store: Store) -> None:
        person = "race-signed"
        await store.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.replace_codes(person, ["race-signed"], None)
        assert await store.add_session(Session(f"{person} intruder", person, 1, 1, ""), exchanged=True)
        own = Session(f"{person} owner", person, 1, 1, "")
        recovery = Recovery(person, own.id, f"{person} recovered")
        assert await store.begin_recovery(recovery, own, "race-signed", 1, 100)
        ended = Recovery(person, f"{person} ended", recovery.challenge)
        assert not await store.set_only_password(ended, "an intruder's", 2), "its session has ended"
        assert await store.set_only_password(recovery, "recovered", 2)
        assert not await store.add_session(Session(f"{person} late", person, 1, 1, ""), exchanged=True)
        assert [one.id for one in await store.list_sessions(person)] == [own.id]

    with_store(database, story)


def test_a_session_begins_before_a_recovery_or_after_it(database: str) -> None:
    """A recovery ends those before it; whoever comes after it asks whether their password is still the one."""

    async def story(store: Store) -> None:
        person = "race-late"
        await store.add_user(UserRecord(person, person, 1, 1, person, "first", False, person))
        async with store.engine.begin() as connection:  # a recovery that is not on disk yet
            await store.lock_person(connection, person)
            late = asyncio.create_task(store.add_session(Session(f"{person} late", person, 1, 1, "")))
            await asyncio.sleep(0.2)
            assert not late.done()
        assert await late

    with_store(database, story)


def test_first_portraits_follows_and_blocks_at_once(database: str) -> None:
    async def story(store: Store) -> None:
        grounds = [f"ground {n}" for n in range(AT_ONCE)]
        for person in ("race-drawn", "race-a"):
            await store.add_user(UserRecord(person, person, 1, 1, person, "x", False, person))
        await asyncio.gather(*(store.save_portrait("race-drawn", Portrait("pink", one)) for one in grounds))
        assert (await store.portraits_of(["race-drawn"]))["race-drawn"].ground in grounds
        await asyncio.gather(*(store.set_followed("race-a", "race-b", True, 5) for _ in range(AT_ONCE)))
        assert await store.followed_by("race-a") == {"race-b"}
        others = [f"race-other {n}" for n in range(2 * AT_ONCE)]
        fine = await asyncio.gather(*(store.set_followed("race-a", one, True, 5) for one in others))
        assert sum(fine) == 4
        assert len(await store.followed_by("race-a")) == 5
        await asyncio.gather(*(store.set_blocked("race-a", "race-b", True) for _ in range(AT_ONCE)))
        assert await store.blocks_with("race-a") == {"race-b"}

    with_store(database, story)


def test_of_two_sets_of_codes_and_two_restrictions_one_stays(database: str) -> None:
    async def story(store: Store) -> None:
        sets = [[f"race-code {n} {i}" for i in range(10)] for n in range(AT_ONCE)]
        await store.add_user(UserRecord("race-codes", "Codes", 1, 1, signed=True))
        await asyncio.gather(*(store.replace_codes("race-codes", one, None) for one in sets))
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
