"""What one request may say and be told: keys, depth and problems are bounded, bodies small, passwords wait in turn."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from landfall.api.limits import Limits
from landfall.api.message_codec import decode_body
from landfall.api.types import ReopenBody
from landfall.core.options import MAX_PROBLEMS
from landfall.match import Match
from landfall.offline.rest import OfflineApi
from landfall.offline.storage import MemoryStorage
from landfall.tables.protocol.errors import Refused
from landfall.web.app import create_app
from landfall.web.identity import MAX_WAITING_HERE, PasswordQueue
from landfall.web.request_bodies import RECORD_PATHS
from landfall.web.settings import Settings
from tests.conftest import LONG
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
MAX_ANSWER_BYTES = 8_000  # of a refusal
LIMITS = Limits()


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    database = str(tmp_path_factory.mktemp("server") / "landfall.db")
    with ServerProcess(database, bot_workers=0) as running, httpx.Client(base_url=running.url, timeout=LONG) as client:
        client.post("/api/me", json={"name": "Ana"}).raise_for_status()
        yield client


def unknown(count: int) -> dict[str, Any]:
    return {f"option{number}": 1 for number in range(count)}


def record_with(options: str, lines: list[str] | None = None) -> str:
    """A record whose line of options is a stranger's."""
    rows = Match("survive", 4, seed=1).record().split("\n")
    rows = [f"options: {options}" if row.startswith("options:") else row for row in rows]
    return "\n".join(rows if lines is None else [*rows[: rows.index("---") + 1], *lines])


