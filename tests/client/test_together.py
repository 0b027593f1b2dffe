"""Friends at one table without a server: an invitation by link, an answer by code or link, everybody's moves, reloads
of either side, and devices that do not reach each other."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from landfall.api.limits import Limits
from landfall.offline.static_site import allow_rendezvous_in_page_policy
from tests.client.conftest import STATIC
from tests.client.hostile_peer import attack_host_in_every_way
from tests.client.network_namespaces import ROUTER, STUN_PORT, host_and_friend_in_namespaces
from tests.client.offline_site import ENTRIES, SITE, serve_folder
from tests.client.page_player import Player
from tests.client.peer_matches import (
    CONNECTED,
    PEOPLE,
    RELOAD,
    Company,
    count_reloads,
    launch_browser,
    open_company,
    play_whole_peer_match,
    reload_in_many_matches,
)
from tests.conftest import lacking
from tests.repository_files import REPO
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
RELOADS = 20  # `python -m tests.client.peer_matches reloads 200` does more, and tells the seconds
GAMES = ["survive", "atlantis", "atlandice"]
TABLE = """async (body) => {
  localStorage['landfall.name'] = 'Ana'
  const answer = await landfallOffline('POST', '/api/tables', body)
  const { table } = await answer.json()
  const link = Object.assign(document.createElement('a'), { href: `/t/${table}` })
  document.body.appendChild(link).click() // the same page, whose Python runs
  return table
}"""


# On a busy device channels open before a page is told the other's description, and a first message comes over one of
# them before the page knows that the other one is open.
BUSY = """
const described = Object.getOwnPropertyDescriptor(RTCPeerConnection.prototype, 'remoteDescription')
Object.defineProperty(RTCPeerConnection.prototype, 'remoteDescription', {
  get() {
    return this.openSince && performance.now() - this.openSince > 1000 ? described.get.call(this) : null
  },
})
const createChannel = RTCPeerConnection.prototype.createDataChannel
const { get } = Object.getOwnPropertyDescriptor(RTCDataChannel.prototype, 'readyState')
RTCPeerConnection.prototype.createDataChannel = function (label, options) {
  const channel = createChannel.call(this, label, options)
  if (label !== 'notes') return channel
  let late = true
  Object.defineProperty(channel, 'readyState', { get: () => (late ? 'connecting' : get.call(channel)) })
  channel.addEventListener('open', (event) => {
    if (!late) return
    event.stopImmediatePropagation()
    this.openSince = performance.now()
    setTimeout(() => {
      late = false
      channel.dispatchEvent(new Event('open'))
    }, 300)
  })
  return channel
}
"""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    if not (SITE / "here" / "manifest.json").is_file():
        lacking("the site is not built (make site)")
    with serve_folder(SITE) as url:
        yield url


def test_the_page_passes_on_no_more_than_python_would_read() -> None:
    text = (REPO / "client" / "src" / "lib" / "peerHost.svelte.ts").read_text(encoding="utf-8")
    found = re.search(r"MAX_MESSAGE_CHARS = ([\d_]+)", text)
    assert found is not None
    assert int(found[1]) == 2 * Limits().message_bytes


def test_a_friend_plays_at_a_table_of_this_device_and_returns_after_a_reload(
    server: ServerProcess, browser: Browser
) -> None:
    """Pages of a server, which holds nothing of the table: it lies on one device, and a friend comes by a channel."""
    if not (STATIC / "here" / "manifest.json").is_file():
        lacking("what plays without a server is not built (make client)")
    chromium = launch_browser(browser.browser_type)
    people = Company(server.url)
    for _ in range(2):
        people.add(chromium, phone=True)
    people.host.page.context.add_init_script(BUSY)
    page, theirs = (player.page for player in people.players)
    page.goto("/")
    table = page.evaluate(TABLE, {"game": "atlandice", "players": 2, "seating": "as_sat"})
    page.get_by_test_id("together").wait_for()
    people.invite(people.players[1], PEOPLE[1])
    people.start("atlandice")
    people.play(3)
    people.reload(1)
    expect(theirs.get_by_role("alert")).to_have_count(0)
    people.play(1)
    asked = [url for url in people.asked if table in url and "/join/" not in url and "/t/" not in url]
    assert asked == [], "the server was asked about a table that it does not have"
    chromium.close()
    assert [error for player in people.players for error in player.errors] == []


@pytest.mark.proof
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_of_friends(site: str, browser: Browser, game: str, count: int) -> None:
    found = play_whole_peer_match(browser.browser_type, site, game, count, "desk" if count == 3 else "phone")
    assert found["decisions"] > 10


@pytest.mark.proof
def test_either_side_reloads_at_any_moment_and_nothing_is_lost(site: str, browser: Browser) -> None:
    assert count_reloads(reload_in_many_matches(browser.browser_type, site, RELOADS)) >= RELOADS


@pytest.mark.proof
def test_pages_that_reload_at_once_say_so_within_fifteen_seconds_and_a_link_brings_the_friend_back(
    site: str, browser: Browser
) -> None:
    """Neither knows then where the other is, and nobody else can tell them."""
    with open_company(browser.browser_type, site, 2) as people:
        people.settle("atlandice", 2)
        people.invite(people.players[1], PEOPLE[1])
        people.start("atlandice")
        people.play(2)
        page, theirs = (player.page for player in people.players)
        since = time.monotonic()
        for one in (page, theirs):
            one.evaluate(RELOAD)
        for one, notice in ((page, "absent"), (theirs, "away")):
            expect(one.get_by_test_id(notice)).to_be_visible(timeout=20_000)
        assert time.monotonic() - since < 15
        people.wait_until_connected()
        assert len(people.by_hand) == 1
        people.play(2)
        expect(page.get_by_test_id("absent")).to_have_count(0)


@pytest.mark.proof
def test_a_server_that_carries_notes_brings_answers_and_pages_that_reload_at_once(
    site: str, browser: Browser, server: ServerProcess, tmp_path: Path
) -> None:
    """Nobody sends a code back, and nobody needs a return link."""
    files = site_with(tmp_path / "site", {"rendezvous": server.url})
    with serve_folder(files) as url, open_company(browser.browser_type, url, 2) as people:
        people.settle("atlandice", 2)
        people.invite(people.players[1], PEOPLE[1], by="server")
        people.start("atlandice")
        people.play(2)
        seconds = people.reload(0, 1)
        people.play(2)
        assert (people.by_hand, seconds < 30) == ([], True)
        asked = {url for url in people.asked if url.startswith(server.url)}
        assert len(asked) == 4, "two boxes for the invitation, two for the pair"
        assert all(re.fullmatch(r".*/api/rendezvous/[0-9a-f]{32}", url) for url in asked)


@pytest.mark.proof
def test_devices_that_do_not_reach_each_other_say_so_within_fifteen_seconds(site: str, browser: Browser) -> None:
    """A friend's answer whose addresses lead nowhere, at the host's; and an offer of that kind, at a friend's."""
    with open_company(browser.browser_type, site, 2) as people:
        people.settle("atlandice", 2)
        page, theirs = (player.page for player in people.players)
        page.get_by_role("button", name="Invite a friend").click()
        link = page.get_by_test_id("together").locator("input[readonly]").input_value()
        theirs.goto(nowhere(link))
        theirs.get_by_label("Your name").fill("Ben")
        theirs.get_by_role("button", name="Join").click()
        answer = theirs.get_by_test_id("join").locator("input[readonly]").input_value()
        page.get_by_label("Your friend’s answer").fill(nowhere(answer))
        page.get_by_role("button", name="Connect").click()
        for one in (page, theirs):
            expect(one.get_by_role("alert")).to_contain_text("cannot reach each other", timeout=20_000)


