"""The host's settings on a real server: who may make an account, members by link, what everybody is told, reports."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import httpx
import pytest

from landfall.web.worker_figures import sum_worker_figures
from tests.conftest import LONG
from tests.server.real_server import ServerProcess
from tests.server.test_host_page import PASSWORD, account, act, code, find, host_of

pytestmark = pytest.mark.once


class Webhook(BaseHTTPRequestHandler):
    """A chat's hook that keeps what it is told."""

    told: ClassVar[list[dict[str, str]]] = []

    def do_POST(self) -> None:
        self.told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("club") / "landfall.db")


@pytest.fixture(scope="module")
def server(database: str) -> Iterator[ServerProcess]:
    hook = HTTPServer(("127.0.0.1", 0), Webhook)
    threading.Thread(target=hook.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{hook.server_port}/"
    try:
        with ServerProcess(database, recheck=0.05, bot_workers=0, report_webhook=url) as running:
            yield running
    finally:
        hook.shutdown()
        hook.server_close()


@pytest.fixture(scope="module")
def host(server: ServerProcess, database: str) -> dict[str, str]:
    """The cookies of one host, for all tests of this module."""

    async def come() -> dict[str, str]:
        found = await host_of(server, database, "Host of Club")
        cookies = dict(found.http.cookies)
        await found.close()
        return cookies

    return asyncio.run(come())


def as_host(server: ServerProcess, host: dict[str, str]) -> httpx.Client:
    return httpx.Client(base_url=server.url, cookies=host, timeout=LONG)


def club(server: ServerProcess) -> dict[str, Any]:
    return dict(httpx.get(f"{server.url}/api/club", timeout=LONG).json())


def try_to_register(server: ServerProcess, name: str, invitation: str = "") -> str:
    body = {"name": name, "password": PASSWORD, "invitation": invitation}
    answer = httpx.post(f"{server.url}/api/account", json=body, timeout=LONG)
    return "" if answer.status_code == 200 else str(answer.json()["code"])


def test_what_the_host_says_is_told_to_strangers(server: ServerProcess, host: dict[str, str]) -> None:
    assert club(server)["registration"] == "open"
    assert club(server)["name"] == ""
    texts = {"name": "Harbour", "announcement": "Friday at 20:00", "imprint": "Ana", "privacy": "Little is kept."}
    with as_host(server, host) as http:
        assert http.put("/api/host/club", json=texts).status_code == 200
        seen = club(server)
        assert {key: seen[key] for key in texts} == texts
        assert seen["announced"] > 0
        assert "invitation" not in seen
        http.put("/api/host/club", json={**texts, "name": "Harbour Club"})
        assert club(server)["announced"] == seen["announced"], "only another announcement is new"


def test_registration_is_open_closed_or_by_invitation(server: ServerProcess, host: dict[str, str]) -> None:
    with as_host(server, host) as http:
        http.put("/api/host/club", json={"registration": "closed"})
        assert try_to_register(server, "Nobody One") == "no_registration"
        link = http.post("/api/host/invitation", json={"days": 7}).json()["invitation"]
        invitation = link.partition("#invitation=")[2]
        assert len(invitation) >= 20
        assert try_to_register(server, "Nobody Two", invitation) == "no_registration", "closed is closed"
        http.put("/api/host/club", json={"registration": "invitation"})
        assert try_to_register(server, "Nobody Three") == "no_registration"
        assert try_to_register(server, "Nobody Four", invitation[:-1]) == "no_registration"
        assert try_to_register(server, "Invited One", invitation) == ""
        assert try_to_register(server, "Invited Two", invitation) == "", "a link is for all who have it"
        http.post("/api/host/invitation", json={"days": 7})
        assert try_to_register(server, "Nobody Five", invitation) == "no_registration", "a new link ends the old one"
        assert http.post("/api/host/invitation", json={"days": 0}).json()["invitation"] == ""
        assert try_to_register(server, "Nobody Six", "") == "no_registration"
        http.put("/api/host/club", json={"registration": "open"})
        assert try_to_register(server, "Welcome") == ""


def test_a_passkey_needs_the_same_leave_as_a_password(server: ServerProcess, host: dict[str, str]) -> None:
    with as_host(server, host) as http:
        http.put("/api/host/club", json={"registration": "invitation"})
        link = http.post("/api/host/invitation", json={"days": 1}).json()["invitation"].partition("=")[2]
    with httpx.Client(base_url=server.url, timeout=LONG) as guest:
        guest.post("/api/me", json={"name": "Guest"})
        answer = guest.post("/api/passkeys/options", json={"name": "Pia"})
        assert answer.json()["code"] == "no_registration"
        answer = guest.post("/api/passkeys/options", json={"name": "Pia", "invitation": link})
        assert answer.json().get("code") != "no_registration"
    with as_host(server, host) as http:
        http.put("/api/host/club", json={"registration": "open"})


def test_the_host_makes_an_account_for_somebody(server: ServerProcess, host: dict[str, str]) -> None:
    with as_host(server, host) as http:
        made = http.post("/api/host/members", json={"name": "Grandma"}).json()
        assert http.post("/api/host/members", json={"name": "Grandma"}).status_code == 409
        actions = [one["kind"] for one in http.get("/api/host").json()["actions"]]
    assert actions[0] == "add"
    answer = httpx.post(f"{server.url}/api/login", json=made, timeout=LONG)
    assert answer.status_code == 200


def test_others_have_none_of_it(server: ServerProcess) -> None:
    async def story() -> None:
        member = await account(server, "Curious")
        assert await code(member.http.get("/api/host/club")) == "http"
        assert await code(member.http.put("/api/host/club", json={"name": "Mine"})) == "http"
        assert await code(member.http.post("/api/host/invitation", json={})) == "http"
        assert await code(member.http.post("/api/host/members", json={"name": "Friend"})) == "http"
        await member.close()

    asyncio.run(story())


def test_a_report_reaches_the_host_and_is_dealt_with_by_the_act(server: ServerProcess, database: str) -> None:
    async def story() -> None:
        host = await host_of(server, database, "Host of Notices")
        rude, hurt = await account(server, "Rude Ringo"), await account(server, "Hurt Hanna")
        report = {"player": "Rude Ringo", "text": "he wrote something private"}
        assert (await hurt.http.post("/api/reports", json=report)).status_code == 204
        news = (await host.http.get("/api/me/news", params={"language": "de"})).json()
        assert (news[0]["title"], news[0]["path"]) == ("Eine Meldung", "/host")
        assert "Rude Ringo" in news[0]["body"]
        assert (await hurt.http.get("/api/me/news")).json() == []
        page = (await host.http.get("/api/host")).json()
        [listed] = [one for one in page["reports"] if one["person"]["name"] == "Rude Ringo"]
        await act(host, await find(host, "Rude Ringo"), act="mute", hours=24, report=listed["id"])
        page = (await host.http.get("/api/host")).json()
        assert [one for one in page["reports"] if one["person"]["name"] == "Rude Ringo"] == []
        end = asyncio.get_running_loop().time() + LONG
        while not Webhook.told and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.02)
        assert "Rude Ringo" in Webhook.told[0]["text"]
        assert Webhook.told[0]["text"] == Webhook.told[0]["content"]
        assert "private" not in Webhook.told[0]["text"]
        for one in (host, rude, hurt):
            await one.close()

    asyncio.run(story())