OPTIONS = {
    "33,000 keys": unknown(33_000),
    "as many as fit": unknown(900),
    "a few": unknown(60),
    "long names": {"é" * 2_000 + str(n): 1 for n in range(3)},
    "a long value": {"dolphins": "x" * 15_000},
    "deep": {"dolphins": json.loads("[" * 30 + "]" * 30)},
    "many values": {"squid": [0] * 7_000},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("path", ["/api/games/survive/options", "/api/tables", "/api/tables/quick"])
def test_options_of_any_size_get_a_short_answer(path: str, options: dict[str, Any], http: httpx.Client) -> None:
    body: dict[str, Any] = {"players": 4, "options": options}
    if path != "/api/games/survive/options":
        body["game"] = "survive"
    if path.endswith("quick"):
        body["bots"] = ["sprat"] * 3
    got = http.post(path, json=body)
    found = got.json()
    assert got.status_code in (200, 400, 413, 422)
    assert len(found.get("problems", [])) <= MAX_PROBLEMS
    assert len(got.content) - len(json.dumps(found.get("options", {}))) < MAX_ANSWER_BYTES
    assert len(got.content) < MAX_ANSWER_BYTES + LIMITS.body_bytes  # the known options as they were given


RECORDS = {
    "4,000 options": record_with(json.dumps(unknown(4_000))),
    "a long option": record_with(json.dumps({"x" * 90_000: 1})),
    "a long line": record_with("{}", ["r" * 95_000]),
    "a long header": "landfall record 1\n" + "x" * 95_000,
    "many lines": record_with("{}", ["a"] * 30_000),
    "a long game": record_with("{}").replace("game: survive", "game: " + "y" * 90_000),
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
@pytest.mark.parametrize("path", sorted(RECORD_PATHS))
def test_an_unreadable_record_is_not_echoed(path: str, record: str, http: httpx.Client) -> None:
    got = http.post(path, json={"record": record})
    assert got.status_code == 400, got.text[:300]
    assert len(got.content) < 2_000


def test_paths_and_queries_are_not_echoed_either(http: httpx.Client) -> None:
    for path in (f"/api/games/{'z' * 4_000}/rules", f"/api/games/survive/rules?language={'z' * 4_000}",
                 f"/api/games/survive/figures/SV.M9/why?piece={'z' * 4_000}"):  # fmt: skip
        got = http.get(path)
        assert got.status_code in (400, 404, 422)
        assert len(got.content) < 1_000


def test_only_where_a_record_is_sent_a_body_may_be_large(tmp_path_factory: pytest.TempPathFactory) -> None:
    """And whatever it says then, reading it ends at the first thing that is no record's."""
    app = create_app(Settings(database=str(tmp_path_factory.mktemp("app") / "landfall.db")))
    schemas = app.openapi()["components"]["schemas"]
    taking = {
        path
        for path, ways in app.openapi()["paths"].items()
        for way in ways.values()
        for name in [json.dumps(way.get("requestBody", {})).partition("#/components/schemas/")[2].partition('"')[0]]
        if name and "record" in schemas[name]["properties"]
    }
    assert taking == RECORD_PATHS
    for sent in (b"[" + b"0," * 60_000 + b"0]", b'{"a":' * 20_000, b'{"record":"x","y":{' + b'"":0,' * 20_000):
        with pytest.raises(Refused, match="cannot be read"):
            decode_body(ReopenBody, sent)
    assert decode_body(ReopenBody, json.dumps({"record": "x" * 90_000, "seat": None})).seat is None


def test_a_body_that_is_too_large_is_refused_by_its_length(http: httpx.Client) -> None:
    for path, most in (("/api/me", LIMITS.body_bytes), ("/api/replay", LIMITS.record)):
        got = http.post(path, content=b" " * (most + 1), headers={"Content-Type": "application/json"})
        assert (got.status_code, got.json()["args"]) == (413, {"most": most})


def test_a_device_bounds_the_same_as_a_server() -> None:
    async def story() -> None:
        device = OfflineApi(MemoryStorage(), "Ana")
        for options in OPTIONS.values():
            body = json.dumps({"game": "survive", "players": 4, "options": options})
            status, _, text = await device.request("POST", "/api/tables", body)
            assert status in (400, 422)
            assert len(text.encode()) < MAX_ANSWER_BYTES
        for record in RECORDS.values():
            status, _, text = await device.request("POST", "/api/replay", json.dumps({"record": record}))
            assert status == 400
            assert len(text.encode()) < 2_000

    asyncio.run(story())


# --- passwords ------------------------------------------------------------------------------------------------


def test_tries_of_one_address_wait_in_turn_and_only_a_few_of_them() -> None:
    async def story() -> None:
        queue, going = PasswordQueue(), threading.Event()
        done: list[str] = []

        def tried(name: str) -> None:
            going.wait(LONG)
            done.append(name)

        attack = [asyncio.create_task(queue.run_password_task("here", f"a{n}", tried, f"a{n}")) for n in range(20)]
        await asyncio.sleep(0)
        honest = asyncio.create_task(queue.run_password_task("there", "ana", tried, "ana"))
        await asyncio.sleep(0)
        refused = [task for task in attack if task.done() and isinstance(task.exception(), Refused)]
        assert len(refused) == 20 - 1 - MAX_WAITING_HERE, "one is tried, a few wait"
        going.set()
        await honest
        await asyncio.gather(*attack, return_exceptions=True)
        assert done.index("ana") <= 1, done
        assert len(done) == 2 + MAX_WAITING_HERE
        assert not queue.waiting

    asyncio.run(story())


def test_a_log_in_is_quick_beside_twenty_wrong_ones_from_another_address(http: httpx.Client) -> None:
    async def story() -> None:
        there = httpx.AsyncClient(base_url=http.base_url, timeout=LONG, headers={"X-Forwarded-For": "192.0.2.7"})
        right = {"name": "Lena", "password": "a long password"}
        (await there.post("/api/account", json=right)).raise_for_status()
        quiet = await timed(there, right)
        async with httpx.AsyncClient(base_url=http.base_url, timeout=LONG) as stranger:
            wrong = [{"name": f"Nobody {n}", "password": "a wrong password"} for n in range(20)]
            attack = [asyncio.create_task(stranger.post("/api/login", json=body)) for body in wrong]
            await asyncio.sleep(quiet / 2)
            beside = await timed(there, right)
            codes = [(await task).status_code for task in attack]
        await there.aclose()
        assert set(codes) == {401, 429}
        assert beside < max(1.0, 5 * quiet), f"{quiet:.2f} s quiet, {beside:.2f} s beside"

    async def timed(client: httpx.AsyncClient, body: dict[str, str]) -> float:
        begin = time.monotonic()
        (await client.post("/api/login", json=body)).raise_for_status()
        return time.monotonic() - begin

    asyncio.run(story())
