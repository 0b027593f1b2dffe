"""A tournament in the browser: opened by one, joined by another, played, and its standings at the end."""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from landfall.core.texts import LANGUAGES
from landfall.tables.tournaments.tournament_log import CHECK_IN_MS
from tests.client.conftest import STATIC, Sit, chromium
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
PASSWORD = "a long password"
LONG_MS = 60_000  # for a busy machine
WINDOWS = [(1440, 900), (390, 844), (844, 390), (768, 1024)]
RESIGN = """
(table) => new Promise((done) => {
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws/tables/${table}`)
  socket.onmessage = (event) => {
    const news = JSON.parse(event.data)
    if (news.t === 'welcome') socket.send(JSON.stringify({ t: 'resign' }))
    if (news.t === 'table' && news.status === 'over') { socket.close(); done(news.ended) }
  }
})
"""


def register(page: Page, name: str) -> None:
    answer = page.request.post("/api/account", data={"name": name, "password": PASSWORD})
    assert answer.ok, answer.text()


@pytest.mark.proof
def test_a_tournament_from_its_opening_to_its_end(sit: Sit) -> None:
    ana, boris = sit(), sit()
    register(ana.page, "Ana Cup")
    ana.go("/tournaments")
    ana.page.get_by_role("link", name="Open a tournament").click(timeout=LONG_MS)
    form = ana.page.get_by_test_id("new-tournament")
    form.get_by_label("Name").fill("Browser Cup")
    form.get_by_text("Atlandice", exact=True).click()
    form.get_by_role("radiogroup", name="At a table").get_by_text("2", exact=True).click()
    for _ in range(3):
        form.get_by_role("button", name="One less").click()
    soon = ana.page.evaluate("() => new Date(Date.now() - new Date().getTimezoneOffset() * 6e4 + 3e5).toISOString()")
    form.locator("input[type=datetime-local]").fill(soon[:16])
    form.get_by_role("button", name="Open it").click()
    ana.page.wait_for_url(re.compile("/tournament/"), timeout=LONG_MS)
    expect(ana.page.get_by_test_id("members")).to_contain_text("Ana Cup", timeout=LONG_MS)

    boris.go("/tournaments")
    boris.page.get_by_role("listitem").filter(has_text="Browser Cup").get_by_role("link").click(timeout=LONG_MS)
    boris.page.get_by_label("Your name").fill("Boris Cup")
    boris.page.get_by_role("button", name="Join").click()
    expect(boris.page.get_by_test_id("members")).to_contain_text("Boris Cup", timeout=LONG_MS)
    ana.page.get_by_role("button", name="Begin now").click(timeout=LONG_MS)
    for page in (ana.page, boris.page):
        expect(page.get_by_test_id("my-table")).to_contain_text("Round 1, table 1", timeout=LONG_MS)
    ana.page.get_by_test_id("my-table").get_by_role("link", name="Go to your table").click()
    ana.page.wait_for_url(re.compile("/t/"), timeout=LONG_MS)
    table = ana.page.url.rpartition("/")[2]
    assert boris.page.evaluate(RESIGN, table) == "resigned"
    ana.page.get_by_role("link", name="To the standings").first.click(timeout=LONG_MS)
    expect(ana.page.get_by_test_id("podium")).to_contain_text("Ana Cup", timeout=LONG_MS)
    rows = ana.page.get_by_test_id("standings").locator("tbody tr")
    expect(rows).to_have_text([re.compile("1.*Ana Cup.*2"), re.compile("2.*Boris Cup.*0")], timeout=LONG_MS)
    expect(boris.page.get_by_test_id("tournament")).to_have_attribute("data-status", "over", timeout=LONG_MS)


def fill(page: Page, others: list[Page]) -> dict[str, str]:
    """A tournament before, one while it is played, and one that is over."""
    body: dict[str, Any] = {
        "title": "Autumn Regatta", "game": "survive", "size": 4, "rounds": 5, "starts": int(time.time() * 1000) + 10**8,
    }  # fmt: skip
    soon = {"starts": int(time.time() * 1000) + CHECK_IN_MS}
    made: dict[str, str] = {}
    for name, terms in (
        ("before", {}), ("during", soon), ("after", {**soon, "size": 2, "rounds": 1, "game": "atlandice"}),
    ):  # fmt: skip
        id_ = page.request.post("/api/tournaments", data={**body, **terms}).json()["tournament"]
        made[name] = id_
        for one in (page, *others):
            assert one.request.post(f"/api/tournaments/{id_}/join").ok
        if name != "before":
            assert page.request.post(f"/api/tournaments/{id_}/begin").ok
    while not (played := page.request.get(f"/api/tournaments/{made['after']}").json()["tournament"]["played"]):
        time.sleep(0.2)
    for table in played[0]["tables"]:
        loser = [page, *others][table["seats"][1]["player"]]
        loser.goto("/")
        loser.evaluate(RESIGN, table["table"])
    while page.request.get(f"/api/tournaments/{made['after']}").json()["tournament"]["status"] != "over":
        time.sleep(0.2)
    return {"list": "/tournaments", "new": "/tournaments/new"} | {k: f"/tournament/{v}" for k, v in made.items()}


def take_pictures(folder: Path, languages: tuple[str, ...] = LANGUAGES) -> None:
    """Every page in every window and language."""
    with (
        tempfile.TemporaryDirectory() as place,
        ServerProcess(f"{place}/landfall.db", static=str(STATIC), director_ms=200) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium())
        pages = [browser.new_context(base_url=server.url).new_page() for _ in range(7)]
        for page, name in zip(pages, ("Ana", "Boris", "小雨", "Inês", "Димитър", "Vera", "Rafael"), strict=True):
            register(page, name)
        addresses = fill(pages[0], pages[1:])
        page = pages[0]
        for language in languages:
            page.goto("/")
            page.evaluate(f"localStorage.setItem('landfall.settings', JSON.stringify({{language: '{language}'}}))")
            for width, height in WINDOWS:
                page.set_viewport_size({"width": width, "height": height})
                for name, address in addresses.items():
                    page.goto(address)
                    page.locator("[data-testid]").first.wait_for()
                    page.wait_for_load_state("networkidle")
                    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    if wide > 0:
                        print(f"{name} {language} {width}x{height}: {wide} px too wide")
                    page.screenshot(path=folder / f"{name}-{language}-{width}x{height}.png", full_page=True)
        page.emulate_media(media="print")
        page.screenshot(path=folder / "print.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1]), tuple(sys.argv[2:]) or LANGUAGES)
