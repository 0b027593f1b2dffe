"""Looking back in a browser: the curve, what mattered, luck, a bot's choice, another one tried, and on from there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.client.conftest import Sit
from tests.client.match_records import greedy_match_record

pytestmark = pytest.mark.once
WORKED_OUT = "[data-testid=look][data-state=kept]"


def at(page: Page) -> int:
    """The moment shown, as the curve's slider says it."""
    return int(page.get_by_test_id("curve").get_attribute("aria-valuenow") or -1)


def test_a_match_is_looked_back_on(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    table = ana.opened(greedy_match_record("atlandice", 2), seat=0)
    page = ana.page
    page.get_by_role("link", name="Review").click()
    expect(page).to_have_url(re.compile(f"/replay/{table}/look"))
    expect(page.locator(WORKED_OUT)).to_be_visible()
    moments = page.locator("[data-testid=moments] button")
    expect(moments.first).to_be_visible()
    assert 1 <= moments.count() <= 5
    expect(page.get_by_test_id("summary")).to_contain_text("Chance")
    expect(page.get_by_test_id("luck")).to_contain_text(re.compile("lucky|neither"))
    moments.first.click()
    expect(moments.first).to_have_attribute("aria-current", "true")
    first = at(page)
    page.keyboard.press("ArrowLeft")
    assert at(page) == first - 1
    page.keyboard.press("PageDown")
    assert at(page) == first
    assert "chance of winning" in (page.get_by_test_id("curve").get_attribute("aria-valuetext") or "")
    # Another choice, where there was one.
    attempt = page.get_by_role("button", name="Try another move")
    page.keyboard.press("Home")
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        if attempt.is_enabled():
            break
    attempt.click()
    expect(page.get_by_test_id("instead")).to_contain_text("on the board")
    expect(page.locator("[data-mine=true]")).to_be_attached()
    page.get_by_role("button", name="Undo").click()
    expect(attempt).to_be_enabled()
    # On from there, against bots.
    page.get_by_role("button", name="Play on from here").click()
    expect(page).to_have_url(re.compile(r"/t/[\w-]+$"))
    played = page.url.rpartition("/")[2]
    assert len(ana.log(played)) > 7
    # The same for everybody, from the replay on a phone too: no work is done again.
    iva = sit(phone=True)
    iva.go(f"/replay/{table}?at={first + 1}")
    iva.page.get_by_role("button", name="Review").click()
    expect(iva.page.locator(WORKED_OUT)).to_be_visible()
    assert f"at={first + 1}" in iva.page.url
    expect(iva.page.get_by_test_id("said")).not_to_be_empty()
    iva.page.locator(".sheet .grab").click()
    iva.page.get_by_role("tab", name="Luck and choices").click()
    expect(iva.page.get_by_test_id("luck")).to_be_visible()