def nowhere(link: str) -> str:
    """A link whose addresses are those of documentation, where nobody is: RFC 5737."""
    head, code = re.fullmatch(r"(.*[#/])([\w-]+)", link).groups()  # type: ignore[union-attr]
    data = bytearray(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)))
    at = 1
    for _ in range(3):  # three texts: whose offer it answers, and the credentials
        at += 1 + data[at]
    at += 32
    del data[at:]
    data += bytes([1, 1, 0x9C, 0x40, 192, 0, 2, 1])
    return head + base64.urlsafe_b64encode(bytes(data)).decode().rstrip("=")


@pytest.mark.proof
@pytest.mark.parametrize("joined", ["switch", "router"])
def test_devices_in_networks_of_their_own_play_a_whole_match(browser: Browser, tmp_path: Path, joined: str) -> None:
    """Names of devices are known in one network only. Across a router a server tells each page its address."""
    files = site_with(tmp_path / "site", {"iceServers": [{"urls": f"stun:{ROUTER}:{STUN_PORT}"}]})
    with host_and_friend_in_namespaces(browser.browser_type, files, tmp_path, joined) as people:
        people.settle("atlandice", 2)
        people.invite(people.players[1], PEOPLE[1])
        people.start("atlandice")
        people.play(3000)
        assert all(player.over() for player in people.players)


