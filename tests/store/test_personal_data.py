"""Deletion: of a person who has everything, no byte is left in the files; their matches still replay."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest
import sqlalchemy as sa

from landfall.core.rng import Rng
from landfall.store import schema
from landfall.store.accounts import Challenge, Passkey
from landfall.store.confusable_names import confusable_skeleton
from landfall.store.matchmaking_events import SearchStarted, SearchWrite
from landfall.store.personal_data import ANONYMISED, IMPERSONAL, PERSONAL_TABLES
from landfall.store.portraits import Portrait
from landfall.store.postgres import PostgresDatabase
from landfall.store.row_types import ChatLine, Session, UserRecord
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import Store
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.log_check import check_table_log
from landfall.tables.ratings.rate_match import rate_match
from tests.ratings.simulated_matches import SimulatedPlayer, append_match_log, finished_match, log_of_rated_match
from tests.store.test_store import with_store

pytestmark = pytest.mark.once
HER = SimulatedPlayer("user-of-zuleika", "Zuleika Unlike", 30)
HIM = SimulatedPlayer("user-of-boris", "Boris", 20)
USER_COLUMNS = {"person", "author", "other", "owner", "host", "reporter"}
SECRETS = {
    "name": "Zuleika Unlike", "account": "zuleika unlike", "skeleton": confusable_skeleton("Zuleika Unlike"),
    "earlier name": confusable_skeleton("Zora Forgotten"), "chat": "a word of hers", "cookie": "hash-of-her-cookie",
    "bot": "zuleikabot", "token": "hash-of-her-token", "passkey": "id-of-her-passkey", "key": "public-key-of-hers",
    "code": "hash-of-her-code", "challenge": "hash-of-her-challenge", "password": "hash-of-her-password",
    "device": "Her Phone",
}  # fmt: skip


def test_every_table_is_deleted_from_or_holds_nobody() -> None:
    listed = [one.table for one in PERSONAL_TABLES]
    assert sorted(t.name for t in [*listed, *ANONYMISED, *IMPERSONAL]) == sorted(schema.METADATA.tables)
    for one in PERSONAL_TABLES:
        named = USER_COLUMNS & set(one.table.c.keys())
        assert named <= set(one.users), f"{one.table.name} has more columns with users"
    for table in IMPERSONAL:
        assert not USER_COLUMNS - {"person"} & set(table.c.keys())
        assert "person" not in table.c or table is schema.forgotten


async def fill(store: Store) -> None:
    """Her account with all there can be, a rated match, a chat, and somebody who knows her."""
    for one in (HER, HIM):
        called = one.name.casefold()
        password = "hash-of-her-password" if one is HER else "another"
        user = UserRecord(one.id, one.name, 1, 1, called, password, False, confusable_skeleton(one.name))
        await store.users.add_user(user)
    await store.users.update_user_fields(
        HER.id, name="Zora Forgotten", account="zora forgotten", skeleton="zoraforgotten"
    )
    before = await store.users.get_user_by_id(HER.id)
    assert before is not None
    await store.sessions.add_session(Session("hash-of-her-cookie", HER.id, 1, 1, "Her Phone"))
    assert await store.accounts.rename_account(before, HER.name, HER.name.casefold(), 2**41, "hash-of-her-cookie")
    bot = UserRecord("bot-of-hers", "zuleikabot", 1, 1, "zuleikabot", skeleton="zuleikabot", author=HER.id)
    assert await store.users.add_bot(bot, 5)
    await store.sessions.add_token_and_end_earlier(Session("hash-of-her-token", bot.id, 1, 1, "abcd", "play"), 1)
    await store.accounts.add_passkey(
        Passkey("id-of-her-passkey", HER.id, b"public-key-of-hers", 1, "Her Phone", 1), 5, "hash-of-her-cookie"
    )
    await store.accounts.replace_recovery_codes(HER.id, ["hash-of-her-code"], "hash-of-her-cookie")
    await store.accounts.add_or_renew_proof(Challenge("hash-of-her-challenge", "passkey", HER.id, "here", 2**42), 1)
    await store.portraits.save_portrait(HER.id, Portrait("orange", "night"))
    await store.relations.set_user_blocked(HER.id, HIM.id, True)
    await store.relations.set_user_blocked(HIM.id, HER.id, True)
    started = SearchStarted("s1", HER.id, HER.name, ["survive"], [4], "quarter", True, "")
    assert await store.searches.append_search_events(SearchWrite([started], seq=1, at=1))
    await append_match_log(store, log_of_rated_match("match", 1000, finished_match("atlandice", 2, 0), [HER, HIM]))
    table = load_table_from_entries("match", await store.tables.read_log_entries("match"), Rng(0))
    await rate_match(store, table, table.last_at)
    for number in range(30):
        await store.chat.append_chat_line(ChatLine("match", 0, number, HER.id, HER.name, 0, f"a word of hers {number}"))
    await store.chat.append_chat_line(ChatLine("match", 0, 99, HIM.id, HIM.name, 1, "a word of his"))


def left_in(files: Iterable[Path]) -> dict[str, list[str]]:
    """The secrets that some file still holds."""
    contents = {file.name: file.read_bytes() for file in files if file.is_file()}
    found = {what: [name for name, data in contents.items() if word.encode() in data] for what, word in SECRETS.items()}
    return {what: names for what, names in found.items() if names}


async def forget_and_replay(store: Store) -> None:
    before = (await check_table_log(store, "match")).entries
    await store.personal_data.erase_user(HER.id)
    after = await check_table_log(store, "match")
    assert after.fault is None
    assert len(after.entries) == len(before)
    match = load_table_from_entries("match", after.entries, Rng(0)).match
    assert match is not None
    assert match.state.ranking() == finished_match("atlandice", 2, 0).state.ranking()
    assert [line.text for line in await store.chat.read_chat_lines("match")] == ["a word of his"]


def test_no_byte_of_a_deleted_person_is_left_in_sqlite(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        assert isinstance(store.database, SqliteDatabase)
        await fill(store)
        files = list(tmp_path.iterdir())
        assert sorted(left_in(files)) == sorted(SECRETS), "all of it was there"
        await forget_and_replay(store)
        assert left_in(tmp_path.iterdir()) == {}

    with_store(str(tmp_path / "landfall.db"), story)
    assert left_in(tmp_path.iterdir()) == {}


def test_no_byte_of_a_deleted_person_is_left_in_postgresql_after_a_vacuum(postgres: str) -> None:
    base = Path(postgres.partition("host=")[2].partition("&")[0]) / "data" / "base"

    async def story(store: Store) -> None:
        assert isinstance(store.database, PostgresDatabase)
        await fill(store)
        await forget_and_replay(store)
        rows: list[object] = []
        for table in schema.METADATA.sorted_tables:
            rows += await store.database.fetch_rows(sa.select(table))
        assert not [word for word in SECRETS.values() if word in str(rows)]
        await store.database.vacuum_database()
        async with store.database.autocommit.connect() as connection:
            await connection.exec_driver_sql("checkpoint")
        assert left_in(await asyncio.to_thread(lambda: list(base.rglob("*")))) == {}

    with_store(postgres, story)
