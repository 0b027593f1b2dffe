"""A ban reaches the bots of whoever is banned, and a name is shown only while its owner agrees."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from landfall.store.moderation import Restriction
from landfall.store.row_types import Presence, Session, UserRecord
from landfall.store.store import Store
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.quotas import Quotas
from landfall.web.settings import Settings
from tests.store.test_store import with_store

pytestmark = pytest.mark.once
FAR_MS = 2**42


def test_the_sessions_of_a_banned_authors_bots_are_not_valid(database: str) -> None:
    async def story(store: Store) -> None:
        await store.users.add_user(UserRecord("ban-author", "Author", 1, 1, "ban-author", "x", False, "ban-author"))
        bot = UserRecord("ban-bot", "Bot", 1, 1, "ban-bot", skeleton="ban-bot", author="ban-author")
        assert await store.users.add_bot(bot, 5)
        await store.sessions.add_token_and_end_earlier(Session("ban-token", bot.id, 1, 1, "abcd", "play"), 1)
        assert await store.sessions.filter_valid_sessions(["ban-token"], []) == {"ban-token"}
        now = time.time_ns() // 1_000_000
        await store.moderation.set_or_lift_restriction(Restriction("ban-author", "ban", now, FAR_MS, ""))
        assert await store.sessions.filter_valid_sessions(["ban-token"], []) == set()

    with_store(database, story)


def test_a_name_is_not_shown_when_its_owner_no_longer_agrees(database: str) -> None:
    async def story(store: Store) -> None:
        person = UserRecord("shown-one", "Shown", 1, 1, "shown-one", "x", False, "shown-one", True)
        await store.users.add_user(person)
        await store.presences.renew_presences("process", [Presence(person.id, "Shown", "")], [], FAR_MS)
        assert Presence(person.id, "Shown", "") in await store.presences.read_presences(1)
        await store.users.update_user_fields(person.id, shown=False)
        assert Presence(person.id, "", "") in await store.presences.read_presences(1)
        await store.presences.end_presences("process")

    with_store(database, story)


def test_a_chat_line_asks_no_database_whether_its_writer_is_muted(database: str) -> None:
    async def story(store: Store) -> None:
        runtime = Runtime()
        now, asked = runtime.clock.wall_time_ms(), 0
        fetch = store.database.fetch_rows

        async def counted(query: Any) -> Any:
            nonlocal asked
            asked += 1
            return await fetch(query)

        store.database.fetch_rows = counted  # type: ignore[assignment, method-assign]
        quotas = Quotas(Settings(), Store(store.database), runtime)

        async def is_muted(person: str) -> bool:
            subscriber = SimpleNamespace(user_id=person)
            try:
                await quotas.require_command_quota(subscriber, "", cmd.Say(text="hello"))  # type: ignore[arg-type]
            except Refused as error:
                return error.code == "muted"
            return False

        for _ in range(10):
            assert not await is_muted("mute-one")
        assert asked == 1
        await store.moderation.set_or_lift_restriction(Restriction("mute-one", "mute", now, now + 60_000, ""))
        await quotas.reload_mutes()  # as every sweep does, and the host's action at once
        assert [await is_muted(person) for person in ("mute-one", "mute-other")] == [True, False]
        assert asked == 2
        quotas.mutes = {"mute-one": now - 1}
        assert not await is_muted("mute-one"), "it ends by itself"

    with_store(database, story)
