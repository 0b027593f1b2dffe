"""A device that plays by itself: whole matches, kept beyond the page, and the same answers as a server's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import landfall
from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES
from landfall.offline.offline_server import OfflineConnection, new_offline_table_id
from landfall.offline.rest import OfflineApi
from landfall.offline.static_site import list_static_requests
from landfall.offline.storage import MemoryStorage
from landfall.tables.runtime_dependencies import Runtime
from landfall.tables.teaching import rule_diagrams
from landfall.web.app import create_app
from landfall.web.settings import Settings

pytestmark = pytest.mark.once


def device(storage: MemoryStorage, seed: int = 3) -> OfflineApi:
    """One whose bots do not wait."""
    return OfflineApi(
        storage,
        "Ana",
        Runtime(bot_pace_ms=0, forced_choice_ms=0, answer_hold_ms=0, new_id=new_offline_table_id, rng=Rng(seed)),
    )


async def asked(here: OfflineApi, method: str, path: str, body: object = None) -> Any:
    status, kind, text = await here.request(method, path, None if body is None else json.dumps(body))
    assert status < 300, text
    return json.loads(text) if "json" in kind else text


class Page:
    """Somebody at a table of a device, who knows what is told and nothing else."""

    def __init__(self, here: OfflineApi, table: str) -> None:
        self.here, self.table = here, table
        self.told: list[Any] = []
        self.connection: OfflineConnection | None = None
        self.shut = False
        self.count = 0

    async def open(self) -> Page:
        self.connection = await self.here.connect(
            self.table, None, lambda text: self.told.append(json.loads(text)), self.close
        )
        return self

    def close(self) -> None:
        self.shut = True

    def first(self) -> int:
        """The first of the choices."""
        found = self.latest()["choices"][0]
        return int(found["rows"][0][found["keys"].index("action")])

    def latest(self) -> Any:
        return next(news for news in reversed(self.told) if news["t"] in ("welcome", "update"))

    def over(self) -> bool:
        return any(
            news.get("table", news).get("status") == "over" for news in self.told if news["t"] in ("welcome", "table")
        )

    async def play(self, most: int = 2000) -> None:
        """Take the first choice whenever there is one, until the end or so many times."""
        assert self.connection is not None
        for _ in range(most):
            while not self.over() and not self.latest().get("choices"):
                await asyncio.sleep(0)
            if self.over():
                return
            news = self.latest()
            self.count += 1
            words = {"t": "play", "version": news["version"], "id": f"{id(self)}-{self.count}", "action": self.first()}
            self.connection.receive(json.dumps(words))
            while self.latest() is news and not self.over():
                await asyncio.sleep(0)


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        await work()

    asyncio.run(all_of_it())


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_match_is_played_kept_exported_and_deleted(game: str) -> None:
    async def work() -> None:
        storage = MemoryStorage()
        here = device(storage)
        await here.start_server()
        body = {"game": game, "players": 2, "bots": ["sprat"]}
        table = (await asked(here, "POST", "/api/tables/quick", body))["table"]
        assert table.startswith("here-")
        page = await Page(here, table).open()
        await page.play(6)
        before = await asked(here, "GET", f"/api/tables/{table}")
        await here.stop_server()  # the page is closed in the middle
        again = device(storage, seed=4)
        await again.start_server()
        page = await Page(again, table).open()
        assert page.told[0]["n"] >= before["n"]
        assert len(await asked(again, "GET", "/api/history?over=false")) == 1
        await page.play()
        listed = (await asked(again, "GET", "/api/history"))[0]
        assert (listed["table"], listed["status"], listed["ended"]) == (table, "over", "finished")
        assert listed["ranking"]
        record = await asked(again, "GET", f"/api/tables/{table}/record")
        assert landfall.Match.replay(record).record() == record  # what a server opens
        told = await asked(again, "GET", f"/api/tables/{table}/replay")
        assert told["moments"]
        await asked_nothing(again, table)
        await again.stop_server()

    run(work)


class SharedStorage(MemoryStorage):
    """The storage of several pages, each of which hears what the others announce."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[OfflineApi] = []

    def announce(self, kind: str, words: str) -> None:
        super().announce(kind, words)
        for page in self.pages:  # a page hears itself, too: that must not matter
            page.on_notification(kind, words)


def test_two_pages_follow_each_other() -> None:
    async def work() -> None:
        storage = SharedStorage()
        storage.pages = [device(storage), device(storage, seed=4)]
        here, there = storage.pages
        await here.start_server()
        await there.start_server()
        body = {"game": "atlandice", "players": 2, "bots": ["sprat"]}
        table = (await asked(here, "POST", "/api/tables/quick", body))["table"]
        one, other = await Page(here, table).open(), await Page(there, table).open()
        for mover, follower in ((one, other), (other, one)):
            await mover.play(3)
            while follower.latest()["version"] < mover.latest()["version"]:
                await asyncio.sleep(0)
        assert one.connection is not None
        one.connection.receive(json.dumps({"t": "say", "text": "hello"}))
        while not any(news["t"] == "chat" for news in other.told):
            await asyncio.sleep(0)
        assert ("chat", table) in storage.announced
        await asked_nothing(here, table)
        assert other.shut
        await here.stop_server()
        await there.stop_server()

    run(work)


