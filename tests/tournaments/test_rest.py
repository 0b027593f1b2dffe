"""Tournaments over HTTP: who may do what, what is told to whom, and that asking again is cheap."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from landfall.api.limits import Limits
from landfall.api.tournaments import MAX_LISTED, choose_listed
from landfall.store.tournament_events import TournamentHead
from landfall.tables.tournaments.director import MAX_OPEN_PER_ADDRESS
from landfall.tables.tournaments.tournament_log import CHECK_IN_MS
from tests.conftest import LONG
from tests.server.real_server import Player, ServerProcess

pytestmark = pytest.mark.once
BODY: dict[str, Any] = {"title": "Sunday Sail", "game": "atlandice", "size": 2, "rounds": 2, "pace": "five", "rest": 0}

NAMES = ("Ana", "Boris", "Carla")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    database = str(tmp_path_factory.mktemp("server") / "landfall.db")
    with ServerProcess(database, director_ms=50, organisers="") as running:
        yield running


def body(**changes: Any) -> dict[str, Any]:
    return {**BODY, "starts": int(time.time() * 1000) + 3_600_000, **changes}


def soon() -> int:
    """A start before which one may begin."""
    return int(time.time() * 1000) + CHECK_IN_MS


async def account(url: str, name: str) -> Player:
    player = await Player(url, name).come()
    await player.post("/api/account", name=name, password="a long password")
    return player


async def ask(player: Player, method: str, path: str, sent: dict[str, Any] | None = None) -> tuple[int, Any]:
    answer = await player.http.request(method, f"/api/tournaments{path}", json=sent)
    return answer.status_code, answer.json() if answer.content else None


async def code(player: Player, method: str, path: str, sent: dict[str, Any] | None = None) -> str:
    status, told = await ask(player, method, path, sent)
    assert status >= 400, told
    return str(told["code"])


async def until(player: Player, id_: str, status: str) -> dict[str, Any]:
    async with asyncio.timeout(LONG):
        while True:
            page: dict[str, Any] = (await ask(player, "GET", f"/{id_}"))[1]
            if page["tournament"]["status"] == status and (status != "running" or page["tournament"]["played"]):
                return page
            await asyncio.sleep(0.05)


def test_who_may_do_what(server: ServerProcess) -> None:
    async def story() -> None:
        ana, boris = await account(server.url, "Ana Host"), await account(server.url, "Boris")
        guest, nobody = await Player(server.url, "Guest").come(), Player(server.url, "nobody")
        assert await code(nobody, "POST", "", body()) == "nameless"
        assert await code(guest, "POST", "", body()) == "tournament_account"
        assert await code(ana, "POST", "", body(form="league", pace="day", after="nothing")) == "no_tournament"
        status, made = await ask(ana, "POST", "", body(rated=True))
        assert status == 201
        id_ = made["tournament"]
        for what in ("join", "leave", "here", "begin", "cancel"):
            assert await code(nobody, "POST", f"/{id_}/{what}") == "nameless"
            assert await code(ana, "POST", f"/nothing/{what}") == "no_tournament"
        assert await code(guest, "POST", f"/{id_}/join") == "rated_account"
        assert await code(guest, "POST", f"/{id_}/here") == "tournament_not_in"
        for what in ("begin", "cancel"):
            assert await code(boris, "POST", f"/{id_}/{what}") == "tournament_opener"
        assert (await ask(boris, "POST", f"/{id_}/join"))[0] == 204
        page = (await ask(boris, "GET", f"/{id_}"))[1]
        assert page["you"] == {"player": 0, "state": "away", "table": None, "opened": False, "after": ""}
        assert (await ask(nobody, "GET", f"/{id_}"))[1]["you"]["player"] is None
        assert (await ask(ana, "POST", f"/{id_}/cancel"))[0] == 204
        assert (await ask(ana, "GET", f"/{id_}"))[1]["tournament"]["why"] == "cancelled"
        assert await code(boris, "POST", f"/{id_}/join") == "tournament_over"
        for player in (ana, boris, guest, nobody):
            await player.close()

    asyncio.run(story())


def test_a_tournament_is_played_and_read(server: ServerProcess) -> None:
    async def story() -> None:
        players = [await account(server.url, f"Player {n}") for n in range(4)]
        id_ = (await ask(players[0], "POST", "", body(rounds=1, starts=soon())))[1]["tournament"]
        for player in players:
            assert (await ask(player, "POST", f"/{id_}/join"))[0] == 204
        assert (await ask(players[0], "POST", f"/{id_}/begin"))[0] == 204
        page = await until(players[1], id_, "running")
        mine = page["you"]["table"]
        table = (await players[1].http.get(f"/api/tables/{mine}")).json()["table"]
        assert (table["tournament"], table["hints"], table["public"]) == (id_, False, True)
        seats = next(one for one in page["tournament"]["played"][0]["tables"] if one["table"] == mine)["seats"]
        assert 1 in [seat["player"] for seat in seats]
        etag = (await players[1].http.get(f"/api/tournaments/{id_}")).headers["etag"]
        same = await players[1].http.get(f"/api/tournaments/{id_}", headers={"If-None-Match": etag})
        other = await players[2].http.get(f"/api/tournaments/{id_}", headers={"If-None-Match": etag})
        assert (same.status_code, same.content, other.status_code) == (304, b"", 200)
        lists = (await ask(players[0], "GET", ""))[1]
        assert [(one["id"], one["you"], one["people"]) for one in lists["now"]] == [(id_, True, 4)]
        assert lists["may_open"] is True
        text = (await players[3].http.get(f"/api/tournaments/{id_}")).text
        ids = [row["who"] for row in table["chairs"] if "who" in row]
        assert not any(one in text for one in ids)  # handles of tables are not told, either
        for player in players:
            await player.close()

    asyncio.run(story())


def test_one_by_link_is_in_nobodys_list_but_its_players(server: ServerProcess) -> None:
    async def story() -> None:
        ana, boris, chen = [await account(server.url, f"{name} Link") for name in ("Ana", "Boris", "Chen")]
        id_ = (await ask(ana, "POST", "", body(listed=False)))[1]["tournament"]
        await ask(boris, "POST", f"/{id_}/join")
        seen = [[one["id"] for one in (await ask(player, "GET", ""))[1]["soon"]] for player in (ana, boris, chen)]
        assert [id_ in one for one in seen] == [True, True, False]
        for player in (ana, boris, chen):
            await player.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 7}, {"rounds": 99}, {"pace": "blitz"}, {"most": 10**9}, {"title": ""}, {"title": "x" * 5000},
        {"starts": -1}, {"starts": 2**60}, {"nonsense": 1}, {"options": {str(n): n for n in range(100)}},
        {"game": "chess"}, {"least": 64, "most": 4}, {"form": "league"}, {"size": 6}, {"options": {"x": "y"}},
    ],
)  # fmt: skip
def test_a_bad_body_is_refused_with_a_short_answer(wrong: dict[str, Any], server: ServerProcess) -> None:
    with httpx.Client(base_url=server.url, timeout=LONG) as http:
        name = f"Bad {hash(str(wrong)) % 10**9}"
        http.post("/api/account", json={"name": name, "password": "a long password"}).raise_for_status()
        answer = http.post("/api/tournaments", json=body(**wrong))
        assert answer.status_code in (400, 404, 413, 422), answer.text
        assert len(answer.content) < 2_000


def test_the_host_may_keep_tournaments_to_organisers(tmp_path_factory: pytest.TempPathFactory) -> None:
    async def story(url: str) -> None:
        ana, boris = await account(url, "Ana"), await account(url, "Boris")
        assert await code(boris, "POST", "", body()) == "tournament_organisers"
        assert (await ask(boris, "GET", ""))[1]["may_open"] is False
        id_ = (await ask(ana, "POST", "", body()))[1]["tournament"]
        assert await code(boris, "POST", f"/{id_}/cancel") == "tournament_opener"
        assert (await ask(ana, "POST", f"/{id_}/cancel"))[0] == 204
        await ana.close()
        await boris.close()

    with ServerProcess(str(tmp_path_factory.mktemp("own") / "landfall.db"), organisers="ana, Chen") as running:
        asyncio.run(story(running.url))


def behind(player: Player, address: str) -> Player:
    """The same person at another address."""
    player.http.headers["x-forwarded-for"] = address
    return player


def test_one_address_neither_fills_a_tournament_nor_the_lists(tmp_path: Path) -> None:
    async def story(url: str) -> None:
        ana, boris, carla = [behind(await account(url, name), f"198.51.100.{n}") for n, name in enumerate(NAMES)]
        started = time.monotonic()
        made = (await ask(ana, "POST", "", body(most=16)))[1]["tournament"]
        quiet = time.monotonic() - started
        crowd = [behind(await account(url, f"Crowd {n}"), "203.0.113.9") for n in range(18)]
        joined = [(await ask(one, "POST", f"/{made}/join"))[0] for one in crowd[:16]]
        assert joined.count(204) == Limits().tournament_share
        assert await code(crowd[-1], "POST", f"/{made}/join") == "tournament_address"
        started = time.monotonic()
        assert (await ask(boris, "POST", f"/{made}/join"))[0] == 204
        assert time.monotonic() - started < max(1.0, 10 * quiet)
        opened = [(await ask(one, "POST", "", body(title="Spam", most=128)))[0] for one in crowd for _ in range(3)]
        assert opened.count(201) == MAX_OPEN_PER_ADDRESS
        assert made in {one["id"] for one in (await ask(carla, "GET", ""))[1]["soon"]}
        for player in (ana, boris, carla, *crowd):
            await player.close()

    with ServerProcess(str(tmp_path / "landfall.db"), rates={"tournament_share": Limits().tournament_share}) as running:
        asyncio.run(asyncio.wait_for(story(running.url), 3 * LONG))


def test_lists_show_the_largest_of_each_address_first() -> None:
    crowd = [TournamentHead(f"c{n}", f"o{n}", "open", True, n, 1, {"people": 1}) for n in range(400)]
    honest = [TournamentHead(f"h{n}", f"h{n}", "open", True, 999, 1, {"people": n}) for n in range(8)]
    shown = choose_listed([*crowd, *honest], lambda opener: "one address" if opener.startswith("o") else opener)
    assert {one.id for one in honest} < {one.id for one in shown}
    assert len(shown) == MAX_LISTED


def test_an_organiser_removes_players_and_says_who_may_join(server: ServerProcess) -> None:
    async def story() -> None:
        ana, boris, carla = [await account(server.url, f"{name} Tool") for name in NAMES]
        guest = await Player(server.url, "Guest Tool").come()
        made = (await ask(ana, "POST", "", body(accounts=True)))[1]["tournament"]
        assert await code(guest, "POST", f"/{made}/join") == "tournament_members"
        for one in (boris, carla):
            assert (await ask(one, "POST", f"/{made}/join"))[0] == 204
        removal = {"player": 0, "name": "Boris Tool", "barred": False}
        assert await code(carla, "POST", f"/{made}/remove", removal) == "tournament_opener"
        assert await code(ana, "POST", f"/{made}/remove", {**removal, "player": 1}) == "tournament_no_player"
        assert (await ask(ana, "POST", f"/{made}/remove", removal))[0] == 204
        assert (await ask(boris, "POST", f"/{made}/join"))[0] == 204, "until they join again"
        barring = {"player": 1, "name": "Boris Tool", "barred": True}
        assert (await ask(ana, "POST", f"/{made}/remove", barring))[0] == 204
        assert await code(boris, "POST", f"/{made}/join") == "tournament_barred"
        page = (await ask(ana, "GET", f"/{made}"))[1]["tournament"]
        assert [one["name"] for one in page["players"]] == ["Carla Tool"]
        old = (await ask(ana, "POST", "", body(age=7)))[1]["tournament"]
        assert await code(boris, "POST", f"/{old}/join") == "tournament_age"
        for player in (ana, boris, carla, guest):
            await player.close()

    asyncio.run(asyncio.wait_for(story(), LONG))
