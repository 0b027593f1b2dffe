"""What is deleted and what is not: by age, by use, and without a trace."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import stat
import time
from dataclasses import replace
from pathlib import Path

import pytest

from landfall.store import schema
from landfall.store.confusable_names import confusable_skeleton, mixes_scripts
from landfall.store.events import Played
from landfall.store.row_types import OPEN_LEASE_MS, ChatLine, LogEntry, MissingLog, Session, UserRecord
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import Store, make_store_for_setting
from tests.store.test_store import entry, head, nothing, with_store

pytestmark = pytest.mark.once
DAY = 86_400_000
MUSEUM = Path(__file__).parent.parent / "museum" / "landfall.db"


def now() -> int:
    return time.time_ns() // 1_000_000


async def play_daily(store: Store, table: str, days: int) -> None:
    """A table made so many days ago, with one choice a day: the last one was just now."""
    made = now() - days * DAY
    assert await store.tables.append_entries(
        [replace(entry(table, 1), at=made)], replace(head(table), created=made, updated=made)
    )
    for day in range(1, days + 1):
        assert await store.tables.append_entries([LogEntry(table, day + 1, made + day * DAY, Played(0, ["a"]))])


def test_a_table_with_a_move_a_day_outlives_retention(database: str) -> None:
    async def story(store: Store) -> None:
        await play_daily(store, "daily", 40)
        done = await store.retention.delete_expired_tables_and_guests(now() - 30 * DAY, None)
        assert len(await store.tables.read_log_entries("daily")) == 41
        assert await store.tables.get_table_summary("daily") is not None
        assert done["tables"] == 0
        assert (await store.retention.delete_expired_tables_and_guests(now() + DAY, None))["tables"] == 1
        assert await store.tables.read_log_entries("daily") == []

    with_store(database, story)


def test_a_guest_in_an_unfinished_tournament_outlives_retention(database: str) -> None:
    async def story(store: Store) -> None:
        guests = {"inside": ("open", True), "playing": ("running", True), "left": ("running", False),
                  "finished": ("over", True), "idle": None}  # fmt: skip
        for n, (name, joined) in enumerate(guests.items()):
            await store.users.add_user(UserRecord(f"guest-{name}", name, 1, 1))
            if joined is not None:
                status, inside = joined
                tournament = f"retained-{n}"
                opened = {"opener": "x", "listed": True, "starts": 1, "seq": 1, "info": "{}"}
                await store.database.commit_change(
                    schema.tournaments.insert().values(id=tournament, status=status, **opened)
                )
                player = {"person": f"guest-{name}", "tournament": tournament, "inside": inside}
                await store.database.commit_change(schema.tournament_players.insert().values(player))
        assert (await store.retention.delete_expired_tables_and_guests(None, 5))["guests"] >= 3
        left = [name for name in guests if await store.users.get_user_by_id(f"guest-{name}") is not None]
        assert left == ["inside", "playing"]

    with_store(database, story)


def test_a_table_that_a_process_has_open_outlives_retention(database: str) -> None:
    async def story(store: Store) -> None:
        for table in ("open", "shut", "left"):
            await store.tables.append_entries([entry(table, 1)], head(table))
        await store.tables.renew_open_tables("one", ["open", "shut"], [], now() + OPEN_LEASE_MS)
        await store.tables.renew_open_tables("two", ["shut"], [], now() + OPEN_LEASE_MS)
        await store.tables.renew_open_tables("three", ["left"], [], now() - 1)
        await store.tables.renew_open_tables("one", [], ["shut"], now() + OPEN_LEASE_MS)
        await store.retention.delete_expired_tables_and_guests(now(), None)
        assert [bool(await store.tables.read_log_entries(table)) for table in ("open", "shut", "left")] == [
            True,
            True,
            False,
        ]
        await store.tables.release_open_tables("two")
        await store.retention.delete_expired_tables_and_guests(now(), None)
        assert [bool(await store.tables.read_log_entries(table)) for table in ("open", "shut")] == [True, False]
        await store.tables.release_open_tables("one")
        await store.retention.delete_expired_tables_and_guests(now(), None)
        assert await store.tables.read_log_entries("open") == []

    with_store(database, story)


def test_a_log_without_its_beginning_takes_nothing(database: str) -> None:
    async def story(store: Store) -> None:
        for seq in (1, 2):
            await store.tables.append_entries([entry("gone", seq)], head("gone") if seq == 1 else None)
        await store.tables.append_entries([entry("stays", 1)], head("stays"))
        await store.chat.append_chat_line(ChatLine("gone", 0, 1, "me", "Ana", None, "hello"))
        await store.tables.renew_open_tables("me", ["stays"], [], now() + OPEN_LEASE_MS)
        await store.retention.delete_expired_tables_and_guests(now(), None)
        asked = [[entry("gone", 3)], [entry("stays", 2)], [entry("gone", 3), entry("gone", 4)], [entry("never", 2)]]
        done = await asyncio.gather(
            *(store.tables.append_entries(some, head(some[0].table)) for some in asked), return_exceptions=True
        )
        assert [type(found) for found in done] == [MissingLog, bool, MissingLog, MissingLog]
        with pytest.raises(MissingLog):
            await store.chat.append_chat_line(ChatLine("gone", 0, 1, "me", "Ana", None, "is anybody here?"))
        assert await store.tables.read_log_entries("gone") == await store.tables.read_log_entries("never") == []
        assert await store.chat.read_chat_lines("gone") == []
        assert {h.table for h in await store.tables.list_tables_of_user("me")} & {"gone", "never", "stays"} == {"stays"}
        assert [e.seq for e in await store.tables.read_log_entries("stays")] == [1, 2]
        assert await store.tables.append_entries([entry("stays", 2)]) is False, (
            "a number that is taken is no missing log"
        )
        await store.tables.release_open_tables("me")

    with_store(database, story)


def test_retention_beside_writers_leaves_no_log_without_its_beginning(database: str) -> None:
    """What was acknowledged is there, unless the whole table is gone."""

    async def story(store: Store) -> None:
        other = make_store_for_setting(database, beside=True)
        await other.database.open_and_migrate()
        tables = [f"race{i}" for i in range(60)]
        for table in tables:
            await store.tables.append_entries([entry(table, 1)], head(table))
        acknowledged: dict[str, list[int]] = {table: [1] for table in tables}

        async def write(table: str) -> None:
            for seq in range(2, 40):
                try:
                    assert await store.tables.append_entries([entry(table, seq)])
                except MissingLog:
                    return
                acknowledged[table].append(seq)
                await asyncio.sleep(0)

        async def delete() -> None:
            for _ in range(4):
                await other.retention.delete_expired_tables_and_guests(now(), None)

        await asyncio.gather(delete(), *(write(table) for table in tables))
        found = {table: [e.seq for e in await store.tables.read_log_entries(table)] for table in tables}
        await other.database.close()
        assert [table for table in tables if found[table] not in ([], acknowledged[table])] == []
        assert [] in found.values()

    with_store(database, story)


def test_who_was_deleted_is_still_to_leave_tables_until_each_is_noted(database: str) -> None:
    async def story(store: Store) -> None:
        await store.users.add_user(UserRecord("me", "Ana", 1, 1))
        for table in ("first", "second", "third"):
            await store.tables.append_entries([entry(table, 1)], head(table))
        await store.personal_data.erase_user("me")
        left = dict(await store.personal_data.list_recently_deleted_users())["me"]
        assert set(left) >= {"first", "second", "third"}
        assert set(await store.personal_data.remove_pending_tables_of_deleted_user("me", {"second"})) == set(left) - {
            "second"
        }
        await store.personal_data.erase_user("me")
        assert set(dict(await store.personal_data.list_recently_deleted_users())["me"]) == set(left) - {"second"}, (
            "asking again changes nothing"
        )
        assert await store.personal_data.remove_pending_tables_of_deleted_user("me", left) == []

    with_store(database, story)


def test_leftovers_of_deleted_tables_are_counted_and_removed(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        assert isinstance(store.database, SqliteDatabase)
        await store.tables.append_entries([entry("t", 1)], head("t"))
        with sqlite3.connect(store.database.path) as db:
            db.execute("insert into chat values ('gone', 1, 1, 'me', 'Ana', null, 'hello')")
            db.execute("insert into members values ('me', 'gone'), ('you', 'gone')")
        db.close()
        assert await store.retention.count_orphan_rows() == {"chat": 1, "members": 2}
        await store.retention.delete_expired_tables_and_guests(1, None)
        assert await store.retention.count_orphan_rows() == {}
        assert await store.tables.read_log_entries("t")

    with_store(str(tmp_path / "landfall.db"), story)


# --- traces ---------------------------------------------------------------------------------------------------


def files_with(word: str, path: Path) -> list[str]:
    """Which of a database's files hold a word, anywhere."""
    return [file.name for file in path.parent.glob(path.name + "*") if word.encode() in file.read_bytes()]


