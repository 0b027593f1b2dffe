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


def test_a_report_leads_to_a_ban_and_others_see_no_such_page(sit: Sit, server: ServerProcess) -> None:
    host, vera, otto = sit(), sit(), sit()
    for one, name in ((host, "Hanna Host"), (vera, "Vera Reports"), (otto, "Otto Reported")):
        register(one.page, name)
    vera.go("/host")
    expect(vera.page.get_by_role("heading", level=1)).to_have_text("Nothing but sea here")
    database = str(server.settings["database"])
    with ThreadPoolExecutor() as aside:  # Playwright has a loop in this thread
        done = aside.submit(CliRunner().invoke, app, ["host", "admin", "Hanna Host", "--database", database]).result()
    assert done.exit_code == 0, done.output

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
    reports.get_by_role("button", name="Settle").first.click()
    expect(reports).not_to_contain_text("Otto Reported")
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
    assert kinds == ["ban", "fine", "reset"]
