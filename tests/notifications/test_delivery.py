"""Notifications of a real server, at a push service that decrypts them and at a real mail server."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from landfall.tables.protocol.errors import Refused
from landfall.web.mail import may_be_mail_address, parse_mail_server
from landfall.web.push import is_public_address, require_valid_subscription, resolve_public_address
from tests.conftest import LONG
from tests.notifications.receivers import Browser, MailServer, PushService, wait_for
from tests.server.real_server import Line, Player, ServerProcess, free_port

pytestmark = pytest.mark.once
ALWAYS = {
    "here": ["turn"], "push": ["turn", "start", "over", "invitation"], "mail": ["turn"], "soon": "now", "quiet": False,
    "quiet_from": 0, "quiet_to": 0, "lost": True, "zone": "UTC",
}  # fmt: skip
DAYS = {"mode": "days", "days": 3}
QUIET_S = 0.6  # after which nothing more comes: the sender looks every 50 ms


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with PushService() as running:
        yield running


@pytest.fixture(scope="module")
def mails() -> Iterator[MailServer]:
    with MailServer() as running:
        yield running


def settings_of(mails: MailServer) -> dict[str, Any]:
    return {
        "notify_ms": 50, "private_push": True, "bot_workers": 0,
        "smtp": f"smtp+plain://127.0.0.1:{mails.port}", "mail_from": "landfall@example.org",
    }  # fmt: skip


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, service: PushService, mails: MailServer
) -> Iterator[ServerProcess]:
    database = str(tmp_path_factory.mktemp("notify") / "landfall.db")
    with ServerProcess(database, **settings_of(mails)) as running:
        yield running


async def subscribe(player: Player, browser: Browser, language: str = "en") -> None:
    answer = await player.http.post(
        "/api/me/notifications/devices", json={**browser.subscription, "language": language}
    )
    assert answer.status_code == 204, answer.text
    assert (await player.http.put("/api/me/notifications", json=ALWAYS)).status_code == 204


async def two_at_a_table(url: str, *names: str, seed: str = "") -> tuple[Player, Player, Line, Line]:
    """Two people at a table of days that has begun."""
    ana, boris = [await Player(url, name).come() for name in names]
    table = await ana.post("/api/tables", game="atlandice", players=2, clock=DAYS, seating="as_sat")
    lines = [await Line(one, table["table"]).open() for one in (ana, boris)]
    assert (await lines[1].ask(t="sit", chair=1))["t"] == "done"
    await lines[0].send(t="start")
    for line in lines:
        while line.news.get("status") != "playing":
            await line.receive()
    return ana, boris, lines[0], lines[1]


async def pass_turn(line: Line) -> None:
    """Play until it is another's turn."""
    while not line.choices:
        await line.receive(seconds=20)
    while line.choices:
        choice, line.choices = line.choices[0], []
        await line.send(t="play", version=line.version, id=secrets.token_hex(8), action=choice["action"])
        assert (await line.until("update", "refused"))["t"] == "update"


def have_all(browsers: list[Browser], count: int) -> Callable[[], bool]:
    return lambda: all(len(browser.got) >= count for browser in browsers)


async def settle() -> None:
    await asyncio.sleep(QUIET_S)


