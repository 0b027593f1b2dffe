"""Pace and ease in a real browser: a set-up in one click, a rematch at once, and a first visit."""

import pytest
from playwright.sync_api import expect

from tests.client.conftest import Sit
from tests.client.match_records import greedy_match_record

pytestmark = pytest.mark.once


def test_the_rest_of_a_set_up_is_placed_in_one_click(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("survive", 4, "mackerel")
    ana.page.get_by_role("button", name="Place the rest for me").click()
    ana.until(lambda: ana.page.get_by_text("Place the rest for me").count() == 0)
    ana.wait()
    expect(ana.page.locator(".piece").first).to_be_attached()
    assert ana.page.get_by_role("button", name="Place the rest for me").count() == 0


def test_a_rematch_against_bots_begins_at_once(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    old = ana.opened(greedy_match_record("atlandice", 2), 0, 10)
    ana.wait()
    ana.page.get_by_role("button", name="Menu").first.click()
    ana.page.get_by_role("button", name="Resign").click()
    ana.page.get_by_role("button", name="Are you sure").click()
    ana.page.wait_for_selector("[data-testid=end]")
    ana.page.get_by_role("button", name="Rematch").first.click()
    ana.page.wait_for_url(lambda url: "/t/" in url and old not in url)
    ana.page.wait_for_selector("[data-game=atlandice]")


def test_a_stranger_fetches_no_letters_of_other_languages_and_meets_no_error(sit: Sit) -> None:
    ana = sit()
    said: list[str] = []
    fetched: list[str] = []
    ana.page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    ana.page.on("response", lambda answer: fetched.append(answer.url))
    ana.go("/").page.wait_for_load_state("networkidle")
    ana.page.get_by_role("button", name="Play now").first.click()
    ana.page.wait_for_selector("[data-game]")
    ana.page.wait_for_load_state("networkidle")
    assert [url for url in fetched if "cyrillic" in url] == []
    assert said == []