def test_a_table_deleted_in_another_page_does_not_come_back() -> None:
    async def work() -> None:
        storage = MemoryStorage()
        here, there = device(storage), device(storage, seed=4)
        await here.start_server()
        await there.start_server()
        table = (await asked(here, "POST", "/api/tables/quick", {"game": "atlantis", "players": 2, "bots": ["sprat"]}))[
            "table"
        ]
        page = await Page(here, table).open()
        await page.play(2)
        while not page.latest().get("choices"):
            await asyncio.sleep(0)
        await asked_nothing(there, table)
        words = {"t": "play", "version": page.latest()["version"], "id": "late", "action": page.first()}
        assert page.connection is not None
        page.connection.receive(json.dumps(words))
        page.connection.receive(json.dumps({"t": "say", "text": "Anybody?"}))
        for _ in range(200):
            await asyncio.sleep(0)
        assert page.shut
        assert (storage.rows, storage.listed, storage.said) == ({}, {}, [])
        assert (await here.request("GET", f"/api/tables/{table}"))[0] == 404
        await here.stop_server()
        await there.stop_server()

    run(work)


async def asked_nothing(here: OfflineApi, table: str) -> None:
    """Delete a table, and nothing is left of it."""
    assert (await here.request("DELETE", f"/api/tables/{table}"))[0] == 204
    assert (await here.request("GET", f"/api/tables/{table}"))[0] == 404
    assert await asked(here, "GET", "/api/history") == []
    storage = here.store.storage
    assert isinstance(storage, MemoryStorage)
    assert not storage.rows
    assert not storage.listed
    told: list[str] = []
    assert await here.connect(table, None, told.append) is None
    assert json.loads(told[0])["code"] == "no_table"


def test_several_people_share_a_device_behind_a_curtain() -> None:
    async def work() -> None:
        here = device(MemoryStorage())
        await here.start_server()
        body = {"game": "survive", "players": 2, "hot_seat": True}
        table = (await asked(here, "POST", "/api/tables", body))["table"]
        page = await Page(here, table).open()
        assert page.connection is not None
        for words in ({"t": "sit", "chair": 1, "name": "Ben"}, {"t": "start"}):
            page.connection.receive(json.dumps(words))
            await page.connection.subscriber.live.writer.wait_until_queue_is_empty()
        welcome = next(news for news in reversed(page.told) if news["t"] == "welcome")
        assert welcome["seats"] == [0, 1]
        assert welcome["curtain"]
        page.connection.receive(json.dumps({"t": "viewpoint", "seat": welcome["view"]["actor"]}))
        assert next(news for news in reversed(page.told) if news["t"] == "welcome")["choices"]
        await here.stop_server()

    run(work)


def test_two_pages_of_one_device_never_write_the_same_entry_twice() -> None:
    async def work() -> None:
        storage = MemoryStorage()
        here, there = device(storage), device(storage, seed=9)
        await here.start_server()
        await there.start_server()
        body = {"game": "atlandice", "players": 2, "bots": ["sprat"]}
        table = (await asked(here, "POST", "/api/tables/quick", body))["table"]
        pages = [await Page(here, table).open(), await Page(there, table).open()]
        for _ in range(4):
            for page in pages:
                await page.play(1)
        numbers = [seq for _, seq in sorted(storage.rows)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) > 8
        assert await asked(device(storage), "GET", f"/api/tables/{table}")  # its whole log is good
        await here.stop_server()
        await there.stop_server()

    run(work)


def test_messages_are_refused_as_on_a_server() -> None:
    async def work() -> None:
        here = device(MemoryStorage())
        await here.start_server()
        body = {"game": "atlantis", "players": 2, "bots": ["sprat"]}
        table = (await asked(here, "POST", "/api/tables/quick", body))["table"]
        page = await Page(here, table).open()
        assert page.connection is not None
        page.connection.receive('{"t":"fly"}')
        assert page.told[-1]["code"] == "bad_message"
        page.connection.receive(json.dumps({"t": "play", "version": 99, "id": "x", "action": 0}))
        await page.connection.subscriber.live.writer.wait_until_queue_is_empty()
        assert page.told[-1]["t"] == "refused"
        assert page.told[-1]["id"] == "x"
        page.connection.receive('{"t":"ping"}')
        assert page.told[-1]["t"] == "pong"
        await page.connection.close()
        await here.stop_server()

    run(work)