def test_your_turn_arrives_once_and_says_no_more_than_everybody_knows(
    server: ServerProcess, service: PushService
) -> None:
    async def story() -> None:
        ana, boris, mine, his = await two_at_a_table(server.url, "Ana", "Boris")
        browser = service.browser("boris")
        await subscribe(boris, browser, "pt")
        await his.close()
        await pass_turn(mine)
        await asyncio.to_thread(wait_for, lambda: bool(browser.got))
        await settle()
        table = mine.table
        assert browser.got == [
            {
                "kind": "turn", "title": "É a sua vez em Atlandice", "body": "Ana jogou. Faltam 2 dias.",
                "tag": f"turn {table}", "path": f"/t/{table}", "waiting": [table],
            }
        ]  # fmt: skip
        said = (await boris.http.get("/api/me/notifications")).json()
        assert browser.signers == {said["push_key"]}, "one key, the one that browsers subscribe with"
        [device] = said["devices"]
        assert device["succeeded"] is not None
        assert device["failing"] is None
        assert browser.endpoint not in str(said), "the endpoint is a secret of the browser"
        headers = browser.headers[0]
        assert int(headers["TTL"]) <= 7 * 86_400
        assert headers["Urgency"] == "normal"
        assert re.fullmatch(r"[\w-]{32}", headers["Topic"])
        # What is off is off.
        await boris.http.put("/api/me/notifications", json={**ALWAYS, "push": []})
        await his.open()
        await pass_turn(his)
        await his.close()
        await pass_turn(mine)
        await settle()
        assert len(browser.got) == 1
        await boris.http.put("/api/me/notifications", json=ALWAYS)
        assert (await boris.http.delete(f"/api/me/notifications/devices/{device['id']}")).status_code == 204
        assert (await boris.http.delete(f"/api/me/notifications/devices/{device['id']}")).status_code == 404
        await his.open()
        await pass_turn(his)
        await his.close()
        await pass_turn(mine)
        await settle()
        assert len(browser.got) == 1
        for one in (mine, his, ana, boris):
            await one.close()

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_gone_is_forgotten_and_an_error_is_tried_again(server: ServerProcess, service: PushService) -> None:
    async def story() -> None:
        ana, boris, mine, his = await two_at_a_table(server.url, "Ana", "Boris")
        gone, broken = service.browser("gone"), service.browser("broken")
        gone.answers, broken.answers = [410], [500]
        for browser in (gone, broken):
            await subscribe(boris, browser)
        await his.close()
        await pass_turn(mine)
        await asyncio.to_thread(wait_for, lambda: gone.attempts == 1 and broken.attempts == 1)
        await settle()
        [left] = (await boris.http.get("/api/me/notifications")).json()["devices"]
        assert left["failing"] is not None
        assert (gone.attempts, broken.attempts) == (1, 1), "not at once"
        assert (await boris.http.post("/api/me/notifications/trial")).status_code == 204
        await asyncio.to_thread(wait_for, lambda: bool(broken.got))
        assert broken.got[0]["title"] == "It works"
        assert gone.attempts == 1
        [left] = (await boris.http.get("/api/me/notifications")).json()["devices"]
        assert left["failing"] is None
        news = (await boris.http.get("/api/me/news?language=en")).json()
        assert [one["title"] for one in news] == ["Your turn in Atlandice"]
        for one in (mine, his, ana, boris):
            await one.close()

    asyncio.run(asyncio.wait_for(story(), LONG))


async def with_account(player: Player, name: str) -> None:
    body = {"name": name, "password": "correct horse"}
    answer = await player.http.post("/api/account", json=body)
    assert answer.status_code == 200, answer.text
    if "landfall" in answer.cookies:
        player.cookie = f"landfall={answer.cookies['landfall']}"


def links(text: str) -> list[str]:
    return re.findall(r"https?://\S+", text)


