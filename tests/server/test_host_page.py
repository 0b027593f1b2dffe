"""The host's page on a real server: only the host sees it; mute, ban, reset, delete, reports and closed tables."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from typer.testing import CliRunner

from landfall.cli import app
from tests.server.real_server import ConnectionClosed, Line, Player, ServerProcess

pytestmark = pytest.mark.once
PASSWORD = "a long password"
BODIES: dict[str, dict[str, Any]] = {
    "/api/host/people/{user}": {"act": "delete"},
    "/api/host/tables/{table}/close": {"text": "x"},
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("host") / "landfall.db")


@pytest.fixture(scope="module")
def server(database: str) -> Iterator[ServerProcess]:
    with ServerProcess(database, recheck=0.05, bot_workers=0) as running:
        yield running


def run(*words: str) -> None:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output


async def account(server: ServerProcess, name: str) -> Player:
    player = await Player(server.url, name).come()
    await player.post("/api/account", name=name, password=PASSWORD)
    return player


async def host_of(server: ServerProcess, database: str, name: str) -> Player:
    host = await account(server, name)
    await asyncio.to_thread(run, "host", "admin", name, "--database", database)
    return host


async def find(host: Player, name: str) -> dict[str, Any]:
    [found] = (await host.http.get("/api/host/people", params={"name": name})).json()
    assert found["name"] == name
    return dict(found)


async def act(host: Player, person: dict[str, Any], **body: Any) -> dict[str, Any]:
    return await host.post(f"/api/host/people/{person['id']}", **body)


async def code(answer: Any) -> str:
    got: httpx.Response = await answer
    return "" if got.status_code < 300 else str(got.json()["code"])


async def closed(line: Line) -> bool:
    """Read until the server closes the socket."""
    try:
        while True:
            await line.receive()
    except ConnectionClosed:
        await line.close()
        return True


def test_for_others_there_is_no_such_page(server: ServerProcess, database: str) -> None:
    async def story() -> None:
        ana, guest, nobody = (
            await account(server, "Ana"),
            await Player(server.url, "guest").come(),
            Player(server.url, ""),
        )
        token = (await ana.post("/api/me/bots", name="a bot"))["token"]
        paths = (await nobody.http.get("/openapi.json")).json()["paths"]
        asked = [(path, way) for path, ways in paths.items() if path.startswith("/api/host") for way in ways]
        assert len(asked) >= 6
        nowhere = await ana.http.get("/api/nowhere")
        ids = {"user": "x", "report": "1", "table": "x"}
        for path, way in asked:
            url = re.sub(r"\{(\w+)\}", lambda found: ids[found[1]], path)

            async def ask(who: Player, url: str = url, way: str = way, path: str = path, **more: Any) -> httpx.Response:
                return await who.http.request(way.upper(), url, json=BODIES.get(path), **more)

            for who in (ana, guest):
                got = await ask(who)
                assert (got.status_code, got.json()) == (404, nowhere.json()), (path, who.name)
            assert (await ask(nobody)).status_code == 401
            bearer = await ask(nobody, headers={"Authorization": f"Bearer {token}"})
            assert (bearer.status_code, bearer.json()["code"]) == (403, "token_scope"), path
        host = await host_of(server, database, "First Host")
        assert (await host.http.get("/api/host")).status_code == 200
        await asyncio.to_thread(run, "host", "admin", "First Host", "--remove", "--database", database)
        assert (await host.http.get("/api/host")).status_code == 404
        for one in (ana, guest, nobody, host):
            await one.close()

    asyncio.run(story())


def test_a_host_mutes_bans_and_lets_in_again(server: ServerProcess, database: str) -> None:
    async def story() -> None:
        host, otto = await host_of(server, database, "Host of Bans"), await account(server, "Otto")
        person = await find(host, "Otto")
        table = (await otto.post("/api/tables", game="atlandice", players=2))["table"]
        line = await Line(otto, table).open()
        assert (await find(host, "Otto"))["here"]
        await act(host, person, act="mute", hours=1)
        assert (await line.ask(t="say", text="hello"))["code"] == "muted"
        await act(host, person, act="allow")
        await line.send(t="say", text="hello again")
        while not (await host.http.get(f"/api/tables/{table}/chat")).json():
            await asyncio.sleep(0.02)
        await act(host, person, act="ban", hours=24, reason="He was rude.")
        assert await closed(line)
        for path, body in (("/api/tables", {"game": "atlandice", "players": 2}), ("/api/me", {"name": "Otto Two"})):
            got = await otto.http.post(path, json=body)
            assert (got.status_code, got.json()["code"], got.json()["args"]) == (
                403, "banned", {"reason": "He was rude."},
            )  # fmt: skip
        again = Player(server.url, "Otto")
        await again.post("/api/login", name="Otto", password=PASSWORD)
        assert await code(again.http.post("/api/search", json={"games": ["survive"], "sizes": [4]})) == "banned"
        assert (await again.http.get("/api/account/data")).status_code == 200
        found = await find(host, "Otto")
        assert found["reason"] == "He was rude."
        assert found["banned"] > found["seen"]
        await act(host, person, act="allow")
        assert await code(otto.http.post("/api/tables", json={"game": "atlandice", "players": 2})) == ""
        other = await host_of(server, database, "Second Host")
        mine = await find(host, "Second Host")
        assert await code(host.http.post(f"/api/host/people/{mine['id']}", json={"act": "ban"})) == "host_only"
        kinds = [(one["kind"], one["person"]) for one in (await host.http.get("/api/host")).json()["actions"]]
        assert kinds[:4] == [("allow", "Otto"), ("ban", "Otto"), ("allow", "Otto"), ("mute", "Otto")]
        for one in (host, otto, again, other):
            await one.close()

    asyncio.run(story())


def test_a_host_helps_who_cannot_sign_in_and_deletes(server: ServerProcess, database: str) -> None:
    async def story() -> None:
        host, lena = await host_of(server, database, "Host of Links"), await account(server, "Lena")
        person = await find(host, "Lena")
        link = (await act(host, person, act="reset"))["link"]
        given = {key: values[0] for key, values in parse_qs(urlsplit(link).fragment).items()}
        lost = Player(server.url, "lost")
        assert await code(lost.http.post("/api/login/code", json=given)) == ""
        assert (await lost.http.get("/api/me")).json()["name"] == "Lena"
        assert await code(lost.http.post("/api/login/code", json=given)) == "code", "it is good for once"
        late = (await act(host, person, act="reset"))["link"]
        with sqlite3.connect(database) as db:
            db.execute("update recovery_codes set ends = 1")
        db.close()
        given = {key: values[0] for key, values in parse_qs(urlsplit(late).fragment).items()}
        assert await code(lost.http.post("/api/login/code", json=given)) == "code", "it ends after a day"
        assert given["code"] not in (await host.http.get("/api/host")).text
        await act(host, person, act="delete")
        assert (await lena.http.get("/api/me")).status_code == 401
        assert "Lena" not in (await host.http.get("/api/host")).text
        for one in (host, lena, lost):
            await one.close()

    asyncio.run(story())


def test_whoever_finds_the_page_of_a_host_open_takes_over_no_account(server: ServerProcess, database: str) -> None:
    async def story() -> None:
        host, mara = await host_of(server, database, "Host of Proofs"), await account(server, "Mara")
        person = await find(host, "Mara")
        with sqlite3.connect(database) as db:
            db.execute("update challenges set ends = 0 where kind = 'recent'")
        db.close()
        for what in ("reset", "delete"):
            assert await code(host.http.post(f"/api/host/people/{person['id']}", json={"act": what})) == "not_recent"
        await act(host, person, act="mute", hours=1)
        assert await code(host.http.post("/api/account/confirm", json={"password": PASSWORD})) == ""
        assert (await act(host, person, act="reset"))["link"]
        await act(host, person, act="delete")
        assert (await mara.http.get("/api/me")).status_code == 401
        for one in (host, mara):
            await one.close()

    asyncio.run(story())


def test_a_report_shows_the_line_with_five_around_it_and_a_table_is_closed(
    server: ServerProcess, database: str
) -> None:
    async def story() -> None:
        host = await host_of(server, database, "Host of Reports")
        vera, petar = await account(server, "Vera"), await account(server, "Petar")
        table = (await petar.post("/api/tables", game="atlandice", players=2, seating="as_sat"))["table"]
        lines = [await Line(who, table).open() for who in (petar, vera)]
        await lines[1].ask(t="sit", chair=1)
        for number in range(1, 21):
            await lines[0].send(t="say", text=f"line {number}")
        while len(said := (await host.http.get(f"/api/tables/{table}/chat")).json()) < 20:
            await asyncio.sleep(0.02)
        tenth = next(one["n"] for one in said if one["text"] == "line 10")
        report = {"table": table, "line": tenth, "text": "rude"}
        for line in (tenth, tenth, tenth + 1):  # the second and the third are about the same person there
            assert await code(vera.http.post("/api/reports", json={**report, "line": line})) == ""
        assert await code(petar.http.post("/api/reports", json=report)) == "report_self"
        assert await code(vera.http.post("/api/reports", json={"player": "Nobody at all"})) == "no_player"
        assert await code(vera.http.post("/api/reports", json={"player": "Petar", "text": "left"})) == ""
        page = (await host.http.get("/api/host")).json()
        mine = [one for one in page["reports"] if one["person"]["name"] == "Petar"]
        assert [(one["reporter"], one["text"], one["about_line"]) for one in mine] == [
            ("Vera", "left", False),
            ("Vera", "rude", True),
        ]
        context = (await host.http.get(f"/api/host/reports/{mine[1]['id']}")).json()
        assert [one["text"] for one in context] == [f"line {number}" for number in range(5, 16)]
        assert [one["text"] for one in context if one["reported"]] == ["line 10"]
        assert await code(host.http.delete(f"/api/host/reports/{mine[1]['id']}")) == ""
        assert await code(host.http.delete(f"/api/host/reports/{mine[1]['id']}")) == "no_report"

        await lines[0].send(t="start")
        while lines[0].news["status"] != "playing":
            await lines[0].receive()
        assert table in [one["table"] for one in (await host.http.get("/api/host")).json()["latest_tables"]]
        closing = {"text": "The server restarts."}
        assert await code(host.http.post(f"/api/host/tables/{table}/close", json=closing)) == ""
        while not lines[1].over:
            await lines[1].receive()
        assert lines[1].news["ended"] == "closed"
        chat = (await vera.http.get(f"/api/tables/{table}/chat")).json()
        assert (chat[-1]["name"], chat[-1]["text"]) == ("Host of Reports", "The server restarts.")
        page = (await host.http.get("/api/host")).json()
        assert [one["kind"] for one in page["actions"]][:3] == ["close", "fine", "read"]
        assert table not in [one["table"] for one in page["latest_tables"]]
        assert page["database"] == "SQLite"
        assert page["stored_bytes"] > 0
        assert page["backup"] is None
        for line in lines:
            await line.close()
        for one in (host, vera, petar):
            await one.close()

    asyncio.run(story())


def test_the_page_knows_the_last_backup(
    server: ServerProcess, database: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async def story() -> None:
        host = await host_of(server, database, "Host of Backups")
        copy = str(tmp_path_factory.mktemp("copy") / "copy.db")
        await asyncio.to_thread(run, "host", "backup", copy, "--database", database)
        page = (await host.http.get("/api/host")).json()
        assert page["at"] - 60_000 < page["backup"] <= page["at"]
        await host.close()

    asyncio.run(story())
