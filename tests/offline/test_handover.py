"""A table moves to another device: with its whole log, everybody keeps their seat by their key, and nothing is opened
that is not a table's log."""

from __future__ import annotations

import json
from typing import Any

import pytest

from landfall.api.types import Caller
from landfall.offline.offline_server import OWN_ID, friend_user_id
from landfall.offline.peer_sessions import PEER_ROUTES, Peers
from landfall.offline.rest import OfflineApi
from landfall.offline.storage import MemoryStorage
from landfall.tables.live.subscriber import User
from tests.offline.peer_two_worlds import KEY, FriendChannel
from tests.offline.test_offline_server import device, run
from tests.offline.test_peers import make_table, seated, start

pytestmark = pytest.mark.once
ANA, BEN, CLEO = (KEY.format(name) for name in ("ana", "ben", "cleo"))


async def export(here: OfflineApi, table: str, key: str = ANA) -> str:
    status, _, text = await here.request("POST", f"/api/tables/{table}/handover", json.dumps({"key": key}))
    assert status == 200, text
    return text


async def take(there: OfflineApi, file: str, key: str | None, **more: Any) -> tuple[int, dict[str, Any]]:
    body = {"file": file, "key": key, **more}
    status, _, text = await there.request("POST", "/api/tables/takeover", json.dumps(body))
    return status, json.loads(text)


async def begin(playing: bool = True) -> tuple[OfflineApi, str]:
    """Ana's device, where Ben and Cleo sit at a table; it has begun if `playing`."""
    here = device(MemoryStorage())
    await here.start_server()
    table = await make_table(here, players=3)
    peers = Peers(here)
    ben = await seated(peers, table, BEN)
    cleo = FriendChannel(peers, table, CLEO, "Cleo")
    await cleo.open()
    await cleo.send('{"t":"sit","chair":2}')
    await cleo.until("done")
    await ben.send('{"t":"say","text":"hello"}')
    if playing:
        await start(here, table)
    return here, table


async def seats_of(here: OfflineApi, table: str, key: str) -> list[int]:
    channel = FriendChannel(Peers(here), table, key)
    await channel.open()
    return list((await channel.until("welcome")).get("seats", []))


def test_a_friend_s_device_takes_over_and_everybody_keeps_their_seat() -> None:
    async def work() -> None:
        here, table = await begin()
        file = await export(here, table)
        assert not {OWN_ID, ANA, BEN, CLEO} & {part.strip("\\") for part in file.split('"')}, "a key is in the file"
        there = device(MemoryStorage())
        await there.start_server()
        assert (await take(there, file, BEN))[0] == 201
        live = await there.hub.get_or_load_table(table)
        assert [chair.person for chair in live.table.chairs] == [friend_user_id(ANA), OWN_ID, friend_user_id(CLEO)]
        assert live.table.terms.owner == OWN_ID
        assert live.table.match is not None
        before = (await here.hub.get_or_load_table(table)).table.match
        assert before is not None
        assert live.table.match.state.to_text() == before.state.to_text()
        assert [await seats_of(there, table, key) for key in (ANA, CLEO, KEY.format("eve"))] == [[0], [2], []]
        assert [line.text for line in await there.store.chat.read_chat_lines(table)] == ["hello"]
        # and back: what the first device still has is older
        again = await export(there, table, BEN)
        assert (await take(here, again, ANA))[0] == 201
        assert [chair.person for chair in (await here.hub.get_or_load_table(table)).table.chairs] == [
            OWN_ID, friend_user_id(BEN), friend_user_id(CLEO),
        ]  # fmt: skip
        await here.stop_server()
        await there.stop_server()

    run(work)