def test_e_mail_is_confirmed_sent_and_stopped(server: ServerProcess, mails: MailServer) -> None:
    async def story() -> None:
        ana, boris, mine, his = await two_at_a_table(server.url, "Ana", "Boris")
        await with_account(boris, "Boris of the mail")
        await boris.http.put("/api/me/notifications", json=ALWAYS)
        box = mails.boxes["boris@example.org"]
        assert (await ana.http.put("/api/me/address", json={"address": "ana@example.org"})).status_code == 400
        for wrong in ("nobody", "a@b", "x@example.org\r\nBcc: y@example.org", "@example.org"):
            answer = await boris.http.put("/api/me/address", json={"address": wrong})
            assert answer.json()["code"] == "mail_address"
        answer = await boris.http.put("/api/me/address", json={"address": "boris@example.org", "language": "pt"})
        assert answer.status_code == 204, answer.text
        [letter] = box
        assert letter["Subject"] == "Confirme o seu endereço de e-mail"
        [link] = links(letter.get_content())
        name = server.url.partition("//")[2]
        assert re.search(rf"servidor Landfall {name} .* até \d{{4}}-\d\d-\d\d \d\d:\d\d UTC:", letter.get_content())
        await his.close()
        await pass_turn(mine)
        await settle()
        assert len(box) == 1, "nothing before it is confirmed"
        async with httpx.AsyncClient(base_url=server.url, timeout=LONG) as stranger:  # no cookie
            token = link.rpartition("/")[2]
            assert (await stranger.post("/api/mail/confirm/none")).status_code == 404
            assert (await stranger.post(f"/api/mail/confirm/{token}")).status_code == 204
            assert (await stranger.post(f"/api/mail/confirm/{token}")).status_code == 404, "once"
            said = (await boris.http.get("/api/me/notifications")).json()
            assert said["address"] == {"address": "boris@example.org", "confirmed": True}
            his = await Line(boris, mine.table).open()
            await pass_turn(his)
            await his.close()
            await pass_turn(mine)
            await asyncio.to_thread(wait_for, lambda: len(box) > 1)
            await settle()
            letter = box[1]
            assert len(box) == 2
            assert letter["Subject"] == "É a sua vez em Atlandice"
            assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            text = letter.get_content().replace("\r\n", "\n")
            assert text.startswith("Ana jogou. Faltam 2 dias.\n")
            assert f"{server.url}/t/{mine.table}" in links(text)
            assert re.search(r"\nVale até \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n", text), "until when"
            assert f"porque o escolheu no servidor {name}." in text, "why, and from which server"
            [stop] = links(str(letter["List-Unsubscribe"]).strip("<>"))
            shown = await stranger.get(stop)
            assert (shown.status_code, shown.headers["location"]) == (307, f"/stop/{stop.rpartition('/')[2]}")
            forged = stop[:-1] + ("0" if stop[-1] != "0" else "1")
            assert (await stranger.post(forged)).status_code == 404
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            assert (await stranger.post(stop, content="List-Unsubscribe=One-Click", headers=form)).status_code == 204
        said = (await boris.http.get("/api/me/notifications")).json()
        assert said["preferences"]["mail"] == []
        his = await Line(boris, mine.table).open()
        await pass_turn(his)
        await his.close()
        await pass_turn(mine)
        await settle()
        assert len(box) == 2
        assert (await boris.http.delete("/api/me/address")).status_code == 204
        assert (await boris.http.get("/api/me/notifications")).json()["address"] is None
        for one in (mine, his, ana, boris):
            await one.close()

    asyncio.run(asyncio.wait_for(story(), LONG))


@pytest.mark.proof
def test_two_processes_share_the_key_and_send_once(postgres: str, service: PushService, mails: MailServer) -> None:
    async def story(first: ServerProcess, second: ServerProcess) -> None:
        ana, boris, mine, his = await two_at_a_table(first.url, "Ana", "Boris")
        there = Player(second.url, "Boris")
        there.http.cookies.set("landfall", boris.cookie.partition("=")[2])
        browsers = [service.browser(f"shared{n}") for n in range(3)]
        for browser in browsers:
            await subscribe(there, browser)
        keys = {(await one.http.get("/api/me/notifications")).json()["push_key"] for one in (boris, there)}
        assert len(keys) == 1
        for turn in range(4):
            if turn:
                his = await Line(boris, mine.table, second.url).open()
                await pass_turn(his)
            await his.close()
            await pass_turn(mine)
            await asyncio.to_thread(wait_for, have_all(browsers, turn + 1))
        await settle()
        assert [len(browser.got) for browser in browsers] == [4, 4, 4]
        assert {signer for browser in browsers for signer in browser.signers} == keys
        # Who is at the table in the other process is not called.
        his = await Line(boris, mine.table, second.url).open()
        await pass_turn(his)
        await pass_turn(mine)
        await settle()
        assert [len(browser.got) for browser in browsers] == [4, 4, 4]
        for one in (mine, his, ana, boris, there):
            await one.close()

    given = settings_of(mails)
    with ServerProcess(postgres, **given) as first, ServerProcess(postgres, **given) as second:
        asyncio.run(story(first, second))


