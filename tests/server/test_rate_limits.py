"""Strangers who ask for much: what they may have, and that others hardly notice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from landfall.api.limits import Limits
from landfall.api.rate_limits import rate_limit_key_of_client
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import Store
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.web.quotas import Quotas
from landfall.web.settings import Settings
from tests.conftest import LONG
from tests.server.real_server import Line, Player, ServerProcess
from tests.server.unread_sockets import EVENTS, Deaf, attack_with_unread_sockets, finished_record

pytestmark = pytest.mark.once
PUBLIC = {"game": "atlandice", "players": 2, "public": True}


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    database = str(tmp_path_factory.mktemp("server") / "landfall.db")
    # Nobody is cut off for being slow, so that on a loaded machine, too, it is the queue that holds them.
    with ServerProcess(database, bot_workers=0, rates={"send_timeout_s": LONG}) as running:
        yield running


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    database = str(tmp_path_factory.mktemp("limited") / "landfall.db")
    with ServerProcess(database, bot_workers=0, limited=True) as running:
        yield running


# --- sockets --------------------------------------------------------------------------------------------------


def test_sockets_that_ask_and_never_read_cost_little_memory(wide: ServerProcess) -> None:
    asyncio.run(attack_with_unread_sockets(wide, sockets=1, asks=1, what=EVENTS))  # what is loaded once is loaded
    found = asyncio.run(attack_with_unread_sockets(wide, sockets=4, asks=250, what=EVENTS))
    assert found["most"] - found["before"] < 6_000_000


def test_a_client_that_fell_behind_gets_a_full_welcome_and_stays(wide: ServerProcess) -> None:
    async def story() -> None:
        ana = await Player(wide.url, "Ana").come()
        table = (await ana.post("/api/tables/open", record=finished_record()))["table"]
        line = await Line(ana, table).open()
        slow = Deaf(wide, table)
        for _ in range(120):  # more than the system's buffers and the server's queue hold
            slow.ask(EVENTS)
            await line.ask(t="ping")
        await line.send(t="say", text="the last")
        await line.until("chat")
        news = slow.listen(lambda m: m["t"] == "welcome" and [c["text"] for c in m.get("chat", [])] == ["the last"])
        assert news[0]["t"] == news[-1]["t"] == "welcome"
        assert sum(message["t"] == "events" for message in news) < 120, "it was told all that it missed"
        await line.send(t="say", text="and on")
        assert slow.listen(lambda m: m["t"] == "chat")[-1]["text"] == "and on"
        slow.close()
        await line.close()
        await ana.close()

    asyncio.run(story())


@pytest.mark.parametrize("ask", [{"t": "viewpoint"}, {"t": "events"}, {"t": "explain", "piece": "x"}, {"t": "preview"}])
def test_what_is_dear_to_answer_has_a_budget(limited: ServerProcess, ask: dict[str, str]) -> None:
    async def story() -> None:
        ana = await Player(limited.url, "Ana").come()
        table = (await ana.post("/api/tables/quick", game="atlandice", players=2, bots=["sprat"]))["table"]
        line = await Line(ana, table).open()
        for _ in range(45):
            await line.send(**ask)
        await line.send(t="ping")
        refused = 0
        while (message := await line.receive())["t"] != "pong":
            refused += message.get("code") == "too_fast"
        assert 3 <= refused < 40
        await line.close()
        await ana.close()

    asyncio.run(story())


def test_an_address_of_ipv6_counts_as_its_neighbourhood() -> None:
    assert (
        rate_limit_key_of_client(("2001:db8:1:2:3:4:5:6", 1))
        == rate_limit_key_of_client(("2001:db8:1:2::9", 2))
        == "2001:db8:1:2::/64"
    )
    assert rate_limit_key_of_client(("2001:db8:1:3::9", 2)) == "2001:db8:1:3::/64"
    assert (
        rate_limit_key_of_client(("::ffff:192.0.2.7", 1)) == rate_limit_key_of_client(("192.0.2.7", 1)) == "192.0.2.7"
    )
    assert (rate_limit_key_of_client(None), rate_limit_key_of_client(("strange:host", 1))) == ("", "strange:host")


# --- doors that make something --------------------------------------------------------------------------------


def test_one_person_does_not_fill_the_lobby_nor_do_many_of_one_address(limited: ServerProcess) -> None:
    with httpx.Client(base_url=limited.url, timeout=LONG) as ana:
        ana.post("/api/me", json={"name": "Ana"})
        answers = [ana.post("/api/tables", json=PUBLIC) for _ in range(8)]
        assert [a.status_code for a in answers] == [201] * 3 + [429] * 5
        assert answers[-1].json()["code"] == "too_public"
        assert ana.post("/api/tables", json={**PUBLIC, "public": False}).status_code == 201
    made = 3
    for number in range(8):
        with httpx.Client(base_url=limited.url, timeout=LONG) as guest:
            guest.post("/api/me", json={"name": f"Guest {number}"})
            made += sum(guest.post("/api/tables", json=PUBLIC).status_code == 201 for _ in range(3))
    assert made == 6
    assert len(httpx.get(f"{limited.url}/api/tables", timeout=LONG).json()) == 6


def test_tables_begun_at_once_do_not_flood_the_lobby_and_a_strangers_stays_in_sight(tmp_path: Path) -> None:
    """Public tables against bots are in the lobby from the first moment: they count, even if asked for at once."""

    async def flood(url: str, number: int) -> list[int]:
        guest = httpx.AsyncClient(base_url=url, timeout=LONG)
        await guest.post("/api/me", json={"name": f"Guest {number}"})
        body = {"game": "atlandice", "players": 2, "public": True, "bots": ["sprat"]}
        answers = await asyncio.gather(*(guest.post("/api/tables/quick", json=body) for _ in range(6)))
        await guest.aclose()
        return [answer.status_code for answer in answers]

    async def story(url: str) -> None:
        codes = [code for number in range(5) for code in await flood(url, number)]
        assert (codes.count(201), codes.count(429)) == (6, 24)
        there = {"X-Forwarded-For": "192.0.2.7"}
        async with httpx.AsyncClient(base_url=url, timeout=LONG, headers=there) as stranger:
            await stranger.post("/api/me", json={"name": "Stranger"})
            table = (await stranger.post("/api/tables", json=PUBLIC)).json()["table"]
            assert await flood(url, 9) == [429] * 6
            listed = (await stranger.get("/api/tables")).json()
        assert len(listed) == 7
        assert table in [one["table"] for one in listed[:2]]

    with ServerProcess(
        str(tmp_path / "landfall.db"), bot_workers=0, rates={"public": 3, "public_per_address": 6}
    ) as running:
        asyncio.run(story(running.url))


def test_the_lobby_takes_tables_of_every_address_in_turn(tmp_path: Path) -> None:
    async def story() -> None:
        store = Store(SqliteDatabase(tmp_path / "landfall.db"))
        await store.database.open_and_migrate()
        hub = Hub(store)
        making = Quotas(Settings(), store, hub.runtime)
        first = await hub.create_table(User("early", "Early"), TableConfig("atlandice", 2, public=True))
        for number in range(60):  # made before there was a limit, or in another process
            await hub.create_table(User(f"guest {number}", "Guest"), TableConfig("atlandice", 2, public=True))
            making.record_public_table_origin("here", f"guest {number}")
        listed = [head.table for head in await making.list_lobby_tables()]
        assert len(listed) == 7
        assert listed.index(first) == 1
        await hub.shut_down()
        await store.database.close()

    asyncio.run(story())


def test_tables_are_limited_by_person_and_address_and_those_that_are_over_do_not_count(tmp_path: Path) -> None:
    async def story() -> None:
        store = Store(SqliteDatabase(tmp_path / "landfall.db"))
        await store.database.open_and_migrate()
        hub = Hub(store)
        limits = Limits.wide_for_tests()
        limits.unfinished = 3
        making = Quotas(Settings(limits=limits), store, hub.runtime)

        async def ask(person: str, address: str) -> None:
            async with making.new_table_within_quota(person, address, False):
                pass

        tables = []
        for _ in range(3):
            async with making.new_table_within_quota("ana", "here", False):
                tables.append(await hub.create_table(User("ana", "Ana"), TableConfig("atlandice", 2)))
        with pytest.raises(Refused, match="3 tables"):
            await ask("ana", "there")
        await ask("boris", "here")
        await hub.execute_command(tables[0], User("ana", "Ana"), cmd.Close())
        await ask("ana", "here")
        await hub.shut_down()
        await store.database.close()

    asyncio.run(story())


def test_guests_put_levels_on_chairs_and_no_codes(limited: ServerProcess) -> None:
    async def story() -> None:
        ana = await Player(limited.url, "Ana").come()
        quick = {"game": "atlandice", "players": 2, "bots": ["mcts:ms=2000"]}
        answer = await ana.http.post("/api/tables/quick", json=quick)
        assert (answer.status_code, answer.json()["code"]) == (400, "bot")
        table = (await ana.post("/api/tables", game="atlandice", players=2))["table"]
        line = await Line(ana, table).open()
        for code in ("mcts:ms=2000", "leviathan:ms=2000", "greedy", "random"):
            assert (await line.ask(t="bot", chair=1, code=code))["code"] == "bot"
        assert (await line.ask(t="bot", chair=1, code="leviathan"))["t"] == "done"
        await line.close()
        await ana.close()

    asyncio.run(story())