def test_a_deleted_name_is_in_no_file_of_a_running_database(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        assert isinstance(store.database, SqliteDatabase)
        for n in range(200):
            await store.users.add_user(UserRecord(f"p{n}", f"Somebody {n}", 1, 1))
        await store.users.add_user(UserRecord("me", "Zuleika Unlike", 1, 1))
        await store.users.update_user_fields("me", account="zuleika unlike", skeleton="zuleikaunlike", password="x")
        await store.tables.append_entries([entry("t", 1)], head("t"))
        await store.chat.append_chat_line(
            ChatLine("t", 0, 1, "me", "Zuleika Unlike", None, "nobody must read this later")
        )
        assert files_with("Zuleika", store.database.path)
        await store.personal_data.erase_user("me")
        await store.tables.append_entries([entry("t", 2)])
        assert [files_with(word, store.database.path) for word in ("Zuleika", "zuleika", "nobody must read")] == [
            [],
            [],
            [],
        ]

    with_store(str(tmp_path / "landfall.db"), story)


def test_names_that_earlier_releases_left_in_free_pages_are_gone_after_the_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "landfall.db"
    shutil.copy(MUSEUM, path)
    with sqlite3.connect(path) as db:
        db.execute("pragma secure_delete = off")
        db.execute("insert into people (id, name, created, seen) values ('z', 'Zuleika Unlike', 1, 1)")
        db.commit()
        db.execute("delete from people where id = 'z'")
    db.close()
    assert files_with("Zuleika", path)
    with_store(str(path), nothing)
    assert files_with("Zuleika", path) == []


def test_every_folder_that_is_made_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "one" / "two" / "landfall.db"
    with_store(str(path), nothing)
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (path.parent, path.parent.parent)] == [0o700, 0o700]


