"""Both databases keep what they are given, in order, once; and are brought to shape by the migrations."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from landfall.store import schema
from landfall.store.events import Played, Resumed, SatDown
from landfall.store.migrate import DatabaseError
from landfall.store.postgres import PostgresDatabase
from landfall.store.row_types import ChatLine, LogEntry, TableSummary, UserRecord
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import Store, make_store_for_setting
from tests.tables.fake_users import wait_until_true

pytestmark = pytest.mark.once


def with_store(database: str, work: Callable[[Store], Awaitable[None]]) -> None:
    async def story() -> None:
        store = make_store_for_setting(database)
        await store.database.open_and_migrate()
        try:
            await work(store)
        finally:
            await store.database.close()

    asyncio.run(story())


def entry(table: str, seq: int) -> LogEntry:
    return LogEntry(table, seq, 1_000 + seq, Played(0, [f"a{seq}", "*ж"]))


def head(table: str, status: str = "playing", public: bool = True) -> TableSummary:
    return TableSummary(table, "survive", 1, status, public, "me", 5, 6, None, {"players": 2}, ["me", "you"])


def test_entries_come_back_in_order_and_a_number_is_given_once(database: str) -> None:
    async def story(store: Store) -> None:
        tables = [f"order{i}" for i in range(20)]

        async def fill(table: str) -> None:
            for seq in range(1, 31):
                assert await store.tables.append_entries([entry(table, seq)], head(table) if seq == 1 else None)

        await asyncio.gather(*(fill(t) for t in tables))
        for table in tables:
            assert await store.tables.read_log_entries(table) == [entry(table, seq) for seq in range(1, 31)]
            assert [e.seq for e in await store.tables.read_log_entries(table, 28)] == [29, 30]
        results = await asyncio.gather(*(store.tables.append_entries([entry("order0", 31)]) for _ in range(50)))
        assert sorted(results) == [False] * 49 + [True]
        assert await store.tables.append_entries([entry("order0", 31)], head("order0", "over")) is False
        found = await store.tables.get_table_summary("order0")
        assert found is not None
        assert found.status == "playing", "who came second changes nothing"

    with_store(database, story)


def test_many_logs_are_read_at_once_each_from_its_own_number(database: str) -> None:
    async def story(store: Store) -> None:
        for table in ("read1", "read2"):
            for seq in range(1, 6):
                assert await store.tables.append_entries([entry(table, seq)], head(table) if seq == 1 else None)
        asked = [("read1", 0), ("read2", 3), ("nothing", 0), ("read1", 4), ("read1", 5)]
        found = await asyncio.gather(*(store.tables.read_log_entries(*one) for one in asked))
        expected = [("read1", range(1, 6)), ("read2", (4, 5)), ("", ()), ("read1", (5,)), ("", ())]
        assert found == [[entry(table, seq) for seq in numbers] for table, numbers in expected]

    with_store(database, story)


def test_heads_are_listed_and_found_by_person(database: str) -> None:
    async def story(store: Store) -> None:
        await store.tables.append_entries([entry("h1", 1)], head("h1"))
        await store.tables.append_entries([entry("h2", 1)], head("h2", public=False))
        await store.tables.append_entries([entry("h3", 1)], head("h3", status="over"))
        assert {h.table for h in await store.tables.list_unfinished_public_tables()} & {"h1", "h2", "h3"} == {"h1"}
        assert {h.table for h in await store.tables.list_tables_of_user("you")} >= {"h1", "h2", "h3"}
        assert await store.tables.get_table_summary("nowhere") is None
        found = await store.tables.get_table_summary("h1")
        assert found is not None
        assert (found.game, found.info, found.public) == ("survive", {"players": 2}, True)

    with_store(database, story)


def test_chat_is_numbered_though_many_speak_at_once(database: str) -> None:
    async def story(store: Store) -> None:
        await store.tables.append_entries([entry("talk", 1)], head("talk"))
        line = ChatLine("talk", 0, 9, "me", "Ана", None, "здравей")
        said = await asyncio.gather(*(store.chat.append_chat_line(line) for _ in range(12)))
        assert sorted(s.n for s in said) == list(range(1, 13))
        assert [s.n for s in await store.chat.read_chat_lines("talk", 10)] == [11, 12]
        assert (await store.chat.read_chat_lines("talk"))[0].text == "здравей"

    with_store(database, story)


def test_people_accounts_and_forgetting(database: str) -> None:
    async def story(store: Store) -> None:
        await store.users.add_user(UserRecord("p1", "Ana", 1, 1))
        await store.users.add_user(UserRecord("p2", "Boris", 1, 1))
        assert await store.users.update_user_fields("p1", account="ana", password="hash")
        assert not await store.users.update_user_fields("p2", account="ana", password="hash")
        found = await store.users.find_account_by_name("ANA")
        assert found is not None
        assert found.id == "p1"
        await store.tables.append_entries([entry("talk2", 1)], head("talk2"))
        await store.chat.append_chat_line(ChatLine("talk2", 0, 9, "p1", "Ana", 0, "hi"))
        await store.personal_data.erase_user("p1")
        assert await store.users.get_user_by_id("p1") is None
        assert await store.chat.read_chat_lines("talk2") == []
        assert await store.database.get_or_create_secret("key") == await store.database.get_or_create_secret("key")
        assert (await store.retention.delete_expired_tables_and_guests(None, 5))["guests"] >= 1
        assert await store.users.get_user_by_id("p2") is None

    with_store(database, story)


def test_the_number_of_a_deleted_line_of_chat_is_not_used_again(database: str) -> None:
    """Who is at the table knows that number: they would take the next line for one they were told already."""

    async def story(store: Store) -> None:
        await store.tables.append_entries([entry("talk3", 1)], head("talk3"))
        for number, person in enumerate(["stays", "goes", "goes"], 1):
            assert (
                await store.chat.append_chat_line(ChatLine("talk3", 0, 9, person, "Ana", 0, f"hello {number}"))
            ).n == number
        for _ in range(2):
            await store.personal_data.erase_user("goes")
        assert [line.n for line in await store.chat.read_chat_lines("talk3")] == [1]
        assert (await store.chat.append_chat_line(ChatLine("talk3", 0, 9, "stays", "Ana", None, "alone"))).n == 4
        assert [line.n for line in await store.chat.read_chat_lines("talk3")] == [1, 4]
        rows = await store.database.fetch_rows(sa.select(schema.chat).where(schema.chat.c.table_id == "talk3"))
        assert "goes" not in repr(rows)
        assert "hello 3" not in repr(rows)

    with_store(database, story)


def test_old_tables_are_forgotten_whole(database: str) -> None:
    async def story(store: Store) -> None:
        await store.tables.append_entries([entry("old", 1)], head("old"))
        assert (await store.retention.delete_expired_tables_and_guests(1_000_000, None))["tables"] >= 1
        assert await store.tables.get_table_summary("old") is None
        assert await store.tables.read_log_entries("old") == []
        assert "old" not in {h.table for h in await store.tables.list_tables_of_user("you")}

    with_store(database, story)


def test_migrations_build_what_the_code_expects(database: str) -> None:
    async def story(store: Store) -> None:
        def compare(connection: sa.Connection) -> list[object]:
            return list(compare_metadata(MigrationContext.configure(connection), schema.METADATA))

        async with store.database.engine.connect() as connection:
            assert await connection.run_sync(compare) == []

    with_store(database, story)


def test_a_database_of_a_newer_release_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "landfall.db"
    with_store(str(path), nothing)
    with sqlite3.connect(path) as db:
        db.execute("update alembic_version set version_num = '9999'")
    with pytest.raises(DatabaseError, match="newer release"):
        with_store(str(path), nothing)


def test_a_second_process_on_one_file_is_refused(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        other = Store(SqliteDatabase(tmp_path / "landfall.db"))
        with pytest.raises(DatabaseError, match="several processes need PostgreSQL"):
            await other.database.open_and_migrate()
        await other.database.engine.dispose()

    with_store(str(tmp_path / "landfall.db"), story)


@pytest.mark.parametrize("address", ["mysql://x/y", "http://", "postgresql+asyncpg://nobody@127.0.0.1:1/x"])
def test_what_is_no_database_gets_a_sentence(address: str) -> None:
    with pytest.raises(DatabaseError):
        with_store(address, nothing)


def test_one_process_drives_a_table_and_another_when_it_is_gone(postgres: str) -> None:
    async def story(store: Store) -> None:
        other = make_store_for_setting(postgres)
        await other.database.open_and_migrate()
        assert await store.database.try_acquire_bot_lease("t")
        assert await store.database.try_acquire_bot_lease("t")
        assert not await other.database.try_acquire_bot_lease("t")
        await store.database.release_bot_lease("t")
        assert await other.database.try_acquire_bot_lease("t")
        await other.database.close()
        assert await store.database.try_acquire_bot_lease("t")

    with_store(postgres, story)


def test_news_reach_other_processes(postgres: str) -> None:
    async def story(store: Store) -> None:
        other = make_store_for_setting(postgres)
        await other.database.open_and_migrate()
        received: list[tuple[str, str]] = []
        other.database.listen_for_notifications(lambda kind, words: received.append((kind, words)))
        await wait_until_true(lambda: ("missed", "") in received)  # it listens from now on
        await store.tables.append_entries([entry("news", 1)], head("news"))
        await store.database.notify_processes("chat", "news")
        await wait_until_true(lambda: ("chat", "news") in received)
        assert [news for news in received if news[0] != "missed"] == [("entry", "news 1"), ("chat", "news")]
        await other.database.close()

    with_store(postgres, story)


async def nothing(store: Store) -> None:
    assert store.database.engine is not None


def test_of_a_batch_only_what_cannot_be_written_is_refused(database: str) -> None:
    async def story(store: Store) -> None:
        poison = [LogEntry("poison", 1, 1, SatDown(0, "p", "\ud800")), LogEntry("pois\x00on\ud800", 1, 1, Resumed())]
        good = [entry(f"good{i}", 1) for i in range(60)]
        mixed = [*good[:20], poison[0], *good[20:40], poison[1], *good[40:], good[0]]
        done = await asyncio.gather(
            *(store.tables.append_entries([e], head(e.table)) for e in mixed), return_exceptions=True
        )
        outcome = dict(zip(map(id, mixed), done))
        assert all(isinstance(outcome[id(e)], Exception) for e in poison)
        assert done[-1] is False, "the same number twice in one batch"
        assert sum(found is True for found in done) == 60
        for e in good:
            assert await store.tables.read_log_entries(e.table) == [e]
        assert await store.tables.read_log_entries("poison") == []

    with_store(database, story)


def test_a_transaction_whose_task_is_cancelled_locks_nobody_out(database: str) -> None:
    """Not even while its exception, and with it the cursor, is kept."""

    async def cancel_at(store: Store, number: int) -> tuple[BaseException | None]:
        """The exception of a transaction that is cancelled in its statement of this number."""
        statements = count(1)
        task = asyncio.create_task(store.tables.renew_open_tables("this process", ["a", "b"], [], 1))

        def cancel(*_: object) -> None:
            if next(statements) == number:
                task.cancel()

        sa.event.listen(store.database.engine.sync_engine, "before_cursor_execute", cancel)
        result = await asyncio.gather(task, return_exceptions=True)
        sa.event.remove(store.database.engine.sync_engine, "before_cursor_execute", cancel)
        assert task.cancelled()
        return result

    async def story(store: Store) -> None:
        kept = []
        for number in range(1, 5):
            kept.append(await cancel_at(store, number))
            await store.tables.renew_open_tables("another", ["a"], [], 2)
        listed = await store.database.fetch_rows(sa.select(schema.open_tables.c.process))
        assert [process for (process,) in listed] == ["another"]

    gc.disable()
    try:
        with_store(database, story)
    finally:
        gc.enable()


def test_a_database_that_is_away_is_asked_once_for_a_batch(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        assert isinstance(store.database, SqliteDatabase)
        asked = []
        transact = store.database.commit_in_one_transaction
        store.database.commit_in_one_transaction = lambda *words: asked.append(1) or transact(*words)  # type: ignore[method-assign, func-returns-value]
        other = sqlite3.connect(store.database.path, isolation_level=None)
        other.execute("drop table entries")
        done = await asyncio.gather(
            *(store.tables.append_entries([entry("away", n)]) for n in range(1, 300)), return_exceptions=True
        )
        other.close()
        assert {type(found) for found in done} == {sqlite3.OperationalError}
        assert len(asked) < 20

    with_store(str(tmp_path / "landfall.db"), story)


def test_who_listens_is_back_soon_however_long_the_database_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What others write is told to people of this process only when it listens again."""
    store = make_store_for_setting("postgresql+asyncpg://nobody@/nothing?host=/nowhere")
    database = store.database
    assert isinstance(database, PostgresDatabase)
    waits: list[float] = []

    async def no_wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 50:
            raise asyncio.CancelledError

    async def story() -> None:
        monkeypatch.setattr(asyncio, "sleep", no_wait)
        with pytest.raises(asyncio.CancelledError):
            await database.run_listener()

    asyncio.run(story())
    assert 0.5 < max(waits) <= 2