def record_of(game: str) -> str:
    match = landfall.Match(game, players=2, seed=5)
    while match.legal_actions():
        match.play(match.legal_actions()[0])
    return match.record()


def test_questions_are_answered_as_by_a_server(tmp_path: Path) -> None:
    """Every question that a page asks of either, the refused ones too."""
    record = record_of("atlandice")
    body = {"game": "survive", "players": 2, "bots": ["sprat"]}
    asking: list[tuple[str, str, Any]] = [("GET", path, None) for path, _ in list_static_requests()]
    asking += [
        ("GET", "/api/games/chess/texts/en", None),
        ("GET", "/api/games/survive/texts/xx", None),
        ("GET", "/api/games/survive/rules?language=xx", None),
        ("GET", "/api/games/atlandice/figures/AD.V1/why?place=library", None),
        ("GET", "/api/games/atlandice/figures/AD.V1/why", None),
        ("GET", "/api/tables/here-none", None),
        ("GET", "/api/tables/here-none/record", None),
        ("GET", "/api/tables/here-none/replay", None),
        ("POST", "/api/games/survive/options", {"players": 2, "options": {"dolphins": True}}),
        ("POST", "/api/games/survive/options", {"players": 7, "options": {"dolphins": 3, "nonsense": True}}),
        ("POST", "/api/replay?eyes=open", {"record": record}),
        ("POST", "/api/replay?eyes=1", {"record": record}),
        ("POST", "/api/replay?eyes=5", {"record": record}),
        ("POST", "/api/replay", {"record": "nonsense"}),
        ("POST", "/api/tables/open", {"record": "nonsense"}),
        ("POST", "/api/tables/quick", {**body, "bots": ["sprat", "sprat"]}),
        ("POST", "/api/tables/quick", {**body, "bots": ["/etc/passwd"]}),
        ("POST", "/api/tables/quick", {**body, "game": "chess"}),
        ("POST", "/api/tables/quick", {**body, "options": {"nonsense": True}}),
        ("POST", "/api/tables/quick", {"game": "survive", "players": 2}),
        ("POST", "/api/tables/quick", {**body, "players": "two"}),
        ("POST", "/api/tables/quick", {**body, "players": 9}),
        ("POST", "/api/tables/quick", {**body, "wind": 3}),
        ("POST", "/api/tables/quick", {**body, "clock": {"mode": "sundial"}}),
        ("POST", "/api/tables/quick", {**body, "bots": []}),
        ("POST", "/api/tables/quick", [body]),
        ("POST", "/api/games/survive/options", {"players": 2, "options": {"dolphins": "\x00"}}),
        ("POST", "/api/me", {"name": "\u202e"}),
        ("POST", "/api/me", {"name": "Ana"}),
    ]

    async def work() -> None:
        here = device(MemoryStorage())
        app = create_app(
            Settings(database=f"sqlite+aiosqlite:///{tmp_path}/tables.sqlite", bot_workers=0, bot_codes=True)
        )
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as server:
                assert (await server.post("/api/me", json={"name": "Ana"})).status_code == 200
                for method, path, given in asking:
                    wanted = await server.request(method, path, json=given)
                    status, kind, text = await here.request(method, path, None if given is None else json.dumps(given))
                    assert (status, json.loads(text)) == (wanted.status_code, wanted.json()), (method, path, given)
                    assert kind.partition(";")[0] == wanted.headers["content-type"].partition(";")[0]

    run(work)


def test_a_fault_of_ours_is_told_as_one(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """A KeyError inside an endpoint is no fault of who asked."""
    nothing: dict[str, str] = {}
    monkeypatch.setattr(rule_diagrams, "list_rule_diagrams", lambda game, language: nothing["nothing"])

    async def work() -> None:
        status, _, text = await device(MemoryStorage()).request("GET", "/api/games/survive/figures")
        assert (status, json.loads(text)["code"]) == (500, "server")
        assert "KeyError: 'nothing'" in caplog.text

    run(work)


def test_arguments_of_paths_and_queries_are_checked() -> None:
    async def work() -> None:
        here = device(MemoryStorage())
        for path in ("/api/tables/here-none/position?seat=10", "/api/tables/here-none/position?seat=one",
                     "/api/tables/here-none/chat?after=-1", "/api/history?over=perhaps", "/api/replay?eyes=mine",
                     "/api/puzzles/survive/x/hint?step=99", f"/api/tables/{'x' * 65}"):  # fmt: skip
            method = "POST" if "replay" in path else "GET"
            status, _, text = await here.request(method, path, '{"record":""}' if method == "POST" else None)
            assert (status, json.loads(text)["code"]) == (422, "bad_message"), path
        status, _, text = await here.request("GET", "/api/nowhere")
        assert (status, json.loads(text)["code"]) == (404, "http")
        assert await asked(here, "GET", "/api/history?before=5&over=true&hub=mine&caller=you") == []

    run(work)