def test_a_file_that_is_older_or_no_table_changes_nothing() -> None:
    async def work() -> None:
        here, table = await begin()
        file = await export(here, table)
        whole = json.loads(file)
        played = [row for row in whole["rows"] if row[2] == "start"]
        bad = [
            "x", "{}", "[]", json.dumps({**whole, "landfall": 2}), json.dumps({**whole, "rows": []}),
            json.dumps({**whole, "table": "public"}), json.dumps({**whole, "table": "here-../x"}),
            json.dumps({**whole, "rows": whole["rows"][1:]}), json.dumps({**whole, "rows": played}),
            json.dumps({**whole, "rows": [[1, 0, "create", "[]"]]}), json.dumps({**whole, "rows": [[1, 0, "?", "{"]]}),
        ]  # fmt: skip
        there = device(MemoryStorage())
        await there.start_server()
        for one in bad:
            status, said = await take(there, one, BEN)
            assert status in (400, 404, 409, 422), (one[:80], said)
        assert await there.store.list_summaries() == []
        older = json.dumps({**whole, "rows": whole["rows"][:-1]})
        status, said = await take(here, older, None)
        assert (status, said["code"]) == (409, "stale")
        assert len(await here.store.tables.read_log_entries(table)) == len(whole["rows"])
        await here.stop_server()
        await there.stop_server()

    run(work)


def test_what_is_played_while_a_file_is_opened_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        here, table = await begin(playing=False)
        await here.hub.get_or_load_table(table)
        file = await export(here, table)
        read, calls = here.store.tables.read_log_entries, []

        async def read_slowly(*args: Any) -> list[Any]:
            found = await read(*args)
            calls.append(len(found))
            if len(calls) == 1:
                await start(here, table)
            return found

        monkeypatch.setattr(here.store.tables, "read_log_entries", read_slowly)
        status, said = await take(here, file, ANA)
        assert (status, said["args"]) == (409, {"apart": False})
        assert len(await read(table)) > calls[0]
        await here.stop_server()

    run(work)


def test_what_another_page_plays_while_a_file_is_opened_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page of a device has a Python of its own, and all have one storage."""

    async def work() -> None:
        here, table = await begin(playing=False)
        storage = here.store.storage
        other = device(storage, seed=4)  # type: ignore[arg-type]
        await other.start_server()
        file = await export(here, table)
        before, replace = len(await here.store.tables.read_log_entries(table)), storage.replace

        async def replace_late(*args: Any) -> bool:
            if len(await here.store.tables.read_log_entries(table)) == before:
                await start(other, table)
            return await replace(*args)

        monkeypatch.setattr(storage, "replace", replace_late)
        status, said = await take(here, file, ANA)
        assert (status, said["args"]) == (409, {"apart": False})
        assert len(await here.store.tables.read_log_entries(table)) > before
        await here.stop_server()
        await other.stop_server()

    run(work)


def test_a_table_that_went_on_differently_here_is_replaced_only_when_that_is_asked_for() -> None:
    """And never by less than this device has."""

    async def work() -> None:
        here, table = await begin(playing=False)
        there = device(MemoryStorage(), seed=4)
        await there.start_server()
        before = await export(here, table)
        assert (await take(there, before, BEN))[0] == 201
        await start(there, table)  # the deal is another one on each device
        await start(here, table)
        kept = await here.store.tables.read_log_entries(table)
        file = await export(there, table, BEN)
        assert len(json.loads(file)["rows"]) == len(kept)
        status, said = await take(here, file, ANA)
        assert (status, said["code"], said["args"]) == (409, "stale", {"apart": True})
        for replace in (False, True):
            status, said = await take(here, before, ANA, replace=replace)
            assert (status, said["args"]) == (409, {"apart": False})
        assert await here.store.tables.read_log_entries(table) == kept
        assert (await take(here, file, ANA, replace=True))[0] == 201
        states = [(await one.hub.get_or_load_table(table)).table.match for one in (here, there)]
        assert len({match.state.to_text() for match in states if match is not None}) == 1
        assert await here.store.tables.read_log_entries(table) != kept
        await here.stop_server()
        await there.stop_server()

    run(work)


def test_a_friend_cannot_ask_for_the_file() -> None:
    async def work() -> None:
        here, table = await begin()
        ben = Caller(User(friend_user_id(BEN), "Ben"), "ben")
        body = json.dumps({"key": BEN})
        status, _, _ = await here.request_as_caller(ben, "POST", f"/api/tables/{table}/handover", body, PEER_ROUTES)
        assert status == 404
        channel = FriendChannel(Peers(here), table, BEN)
        assert (await channel.ask(f"/api/tables/{table}/handover", "POST"))[0] == 404
        await here.stop_server()

    run(work)
