"""A stranger on a phone, in Bulgarian: account, friend, invitation, tournament, notifications, and goodbye."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from playwright.sync_api import Page, expect

from tests.client.conftest import Sit
from tests.repository_files import REPO

pytestmark = pytest.mark.once
PASSWORD = "a long password"
LONG_MS = 60_000  # for a busy machine


@cache
def catalogue() -> dict[str, str]:
    found: dict[str, str] = {}
    for file in (REPO / "client" / "src" / "messages").rglob("bg.json"):
        found |= json.loads(file.read_text(encoding="utf-8"))
    return found


def say(key: str, **values: str) -> str:
    """A sentence of the client in Bulgarian."""
    text = catalogue()[key]
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def press(page: Page, key: str, role: str = "button", **values: str) -> None:
    page.get_by_role(role, name=say(key, **values), exact=True).first.click(timeout=LONG_MS)  # type: ignore[arg-type]


@pytest.mark.proof
def test_from_an_account_to_its_deletion(sit: Sit) -> None:
    boris = sit(language="bg")
    assert boris.page.request.post("/api/account", data={"name": "Борис", "password": PASSWORD}).ok
    page = sit(phone=True, language="bg").page
    page.set_default_timeout(LONG_MS)

    page.goto("/me")
    page.get_by_role("radio", name=re.compile(say("pages.me.account"))).check(force=True)
    page.get_by_label(say("pages.new.your_name")).fill("Ана Нова")
    page.get_by_role("textbox", name=re.compile("^" + say("pages.me.password"))).fill(PASSWORD)
    press(page, "pages.me.account")
    page.get_by_label(say("account.codes.kept")).check()
    press(page, "account.done")

    page.goto("/me/account")
    chosen = page.get_by_test_id("portrait")
    chosen.get_by_role("radio", name=say("account.colour.orange"), exact=True).check(force=True)
    chosen.get_by_role("radio", name=say("account.ground.night"), exact=True).check(force=True)
    expect(chosen.locator(".own [data-portrait]")).to_have_attribute("data-portrait", "orange night", timeout=LONG_MS)
    boris.go("/player/%D0%90%D0%BD%D0%B0%20%D0%9D%D0%BE%D0%B2%D0%B0")
    drawn = boris.page.get_by_test_id("player").locator("[data-portrait]").first
    expect(drawn).to_have_attribute("data-portrait", "orange night", timeout=LONG_MS)

    page.get_by_role("navigation", name=say("pages.tabs")).get_by_text(say("lobby.title")).click()
    page.get_by_label(say("lobby.find_player.name")).fill("борис", timeout=LONG_MS)
    press(page, "lobby.find_player.go")
    expect(page.get_by_role("heading", level=1)).to_have_text("Борис", timeout=LONG_MS)
    press(page, "lobby.follow")
    expect(page.get_by_role("button", name=say("lobby.unfollow"))).to_be_visible(timeout=LONG_MS)
    press(page, "lobby.invite.to", name="Борис")
    press(page, "lobby.invite.new", "link", name="Борис")
    expect(page.get_by_role("status").filter(has_text="Борис")).to_be_visible(timeout=LONG_MS)
    page.get_by_role("button", name=re.compile(say("pages.new.set"))).click(timeout=LONG_MS)
    page.wait_for_url(re.compile("/t/"), timeout=LONG_MS)
    invited = boris.page.request.get("/api/home").json()["invitations"]
    assert [one["name"] for one in invited] == ["Ана Нова"]
    boris.go("/")
    expect(boris.page.get_by_test_id("invitation")).to_contain_text(say("club.friendly"), timeout=LONG_MS)
    page.goto("/player/%D0%90%D0%BD%D0%B0%20%D0%9D%D0%BE%D0%B2%D0%B0")
    expect(page.get_by_test_id("follows")).to_contain_text("Борис", timeout=LONG_MS)

    page.goto("/tournaments")
    press(page, "cup.open", "link")
    page.get_by_label(say("cup.new.name"), exact=True).fill("Първи турнир", timeout=LONG_MS)
    press(page, "cup.new.go")
    page.wait_for_url(re.compile("/tournament/"), timeout=LONG_MS)
    expect(page.get_by_test_id("members")).to_contain_text("Ана Нова", timeout=LONG_MS)

    page.get_by_test_id("bell").click(timeout=LONG_MS)
    press(page, "lobby.bell.settings", "link")
    expect(page.get_by_test_id("notifications")).to_be_visible(timeout=LONG_MS)

    page.goto("/me/account")
    press(page, "pages.me.forget")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(say("account.leave.write")).fill("Ана Нова")
    dialog.get_by_role("button", name=say("pages.me.forget"), exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(say("pages.me.title"), timeout=LONG_MS)
    assert boris.page.request.get("/api/players/%D0%90%D0%BD%D0%B0%20%D0%9D%D0%BE%D0%B2%D0%B0").status == 404
