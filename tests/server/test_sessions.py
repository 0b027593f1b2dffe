"""Who is signed in where, and how it ends: log-out, a new password, devices, old cookies, being forgotten."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic import command
from sqlalchemy.ext.asyncio import create_async_engine
from typer.testing import CliRunner

from landfall.cli import app
from landfall.store import schema
from landfall.store.migrate import alembic_config
from landfall.web.identity import describe_device
from tests.conftest import LONG
from tests.postgres_cluster import run_temporary_cluster
from tests.server.real_server import ConnectionClosed, Line, Player, ServerProcess

pytestmark = pytest.mark.once
PASSWORD = "a long password"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("sessions") / "landfall.db")


@pytest.fixture(scope="module")
def server(database: str) -> Iterator[ServerProcess]:
    with ServerProcess(database, recheck=0.05, bot_workers=0) as running:
        yield running


async def account(url: str, name: str, **headers: str) -> Player:
    """Somebody signed in on another device."""
    player = Player(url, name)
    answer = await player.http.post("/api/login", json={"name": name, "password": PASSWORD}, headers=headers)
    answer.raise_for_status()
    player.cookie = f"landfall={answer.cookies['landfall']}"
    return player


async def is_somebody(player: Player) -> bool:
    """Whether the cookie they were given first still says who they are."""
    player.http.cookies.clear()
    return (await player.http.get("/api/me", headers={"Cookie": player.cookie})).status_code == 200


async def becomes_nobody(player: Player) -> None:
    """A running server hears of it from the database, at its next look."""
    while await is_somebody(player):
        await asyncio.sleep(0.02)


async def shut(line: Line) -> int | None:
    """The code a socket is closed with; what comes before is taken in."""
    try:
        while True:
            await line.receive()
    except ConnectionClosed as closed:
        await line.close()
        return closed.rcvd.code if closed.rcvd is not None else None


def test_log_out_a_new_password_and_the_list_of_devices_end_sessions(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Player(server.url, "Ana").come()
        await ana.post("/api/account", name="Ana", password=PASSWORD)
        phone = await account(server.url, "Ana", **{"User-Agent": "Mozilla/5.0 (Android 14) Firefox/130.0"})
        tablet, desk = await account(server.url, "Ana"), await account(server.url, "Ana")
        table = (await ana.post("/api/tables", game="survive", players=2))["table"]
        lines = [await Line(who, table).open() for who in (phone, tablet, desk, ana)]
        found = (await ana.http.get("/api/sessions")).json()
        assert [(s["device"], s["here"]) for s in found if s["here"] or s["device"]] in (
            [("", True), ("Firefox · Android", False)],
            [("Firefox · Android", False), ("", True)],
        )
        assert len(found) == 4
        assert (await phone.http.post("/api/logout")).status_code == 204
        assert await shut(lines[0]) == 4401
        assert not await is_somebody(phone)
        ids = {s["id"] for s in (await tablet.http.get("/api/sessions")).json()}
        other = next(s["id"] for s in (await tablet.http.get("/api/sessions")).json() if s["here"])
        assert len(ids) == 3
        assert (await ana.http.delete(f"/api/sessions/{other}")).status_code == 204
        assert (await ana.http.delete(f"/api/sessions/{other}")).json()["code"] == "no_session"
        assert await shut(lines[1]) == 4401
        wrong = await ana.http.post("/api/password", json={"old": "not this one", "new": "another password"})
        assert (wrong.status_code, wrong.json()["code"]) == (403, "old_password")
        assert await is_somebody(desk)
        right = await ana.http.post("/api/password", json={"old": PASSWORD, "new": "another password"})
        assert right.status_code == 204
        assert await shut(lines[2]) == 4401
        assert [await is_somebody(who) for who in (ana, phone, tablet, desk)] == [True, False, False, False]
        again = await phone.http.post("/api/login", json={"name": "Ana", "password": PASSWORD})
        assert again.status_code == 401
        assert (await lines[3].ask(t="ping"))["t"] == "pong"
        await lines[3].close()
        for who in (ana, phone, tablet, desk):
            await who.close()

    asyncio.run(story())


def test_a_host_resets_and_deletes_beside_the_running_server(server: ServerProcess, database: str) -> None:
    async def story() -> None:
        eva = await Player(server.url, "Eva").come()
        await eva.post("/api/account", name="Eva of Landfall", password=PASSWORD)
        ivan = await Player(server.url, "Ivan").come()
        table = (await eva.post("/api/tables", game="atlandice", players=2, seating="as_sat"))["table"]
        line, other = await Line(eva, table).open(), await Line(ivan, table).open()
        await other.ask(t="sit", chair=1)
        await line.send(t="start")
        await other.until("welcome")
        await eva.post("/api/me/bots", name="Bot of Eva")
        reset = ["host", "reset-password", "bot of eva", "--database", database]
        done = await asyncio.to_thread(CliRunner().invoke, app, reset)
        assert done.exit_code == 1, "nobody logs in to a bot"
        await asyncio.to_thread(run, "host", "reset-password", "eva of landfall", "--database", database)
        assert await shut(line) == 4401
        await becomes_nobody(eva)
        await asyncio.to_thread(run, "host", "delete-account", "eva of landfall", "--database", database)
        while other.news["chairs"][0].get("name") or not other.over:
            await other.receive()
        assert other.news["chairs"][0].get("away") == "resigned"
        await other.close()
        await eva.close()
        await ivan.close()

    asyncio.run(story())
    assert "Eva of Landfall" not in json.dumps(asyncio.run(everything(f"sqlite+aiosqlite:///{database}")))


def run(*words: str) -> None:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output


async def everything(address: str) -> dict[str, list[list[Any]]]:
    """All that a database holds, but for the list of whom to forget."""
    engine = create_async_engine(address)
    found = {}
    async with engine.connect() as db:
        for table in schema.METADATA.sorted_tables:
            if table.name != "forgotten":
                found[table.name] = [list(row) for row in await db.execute(sa.select(table))]
    await engine.dispose()
    return found


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_whoever_is_forgotten_is_so_everywhere(kind: str, tmp_path: Path) -> None:
    """Logs, lists, chat, records, tables in memory, open sockets: in this process and in another."""

    async def story(first: str, second: str, address: str) -> None:
        zoe = await Player(first, "Zoe Unlike").come()
        boris = await Player(second, "Boris").come()
        table = (await zoe.post("/api/tables", game="atlandice", players=3, seating="as_sat", public=True))["table"]
        asleep = (await zoe.post("/api/tables/quick", game="atlandice", players=2, bots=["random"]))["table"]
        waits = (await zoe.post("/api/tables", game="atlandice", players=2))["table"]
        chen = await Player(second, "Chen").come()
        lines = [await Line(who, table, url).open() for who, url in ((zoe, first), (boris, second), (chen, second))]
        own = await Line(zoe, table, second).open()
        await lines[1].ask(t="sit", chair=1)
        await lines[2].ask(t="sit", chair=2)
        while not all(chair.get("name") for chair in lines[0].news["chairs"]):  # her process hears of it a little later
            await lines[0].receive()
        await lines[0].send(t="start")
        await lines[0].send(t="say", text="a word of Zoe's")
        while lines[1].news["status"] != "playing":
            await lines[1].receive()
        person = next(row[0] for row in (await everything(address))["people"] if row[1] == "Zoe Unlike")
        assert person in json.dumps((await everything(address))["entries"])
        assert (await zoe.http.delete("/api/me")).status_code == 204
        assert await shut(lines[0]) == 4401
        assert await shut(own) == 4401
        assert not await is_somebody(zoe)
        for line in lines[1:]:
            while line.news["chairs"][0].get("away") != "resigned" or line.news["chairs"][0].get("name"):
                await line.receive()
        await lines[1].send(t="resign")  # writes the table's head again
        while not lines[1].over:
            await lines[1].receive()
        told = json.dumps([(await boris.http.get(f"/api/tables/{t}")).json() for t in (table, asleep, waits)])
        told += (await boris.http.get(f"/api/tables/{table}/record")).text + (await boris.http.get("/api/tables")).text
        kept = json.dumps(await everything(address))
        for secret in ("Zoe", person):
            assert secret not in told
            assert secret not in kept
        assert [(await boris.http.get(f"/api/tables/{t}")).json()["table"]["ended"] for t in (asleep, waits)] == [
            "resigned",
            "closed",
        ]
        for line in lines[1:]:
            await line.close()
        for who in (zoe, boris, chen):
            await who.close()

    if kind == "sqlite":
        file = str(tmp_path / "landfall.db")
        with ServerProcess(file, bot_workers=0) as one:
            asyncio.run(story(one.url, one.url, f"sqlite+aiosqlite:///{file}"))
        return
    with (
        run_temporary_cluster() as address,
        ServerProcess(address, bot_workers=0) as one,
        ServerProcess(address, bot_workers=0) as two,
    ):
        asyncio.run(story(one.url, two.url, address))


def test_a_cookie_from_before_is_exchanged_until_a_session_is_ended(tmp_path: Path) -> None:
    file = tmp_path / "landfall.db"
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as db:
        command.upgrade(alembic_config(db), "0001")
        db.exec_driver_sql("insert into people values ('p1', 'Ana', 1, 1, null, null), ('p2', 'Eva', 1, 1, null, null)")
        db.exec_driver_sql("insert into settings values ('cookie', ?)", ("ab" * 32,))
    engine.dispose()

    def signed(person: str) -> dict[str, str]:
        mark = hmac.new(bytes.fromhex("ab" * 32), person.encode(), hashlib.sha256).hexdigest()[:40]
        return {"Cookie": f"landfall={person}.{mark}"}

    with ServerProcess(str(file), bot_workers=0) as server:
        for headers in (signed("p1"), signed("p1")):  # on two devices
            got = httpx.get(f"{server.url}/api/me", headers=headers, timeout=LONG)
            assert (got.status_code, got.json()["name"]) == (200, "Ana")
        cookie = {"Cookie": f"landfall={got.cookies['landfall']}"}
        assert "." not in cookie["Cookie"]
        assert httpx.get(f"{server.url}/api/me", headers=cookie, timeout=LONG).json()["name"] == "Ana"
        assert (
            httpx.get(
                f"{server.url}/api/me", headers={"Cookie": signed("p1")["Cookie"][:-1] + "x"}, timeout=LONG
            ).status_code
            == 401
        )
        assert len(httpx.get(f"{server.url}/api/sessions", headers=cookie, timeout=LONG).json()) == 2
        assert httpx.post(f"{server.url}/api/logout", headers=cookie, timeout=LONG).status_code == 204
        assert httpx.get(f"{server.url}/api/me", headers=signed("p1"), timeout=LONG).status_code == 401
        assert httpx.get(f"{server.url}/api/me", headers=signed("p2"), timeout=LONG).json()["name"] == "Eva"


def test_devices_are_distinguished_and_no_more() -> None:
    agents = {
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0 Safari/537.36 Edg/126": "Edge · Windows",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari/604.1": "Safari · iPhone",
        "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0": "Firefox · Linux",
        "curl/8.5": "",
    }
    assert {agent: describe_device(agent) for agent in agents} == agents


def test_the_cookie_of_a_guest_is_worth_nothing_once_they_have_an_account(server: ServerProcess) -> None:
    """Whoever planted it, or read it before, is not signed in to the account; the owner's open sockets stay."""

    async def story() -> None:
        guest = await Player(server.url, "Fay").come()
        planted = guest.cookie
        table = (await guest.post("/api/tables", game="survive", players=2))["table"]
        line = await Line(guest, table).open()
        await guest.post("/api/account", name="Fay of Landfall", password=PASSWORD)
        assert guest.cookie != planted
        other = Player(server.url, "Fay")
        other.cookie = planted
        assert not await is_somebody(other)
        assert await is_somebody(guest)
        await asyncio.sleep(0.3)  # several looks for who was signed out
        assert (await line.ask(t="ping"))["t"] == "pong"
        assert len((await guest.http.get("/api/sessions", headers={"Cookie": guest.cookie})).json()) == 1
        await line.close()
        for who in (guest, other):
            await who.close()

    asyncio.run(story())


