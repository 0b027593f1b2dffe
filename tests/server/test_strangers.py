"""What strangers try at the doors: text that no database keeps, passwords by the hundred, requests that never end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from landfall.match import Match
from tests.conftest import LONG
from tests.postgres_cluster import run_temporary_cluster
from tests.server.real_server import Line, Player, ServerProcess

pytestmark = pytest.mark.once


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    if request.param == "sqlite":
        with ServerProcess(str(tmp_path_factory.mktemp("server") / "landfall.db"), bot_workers=0) as running:
            yield running
        return
    with run_temporary_cluster() as address, ServerProcess(address, bot_workers=0) as running:
        yield running


def record_with(seats: str) -> str:
    """An unfinished match whose line of seats is a stranger's."""
    return "\n".join(
        f"seats: {seats}" if row.startswith("seats:") else row
        for row in Match("atlandice", 2, seed=1).record().split("\n")
    )


PATHS = [
    "/api/tables/a%00b", "/api/tables/a%ED%A0%80", "/api/tables/x/chat?after=%00", "/api/tables/%00/qr.svg", "/t/%00",
    "/api/games/%00/rules", "/api/games/survive/rules?language=%00", "/api/tables/x%00/record",
    "/api/tables/x/replay?eyes=%ED%A0%80",
]  # fmt: skip
BODIES = {
    "/api/me": '{"name":"A%s"}',
    "/api/account": '{"name":"A%s","password":"a long password"}',
    "/api/login": '{"name":"A%s","password":"a long password"}',
    "/api/tables": '{"game":"survive","players":2,"options":{"%s":1}}',
    "/api/tables/quick": '{"game":"atlandice","players":2,"bots":["%s"]}',
    "/api/games/atlandice/options": '{"players":2,"options":{"clock":{"a":["%s"]}}}',
    "/api/tables/open": '{"record":"%s"}',
    "/api/replay": '{"record":"%s"}',
}


def test_an_address_that_no_database_keeps_is_a_bad_request(server: ServerProcess) -> None:
    for path in PATHS:
        got = httpx.get(server.url + path, timeout=LONG)
        assert (got.status_code, got.json()["code"]) == (400, "bad_text"), path


@pytest.mark.parametrize("poison", ["\\u0000", "\\ud800"])
def test_a_body_that_no_database_keeps_is_a_bad_request(poison: str, server: ServerProcess) -> None:
    with httpx.Client(base_url=server.url, headers={"Content-Type": "application/json"}, timeout=LONG) as http:
        http.post("/api/me", content='{"name":"Ana"}').raise_for_status()
        for path, body in BODIES.items():
            got = http.post(path, content=body % poison)
            assert (got.status_code, got.json()["code"]) == (400, "bad_text"), path
        for path in ("/api/tables/open", "/api/replay"):
            got = http.post(path, json={"record": record_with(f'["A{poison}", "B"]')})
            assert got.status_code == 400, got.text
        long = http.post("/api/tables/open", json={"record": record_with(json.dumps(["x" * 90_000, "B"]))})
        assert (long.status_code, long.json()["code"]) == (400, "name")
        fine = http.post("/api/tables/open", json={"record": record_with('["Ана", ""]')})
        assert fine.status_code == 201


