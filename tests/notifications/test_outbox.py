"""The outbox without the web: what is written with a table's events, and what of it is sent, when and how often."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from landfall.store.notices import add_notices
from landfall.store.row_types import MailAddress, Notice, PushDevice, Session, UserRecord
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.live.hub import TableConfig
from landfall.tables.log.clocks import ClockRule
from landfall.tables.notifications.message_text import Message
from landfall.tables.notifications.preferences import Preferences, find_notice_send_time
from landfall.tables.notifications.sender import (
    DROP_FAILING_MS,
    DROP_UNPROVEN_MS,
    FIRST_RETRY_MS,
    MAX_TRIES,
    NotificationSender,
    TargetGone,
)
from landfall.tables.notifications.table_notices import INVITATION, MATCH_OVER, START, TOURNAMENT, TRIAL, TURN
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime
from landfall.web import push
from tests.conftest import LONG
from tests.tables.fake_users import Guest, HandTime, Scene, guest_to_choose, run_scene

pytestmark = pytest.mark.once
HOUR = 3_600_000
DAYS = ClockRule("days", days=2)
ALWAYS = Preferences(soon="now", quiet=False, push=(TURN, INVITATION, START, MATCH_OVER, TOURNAMENT))


class Phone:
    """A channel that keeps what it is given."""

    def __init__(self) -> None:
        self.got: list[tuple[str, Message, list[str]]] = []
        self.fails: Callable[[], Exception | None] = lambda: None

    async def send_push_message(self, device: PushDevice, message: Message, waiting: list[str], now: int) -> None:
        await asyncio.sleep(0)
        error = self.fails()
        if error is not None:
            raise error
        self.got.append((device.id, message, waiting))

    @property
    def titles(self) -> list[str]:
        return [message.title for _, message, _ in self.got]


class Post:
    def __init__(self) -> None:
        self.got: list[tuple[str, Message]] = []

    async def send_mail_message(self, address: MailAddress, message: Message) -> None:
        self.got.append((address.address, message))


async def give_phone(store: Store, person: str, name: str = "phone", language: str = "en") -> None:
    """A user with a session and a device there."""
    if await store.users.get_user_by_id(person) is None:
        await store.users.add_user(UserRecord(person, person.removeprefix("id-"), 1, 1))
    await store.sessions.add_session(Session(f"session {name} {person}", person, 1, 1, ""))
    device = PushDevice(
        f"{name}-{person}", person, f"session {name} {person}", "https://push.example/1", "", "", "", language, 1
    )
    await store.notifications.add_push_device(device)


async def prefer(store: Store, person: str, preferences: Preferences = ALWAYS) -> None:
    await store.notifications.save_notification_settings(person, preferences.to_stored_data())


async def days_table(s: Scene, *names: str, game: str = "atlandice") -> list[Guest]:
    return await s.table(*names, config=TableConfig(game, len(names), clock=DAYS, seating="as_sat"))


def id_of(guest: Guest) -> str:
    assert guest.user is not None
    return guest.user.id


async def play_one(guest: Guest) -> None:
    assert (await guest.play(guest.choices[0]["action"]))["t"] != "refused"


async def pass_turn(people: list[Guest]) -> tuple[Guest, Guest]:
    """Play until it is somebody else's turn; who has moved, and who is next."""
    one = guest_to_choose(people)
    while guest_to_choose(people) is one:
        await play_one(one)
    return one, guest_to_choose(people)


