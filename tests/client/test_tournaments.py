"""A tournament in the browser: opened by one, joined by another, played, and its standings at the end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.client.conftest import Sit

pytestmark = pytest.mark.once
PASSWORD = "a long password"
LONG_MS = 60_000  # for a busy machine
SOON = """
() => {
  const at = new Date(Date.now() + 8 * 60_000)
  return new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
"""
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
    for one in (ana, boris):
        one.page.set_default_timeout(LONG_MS)
    register(ana.page, "Ana Cup")
    ana.go("/tournaments")
    ana.page.get_by_role("link", name="Open a tournament").click(timeout=LONG_MS)
    form = ana.page.get_by_test_id("new-tournament")
    form.get_by_label("Name").fill("Browser Cup")
    form.get_by_role("radio", name="Atlandice").check(force=True)
    form.get_by_role("radiogroup", name="At a table").get_by_role("radio", name="2").check(force=True)
    for _ in range(3):
        form.get_by_role("button", name="One fewer").click()
    form.get_by_label("Start, your time").fill(ana.page.evaluate(SOON))  # it begins ten minutes early at most
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