@pytest.mark.proof
def test_devices_without_a_path_say_so_within_fifteen_seconds(site: str, browser: Browser, tmp_path: Path) -> None:
    with host_and_friend_in_namespaces(browser.browser_type, SITE, tmp_path, "apart") as people:
        people.settle("atlandice", 2)
        page, theirs = (player.page for player in people.players)
        page.get_by_role("button", name="Invite a friend").click()
        theirs.goto(page.get_by_test_id("together").locator("input[readonly]").input_value())
        theirs.get_by_label("Your name").fill("Ben")
        theirs.get_by_role("button", name="Join").click()
        asked = time.monotonic()
        answer = theirs.get_by_test_id("join").locator("input[readonly]").input_value()
        page.get_by_label("Your friend’s answer").fill(answer)
        page.get_by_role("button", name="Connect").click()
        answered = time.monotonic()
        for one, since in ((theirs, asked), (page, answered)):
            expect(one.get_by_role("alert")).to_contain_text("cannot reach each other", timeout=20_000)
            print(f"no path: said after {time.monotonic() - since:.1f} s")
            assert time.monotonic() - since < 15


@pytest.mark.proof
def test_a_hostile_friend_s_page_takes_no_seat_no_memory_and_nobody_s_time(site: str, browser: Browser) -> None:
    found = attack_host_in_every_way(browser.browser_type, site, 3)
    print(found)
    for kind in ("garbage", "flood", "huge", "unfinished", "notes", "huge notes"):
        assert found["closed"][kind] > 0, kind
    assert max(found["grown by, MB"].values()) < 150
    assert found["attacked ms"][1] < 5000


@pytest.mark.proof
def test_another_device_takes_over_and_everybody_keeps_their_seat(site: str, browser: Browser, tmp_path: Path) -> None:
    """The device that gave the table away plays on only when it takes the table back, or as a friend of the other."""
    with open_company(browser.browser_type, site, 2, script=HEARD) as people:
        ana, ben = people.players
        people.settle("atlandice", 2)
        people.invite(ben, PEOPLE[1])
        people.start("atlandice")
        people.play(4)
        chairs, entries = people.chairs(), ana.page.evaluate(ENTRIES)
        other = ana.page.context.new_page()  # another page of the host's, with a Python of its own
        other.goto(ana.page.url)
        ana.until(lambda: other.evaluate(CONNECTED))
        people.play(2)
        assert other.evaluate("() => self.received") == [], "two pages of the host's call the same friend"
        give_away(people, tmp_path / "first.json")
        expect(other.get_by_test_id("given")).to_be_visible()
        other.close()
        ben.page.reload()
        expect(ben.page.get_by_test_id("away")).to_be_visible()
        assert not people.holds(ben, CONNECTED), "the device plays on"
        ana.page.get_by_role("button", name="Take it back").click()
        people.wait_until_connected()
        ana.page.get_by_role("button", name="Menu").click()
        own = ana.page.context.new_page()
        own.goto(people.create_invitation_link())
        expect(own.get_by_test_id("own")).to_be_visible()
        own.close()
        ana.page.keyboard.press("Escape")
        people.play(2)
        give_away(people, tmp_path / "table.json")
        ana.page.reload()
        expect(ana.page.get_by_test_id("given")).to_be_visible()

        open_file(ben, tmp_path / "table.json")
        ben.until(lambda: people.holds(ben, CONNECTED))
        assert ben.page.evaluate(ENTRIES) >= entries
        ben.page.get_by_role("button", name="Menu").click()
        people.players = [ben, ana]
        people.invite(ana, PEOPLE[0], sits=False, moved=True)
        ben.page.keyboard.press("Escape")
        people.wait_until_connected()
        names = [name for _, name in json.loads(people.chairs())]
        assert names == [name for _, name in json.loads(chairs)]
        people.play(4)
        people.reload(1)
        people.play(2)
        address, entries = ben.page.url, ben.page.evaluate(ENTRIES)
        open_file(ben, tmp_path / "first.json")
        expect(ben.page.get_by_test_id("refused")).to_contain_text("knows more")
        ben.page.goto(address)
        people.wait_until_connected()
        assert ben.page.evaluate(ENTRIES) >= entries

        give_away(people, tmp_path / "back.json")
        entries = ben.page.evaluate(ENTRIES)
        open_file(ana, tmp_path / "back.json")
        ana.until(lambda: people.holds(ana, CONNECTED))
        assert ana.page.evaluate(ENTRIES) == entries, "what was here has been replaced"


