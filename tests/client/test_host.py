"""The host's page in the browser: reports from a chat and a player's page, actions, and nothing for others."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from landfall.cli import app
from tests.client.conftest import Sit
from tests.client.test_axe import findings
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
PASSWORD = "a long password"


def register(page: Page, name: str) -> None:
    made = page.request.post("/api/account", data={"name": name, "password": PASSWORD})
    assert made.ok, made.text()


def sign_up(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.locator("input[type=password]").fill(PASSWORD)
    page.get_by_role("button", name="Create an account").click()


def make_host(server: ServerProcess, name: str) -> None:
    database = str(server.settings["database"])
    with ThreadPoolExecutor() as aside:  # Playwright has a loop in this thread
        done = aside.submit(CliRunner().invoke, app, ["host", "admin", name, "--database", database]).result()
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_from_home_to_a_decision_in_two_taps(sit: Sit, server: ServerProcess, phone: bool) -> None:
    names = [f"{role} {'Small' if phone else 'Wide'}" for role in ("Tapping Host", "Tara", "Ringo Rude")]
    host, tara, ringo = sit(phone=phone), sit(), sit()
    for one, name in zip((host, tara, ringo), names, strict=True):
        register(one.page, name)
    make_host(server, names[0])
    tara.page.request.post("/api/reports", data={"player": names[2], "text": "rude"})
    page = host.go("/").page
    page.get_by_role("link", name="Host’s page").click()
    reports = page.get_by_role("list", name="Reports")
    reports.get_by_role("listitem").filter(has_text=names[2]).get_by_role("button", name="Mute for a day").click()
    expect(reports).not_to_contain_text(names[2])
    expect(page.get_by_role("list", name="What hosts did")).to_contain_text(f"Muted {names[2]}")
    assert findings(page) == []


def test_the_host_names_the_club_invites_and_announces(sit: Sit, server: ServerProcess) -> None:
    host, member = sit(), sit(phone=True)
    register(host.page, "Club Host")
    make_host(server, "Club Host")
    page = host.go("/host").page
    club = page.get_by_test_id("club")
    club.get_by_label("Name of the server").fill("Harbour Club")
    club.get_by_label("Announcement").fill("A tournament on Friday.")
    club.get_by_label("Imprint").fill("Ana Sousa")
    club.get_by_role("radio", name="By invitation").check(force=True)
    club.get_by_role("button", name="Save").click()
    expect(club.get_by_role("status")).to_have_text("Saved.")
    members = page.get_by_test_id("members")
    members.get_by_role("button", name="Make a link that invites").click()
    link = members.locator("code").inner_text()
    members.get_by_label("An account for").fill("Grandma Rose")
    members.get_by_role("button", name="Make the account").click()
    expect(members.get_by_role("status")).to_contain_text("Grandma Rose")
    assert findings(page) == []

    small = member.go("/me/account").page
    sign_up(small, "Uninvited Una")
    expect(small.get_by_role("alert")).to_be_visible()
    small = member.go("/me/account" + link[link.index("#") :]).page
    small.reload()
    sign_up(small, "Invited Ina")
    expect(small.get_by_test_id("codes").locator("li")).to_have_count(10)
    small.get_by_role("checkbox", name="I have kept them somewhere else.").check()
    small.get_by_role("button", name="Done").click()
    expect(small.get_by_role("heading", level=1)).to_have_text("Invited Ina")
    told = member.go("/lobby").page.get_by_test_id("announcement")
    expect(told).to_contain_text("A tournament on Friday.")
    assert findings(member.page) == []
    told.get_by_role("button", name="Read").click()
    expect(told).to_have_count(0)
    about = member.go("/about").page
    expect(about.get_by_role("heading", level=1)).to_have_text("Harbour Club")
    expect(about.get_by_text("Ana Sousa")).to_be_visible()
    assert findings(about) == []
    page.request.put("/api/host/club", data={"registration": "open"})


def test_a_report_leads_to_a_ban_and_others_see_no_such_page(sit: Sit, server: ServerProcess) -> None:
    host, vera, otto = sit(), sit(), sit()
    for one, name in ((host, "Hanna Host"), (vera, "Vera Reports"), (otto, "Otto Reported")):
        register(one.page, name)
    vera.go("/host")
    expect(vera.page.get_by_role("heading", level=1)).to_have_text("Nothing but sea here")
    database = str(server.settings["database"])
    make_host(server, "Hanna Host")

    vera.go("/player/Otto%20Reported")
    vera.page.get_by_role("button", name="Report this player").click()
    asked = vera.page.get_by_role("dialog")
    asked.get_by_label("What is wrong?").fill("He was rude.")
    asked.get_by_role("button", name="Send").click()
    expect(asked.get_by_text("Thank you.")).to_be_visible()

    page = host.go("/host").page
    reports = page.get_by_role("list", name="Reports")
    expect(reports).to_contain_text("Otto Reported")
    expect(reports).to_contain_text("by Vera Reports")
    assert findings(page) == []
    jobs = page.get_by_role("list", name="In the background").locator("b")
    expect(jobs).to_have_text(["Bots", "Calculations", "Reviews"])
    reports.get_by_role("button", name="Actions").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason, shown to this person").fill("Rude in the chat.")
    dialog.get_by_role("button", name="Ban", exact=True).click()
    expect(page.get_by_role("list", name="What hosts did")).to_contain_text("Banned Otto Reported")
    refused = otto.page.request.post("/api/tables", data={"game": "atlandice", "players": 2})
    assert refused.json()["args"] == {"reason": "Rude in the chat."}
    expect(reports).not_to_contain_text("Otto Reported")  # it is dealt with by the ban
    page.get_by_role("textbox", name="Find a name").fill("Otto Reported")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("list", name="People")).to_contain_text("banned")

    with sqlite3.connect(database) as db:  # as after ten minutes
        db.execute("update challenges set ends = 0 where kind = 'recent'")
    page.get_by_role("list", name="People").get_by_role("button", name="Actions").first.click()
    chosen = page.get_by_role("dialog", name="Otto Reported")
    chosen.get_by_role("button", name="Link to sign in").click()
    asked = page.get_by_role("dialog", name="Confirm that it is you")
    asked.get_by_label("Password").fill(PASSWORD)
    asked.get_by_role("button", name="Confirm").click()
    expect(chosen.locator("code")).to_contain_text("/me/account#name=Otto+Reported")
    with sqlite3.connect(database) as db:
        kinds = [row[0] for row in db.execute("select kind from host_actions order by id")]
    db.close()
    assert kinds == ["ban", "reset"]
