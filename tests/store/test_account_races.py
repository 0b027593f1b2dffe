"""Two requests at once: one account of a guest, one set of codes, one portrait; and a recovery beside other changes."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from landfall.store import schema
from landfall.store.accounts import Challenge, Passkey, Recovery, RecoveryInProgress, SessionEnded
from landfall.store.moderation import MAX_REPORTS_A_DAY, MUTE, Report, Restriction, TooManyReports
from landfall.store.portraits import Portrait
from landfall.store.row_types import Holiday, MailAddress, Session, UserRecord
from landfall.store.sessions import MAX_SESSIONS_PER_USER, RECOVERED
from landfall.store.store import Store
from landfall.tables.log.clocks import DAY_MS
from tests.store.test_store import with_store

pytestmark = pytest.mark.once
AT_ONCE = 6


def test_a_guest_becomes_one_account(database: str) -> None:
    async def story(store: Store) -> None:
        await store.users.add_user(UserRecord("race-guest", "Guest", 1, 1))

        async def register(name: str) -> bool | None:
            return await store.users.update_guest("race-guest", name=name, account=name, skeleton=name, password="x")

        made = await asyncio.gather(*(register(f"race-{n}") for n in range(AT_ONCE)))
        assert sorted(made, key=str) == [None] * (AT_ONCE - 1) + [True]
        found = await store.users.get_user_by_id("race-guest")
        assert found is not None
        assert found.name == found.account == f"race-{made.index(True)}"
        await store.users.add_user(UserRecord("race-other", "Other", 1, 1))
        taken = {"name": found.name, "account": found.account, "skeleton": found.account}
        assert await store.users.update_guest("race-other", **taken) is False

    with_store(database, story)


async def make_owner(store: Store, person: str) -> Recovery:
    """The owner of an account on two devices, who came by a code on the second one."""
    await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", False, person))
    for session in ("intruder", "owner"):
        await store.sessions.add_session(Session(f"{person} {session}", person, 1, 1, ""))
    recovery = Recovery(person, f"{person} owner", f"{person} recovered")
    await store.accounts.add_or_renew_proof(Challenge(recovery.challenge, RECOVERED, person, recovery.session, 100), 1)
    return recovery


def test_a_password_is_set_in_place_of_the_one_that_was_read(database: str) -> None:
    async def story(store: Store) -> None:
        recovery = await make_owner(store, "race-owner")
        assert await store.accounts.replace_sign_ins_by_password(recovery, "recovered", 2)
        assert not await store.accounts.replace_password("race-owner", "first", "an intruder's", recovery.session)
        assert await store.accounts.replace_password("race-owner", "recovered", "second", recovery.session)
        found = await store.users.get_user_by_id("race-owner")
        assert found is not None
        assert found.password == "second"

    with_store(database, story)


@pytest.mark.parametrize("way", ["password", "passkey", "host"])
def test_a_recovery_revokes_sessions_and_challenges_with_the_other_ways(database: str, way: str) -> None:
    """Whatever an intruder began before it, in any process, leads nowhere after it."""

    async def story(store: Store) -> None:
        person = f"race-{way}"
        intruder = f"{person} intruder"
        recovery = await make_owner(store, person)
        key = Passkey(f"{person} key", person, b"key", 1, "", 1)
        assert await store.accounts.add_passkey(key, 5, intruder)
        await store.accounts.replace_recovery_codes(person, [f"{person} code"], intruder)
        await store.accounts.add_or_renew_proof(Challenge(f"{person} recent", "recent", person, intruder, 100), 1)
        bot = UserRecord(
            f"{person} bot", f"{person} bot", 1, 1, f"{person} bot", skeleton=f"{person} bot", author=person
        )
        assert await store.users.add_bot(bot, 5)
        await store.sessions.add_token_and_end_earlier(Session(f"{person} token", bot.id, 1, 1, "abcd", "play"), 1)
        new = Passkey(f"{person} new key", person, b"new key", 1, "", 2)
        if way == "password":
            assert await store.accounts.replace_sign_ins_by_password(recovery, "recovered", 2)
        elif way == "passkey":
            assert await store.accounts.replace_sign_ins_by_passkey(recovery, new, 2)
        else:
            await store.accounts.reset_password_and_sign_out(person, "the host's")
        kept = [recovery.session] if way != "host" else []
        assert [one.id for one in await store.sessions.list_sessions_of_user(person)] == kept
        assert await store.sessions.list_sessions_of_user(bot.id) == [], "an intruder may have made its token"
        assert not await store.accounts.has_valid_proof(f"{person} recent", "recent", person, 2)
        assert await store.accounts.count_unused_recovery_codes(person) == 0
        assert await store.accounts.list_passkeys_of_user(person) == ([new] if way == "passkey" else [])
        another = Passkey(f"{person} another key", person, b"another key", 1, "", 2)
        after = await store.users.get_user_by_id(person)
        assert after is not None
        with pytest.raises(SessionEnded):  # in flight: its session was valid when it began
            await store.accounts.add_passkey(another, 5, intruder)
        with pytest.raises(SessionEnded):
            await store.accounts.replace_recovery_codes(person, [f"{person} other code"], intruder)
        with pytest.raises(SessionEnded):
            await store.accounts.replace_password(person, after.password, "an intruder's", intruder)
        with pytest.raises(SessionEnded):  # a cookie from before there were sessions
            await store.accounts.add_passkey(another, 5, None)
        assert not await store.accounts.replace_sign_ins_by_password(recovery, "again", 2), "it is used up"
        assert await store.users.get_user_by_id(person) == after

    with_store(database, story)


def test_a_recovery_whose_new_way_cannot_be_set_can_be_tried_again(database: str) -> None:
    async def story(store: Store) -> None:
        person = "race-again"
        recovery = await make_owner(store, person)
        known = Passkey("race-again key", person, b"key", 1, "", 1)
        await store.users.add_user(UserRecord("race-stranger", "Stranger", 1, 1, signed=True))
        assert await store.accounts.add_passkey(replace(known, person="race-stranger"), 5, None)
        assert not await store.accounts.replace_sign_ins_by_passkey(recovery, known, 2), "another's"
        found = await store.users.get_user_by_id(person)
        assert found is not None
        assert (found.password, len(await store.sessions.list_sessions_of_user(person))) == ("first", 2), (
            "nothing is revoked"
        )
        assert await store.accounts.replace_sign_ins_by_password(recovery, "recovered", 2)

    with_store(database, story)


def test_of_two_who_use_a_code_one_is_signed_in(database: str) -> None:
    async def story(store: Store) -> None:
        person = "race-code"
        await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.accounts.replace_recovery_codes(person, ["race-code"], None)

        async def recover(n: int) -> bool:
            session = Session(f"{person} {n}", person, 1, 1, "")
            recovery = Recovery(person, session.id, f"{person} recovered {n}")
            return await store.accounts.begin_recovery_session(recovery, session, "race-code", 1, 100)

        assert sum(await asyncio.gather(*map(recover, range(AT_ONCE)))) == 1
        assert len(await store.sessions.list_sessions_of_user(person)) == 1
        begun = [
            await store.accounts.has_valid_proof(f"{person} recovered {n}", RECOVERED, person, 2)
            for n in range(AT_ONCE)
        ]
        assert sum(begun) == 1

    with_store(database, story)


def test_a_recovery_revokes_signed_cookies_and_ends_with_its_session(database: str) -> None:
    async def story(store: Store) -> None:
        person = "race-signed"
        await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.accounts.replace_recovery_codes(person, ["race-signed"], None)
        assert await store.sessions.add_session(Session(f"{person} intruder", person, 1, 1, ""), exchanged=True)
        own = Session(f"{person} owner", person, 1, 1, "")
        recovery = Recovery(person, own.id, f"{person} recovered")
        assert await store.accounts.begin_recovery_session(recovery, own, "race-signed", 1, 100)
        ended = Recovery(person, f"{person} ended", recovery.challenge)
        assert not await store.accounts.replace_sign_ins_by_password(ended, "an intruder's", 2), "its session has ended"
        assert await store.accounts.replace_sign_ins_by_password(recovery, "recovered", 2)
        assert not await store.sessions.add_session(Session(f"{person} late", person, 1, 1, ""), exchanged=True)
        assert [one.id for one in await store.sessions.list_sessions_of_user(person)] == [own.id]

    with_store(database, story)


def test_a_session_begins_before_a_recovery_or_after_it(database: str) -> None:
    """A recovery ends those before it; whoever comes after it asks whether their password is still the one."""

    async def story(store: Store) -> None:
        person = "race-late"
        await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", False, person))
        async with store.database.engine.begin() as connection:  # a recovery that is not on disk yet
            await store.database.lock_user_row(connection, person)
            late = asyncio.create_task(store.sessions.add_session(Session(f"{person} late", person, 1, 1, "")))
            await asyncio.sleep(0.2)
            assert not late.done()
        assert await late

    with_store(database, story)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


async def recover(store: Store, person: str, code: str, name: str, ends: int) -> Recovery:
    """Somebody who came by a code."""
    session = Session(f"{person} {name}", person, 1, 1, "")
    recovery = Recovery(person, session.id, f"{session.id} recovered")
    assert await store.accounts.begin_recovery_session(recovery, session, code, now_ms(), ends)
    return recovery


def test_nobody_who_knows_the_password_stops_a_recovery(database: str) -> None:
    """Whoever is signed in ends no session that began with a code, and sets no way to sign in, until it has ended."""

    async def story(store: Store) -> None:
        person, intruder, later = "race-held", "race-held intruder", now_ms() + DAY_MS
        await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.sessions.add_session(Session(intruder, person, 2, 2, ""))
        await store.accounts.replace_recovery_codes(person, ["race-held 1", "race-held 2"], intruder)
        recovery = await recover(store, person, "race-held 1", "owner", later)
        assert await store.sessions.recovering_session_ids(person) == {recovery.session}
        for beside in (intruder, person):  # a cookie from before there were sessions has the user's id
            await store.sessions.end_sessions_of_user(person, but=beside)
            assert await store.sessions.end_sessions_of_user(person, only=recovery.session, by=beside) == 0
        for n in range(MAX_SESSIONS_PER_USER + 5):
            await store.sessions.add_session(Session(f"{intruder} {n}", person, 2, 2 + n, ""))
            await store.accounts.add_or_renew_proof(
                Challenge(f"{intruder} {n}", "recent", person, f"{intruder} {n}", later), now_ms()
            )
        last = f"{intruder} {n}"
        mine = {one.id for one in await store.sessions.list_sessions_of_user(person)}
        assert recovery.session in mine
        assert last in mine
        assert len(mine) == MAX_SESSIONS_PER_USER + 1
        with pytest.raises(RecoveryInProgress):
            await store.accounts.replace_password(person, "first", "an intruder's", last)
        with pytest.raises(RecoveryInProgress):
            await store.accounts.replace_recovery_codes(person, ["race-held 3"], last)
        with pytest.raises(RecoveryInProgress):
            await store.accounts.add_passkey(Passkey("race-held key", person, b"key", 1, "", 1), 5, last)
        await store.accounts.replace_recovery_codes(person, ["race-held 4"], recovery.session)
        assert await store.accounts.replace_sign_ins_by_password(recovery, "recovered", now_ms())
        assert [one.id for one in await store.sessions.list_sessions_of_user(person)] == [recovery.session]
        assert await store.sessions.recovering_session_ids(person) == set()
        assert await store.accounts.replace_password(person, "recovered", "second", recovery.session)

    with_store(database, story)


def test_a_recovery_that_has_ended_is_a_session_like_any_other(database: str) -> None:
    async def story(store: Store) -> None:
        person = "race-ended"
        await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.accounts.replace_recovery_codes(person, ["race-ended 1", "race-ended 2"], None)
        await recover(store, person, "race-ended 1", "late", now_ms() - 1)
        other = await recover(store, person, "race-ended 2", "other", now_ms() + DAY_MS)
        await store.sessions.end_sessions_of_user(person, but="")
        assert [one.id for one in await store.sessions.list_sessions_of_user(person)] == [other.session]
        desk = Session(f"{person} desk", person, 1, 1, "")
        await store.sessions.add_session(desk)
        assert (
            await store.sessions.end_sessions_of_user(person, only=other.session, by=other.session) == 1
        )  # its owner logs out
        assert await store.sessions.recovering_session_ids(person) == set()
        assert await store.accounts.replace_password(person, "first", "second", desk.id), "nobody has to wait for it"
        await store.accounts.replace_recovery_codes(person, ["race-ended 3"], desk.id)
        await recover(store, person, "race-ended 3", "third", now_ms() + DAY_MS)
        await store.sessions.end_sessions_of_user(person)  # the host ends all
        assert await store.sessions.list_sessions_of_user(person) == []

    with_store(database, story)


def test_a_recovery_begins_while_another_session_ends_all_others(database: str) -> None:
    async def story(store: Store) -> None:
        person = "race-begun"
        await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.accounts.replace_recovery_codes(person, [f"race-begun {n}" for n in range(AT_ONCE)], None)
        for n in range(AT_ONCE):
            ending = [store.sessions.end_sessions_of_user(person, but="race-begun intruder") for _ in range(AT_ONCE)]
            beginning = recover(store, person, f"race-begun {n}", f"owner {n}", now_ms() + DAY_MS)
            begun, _ = await asyncio.gather(beginning, asyncio.gather(*ending))
            assert begun.session in {one.id for one in await store.sessions.list_sessions_of_user(person)}

    with_store(database, story)


def test_a_link_from_the_host_outranks_codes_that_an_intruder_made(database: str) -> None:
    async def story(store: Store) -> None:
        person, later = "race-link", now_ms() + DAY_MS
        await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.accounts.replace_recovery_codes(person, ["race-link 1", "race-link 2"], None)
        intruder = await recover(store, person, "race-link 1", "intruder", later)
        await store.accounts.replace_recovery_link_code(person, "race-link", later)
        await store.accounts.replace_recovery_codes(person, ["race-link 3"], intruder.session)
        owner = await recover(store, person, "race-link", "owner", later)
        assert not await store.accounts.consume_recovery_code(person, "race-link 3", now_ms())
        assert await store.sessions.recovering_session_ids(person) == {owner.session}
        assert not await store.accounts.replace_sign_ins_by_password(intruder, "an intruder's", now_ms())
        assert intruder.session in {one.id for one in await store.sessions.list_sessions_of_user(person)}, (
            "a code ends no session"
        )
        assert await store.accounts.replace_sign_ins_by_password(owner, "recovered", now_ms())

    with_store(database, story)


def test_a_link_from_the_host_outlives_a_password_that_an_intruder_sets_by_a_code(database: str) -> None:
    async def story(store: Store) -> None:
        person, later = "race-outlives", now_ms() + DAY_MS
        await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.accounts.replace_recovery_link_code(person, "race-outlives link", later)
        await store.accounts.replace_recovery_codes(person, ["race-outlives 1", "race-outlives 2"], None)
        intruder = await recover(store, person, "race-outlives 1", "intruder", later)
        assert await store.accounts.replace_sign_ins_by_password(intruder, "an intruder's", now_ms())
        assert await store.accounts.count_unused_recovery_codes(person) == 0
        owner = await recover(store, person, "race-outlives link", "owner", later)
        assert await store.accounts.replace_sign_ins_by_password(owner, "recovered", now_ms())
        assert [one.id for one in await store.sessions.list_sessions_of_user(person)] == [owner.session]
        await store.accounts.replace_recovery_link_code(person, "race-outlives other link", later)
        await store.accounts.reset_password_and_sign_out(person, "the host's")
        assert not await store.accounts.consume_recovery_code(person, "race-outlives other link", now_ms()), (
            "the host revokes it"
        )

    with_store(database, story)


def test_a_challenge_is_used_once(database: str) -> None:
    async def story(store: Store) -> None:
        answered = Challenge("race-answered", "sign in", "race-answerer", "", now_ms() + DAY_MS)
        assert (
            sum(await asyncio.gather(*(store.accounts.record_challenge_answered(answered) for _ in range(AT_ONCE))))
            == 1
        )
        await store.accounts.add_or_renew_proof(replace(answered, id="race-proof"), now_ms())
        assert not await store.accounts.record_challenge_answered(answered)

    with_store(database, story)


def test_a_user_is_deleted_while_their_sessions_end(database: str) -> None:
    async def story(store: Store) -> None:
        person = "race-leaver"
        await store.users.add_user(UserRecord(person, person, 1, 1, person, "first", True, person))
        await store.sessions.add_session(Session(f"{person} here", person, 1, 1, ""))
        s, p = schema.sessions, schema.people
        async with store.database.engine.begin() as connection:  # as `end_sessions_of_user` does, step by step
            await connection.execute(p.update().where(p.c.id == person).values(signed=False))
            leaving = asyncio.create_task(store.personal_data.erase_user(person))
            await asyncio.sleep(0.2)
            await connection.execute(s.delete().where(s.c.person == person))
        await leaving
        assert await store.users.get_user_by_id(person) is None

    with_store(database, story)


def test_first_portraits_follows_and_blocks_at_once(database: str) -> None:
    async def story(store: Store) -> None:
        grounds = [f"ground {n}" for n in range(AT_ONCE)]
        for person in ("race-drawn", "race-a"):
            await store.users.add_user(UserRecord(person, person, 1, 1, person, "x", False, person))
        await asyncio.gather(*(store.portraits.save_portrait("race-drawn", Portrait("pink", one)) for one in grounds))
        assert (await store.portraits.get_portraits_by_account(["race-drawn"]))["race-drawn"].ground in grounds
        await asyncio.gather(*(store.relations.set_user_followed("race-a", "race-b", True, 5) for _ in range(AT_ONCE)))
        assert await store.relations.list_user_ids_followed_by("race-a") == {"race-b"}
        others = [f"race-other {n}" for n in range(2 * AT_ONCE)]
        fine = await asyncio.gather(*(store.relations.set_user_followed("race-a", one, True, 5) for one in others))
        assert sum(fine) == 4
        assert len(await store.relations.list_user_ids_followed_by("race-a")) == 5
        await asyncio.gather(*(store.relations.set_user_blocked("race-a", "race-b", True) for _ in range(AT_ONCE)))
        assert await store.relations.list_user_ids_blocked_either_way("race-a") == {"race-b"}

    with_store(database, story)


def test_of_two_sets_of_codes_and_two_restrictions_one_stays(database: str) -> None:
    async def story(store: Store) -> None:
        sets = [[f"race-code {n} {i}" for i in range(10)] for n in range(AT_ONCE)]
        await store.users.add_user(UserRecord("race-codes", "Codes", 1, 1, signed=True))
        await asyncio.gather(*(store.accounts.replace_recovery_codes("race-codes", one, None) for one in sets))
        assert await store.accounts.count_unused_recovery_codes("race-codes") == 10
        until = time.time_ns() // 1_000_000 + DAY_MS
        many = [Restriction("race-muted", MUTE, 1, until + n, "") for n in range(AT_ONCE)]
        await asyncio.gather(*map(store.moderation.set_or_lift_restriction, many))
        [left] = await store.moderation.list_restrictions_of(["race-muted"])
        assert left in many

    with_store(database, story)


def test_reports_of_one_person_are_bounded(database: str) -> None:
    async def story(store: Store) -> None:
        def report(person: str, table: str = "", line: int = 0, at: int = DAY_MS) -> Report:
            return Report(0, at, "race-reporter", person, table, line, "rude")

        assert await store.moderation.add_report(report("p0", "table", 1))
        assert not await store.moderation.add_report(report("p0", "table", 2)), "the same person at the same table"
        assert await store.moderation.add_report(report("p0", "another table", 2))
        assert await store.moderation.add_report(report("p0"))
        for n in range(MAX_REPORTS_A_DAY - 3):
            assert await store.moderation.add_report(report(f"p{n + 1}"))
        mine = [one for one in await store.moderation.list_open_reports() if one.reporter == "race-reporter"]
        assert len(mine) == MAX_REPORTS_A_DAY
        with pytest.raises(TooManyReports):
            await store.moderation.add_report(report("one more"))
        for one in mine:
            await store.moderation.close_report(one.id, DAY_MS)
        with pytest.raises(TooManyReports):
            await store.moderation.add_report(report("one more", at=2 * DAY_MS - 1))
        assert await store.moderation.add_report(report("one more", at=2 * DAY_MS))

    with_store(database, story)


def test_addresses_that_nobody_confirmed_are_forgotten(database: str) -> None:
    async def story(store: Store) -> None:
        for person, asked, confirmed in (("race-old", 5, None), ("race-new", 10, None), ("race-fine", 5, 6)):
            await store.notifications.save_mail_address(
                MailAddress(person, "a@example.org", "en", None, asked, confirmed)
            )
        await store.notifications.prune_unconfirmed_mail_addresses(10)
        left = [await store.notifications.get_mail_address(person) for person in ("race-old", "race-new", "race-fine")]
        assert [one is not None for one in left] == [False, True, True]

    with_store(database, story)


def test_holidays_are_saved_by_two_at_once(database: str) -> None:
    async def story(store: Store) -> None:
        await store.holidays.save_or_cancel_holidays([Holiday("race-away", 1, 10)])
        both = [Holiday("race-away", 1, 5), Holiday("race-away", 20, 30)]
        await asyncio.gather(*(store.holidays.save_or_cancel_holidays(both) for _ in range(AT_ONCE)))
        assert await store.holidays.list_holidays_ending_after(["race-away"], 0) == both

    with_store(database, story)