# --- names ----------------------------------------------------------------------------------------------------

ALIKE = [
    ("Ana", "Аnа"), ("Ana", "ANA"), ("Ivan", "lvan"), ("Boris", "Воrіs"), ("Nina", "Νina"), ("Cara Q", "CaraQ."),
    ("Arnold", "Amold"), ("José", "Jose"), ("Ana", "Ａｎａ"), ("Olga", "0lga"), ("Ana", "A\u200cna"),
    ("Ana", "Ana\ufe0f"), ("Ana", "A\U000e0100na"), ("Ana", "Ꭺna"), ("Ana", "An\u1ab0a"), ("Ana", "A\u0944na"),
    ("Ana", "𝐀𝐧𝐚"), ("Ana", "An\u20dda"), ("Olga", "օlga"), ("Ana", "ᴀɴᴀ"), ("Jørgen", "Jorgen"),
    ("小雨", "小\ufe00雨"), ("Ваня", "Bаня"), ("محمد", "مُحمد"),
]  # fmt: skip
UNLIKE = [
    ("Асен", "Боян"),
    ("Мария", "Марта"),
    ("Иван", "Ivan"),
    ("陈", "李"),
    ("か", "が"),
    ("क", "की"),
    ("陈", "陳"),
    ("한국", "한글"),
    ("Вера", "Вяра"),
    ("Тодор", "Todor"),
    ("🐙", "🦑"),
    ("..", "!!"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert confusable_skeleton(one) == confusable_skeleton(other)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_names_of_all_scripts_keep_their_own(one: str, other: str) -> None:
    assert confusable_skeleton(one) != confusable_skeleton(other)
    assert confusable_skeleton(one)


@pytest.mark.parametrize("name", ["Аna", "Βoris", "Ꭺna", "Ивaн", "Ana \u0410na", "小雨а"])
def test_a_word_in_two_scripts_is_found(name: str) -> None:
    assert mixes_scripts(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ана",
        "Ana Иванова",
        "阿Q",
        "東京タワー",
        "ラーメン",
        "김Lee",
        "Петър2",
        "O'Neil",
        "Đorđe",
        "Ана🐙",
        "मोहन",
        "小雨",
    ],
)
def test_a_name_as_people_write_it_mixes_no_scripts(name: str) -> None:
    assert not mixes_scripts(name)


def test_an_account_has_no_namesake(database: str) -> None:
    async def story(store: Store) -> None:
        await store.users.add_user(UserRecord("a1", "Вяра", 1, 1))
        await store.users.update_user_fields("a1", account="вяра", skeleton=confusable_skeleton("Вяра"))
        assert await store.users.is_name_taken_or_similar("Bяpa")
        assert await store.users.is_name_taken_or_similar("ВЯРА", "another")
        assert not await store.users.is_name_taken_or_similar("Вяра", "a1")
        assert not await store.users.is_name_taken_or_similar("Вера")
        await store.users.add_user(UserRecord("a2", "Bяра", 1, 1))
        assert not await store.users.update_user_fields("a2", account="bяра", skeleton=confusable_skeleton("Bяра"))

    with_store(database, story)


def test_accounts_that_look_alike_already_stay(tmp_path: Path) -> None:
    path = tmp_path / "landfall.db"
    shutil.copy(MUSEUM, path)
    with sqlite3.connect(path) as db:
        row = "insert into people (id, name, created, seen, account, password) values (?, ?, ?, 1, ?, 'x')"
        db.execute(row, ("late", "Аnа", 9 * 10**15, "аnа"))
    db.close()

    async def story(store: Store) -> None:
        first, second = await store.users.find_account_by_name("ana"), await store.users.find_account_by_name("Аnа")
        assert first is not None
        assert second is not None
        assert (first.skeleton, second.skeleton) == ("ana", None)
        assert await store.users.is_name_taken_or_similar("Аna")

    with_store(str(path), story)


def test_earlier_sessions_end_when_a_new_one_replaces_them(database: str) -> None:
    async def story(store: Store) -> None:
        await store.users.add_user(UserRecord("s1", "Ana", 1, 1, signed=True))
        for name in ("old", "older"):
            await store.sessions.add_session(Session(name, "s1", 1, 1, ""))
        await store.sessions.replace_sessions(Session("new", "s1", 2, 2, ""))
        assert await store.sessions.filter_valid_sessions(["old", "older", "new"], ["s1"]) == {"new"}

    with_store(database, story)
