"""The lobby, home for somebody who comes back, the bell, invitations and following, in browsers."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from landfall.core.texts import LANGUAGES
from tests.client.conftest import STATIC, Sit, chromium
from tests.client.overlap import LOOK
from tests.client.test_axe import findings
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
PASSWORD = "a long password"
WINDOWS = [(1440, 900), (390, 844), (844, 390), (768, 1024)]
LONG_MS = 60_000  # for a busy machine
SETTINGS = "(settings) => localStorage.setItem('landfall.settings', JSON.stringify(settings))"
RESIGN = """
(table) => new Promise((done) => {
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws/tables/${table}`)
  socket.onmessage = (event) => {
    const news = JSON.parse(event.data)
    if (news.t === 'welcome') socket.send(JSON.stringify({ t: 'resign' }))
    const table = news.t === 'welcome' ? news.table : news
    if (table.t === 'table' && table.status === 'over') { socket.close(); done(true) }
  }
})
"""


def register(page: Page, name: str, shown: bool = False) -> Page:
    """An account on this browser."""
    answer = page.request.post("/api/account", data={"name": name, "password": PASSWORD})
    assert answer.ok, answer.text()
    if shown:
        assert page.request.put("/api/me/shown", data={"shown": True}).ok
    return page


def make(page: Page, game: str, players: int, **terms: Any) -> str:
    answer = page.request.post("/api/tables", data={"game": game, "players": players, "public": True, **terms})
    assert answer.ok, answer.text()
    return str(answer.json()["table"])


def invite(page: Page, name: str, table: str) -> None:
    answer = page.request.post(f"/api/players/{name}/invitations", data={"table": table})
    assert answer.ok, answer.text()


def test_the_lobby_is_live_and_its_rows_wait_for_the_pointer(sit: Sit) -> None:
    ana, boris = sit(), sit()
    register(ana.page, "Ana Lobby")
    ana.go("/watch")
    page = ana.page
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible(timeout=LONG_MS)
    assert page.url.endswith("/lobby"), "the address of before leads here"
    page.get_by_role("radio", name="Atlandice").check()
    rows = page.get_by_test_id("free-seat")
    expect(page.get_by_test_id("lobby")).to_have_attribute("aria-busy", "false", timeout=LONG_MS)
    before = rows.count()
    register(boris.page, "Boris Lobby", shown=True)
    private = make(boris.page, "atlandice", 3, public=False)
    table = make(boris.page, "atlandice", 3)
    expect(rows).to_have_count(before + 1, timeout=LONG_MS)
    expect(rows.first).to_contain_text("Boris Lobby")
    rows.first.hover()
    second = make(boris.page, "atlandice", 2)
    boris.go(f"/t/{table}")
    boris.page.get_by_role("button", name="Close the table").click()
    boris.page.get_by_role("button", name="Close the table").last.click()
    expect(rows.first).to_contain_text("gone", timeout=LONG_MS)
    expect(rows).to_have_count(before + 1)
    page.mouse.move(5, 5)
    expect(rows.first).to_contain_text("2 players", timeout=LONG_MS)
    expect(page.locator(f"a[href='/t/{second}']")).to_have_count(1)
    assert private not in page.content()
    expect(page.get_by_test_id("here").filter(has_text="Boris Lobby")).to_have_count(1, timeout=LONG_MS)


def test_an_invitation_reaches_home_and_the_bell_and_is_accepted(sit: Sit) -> None:
    ana, boris = sit(), sit()
    register(ana.page, "Ana Invited")
    register(boris.page, "Boris Invites")
    ana.go("/")
    expect(ana.page.get_by_test_id("bell")).to_be_visible(timeout=LONG_MS)
    expect(ana.page.get_by_role("heading", name="Atlantis is sinking")).to_be_visible()
    boris.go("/player/Ana%20Invited")
    boris.page.get_by_role("button", name="Follow", exact=True).click(timeout=LONG_MS)
    expect(boris.page.get_by_role("button", name="Unfollow")).to_be_visible(timeout=LONG_MS)
    tables = [make(boris.page, "atlandice", 2, public=False) for _ in range(2)]
    boris.page.get_by_role("button", name="Invite Ana Invited").click()
    boris.page.get_by_role("button", name=re.compile("Atlandice")).first.click(timeout=LONG_MS)
    expect(boris.page.get_by_text("Ana Invited is invited.")).to_be_visible(timeout=LONG_MS)
    boris.go(f"/t/{tables[0]}")
    boris.page.get_by_label("Invite an account by name").fill("ana invited", timeout=LONG_MS)
    boris.page.get_by_role("button", name="Invite", exact=True).click()
    ana.go("/")
    page = ana.page
    expect(page.get_by_test_id("returning")).to_be_visible(timeout=LONG_MS)
    page.get_by_role("button", name="1 more").click()
    invitations = page.get_by_test_id("invitation")
    expect(invitations).to_have_count(2)
    expect(page.get_by_test_id("bell")).to_have_accessible_name("Notifications: 2")
    page.get_by_role("button", name="Not now").first.click()
    expect(invitations).to_have_count(1, timeout=LONG_MS)
    page.get_by_test_id("bell").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Sit down")).click()
    page.wait_for_url(re.compile("/t/"), timeout=LONG_MS)
    names = set(page.request.get("/api/home").json()["tables"][0]["table"]["chairs"])
    assert names == {"Ana Invited", "Boris Invites"}


def furnish(browser: Browser, url: str) -> list[Page]:
    """People, tables and invitations; the first page is Ana's, for whom all of it waits."""
    pages = []
    for n, name in enumerate(("Ana", "Tomé", "Iva", "小雨", "Kalina")):
        pages.append(register(browser.new_context(base_url=url).new_page(), name, shown=n > 0))
    ana, tome, iva, yu, kalina = pages
    make(tome, "survive", 4, clock={"mode": "live", "turn": 10, "bank": 900}, rated=True)
    make(iva, "atlantis", 3, clock={"mode": "days", "days": 1})
    make(yu, "survive", 6)
    make(kalina, "atlandice", 2)
    invite(iva, "Ana", make(iva, "survive", 4, public=False, clock={"mode": "days", "days": 1}))
    invite(tome, "Ana", make(tome, "atlandice", 2, public=False))
    for game, players, bots in (("survive", 3, ["sprat"] * 2), ("atlantis", 2, ["sprat"]), ("atlandice", 2, ["sprat"])):
        body = {"game": game, "players": players, "bots": bots, "public": True}
        assert ana.request.post("/api/tables/quick", data=body).ok
    for page, where in ((tome, "/lobby"), (iva, "/lobby"), (yu, "/"), (kalina, "/lobby")):
        page.goto(where)
        page.get_by_test_id("bell").wait_for()
    assert kalina.request.post("/api/search", data={"games": ["survive"], "sizes": [4, 5]}).ok
    return pages


def settle(page: Page, path: str, language: str, theme: str = "light") -> None:
    page.goto("/nowhere")
    page.evaluate(SETTINGS, {"language": language, "theme": theme, "speed": "none"})
    page.goto(path)
    page.get_by_test_id("lobby" if path == "/lobby" else "returning").wait_for(timeout=LONG_MS)
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")


def look_at(page: Page, width: int) -> list[Any]:
    """What lies over what, or is cut off, on the whole page. The cards' pictures are larger than their frames."""
    tall = 0
    while (height := page.evaluate("document.documentElement.scrollHeight")) > tall:
        tall = height + (80 if width < 760 else 0)  # the tabs lie over the foot of a page that scrolls
        page.set_viewport_size({"width": width, "height": tall})
    found: list[Any] = page.evaluate(LOOK, {"touch": width < 800})
    return [one for one in found if one[:2] != ["clipped", "g text"]]


@pytest.mark.proof
def test_nothing_lies_over_anything_and_nobody_is_shut_out(browser: Browser, tmp_path: Path) -> None:
    with ServerProcess(str(tmp_path / "landfall.db"), static=str(STATIC), pace=600.0) as server:
        page = furnish(browser, server.url)[0]
        found: dict[str, Any] = {}
        for path in ("/lobby", "/"):
            for language in LANGUAGES:
                for width, height in WINDOWS:
                    page.set_viewport_size({"width": width, "height": height})
                    settle(page, path, language)
                    if seen := look_at(page, width):
                        found[f"{path} {language} {width}x{height}"] = seen
                if heavy := findings(page):
                    found[f"{path} {language} axe"] = heavy
        for context in browser.contexts:
            context.close()
    assert found == {}


def take_pictures(folder: Path, languages: list[str]) -> None:
    """Home and lobby, full and empty, in every window."""
    with (
        tempfile.TemporaryDirectory() as place,
        ServerProcess(f"{place}/landfall.db", static=str(STATIC), pace=600.0) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium())
        quiet = register(browser.new_context(base_url=server.url).new_page(), "Ana Quiet")
        body = {"game": "atlandice", "players": 2, "bots": ["sprat"]}
        table = quiet.request.post("/api/tables/quick", data=body).json()["table"]
        quiet.goto("/nowhere")
        quiet.evaluate(RESIGN, table)

        def shoot(page: Page, path: str, name: str, language: str, **settings: str) -> None:
            for width, height in WINDOWS:
                page.set_viewport_size({"width": width, "height": height})
                settle(page, path, language, **settings)
                page.screenshot(path=folder / f"{name}-{language}-{width}x{height}.png", full_page=width < 1000)
                print(name, language, f"{width}x{height}", look_at(page, width))
            print(name, language, "axe", findings(page))

        for language in languages[:1]:
            shoot(quiet, "/", "quiet", language)
            shoot(quiet, "/lobby", "empty", language)
        pages = furnish(browser, server.url)
        for language in languages:
            shoot(pages[0], "/", "home", language)
            shoot(pages[0], "/lobby", "lobby", language)
        shoot(pages[0], "/", "home-dark", languages[0], theme="dark")
        browser.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    take_pictures(target, sys.argv[2:] or ["en", "bg"])
