"""What the net brings: requests made up from the schema, messages of nonsense, foreign origins, too much at once."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from landfall.web.app import create_app
from landfall.web.codegen.message_schemas import build_socket_schema
from landfall.web.settings import Settings
from tests.conftest import LONG
from tests.server.fuzz import send_random_messages
from tests.server.real_server import Line, Player, ServerProcess

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(str(tmp_path_factory.mktemp("server") / "landfall.db")) as running:
        yield running


def schemathesis(url: str, examples: int, seed: int, phases: str = "examples,coverage,fuzzing") -> None:
    """All of the OpenAPI schema, with a guest's cookie: no 500, no answer that the schema does not tell of."""
    cookie = httpx.post(f"{url}/api/me", json={"name": "Schema"}, timeout=LONG).cookies["landfall"]
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{url}/openapi.json", "--url", url,
        "-H", f"Cookie: landfall={cookie}", "--max-examples", str(examples), "--seed", str(seed),
        "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
        "--phases", phases, "--suppress-health-check", "all", "--exclude-path", "/api/me",
        "--exclude-path", "/api/logout", "--request-timeout", "120",
    ]  # fmt: skip
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, env=clean, timeout=1200)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_requests_made_up_from_the_schema_never_fail_the_server(server: ServerProcess) -> None:
    schemathesis(server.url, examples=2, seed=1, phases="fuzzing")  # the proof goes to every bound, too
    assert httpx.get(f"{server.url}/healthz", timeout=LONG).status_code == 200


def test_every_way_to_ask_tells_of_what_is_answered_to_nonsense_and_to_too_much(tmp_path: Path) -> None:
    paths = create_app(Settings(database=str(tmp_path / "landfall.db"))).openapi()["paths"]
    told = {f"{way} {path}": ways[way]["responses"].keys() for path, ways in paths.items() for way in ways}
    lacking = [asked for asked, answers in told.items() if " /api/" in asked and not {"400", "429"} <= answers]
    assert len(told) > 40
    assert not lacking


def test_messages_of_nonsense_change_nothing(server: ServerProcess) -> None:
    assert asyncio.run(send_random_messages(server, count=600, seed=1))["messages"] > 300


def test_a_page_of_another_origin_may_not_act(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Player(server.url, "Ana of Origin").come()
        table = (await ana.post("/api/tables", game="survive", players=2))["table"]
        body = {"game": "survive", "players": 2}
        foreign = {"Origin": "https://elsewhere.example"}
        assert (await ana.http.post("/api/tables", json=body, headers=foreign)).status_code == 403
        own = {"Origin": server.url}
        assert (await ana.http.post("/api/tables", json=body, headers=own)).status_code == 201
        rebound = {"Origin": "http://evil.example:80", "Host": "evil.example:80"}
        assert (await ana.http.post("/api/tables", json=body, headers=rebound)).status_code == 403
        with pytest.raises(InvalidStatus):
            async with connect(f"{server.url.replace('http', 'ws', 1)}/ws/tables/{table}", origin=foreign["Origin"]):  # type: ignore[arg-type]
                pass
        await ana.close()

    asyncio.run(story())


def test_names_accounts_and_forgetting(server: ServerProcess) -> None:
    async def story() -> None:
        ana = await Player(server.url, "Ana of Names").come()
        assert (await ana.http.get("/api/me")).json() == {
            "name": "Ana of Names",
            "account": False,
            "shown": False,
            "host": False,
        }
        await ana.post("/api/account", name="Ana of Landfall", password="a long password")
        table = (await ana.post("/api/tables", game="survive", players=2))["table"]
        other = httpx.AsyncClient(base_url=server.url, timeout=LONG)
        wrong = await other.post("/api/login", json={"name": "ana of landfall", "password": "another password"})
        assert (wrong.status_code, wrong.json()["code"]) == (401, "login")
        right = await other.post("/api/login", json={"name": "ana of landfall", "password": "a long password"})
        assert right.status_code == 200
        assert "httponly" in right.headers["set-cookie"].lower()
        assert [t["table"] for t in (await other.get("/api/history")).json()] == [table]
        stranger = await Player(server.url, "Stranger of Names").come()
        taken = {"name": "ANA of Landfall", "password": "a long password"}
        assert (await stranger.http.post("/api/account", json=taken)).status_code == 409
        forged = httpx.AsyncClient(
            base_url=server.url, cookies={"landfall": ana.cookie.partition("=")[2][:-1] + "0"}, timeout=LONG
        )
        if ana.cookie[-1] != "0":
            assert (await forged.get("/api/me")).status_code == 401
        assert (await ana.http.delete("/api/me")).status_code == 204
        assert (await other.get("/api/me")).status_code == 401
        seen = await other.get(f"/api/tables/{table}")
        assert "Ana of Landfall" not in json.dumps((await other.get("/api/history")).json())
        assert seen.status_code == 200
        for client in (ana.http, other, forged, stranger.http):
            await client.aclose()

    asyncio.run(story())


def test_too_much_too_fast_and_too_large_get_a_clear_answer(tmp_path: Path) -> None:
    async def story(url: str) -> None:
        ana = await Player(url, "Ana").come()
        table = (await ana.post("/api/tables/quick", game="atlandice", players=2, bots=["sprat"]))["table"]
        line = await Line(ana, table).open()
        await line.send(t="say", text="x" * 20_000)
        assert (await line.until("refused"))["code"] == "too_large"
        for _ in range(100):
            await line.send(t="ping")
        assert (await line.until("refused"))["code"] == "too_fast"
        large = await ana.http.post("/api/tables/open", json={"record": "x" * 400_000})
        assert large.status_code == 413
        codes = [(await ana.http.post("/api/me", json={"name": "Ana"})).status_code for _ in range(40)]
        assert 429 in codes
        await line.close()
        await ana.close()

    with ServerProcess(str(tmp_path / "landfall.db"), limited=True) as running:
        asyncio.run(story(running.url))


def test_the_schema_names_every_message_with_its_own_tag() -> None:
    found = build_socket_schema()["$defs"]
    for side, some in (
        ("Command", {"play", "undo", "sit"}),
        ("ServerMessage", {"welcome", "update", "ack", "refused"}),
    ):
        names = [ref["$ref"].rpartition("/")[2] for ref in found[side]["anyOf"]]
        shapes = [found[name]["properties"]["t"] for name in names]
        tags = [shape["const"] if "const" in shape else shape["enum"][0] for shape in shapes]
        assert len(tags) == len(set(tags))
        assert some <= set(tags)
