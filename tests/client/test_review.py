"""Looking back when the server cannot: the page says so, keeps the replay, and asks again when told to."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from landfall.tables.jobs.reviews import MAX_REVIEWS_PER_USER
from tests.client.conftest import DESK, PHONE, STATIC
from tests.client.match_records import greedy_match_record, random_match_record
from tests.client.page_player import Player
from tests.conftest import LONG
from tests.server.real_server import ServerProcess

pytestmark = [pytest.mark.once, pytest.mark.proof]  # a server of its own, and reviews that keep it busy


def expect_notice(page: Page, words: str) -> None:
    """The page says why there is no story, offers another try, and claims nothing about the match."""
    alert = page.get_by_role("alert").filter(visible=True)
    expect(alert).to_contain_text(words)
    expect(alert).to_contain_text("You can still watch the replay.")
    expect(alert.get_by_role("button", name="Try again")).to_be_visible()
    expect(page.get_by_text("No moment swung the match by much.")).to_have_count(0)
    expect(page.get_by_text("Too short to tell.")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_refused_review_says_so(browser: Browser, tmp_path: Path) -> None:
    with ServerProcess(str(tmp_path / "tables.sqlite"), static=str(STATIC)) as server:
        context = browser.new_context(base_url=server.url, viewport=DESK, service_workers="block")  # type: ignore[arg-type]
        context.set_default_timeout(LONG * 1000)
        try:
            ana = Player(context.new_page(), [], server.url, False).set_name_by_request()
            page, table = ana.page, ana.opened(random_match_record("atlandice", 2), 0)
            expect(page.get_by_test_id("end")).to_be_visible()
            for seed in range(MAX_REVIEWS_PER_USER):  # each takes longer than this test
                record = greedy_match_record("survive", 4, seed=seed)
                assert page.request.post("/api/reviews", data={"record": record}).ok
            ana.go(f"/replay/{table}/look")
            expect_notice(page, "Too many reviews are under way.")
            page.set_viewport_size(PHONE)  # type: ignore[arg-type]
            expect_notice(page, "Too many reviews are under way.")
            context.set_offline(True)
            page.get_by_role("button", name="Try again").filter(visible=True).click()
            expect_notice(page, "Can’t reach the server.")
        finally:
            context.close()