def test_a_turn_is_in_the_outbox_with_the_move_and_gone_with_the_next(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await days_table(s, "Ana", "Boris")
        first = guest_to_choose(people)
        other = next(guest for guest in people if guest is not first)
        await other.go()
        while first.choices:
            await play_one(first)
        [notice] = await s.store.notifications.list_notices_of_user(id_of(other))
        second = other
        assert (notice.kind, notice.topic, notice.seen) == (TURN, first.table["id"], None)
        assert notice.data["deadline"] == notice.at + 2 * 24 * HOUR
        assert notice.data["by"] == first.seat
        assert "Ana" not in str(notice), "names are looked up when it is sent"
        assert await s.store.notifications.list_notices_of_user(id_of(first)) == []
        await second.come(first.table["id"])
        await s.time.settle()
        [notice] = await s.store.notifications.list_notices_of_user(id_of(other))
        assert notice.seen is not None
        await play_one(second)
        kept = await s.store.notifications.list_notices_of_user(id_of(other))
        assert all(one.key != notice.key for one in kept), "the choice is made"

    run_scene(story, tmp_path)


def test_a_start_and_an_end_are_told_to_who_is_away(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        config = TableConfig("atlandice", 3, seating="as_sat")
        people = await s.table("Ana", "Boris", "Carla", config=config, start=False)
        await people[2].go()
        await people[0].send(cmd.Start())
        assert [n.kind for n in await s.store.notifications.list_notices_of_user("id-Carla")] == [START]
        assert await s.store.notifications.list_notices_of_user("id-Boris") == []
        await people[1].go()
        await people[0].send(cmd.Close())
        assert {n.kind for n in await s.store.notifications.list_notices_of_user("id-Carla")} == {START, MATCH_OVER}
        [over] = await s.store.notifications.list_notices_of_user("id-Boris")
        assert (over.kind, over.data) == (MATCH_OVER, {"ended": "closed"})

    run_scene(story, tmp_path)


def test_a_live_clock_writes_no_turns(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("atlandice", 2, clock=ClockRule("live", 60, 60)))
        await pass_turn(people)
        assert (
            await s.store.notifications.list_notices_of_user("id-Ana")
            == await s.store.notifications.list_notices_of_user("id-Boris")
            == []
        )

    run_scene(story, tmp_path)


# --- when ---------------------------------------------------------------------------------------------------------


def at(hour: int, minute: int = 0, day: int = 3) -> int:
    return int(datetime(2026, 3, day, hour, minute, tzinfo=UTC).timestamp() * 1000)


def turn_at(when: int, days: int = 1, **data: object) -> Notice:
    deadline = when + days * 24 * HOUR
    return Notice("k", "p", TURN, "t", when, when, {"deadline": deadline, **data})


def test_how_soon_and_quiet_hours() -> None:
    loud = Preferences(quiet=False)
    now, hour, short = (Preferences(quiet=False, soon=soon) for soon in ("now", "hour", "short"))
    turn = turn_at(at(12))
    assert find_notice_send_time(turn, now) == at(12)
    assert find_notice_send_time(turn, hour) == find_notice_send_time(turn, loud) == at(13)
    assert find_notice_send_time(turn, short) == at(6, day=4), "a quarter of a day is left"
    quiet = Preferences(soon="now")
    assert find_notice_send_time(turn_at(at(23)), quiet) == at(8, day=4)
    assert find_notice_send_time(turn_at(at(5)), quiet) == at(8)
    assert find_notice_send_time(turn_at(at(22)), quiet) == at(8, day=4)
    assert find_notice_send_time(turn_at(at(8)), quiet) == at(8)
    lost = turn_at(at(5) - 20 * HOUR)  # its deadline is at nine, and at two the clock is at a quarter
    assert find_notice_send_time(lost, Preferences(soon="short")) == at(8)
    lost = turn_at(at(4) - 20 * HOUR)
    assert find_notice_send_time(lost, Preferences(soon="short")) == at(7), "an hour before it is lost"
    assert find_notice_send_time(lost, Preferences(soon="short", lost=False)) == at(8)
    lisbon = Preferences(soon="now", zone="Asia/Shanghai")
    assert find_notice_send_time(turn_at(at(15)), lisbon) == at(0, day=4), "23 o'clock there"


def test_who_was_there_is_not_told_again_until_time_runs_short() -> None:
    seen = Notice("k", "p", TURN, "t", at(12), at(12), {"deadline": at(12, day=4)}, seen=at(13))
    assert find_notice_send_time(seen, Preferences(soon="now", quiet=False)) is None
    assert find_notice_send_time(seen, Preferences(soon="hour", quiet=False)) is None
    assert find_notice_send_time(seen, Preferences(soon="short", quiet=False)) == at(6, day=4)
    assert find_notice_send_time(turn_at(at(12), again=True), Preferences(soon="now", quiet=False)) is None


# --- sending ------------------------------------------------------------------------------------------------------


def test_one_message_in_the_readers_language_and_none_for_a_turn_made_meanwhile(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await days_table(s, "Ana", "Boris")
        for guest in people:
            await give_phone(s.store, id_of(guest), language="pt")
            await prefer(s.store, id_of(guest))
        phone = Phone()
        sender = NotificationSender(s.store, s.env, phone, None)
        first = guest_to_choose(people)
        second = next(guest for guest in people if guest is not first)
        await second.go()
        while first.choices:
            await play_one(first)
        await sender.prune_and_send_due_notices()
        assert phone.got == [], "not before the grace is over"
        await s.time.go_on(20_000)
        await sender.prune_and_send_due_notices()
        await sender.prune_and_send_due_notices()
        [(device, message, waiting)] = phone.got
        assert device == f"phone-{id_of(second)}"
        name = first.user.name if first.user else ""
        assert (message.title, message.body) == ("É a sua vez em Atlandice", f"{name} jogou. Faltam 47 horas.")
        assert waiting == [first.table["id"]]
        assert message.path == f"/t/{first.table['id']}"
        await second.come(first.table["id"])
        await first.go()
        while second.choices:
            await play_one(second)
        await s.time.go_on(1000)
        await first.come(second.table["id"])  # within the grace
        while first.choices:
            await play_one(first)
        await s.time.go_on(60_000)
        await sender.prune_and_send_due_notices()
        assert len(phone.got) == 1, "that turn was made"

    run_scene(story, tmp_path)


def test_several_tables_are_one_message(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await give_phone(s.store, "id-Boris")
        await prefer(s.store, "id-Boris")
        phone, post = Phone(), Post()
        for game in ("atlandice", "atlandice", "survive"):
            ana, boris = await days_table(s, "Ana", "Boris", game=game)
            await boris.go()
            while ana.choices:
                await play_one(ana)
        await s.time.go_on(60_000)
        await NotificationSender(s.store, s.env, phone, post).prune_and_send_due_notices()
        [(_, message, waiting)] = phone.got
        assert (message.title, message.body, message.path) == (
            "3 tables are waiting for you",
            "Atlandice, Survive",
            "/",
        )
        assert len(waiting) == 3
        assert post.got == [], "nobody asked for e-mail"

    run_scene(story, tmp_path)


async def one_turn(s: Scene) -> None:
    """Boris has a phone, and a turn that is due."""
    await give_phone(s.store, "id-Boris")
    await prefer(s.store, "id-Boris")
    ana, boris = await days_table(s, "Ana", "Boris")
    await boris.go()
    while ana.choices:
        await play_one(ana)
    await s.time.go_on(60_000)


def test_a_failure_is_tried_again_later_and_only_where_it_failed(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await one_turn(s)
        await give_phone(s.store, "id-Boris", "laptop")
        phone = Phone()
        errors: list[Exception | None] = [ConnectionError("500"), None, ConnectionError("500"), None]
        phone.fails = lambda: errors.pop(0)
        sender = NotificationSender(s.store, s.env, phone, None)
        await sender.prune_and_send_due_notices()
        assert [device for device, *_ in phone.got] == ["laptop-id-Boris"] or len(phone.got) == 1
        reached = phone.got[0][0]
        await sender.prune_and_send_due_notices()
        assert len(phone.got) == 1, "not at once"
        await s.time.go_on(FIRST_RETRY_MS)
        await sender.prune_and_send_due_notices()
        await s.time.go_on(FIRST_RETRY_MS)
        await sender.prune_and_send_due_notices()
        assert len(phone.got) == 1, "the pause doubles"
        await s.time.go_on(FIRST_RETRY_MS)
        await sender.prune_and_send_due_notices()
        assert sorted(device for device, *_ in phone.got) == ["laptop-id-Boris", "phone-id-Boris"]
        assert phone.got[1][0] != reached
        assert not errors

    run_scene(story, tmp_path)


def test_it_is_given_up_after_some_tries(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await one_turn(s)
        phone = Phone()
        tried: list[int] = []

        def fail() -> Exception:
            tried.append(1)
            return ConnectionError("away")

        phone.fails = fail
        sender = NotificationSender(s.store, s.env, phone, None)
        for _ in range(60):
            await sender.prune_and_send_due_notices()
            await s.time.go_on(HOUR)
        assert len(tried) == MAX_TRIES
        [device] = await s.store.notifications.list_push_devices_of_user("id-Boris")
        assert device.failing is not None
        assert device.succeeded is None

    run_scene(story, tmp_path)


@pytest.mark.parametrize(("accepted_before", "kept_ms"), [(False, DROP_UNPROVEN_MS), (True, DROP_FAILING_MS)])
def test_a_device_that_keeps_failing_is_dropped(accepted_before: bool, kept_ms: int, tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        phone = Phone()
        await give_phone(s.store, "id-Ana")
        sender = NotificationSender(s.store, s.env, phone, None)

        async def send_trial(number: int) -> list[PushDevice]:
            now = s.env.clock.wall_time_ms()
            async with s.store.database.engine.begin() as connection:
                await add_notices(connection, [Notice(f"{number}", "id-Ana", TRIAL, TRIAL, now, now)])
            await sender.prune_and_send_due_notices()
            return await s.store.notifications.list_push_devices_of_user("id-Ana")

        if accepted_before:
            [device] = await send_trial(0)
            assert device.succeeded is not None
        phone.fails = lambda: ConnectionError("away")
        assert len(await send_trial(1)) == 1
        await s.time.go_on(kept_ms - HOUR)
        assert len(await send_trial(2)) == 1
        await s.time.go_on(2 * HOUR)
        assert await send_trial(3) == []
        notices = await s.store.notifications.list_notices_of_user("id-Ana")
        assert {notice.due for notice in notices} == {None}, "a trial is sent once"

    run_scene(story, tmp_path)


def test_a_device_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await one_turn(s)
        phone = Phone()
        phone.fails = lambda: TargetGone()
        await NotificationSender(s.store, s.env, phone, None).prune_and_send_due_notices()
        assert await s.store.notifications.list_push_devices_of_user("id-Boris") == []
        assert await s.store.notifications.list_users_with_due_notices(s.time.wall_time_ms() + 10 * HOUR, 9) == []

    run_scene(story, tmp_path)


@pytest.mark.parametrize("off", ["kind", "device", "session"])
def test_nothing_is_sent_after_off(off: str, tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await one_turn(s)
        if off == "kind":
            await prefer(s.store, "id-Boris", Preferences(push=(START,), soon="now", quiet=False))
        elif off == "device":
            assert not await s.store.notifications.delete_push_device("id-Ana", "phone-id-Boris")
            assert await s.store.notifications.delete_push_device("id-Boris", "phone-id-Boris")
        else:
            await s.store.sessions.end_sessions_of_user("id-Boris")
        phone = Phone()
        await NotificationSender(s.store, s.env, phone, None).prune_and_send_due_notices()
        assert phone.got == []
        if off == "session":
            with closing(sqlite3.connect(tmp_path / "landfall.db")) as db:
                assert db.execute("select count(*) from push_devices").fetchone() == (0,)

    run_scene(story, tmp_path)


def test_who_is_at_the_table_is_not_told(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await one_turn(s)
        phone = Phone()
        await NotificationSender(
            s.store, s.env, phone, None, lambda table, person: person == "id-Boris"
        ).prune_and_send_due_notices()
        assert phone.got == []

    run_scene(story, tmp_path)


def test_whoever_blocks_somebody_is_told_nothing_of_them(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await one_turn(s)
        async with s.store.database.engine.begin() as connection:
            rows = [
                Notice(f"invite {other}", "id-Ana", INVITATION, "t", 1, 1, {"game": "survive"}, other=other)
                for other in ("id-Boris", "id-Chen")
            ]
            await add_notices(connection, rows)
        await s.store.relations.set_user_blocked("id-Ana", "id-Boris", True)
        assert [
            n.other for n in await s.store.notifications.list_notices_of_user("id-Ana") if n.kind == INVITATION
        ] == ["id-Chen"]

    run_scene(story, tmp_path)


def test_a_push_service_that_trickles_its_answer_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        with closing(writer), suppress(ConnectionError):
            writer.write(b"HTTP/1.1 201 Created\r\n")
            while not writer.is_closing():  # headers without an end
                writer.write(b"X-Slow: 1\r\n")
                await writer.drain()
                await asyncio.sleep(0.05)

    async def story(s: Scene) -> None:
        service = await asyncio.start_server(trickle, "127.0.0.1")
        port = service.sockets[0].getsockname()[1]
        channel = push.WebPush(s.store, "mailto:host@example.org", allow_private=True)
        await channel.load_secret_key()
        point = ec.generate_private_key(ec.SECP256R1()).public_key()
        key = push.encode_base64url(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
        endpoint = f"http://127.0.0.1:{port}/push"
        device = PushDevice("slow", "id-Ana", "", endpoint, key, push.encode_base64url(b"a" * 16), "", "en", 1)
        message = Message("trial", "Title", "Body", "tag", "/", ("key",))
        sending = asyncio.create_task(channel.send_push_message(device, message, [], 1))
        ended, _ = await asyncio.wait([sending], timeout=LONG)
        assert ended, "it waits for the end of an answer that has none"
        assert isinstance(sending.exception(), TimeoutError)
        await channel.close_client()
        service.close()

    monkeypatch.setattr(push, "TIMEOUT_S", 0.4)
    run_scene(story, tmp_path)


def test_a_deleted_user_is_not_told_and_leaves_nothing(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await one_turn(s)
        address = MailAddress("id-Boris", "boris@example.org", "en", "token-hash", 1)
        await s.store.notifications.save_mail_address(address)
        async with s.store.database.engine.begin() as connection:
            notice = Notice("invite 1", "id-Ana", INVITATION, "t", 1, 1, {"game": "survive"}, other="id-Boris")
            await add_notices(connection, [notice, notice])
            await add_notices(connection, [notice])
        assert len(await s.store.notifications.list_notices_of_user("id-Ana")) == 1, "one key, one notice"
        await s.store.personal_data.erase_user("id-Boris")
        assert (
            await s.store.notifications.list_notices_of_user("id-Ana")
            == await s.store.notifications.list_notices_of_user("id-Boris")
            == []
        )
        assert await s.store.notifications.get_mail_address("id-Boris") is None
        assert await s.store.notifications.list_push_devices_of_user("id-Boris") == []

    run_scene(story, tmp_path)
    assert b"boris@example.org" not in (tmp_path / "landfall.db").read_bytes()


def test_two_processes_send_a_notice_once(database: str) -> None:
    async def story() -> None:
        stores = [make_store_for_setting(database)]
        await stores[0].database.open_and_migrate()
        if stores[0].database.is_shared:
            stores.append(make_store_for_setting(database))
            await stores[1].database.open_and_migrate()
        time = HandTime()
        phone = Phone()
        runtime = Runtime(clock=time)
        senders = [NotificationSender(store, runtime, phone, None) for store in stores for _ in range(2)]
        people = [f"once-{n}" for n in range(12)]
        for person in people:
            await give_phone(stores[0], person)
            await prefer(stores[0], person)
            async with stores[0].database.engine.begin() as connection:
                data = {"what": "over", "name": "Tuesday Dip"}
                notice = Notice(f"k {person}", person, TOURNAMENT, "t", time.ms, time.ms, data)
                await add_notices(connection, [notice])
        for _ in range(2):
            await asyncio.gather(*(sender.prune_and_send_due_notices() for sender in senders))
        mine = [device for device, *_ in phone.got if device.startswith("phone-once-")]
        assert sorted(mine) == sorted(f"phone-{person}" for person in people)
        for store in stores:
            await store.database.close()

    asyncio.run(story())