def give_away(people: Company, file: Path) -> None:
    """The host saves the table for another device, and does not play on."""
    page = people.host.page
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("Another device takes over").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the file").click()
    saved.value.save_as(file)
    expect(page.get_by_test_id("given")).to_be_visible()


def open_file(player: Player, file: Path) -> None:
    player.page.goto(f"{player.url}/#/me/account")
    player.page.locator("input[type=file]").set_input_files(file)


@pytest.mark.proof
def test_an_invitation_of_another_device_gets_no_seat_s_key_unless_the_friend_agrees(
    site: str, browser: Browser
) -> None:
    """Eve knows the id of Ana's table, and invites Ben there. A link that looks like Ana's return link is refused."""
    with open_company(browser.browser_type, site, 3, "desk", HEARD) as people:
        ana, ben, eve = people.players
        people.settle("atlandice", 2)
        table = people.table()
        people.invite(ben, PEOPLE[1])
        people.players = [ana, ben]
        people.start("atlandice")
        people.play(2)
        key, ufrag = ben.page.evaluate(RECORD, table)
        people.reload(0)  # the host's own return is no other device's
        people.players = [eve]
        people.settle("atlandice", 2)
        link = people.create_invitation_link().replace(people.table(), table)

        theirs = ben.page
        theirs.goto(returning(link, ufrag))
        expect(theirs.get_by_role("alert")).to_contain_text("incomplete")
        theirs.goto(link)
        expect(theirs.get_by_test_id("moved")).to_be_visible()
        theirs.get_by_role("link", name="Stay").click()
        ben.until(lambda: people.holds(ben, CONNECTED))
        people.play(2)
        assert key in str(ana.page.evaluate("() => self.received")), "the host knows the key"

        other = theirs.context.new_page()
        other.goto(theirs.url)
        ben.until(lambda: other.evaluate(CONNECTED))
        theirs.evaluate(FORGET_DEVICE, table)  # as a record from before devices were kept
        theirs.goto(link)
        theirs.get_by_role("button", name="Accept, the table moves").click()
        answer = theirs.get_by_test_id("join").locator("input[readonly]").input_value()
        assert key not in str(eve.page.evaluate("() => self.received"))
        eve.page.get_by_label("Your friend’s answer").fill(answer)
        eve.page.get_by_role("button", name="Connect").click()
        eve.until(lambda: key in str(eve.page.evaluate("() => self.received")))
        device = other.evaluate(DEVICE, table)
        ana.page.evaluate(RELOAD)
        expect(ana.page.get_by_test_id("absent")).to_be_visible()
        assert other.evaluate(DEVICE, table) == device, "another page of the friend knows another device"
        people.players = [ana, ben, eve]


# A friend's proof of their seat, and by which name they call the host.
RECORD = """(table) => {
  const { key, own } = JSON.parse(localStorage['landfall.friend.' + table])
  return [key, own.ufrag]
}"""
DEVICE = "(table) => JSON.parse(localStorage['landfall.friend.' + table]).device"
FORGET_DEVICE = """(table) => {
  const { device, ...record } = JSON.parse(localStorage['landfall.friend.' + table])
  localStorage['landfall.friend.' + table] = JSON.stringify(record)
}"""
# Everything that comes over the data channels of a page.
HEARD = """
const createChannel = RTCPeerConnection.prototype.createDataChannel
self.received = []
RTCPeerConnection.prototype.createDataChannel = function (...given) {
  const channel = createChannel.apply(this, given)
  channel.addEventListener('message', ({ data }) => self.received.push(data))
  return channel
}
"""


def returning(link: str, to: str) -> str:
    """A link as a return link has it: `to` says whose."""
    head, code = re.fullmatch(r"(.*[#/])([\w-]+)", link).groups()  # type: ignore[union-attr]
    data = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    assert data[1] == 0, "an invitation answers nobody"
    made = bytes([1, len(to)]) + to.encode() + data[2:]
    return head + base64.urlsafe_b64encode(made).decode().rstrip("=")


def site_with(folder: Path, servers: dict[str, Any]) -> Path:
    """The site's files, with these servers in its configuration."""
    shutil.copytree(SITE, folder, copy_function=os.link)
    for name, text in (
        ("together.json", json.dumps(servers)),
        ("index.html", (SITE / "index.html").read_text("utf-8")),
    ):
        (folder / name).unlink()
        (folder / name).write_text(text, encoding="utf-8")
    allow_rendezvous_in_page_policy(folder)
    return folder