@pytest.mark.parametrize("name", ["\u202eAna", "😀" * 24], ids=["override", "bytes"])
def test_names_that_cannot_be_seen_are_refused_at_every_door(name: str, server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Player(server.url, "Ana").come()
        for path, body in (("/api/me", {}), ("/api/account", {"password": "a long password"})):
            got = await ana.http.post(path, json={"name": name, **body})
            assert (got.status_code, got.json()["code"]) == (400, "name")
        table = (await ana.post("/api/tables", game="survive", players=2, hot_seat=True))["table"]
        line = await Line(ana, table).open()
        refused = await line.ask(t="sit", chair=1, name=name)
        assert refused["code"] in ("name", "bad_message")
        assert (await line.ask(t="sit", chair=1, name="Joa\u0303o"))["t"] == "done"
        assert [chair["name"] for chair in line.news["chairs"]] == ["Ana", "João"]
        await line.close()
        await ana.close()

    asyncio.run(story())


def test_a_socket_takes_no_controls_and_opens_no_table_without_a_key(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Player(server.url, "Ana").come()
        table = (await ana.post("/api/tables/quick", game="atlandice", players=2, bots=["random"]))["table"]
        line = await Line(ana, table).open()
        messages: list[dict[str, Any]] = [
            {"t": "play", "version": 1, "id": "a\x00", "action": 1},
            {"t": "colour", "chair": 0, "colour": "\x00"},
            {"t": "explain", "piece": "\x1b"},
            {"t": "bot", "chair": 1, "code": "\x00"},
        ]
        for message in messages:
            assert (await line.ask(**message))["code"] == "bad_message"
        await line.send(t="say", text="\u202ehi\x00")
        assert (await line.until("chat"))["text"] == "hi"
        nowhere = Line(ana, "a%00b")
        await nowhere.open()
        assert nowhere.news == {}
        assert nowhere.socket is not None
        with pytest.raises(Exception, match="4404"):
            await nowhere.receive()
        await nowhere.close()
        await line.close()
        await ana.close()

    asyncio.run(story())


@pytest.mark.proof
def test_a_request_that_never_ends_is_closed(tmp_path: Path) -> None:
    """Headers or a body sent by halves, then silence; a whole request and a socket are not touched."""

    async def half(port: int, sent: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        answer = await asyncio.wait_for(reader.read(), LONG)
        writer.close()
        await writer.wait_closed()
        return answer

    async def story(server: ServerProcess) -> None:
        ana = await Player(server.url, "Ana").come()
        table = (await ana.post("/api/tables", game="survive", players=2))["table"]
        line = await Line(ana, table).open()
        port = server.settings["port"]
        body = b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
        whole = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        halves = [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"\r\n", body, whole + body[:30]]
        for sent, answer in zip(halves, await asyncio.gather(*(half(port, sent) for sent in halves))):
            assert answer.rpartition(b"\r\n\r\n")[0].rpartition(b"HTTP/1.1 ")[2].startswith(b"408"), (sent, answer)
        slow, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(3):  # kept alive, each request whole
            writer.write(whole)
            assert (await slow.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            await slow.readexactly(len((await ana.http.get("/healthz")).content))
        writer.close()
        await writer.wait_closed()
        assert (await line.ask(t="ping"))["t"] == "pong"
        await line.close()
        await ana.close()

    with ServerProcess(str(tmp_path / "landfall.db"), bot_workers=0, patience=2.0) as running:
        asyncio.run(story(running))


def test_passwords_are_not_tried_by_the_hundred_and_the_owner_stays(tmp_path: Path) -> None:
    async def story(url: str) -> None:
        ana = await Player(url, "Ana").come()
        await ana.post("/api/account", name="Ana", password="a long password")
        stranger = httpx.AsyncClient(base_url=url, timeout=LONG)
        for name in ("ana", "nobody at all"):
            tries = [await stranger.post("/api/login", json={"name": name, "password": "wrong one"}) for _ in range(4)]
            assert [t.json()["code"] for t in tries] == ["login", "login", "tries", "tries"], "known or not"
        right = {"name": "Ana", "password": "a long password"}
        assert (await stranger.post("/api/login", json=right)).status_code == 429
        elsewhere = {"X-Forwarded-For": "192.0.2.7"}
        assert (await stranger.post("/api/login", json=right, headers=elsewhere)).status_code == 200
        assert (await ana.http.post("/api/login", json=right)).status_code == 200, "a device of the owner's"
        for client in (ana.http, stranger):
            await client.aclose()

    limits = {"tries": (1e-9, 2), "newcomers": (1e6, 1e6)}
    with ServerProcess(str(tmp_path / "landfall.db"), bot_workers=0, rates=limits) as running:
        asyncio.run(story(running.url))


def test_talk_names_and_settings_have_rates_by_person(tmp_path: Path) -> None:
    async def story(url: str) -> None:
        ana = await Player(url, "Ana").come()
        table = (await ana.post("/api/tables", game="survive", players=2))["table"]
        lines = [await Line(ana, table).open() for _ in range(2)]
        for i in range(5):
            await lines[i % 2].send(t="say", text="again")
            found = await lines[i % 2].until("chat" if i < 3 else "refused")
            assert i < 3 or found["code"] == "too_fast"
            while i < 3 and (await lines[1 - i % 2].until("chat"))["n"] <= i:
                pass
        answers = [await lines[i % 2].ask(t="colour", chair=0, colour=("red", "green")[i % 2]) for i in range(6)]
        assert [a.get("code", "done") for a in answers] == ["done"] * 4 + ["too_fast"] * 2
        assert (await lines[0].ask(t="ping"))["t"] == "pong"
        codes = [(await ana.http.post("/api/me", json={"name": f"Ana {i}"})).status_code for i in range(4)]
        assert codes == [200, 200, 429, 429]
        for line in lines:
            await line.close()
        await ana.close()

    limits = {"chat": (1e-9, 3), "changes": (1e-9, 4), "newcomers": (1e-9, 4)}
    with ServerProcess(str(tmp_path / "landfall.db"), bot_workers=0, rates=limits) as running:
        asyncio.run(story(running.url))