def test_first_tries_of_a_puzzle_are_counted_and_rated(database: str) -> None:
    async def story(store: Store) -> None:
        assert await store.puzzles.get_puzzle_stats("survive/1") is None
        await asyncio.gather(
            *(store.puzzles.record_first_puzzle_attempt("survive/1", n < 4, (26.0, 8.0)) for n in range(10))
        )
        await store.puzzles.record_first_puzzle_attempt("survive/1", True, (25.5, 7.5))
        assert await store.puzzles.get_puzzle_stats("survive/1") == (11, 5, 25.5, 7.5)
        assert await store.puzzles.get_puzzle_stats("survive/2") is None

    with_store(database, story)


def test_any_number_of_processes_probe_one_database_at_once(postgres: str) -> None:
    async def story(store: Store) -> None:
        stores = [store, *(make_store_for_setting(postgres) for _ in range(3))]
        for other in stores[1:]:
            await other.database.open_and_migrate()
        for _ in range(20):
            await asyncio.gather(*(one.database.write_probe_row() for one in stores))
        async with stores[1].database.engine.begin() as connection:  # one that hangs in the middle holds up no other
            s = schema.settings
            await connection.execute(s.update().where(s.c.key == stores[1].database.probe_key).values(value="x"))
            await asyncio.wait_for(store.database.write_probe_row(), 1)
        for other in stores[1:]:
            await other.database.close()

    with_store(postgres, story)


def test_probes_of_processes_that_are_gone_are_cleared_away(database: str) -> None:
    async def story(store: Store) -> None:
        s = schema.settings
        await store.database.commit_change(s.insert().values(key="probe 0123", value="000000000000005 00"))
        await store.database.commit_change(s.insert().values(key="probably", value="1"))
        await store.database.write_probe_row()
        kept = {row[0] for row in await store.database.fetch_rows(sa.select(s.c.key).where(s.c.key.startswith("prob")))}
        assert "probe 0123" not in kept
        assert {"probably", store.database.probe_key} <= kept

    with_store(database, story)
