"""The lobby, home for somebody who comes back, the bell, invitations and following, in browsers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.client.conftest import Sit

pytestmark = pytest.mark.once
PASSWORD = "a long password"
LONG_MS = 60_000  # for a busy machine


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