METRICS = b"""# TYPE landfall_http_request_seconds histogram
landfall_http_request_seconds_bucket{le="0.001",route="/a",worker="1"} 1.0
landfall_http_request_seconds_bucket{le="0.003",route="/a",worker="1"} 3.0
landfall_http_request_seconds_bucket{le="+Inf",route="/a",worker="1"} 4.0
landfall_http_request_seconds_bucket{le="0.001",route="/b",worker="2"} 10.0
landfall_http_request_seconds_bucket{le="0.003",route="/b",worker="2"} 10.0
landfall_http_request_seconds_bucket{le="+Inf",route="/b",worker="2"} 10.0
# TYPE landfall_job_queue_length gauge
landfall_job_queue_length{pool="bot",worker="1"} 2.0
landfall_job_queue_length{pool="bot",worker="2"} 3.0
# TYPE landfall_job_queue_age_seconds gauge
landfall_job_queue_age_seconds{pool="bot",worker="1"} 0.5
landfall_job_queue_age_seconds{pool="bot",worker="2"} 7.5
# TYPE landfall_job_workers gauge
landfall_job_workers{pool="bot",worker="1"} 4.0
landfall_job_workers{pool="bot",worker="2"} 4.0
# TYPE landfall_job_workers_busy gauge
landfall_job_workers_busy{pool="bot",worker="1"} 4.0
# TYPE landfall_reviews_queued gauge
landfall_reviews_queued{worker="2"} 6.0
"""


def test_figures_are_of_all_workers_together() -> None:
    found = sum_worker_figures(METRICS)
    assert found.workers == 2
    assert found.requests[:2] == [11, 2]
    assert sum(found.requests) == 14
    bot = found.queues["bot"]
    assert (bot.waiting, bot.busy, bot.workers, bot.age_s) == (5, 4, 8, 7.5)
    assert found.reviews == 6
