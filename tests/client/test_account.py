"""Accounts in the browser: passkeys with a virtual authenticator, recovery codes, data to take along."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.client.conftest import Sit
from tests.client.page_player import Player

pytestmark = pytest.mark.once
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


def with_authenticator(player: Player) -> tuple[Page, str]:
    """A browser whose authenticator says yes, and the address where passkeys work: they need a name."""
    session = player.page.context.new_cdp_session(player.page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return player.page, player.url.replace("127.0.0.1", "localhost")


def create_with_passkey(page: Page, url: str, name: str) -> None:
    page.goto(f"{url}/me/account")
    page.get_by_role("radio", name=re.compile("Create an account")).check(force=True)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Create it with a passkey").click()
    expect(page.get_by_test_id("codes").locator("li")).to_have_count(10)
    page.get_by_role("checkbox", name="I have kept them somewhere else.").check()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome")


def test_a_passkey_is_made_used_and_removed_and_no_answer_works_twice(sit: Sit) -> None:
    page, url = with_authenticator(sit())
    create_with_passkey(page, url, "Ana Passkey")
    ways = page.get_by_role("list", name="How you sign in")
    expect(ways.get_by_text("Passkey: Chrome")).to_be_visible()
    sign_out(page)
    page.get_by_role("radio", name=re.compile("^Sign in")).check(force=True)

    def is_answer(response: Response) -> bool:
        return response.url.endswith("/api/login/passkey")

    with page.expect_response(is_answer) as answered:
        page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ana Passkey")
    expect(ways.get_by_text("last used on")).to_be_visible()
    sent = answered.value.request.post_data_json
    stolen = page.request.post(f"{url}/api/login/passkey", data=sent, headers={"Origin": url})
    assert (stolen.status, stolen.json()["code"]) == (401, "passkey"), "replayed"

    ways.get_by_role("button", name=re.compile("Remove the passkey")).click()
    expect(page.get_by_role("alert")).to_contain_text("your only way to sign in")
    ways.get_by_role("button", name="Set a password").click()
    page.get_by_role("dialog").get_by_label("New password").fill("eight letters")
    page.get_by_role("dialog").get_by_role("button", name="Set a password").click()
    ways.get_by_role("button", name=re.compile("Remove the passkey")).click()
    expect(ways.get_by_text("Passkey: Chrome")).to_have_count(0)
    sign_out(page)
    page.get_by_role("radio", name=re.compile("^Sign in")).check(force=True)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("not accepted")


def test_a_recovery_code_lets_one_in_and_asks_for_a_new_password(sit: Sit, tmp_path: Path) -> None:
    ana = sit()
    page = ana.page
    made = page.request.post("/api/account", data={"name": "Ana Code", "password": "eight letters"})
    assert made.ok
    code = page.request.post("/api/account/codes").json()["codes"][0]
    body = {"game": "atlandice", "players": 2, "bots": ["sprat"]}
    table = page.request.post("/api/tables/quick", data=body).json()["table"]
    page.request.post("/api/logout")
    ana.go("/me")
    page.get_by_role("radio", name=re.compile("^Sign in")).check(force=True)
    page.get_by_role("button", name="I have a recovery code").click()
    page.get_by_label("Your name").fill("Ana Code")
    page.get_by_role("textbox", name="Recovery code").fill("not-it")
    page.get_by_role("button", name="Sign in", exact=True).last.click()
    expect(page.get_by_role("alert")).to_contain_text("recovery code is wrong")
    page.get_by_role("textbox", name="Recovery code").fill(code)
    page.get_by_role("button", name="Sign in", exact=True).last.click()
    expect(page.get_by_text("The code is used up.")).to_be_visible()
    expect(page.get_by_text("9 of 10 left")).to_be_visible()
    page.get_by_role("button", name="Change the password").click()
    asked = page.get_by_role("dialog")
    expect(asked.get_by_label("Current password")).to_have_count(0)
    asked.get_by_label("New password").fill("nine letters")
    asked.get_by_role("button", name="Change the password").click()
    expect(page.get_by_test_id("codes").locator("li")).to_have_count(10)
    page.get_by_role("checkbox", name="I have kept them somewhere else.").check()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_text("The password is changed.")).to_be_visible()
    expect(page.get_by_text("The code is used up.")).to_have_count(0)

    later = iter([True])  # the first time, as after ten minutes

    def refuse_once(route: Route) -> None:
        if next(later, False):
            fault: dict[str, object] = {
                "code": "not_recent",
                "key": "table.not_recent",
                "args": {},
                "rule": None,
                "text": "",
            }
            route.fulfill(status=403, json=fault)
        else:
            route.fallback()

    page.route("**/api/account/codes", refuse_once)
    page.get_by_role("button", name="New codes").click()
    asked = page.get_by_role("dialog", name="Confirm that it is you")
    asked.get_by_label("Password").fill("other letters")
    asked.get_by_role("button", name="Confirm").click()
    expect(asked.get_by_role("alert")).to_contain_text("The current password is wrong")
    asked.get_by_label("Password").fill("nine letters")
    asked.get_by_role("button", name="Confirm").click()
    expect(page.get_by_test_id("codes").locator("li")).to_have_count(10)
    page.get_by_role("checkbox", name="I have kept them somewhere else.").check()
    page.get_by_role("button", name="Done").click()

    with page.expect_download() as saved:
        page.get_by_role("button", name="Download my data").click()
    saved.value.save_as(tmp_path / "data.json")
    data = json.loads((tmp_path / "data.json").read_text(encoding="utf-8"))
    assert data["people"][0]["name"] == "Ana Code"
    assert [match["table"] for match in data["matches"]] == [table]