@pytest.mark.proof
def test_a_notice_survives_a_kill(tmp_path: Path, service: PushService, mails: MailServer) -> None:
    async def begin(url: str, browser: Browser) -> None:
        ana, boris, mine, his = await two_at_a_table(url, "Ana", "Boris")
        await subscribe(boris, browser)
        await his.close()
        await pass_turn(mine)
        for one in (mine, ana, boris):
            await one.close()

    browser = service.browser("survivor")
    given = {**settings_of(mails), "port": free_port()}
    server = ServerProcess(str(tmp_path / "landfall.db"), **given, poll_ms=3_600_000).start()
    asyncio.run(begin(server.url, browser))
    server.kill()
    assert browser.got == []
    with ServerProcess(str(tmp_path / "landfall.db"), **given):
        wait_for(lambda: bool(browser.got))
        time.sleep(QUIET_S)
        assert [one["title"] for one in browser.got] == ["Your turn in Atlandice"]


# --- what a push service may not be -----------------------------------------------------------------------------


KEY = "B" + "A" * 86
SECRET = "A" * 22


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/1", "https://push.example:8443/1", "https://user@push.example/1", "ftp://push.example/",
        "https:///nowhere", "https://push.example/\u00e9", "https://push.example:99999/", "https://" + "a" * 1000,
    ],
)  # fmt: skip
def test_strange_endpoints_are_refused(endpoint: str) -> None:
    require_valid_subscription("https://push.example/1", KEY, SECRET, False)
    with pytest.raises(Refused):
        require_valid_subscription(endpoint, KEY, SECRET, False)
    for key, secret in (("AA", SECRET), (KEY, "AA"), ("\u00e9" * 87, SECRET)):
        with pytest.raises(Refused):
            require_valid_subscription("https://push.example/1", key, secret, True)


def test_no_message_goes_to_a_private_address() -> None:
    for private in ("127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.169.254", "::1", "fe80::1%eth0", "::ffff:10.0.0.1",
                    "100.64.0.1", "0.0.0.0", "224.0.0.1",
                    # addresses that stand for another one: mapped, compatible, NAT64 (two), 6to4, Teredo
                    "::ffff:8.8.8.8", "::8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::a00:1", "64:ff9b::808:808",
                    "64:ff9b:1::808:808", "2002:a00:1::1", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
                    "192.88.99.1"):  # fmt: skip
        assert not is_public_address(private), private
    for public in ("8.8.8.8", "2606:4700::1111"):
        assert is_public_address(public)

    async def story() -> None:
        with pytest.raises(Refused):
            await resolve_public_address("localhost", 443, False)
        assert await resolve_public_address("127.0.0.1", 443, True) == "127.0.0.1"

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_mail_settings() -> None:
    found = parse_mail_server("smtp://ana%40example.org:p%3Aw@mail.example.org")
    assert (found.host, found.port, found.user, found.password) == ("mail.example.org", 587, "ana@example.org", "p:w")
    assert parse_mail_server("smtps://mail.example.org").port == 465
    for wrong in ("mail.example.org", "http://mail.example.org", "smtp://", "smtp://mail.example.org:port"):
        with pytest.raises(Exception, match="--smtp is an address"):
            parse_mail_server(wrong)
    assert may_be_mail_address("ana.b+c@mail.example.org")
    for wrong in ("ana", "ana@", "ana@example", "a b@example.org", "ana@example.org\n", "é@example.org"):
        assert not may_be_mail_address(wrong)