@pytest.mark.parametrize("typed", ["Cara  Q", " cara q", "CARA\u00a0Q ", "Ca\u0301ra Q"])
def test_a_name_logs_in_as_it_was_typed(server: ServerProcess, database: str, typed: str) -> None:
    async def story() -> None:
        cara = Player(server.url, typed)
        accented = "\u0301" in typed
        name = "Cára Q" if accented else "Cara Q"
        made = await cara.http.post("/api/account", json={"name": typed, "password": PASSWORD})
        assert made.json()["name"].casefold() == name.casefold()
        for again in (typed, name, name.upper()):
            answer = await cara.http.post("/api/login", json={"name": again, "password": PASSWORD})
            assert answer.status_code == 200, again
        done = await asyncio.to_thread(
            CliRunner().invoke, app, ["host", "delete-account", typed, "--database", database]
        )
        assert done.exit_code == 0, done.output
        await cara.close()

    asyncio.run(story())


def test_nobody_takes_a_name_that_looks_like_an_accounts(server: ServerProcess) -> None:
    async def story() -> None:
        owner = await Player(server.url, "Вера Loss").come()
        await owner.post("/api/account", name="Вера Loss", password=PASSWORD)
        stranger = Player(server.url, "Somebody")
        for name in ("Bepa Loss", "вера loss", "Вера  L0ss", "Вера-Lоss"):
            for path, body in (("/api/me", {"name": name}), ("/api/account", {"name": name, "password": PASSWORD})):
                answer = await stranger.http.post(path, json=body)
                assert (answer.status_code, answer.json()["code"]) == (409, "account_taken"), (path, name)
        assert (await stranger.http.post("/api/me", json={"name": "Вяра"})).status_code == 200
        assert (await stranger.http.post("/api/me", json={"name": "Bepa Loss"})).json()["code"] == "account_taken"
        assert (await owner.http.post("/api/me", json={"name": "ВЕРА Loss"})).status_code == 200
        assert (await owner.http.post("/api/me", json={"name": "Ema Loss"})).status_code == 200
        assert (await stranger.http.post("/api/me", json={"name": "Erna Loss"})).json()["code"] == "account_taken"
        for who in (owner, stranger):
            await who.close()

    asyncio.run(story())


def test_what_a_browser_proves_to_a_proxy_in_front_is_none_of_ours(server: ServerProcess) -> None:
    """A host may ask everybody for a password of their own; requests and sockets then carry it beside the cookie."""

    async def story() -> None:
        ana = await Player(server.url, "Ana behind a proxy").come()
        for authorization in ("Basic YW5hOnNlY3JldA==", "Digest username=ana", "basic"):
            ana.http.headers["Authorization"] = authorization
            assert (await ana.http.get("/api/me")).json()["name"] == "Ana behind a proxy"
            table = (await ana.post("/api/tables", game="atlandice", players=2))["table"]
            line = Line(ana, table)
            line.headers = lambda said=authorization: {"Cookie": ana.cookie, "Authorization": said}  # type: ignore[method-assign, misc]
            await line.open()
            await line.send(t="say", text="hello")
            assert (await line.until("chat", "refused"))["t"] == "chat", "on a socket, too"
            await line.close()
        ana.http.headers["Authorization"] = "Bearer lf_bot_none"
        assert (await ana.http.get("/api/me")).json()["code"] == "token"
        await ana.close()

    asyncio.run(story())
