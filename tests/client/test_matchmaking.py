"""Looking for a table in the browser: two browsers meet at a rated table; a search goes on over pages and reloads."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.client.conftest import Sit

pytestmark = pytest.mark.once
PASSWORD = "a long password"
LONG_MS = 60_000  # for a busy machine


def register(page: Page, name: str) -> None:
    answer = page.request.post("/api/account", data={"name": name, "password": PASSWORD})
    assert answer.ok, answer.text()


def look(page: Page, rated: bool = True) -> None:
    """Look for a table of two, without bots."""
    expect(page.get_by_test_id("pair")).to_be_visible(timeout=LONG_MS)
    for size in ("3", "4"):
        page.get_by_label(size, exact=True).uncheck()
    if rated:
        page.get_by_role("radio", name=re.compile("^Rated")).check()
    page.get_by_role("switch", name=re.compile("^Bots sit down")).uncheck(force=True)  # its picture is over it
    page.get_by_role("button", name="Find a table").click()


def test_two_browsers_meet_at_a_rated_table(sit: Sit) -> None:
    ana, boris = sit(), sit()
    register(ana.page, "Ana Pair")
    register(boris.page, "Boris Pair")
    ana.go("/watch")
    ana.page.get_by_role("link", name="Find an opponent").click()
    look(ana.page)
    searching = ana.page.get_by_test_id("searching")
    expect(searching).to_contain_text("Nobody else is waiting", timeout=LONG_MS)
    ana.page.goto(ana.page.url)  # the search goes on
    expect(searching).to_contain_text("as strong as you", timeout=LONG_MS)
    ana.go("/learn")
    expect(ana.page.get_by_test_id("search-pill")).to_contain_text("Looking for a table", timeout=LONG_MS)
    boris.go("/pair?game=survive")
    look(boris.page)
    for page in (ana.page, boris.page):
        page.wait_for_url(re.compile("/t/"), timeout=LONG_MS)
    assert ana.page.url == boris.page.url
    table = ana.page.request.get(f"/api/tables/{ana.page.url.rpartition('/')[2]}").json()["table"]
    assert table["status"] == "playing"
    assert table["rated"]
    assert "unrated" not in table
    assert {chair["name"] for chair in table["chairs"]} == {"Ana Pair", "Boris Pair"}
    assert ana.page.request.get("/api/search").json() is None


@pytest.mark.proof
def test_stopping_and_bots_at_once(sit: Sit) -> None:
    ana = sit()
    ana.go("/pair?game=atlandice")
    look(ana.page, rated=False)
    ana.page.get_by_role("button", name="Stop looking").click(timeout=LONG_MS)
    expect(ana.page.get_by_test_id("pair")).to_be_visible(timeout=LONG_MS)
    ana.page.get_by_role("button", name="Find a table").click()
    ana.page.get_by_role("button", name="Add bots now").click(timeout=LONG_MS)
    ana.page.wait_for_url(re.compile("/t/"), timeout=LONG_MS)


@pytest.mark.proof
def test_a_blocked_player_is_said_to_be(sit: Sit) -> None:
    ana, boris = sit(), sit()
    register(ana.page, "Ana Blocks")
    register(boris.page, "Boris Blocked")
    ana.go("/player/Boris%20Blocked")
    ana.page.get_by_role("button", name="Block").click(timeout=LONG_MS)
    expect(ana.page.get_by_text("You have blocked Boris Blocked.")).to_be_visible(timeout=LONG_MS)
    ana.page.reload()
    ana.page.get_by_role("button", name="Unblock").click(timeout=LONG_MS)
    expect(ana.page.get_by_role("button", name="Block", exact=True)).to_be_visible(timeout=LONG_MS)
